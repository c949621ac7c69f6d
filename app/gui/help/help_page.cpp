#include "gui/help/help_page.h"

#include "gui/help/help_browser.h"
#include "gui/help/help_contents.h"
#include "gui/help/help_text.h"
#include "gui/icons/icon.h"
#include "widgets/look/theme.h"

#include <QDesktopServices>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

namespace sparsight {

namespace {

const QString index_topic = QStringLiteral("index");

} // namespace

/// The keys that mean something here, also where the window has given them a meaning of its own.
std::optional<HelpPage::Way> HelpPage::way_of(const QKeyEvent& event) {
    if (event.matches(QKeySequence::Find))
        return Way::Search;
    if (event.matches(QKeySequence::ZoomIn) ||
        (event.modifiers().testFlag(Qt::ControlModifier) && event.key() == Qt::Key_Equal))
        return Way::Enlarge;
    if (event.matches(QKeySequence::ZoomOut))
        return Way::Reduce;
    if (event.modifiers() == Qt::ControlModifier && event.key() == Qt::Key_0)
        return Way::UsualSize;
    if (event.modifiers() == Qt::AltModifier && event.key() == Qt::Key_Left)
        return Way::Back;
    if (event.modifiers() == Qt::AltModifier && event.key() == Qt::Key_Right)
        return Way::Forward;
    return std::nullopt;
}

HelpPage::HelpPage(QWidget* parent)
    : Page(PagePlace::Help, QStringLiteral("help"), tr("Help"), QStringLiteral("help"), parent)
    , contents_(new HelpContents(this))
    , browser_(new HelpBrowser(this))
    , splitter_(new QSplitter(this)) {
    auto* const right = new QWidget(splitter_);
    right->setAutoFillBackground(true);
    right->setBackgroundRole(QPalette::Base);
    auto* const right_column = new QVBoxLayout(right);
    right_column->setContentsMargins(0, 0, 0, 0);
    right_column->setSpacing(0);
    right_column->addWidget(make_bar());
    right_column->addWidget(browser_, 1);

    splitter_->addWidget(contents_);
    splitter_->addWidget(right);
    splitter_->setStretchFactor(0, 0);
    splitter_->setStretchFactor(1, 1);
    splitter_->setChildrenCollapsible(false);
    const int letter = fontMetrics().averageCharWidth();
    contents_->setMinimumWidth(22 * letter);
    splitter_->setSizes({46 * letter, 130 * letter});
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(splitter_);

    connect(contents_, &HelpContents::chosen, this, &HelpPage::visit);
    connect(browser_, &QTextBrowser::anchorClicked, this, &HelpPage::follow);
    show_topic(index_topic);
}

QToolButton* HelpPage::make_button(const QString& icon, const QString& text, void (HelpPage::*action)()) {
    auto* const button = new QToolButton(this);
    button->setIcon(sparsight::icon(icon));
    button->setAutoRaise(true);
    button->setToolTip(text);
    button->setAccessibleName(text);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, action);
    return button;
}

QWidget* HelpPage::make_bar() {
    back_ = make_button(QStringLiteral("back"), tr("Back (Alt+Left)"), &HelpPage::go_back);
    forward_ = make_button(QStringLiteral("forward"), tr("Forward (Alt+Right)"), &HelpPage::go_forward);
    title_ = new QLabel(this);
    title_->setForegroundRole(QPalette::PlaceholderText);
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    size_ = make_button(QString(), tr("Usual text size (Ctrl+0)"), &HelpPage::reset_size);
    size_->setText(tr("%1 %").arg(browser_->text_size()));
    auto* const bar = new QWidget(this);
    auto* const row = new QHBoxLayout(bar);
    row->setContentsMargins(grid_step, grid_step / 2, grid_step, grid_step / 2);
    row->setSpacing(grid_step / 2);
    row->addWidget(back_);
    row->addWidget(forward_);
    row->addWidget(title_, 1);
    row->addWidget(make_button(QStringLiteral("zoom-out"), tr("Smaller text (Ctrl+−)"), &HelpPage::reduce));
    row->addWidget(size_);
    row->addWidget(make_button(QStringLiteral("zoom-in"), tr("Larger text (Ctrl++)"), &HelpPage::enlarge));
    return bar;
}

void HelpPage::show_topic(const QString& topic, const QString& anchor) {
    visit(help_markdown(topic).isEmpty() ? index_topic : topic, anchor, {});
}

void HelpPage::seek(const QString& query) {
    contents_->seek(query);
}

QString HelpPage::topic() const {
    return history_[place_].topic;
}

QStringList HelpPage::listed_topics() const {
    return contents_->listed_topics();
}

void HelpPage::visit(const QString& topic, const QString& anchor, const QStringList& words) {
    const bool is_here = !history_.empty() && this->topic() == topic && history_[place_].anchor == anchor;
    if (!is_here) {
        leave();
        if (!history_.empty())
            history_.resize(place_ + 1);
        history_.push_back({topic, anchor});
        place_ = history_.size() - 1;
    }
    history_[place_].scroll = -1;
    show_visit(words);
}

void HelpPage::leave() {
    if (!history_.empty())
        history_[place_].scroll = browser_->verticalScrollBar()->value();
}

void HelpPage::go_back() {
    if (!can_go_back())
        return;
    leave();
    --place_;
    show_visit({});
}

void HelpPage::go_forward() {
    if (!can_go_forward())
        return;
    leave();
    ++place_;
    show_visit({});
}

void HelpPage::show_visit(const QStringList& words) {
    const Visit& visit = history_[place_];
    browser_->show_page(help_markdown(visit.topic));
    browser_->mark_words(words);
    if (visit.scroll >= 0)
        browser_->verticalScrollBar()->setValue(visit.scroll);
    else
        browser_->show_anchor(visit.anchor);
    contents_->set_current(visit.topic);
    title_->setText(help_title(visit.topic));
    show_ways();
    Q_EMIT topic_shown(visit.topic);
}

void HelpPage::show_ways() {
    back_->setEnabled(can_go_back());
    forward_->setEnabled(can_go_forward());
}

void HelpPage::follow(const QUrl& link) {
    const HelpLink target = parse_help_link(link.toString(), topic());
    if (target.is_web)
        QDesktopServices::openUrl(link);
    else
        show_topic(target.topic, target.anchor);
}

int HelpPage::text_size() const {
    return browser_->text_size();
}

void HelpPage::set_text_size(int percent) {
    browser_->set_text_size(percent);
    size_->setText(tr("%1 %").arg(browser_->text_size()));
}

QByteArray HelpPage::layout_state() const {
    return QByteArray::number(text_size()) + ' ' + splitter_->saveState().toBase64();
}

void HelpPage::restore_layout(const QByteArray& state) {
    const QByteArrayList parts = state.split(' ');
    if (parts.size() != 2)
        return;
    bool is_number = false;
    if (const int percent = parts[0].toInt(&is_number); is_number)
        set_text_size(percent);
    splitter_->restoreState(QByteArray::fromBase64(parts[1]));
}

/// Where there is nothing before or after in the help, the keys walk through the window.
std::optional<HelpPage::Way> HelpPage::own_way(const QKeyEvent& event) const {
    const auto way = way_of(event);
    if ((way == Way::Back && !can_go_back()) || (way == Way::Forward && !can_go_forward()))
        return std::nullopt;
    return way;
}

bool HelpPage::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && own_way(*static_cast<QKeyEvent*>(event)))
        event->accept();
    return Page::event(event);
}

void HelpPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (!event->spontaneous()) { // a window that was minimised comes back to where it was
        first_seen_ = place_;
        show_ways();
    }
    if (history_[place_].scroll < 0) // the page had no size yet when it was filled
        QTimer::singleShot(0, browser_, [this] { browser_->show_anchor(history_[place_].anchor); });
}

void HelpPage::keyPressEvent(QKeyEvent* event) {
    const auto way = own_way(*event);
    if (!way) {
        Page::keyPressEvent(event);
        return;
    }
    switch (*way) {
    case Way::Back:
        go_back();
        break;
    case Way::Forward:
        go_forward();
        break;
    case Way::Search:
        contents_->focus_search();
        break;
    case Way::Enlarge:
        enlarge();
        break;
    case Way::Reduce:
        reduce();
        break;
    case Way::UsualSize:
        reset_size();
        break;
    }
}

void HelpPage::wheelEvent(QWheelEvent* event) {
    if (!event->modifiers().testFlag(Qt::ControlModifier) || event->angleDelta().y() == 0)
        return;
    if (event->angleDelta().y() > 0)
        enlarge();
    else
        reduce();
    event->accept();
}

void HelpPage::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::BackButton)
        go_back();
    else if (event->button() == Qt::ForwardButton)
        go_forward();
    else
        Page::mousePressEvent(event);
}

} // namespace sparsight
