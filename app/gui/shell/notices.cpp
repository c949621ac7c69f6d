#include "gui/shell/notices.h"

#include "widgets/look/banner.h"
#include "widgets/look/elided_label.h"
#include "widgets/look/glyph.h"
#include "widgets/look/theme.h"

#include <QAccessible>
#include <QFrame>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

constexpr std::chrono::seconds shown_for{8};
constexpr int most_characters_a_line = 90;

} // namespace

Notices::Notices(QWidget* window)
    : QWidget(window)
    , symbol_(new QLabel(this))
    , text_(new ElidedLabel(this))
    , more_(new QToolButton(this))
    , close_(new QToolButton(this))
    , popup_(new QFrame(this, Qt::Popup))
    , scroll_(new QScrollArea(popup_))
    , column_(nullptr)
    , close_all_(new QPushButton(tr("Close all"), popup_)) {
    setAccessibleName(tr("Messages"));
    setCursor(Qt::PointingHandCursor);
    more_->setObjectName(QStringLiteral("all-notices"));
    more_->setAutoRaise(true);
    more_->setToolTip(tr("Shows all messages in full"));
    close_->setObjectName(QStringLiteral("close-notice"));
    close_->setAutoRaise(true);
    close_->setIcon(glyph_icon(Glyph::Close));
    close_->setToolTip(tr("Close this message (Esc)"));
    close_->setAccessibleName(tr("Close this message"));
    for (QToolButton* button : {more_, close_}) {
        button->setFocusPolicy(Qt::TabFocus);
        button->setCursor(Qt::ArrowCursor);
    }
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(grid_step, 0, grid_step, 0);
    line->setSpacing(grid_step / 2);
    line->addWidget(symbol_);
    line->addWidget(text_, 1);
    line->addWidget(more_);
    line->addWidget(close_);
    popup_->setFrameShape(QFrame::StyledPanel);
    auto* messages = new QWidget;
    column_ = new QVBoxLayout(messages);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(grid_step / 2);
    scroll_->setWidget(messages);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    close_all_->setObjectName(QStringLiteral("close-notices"));
    close_all_->setAutoDefault(false);
    auto* list = new QVBoxLayout(popup_);
    list->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    list->setSpacing(grid_step / 2);
    list->addWidget(scroll_);
    list->addWidget(close_all_, 0, Qt::AlignRight);
    connect(close_all_, &QPushButton::clicked, this, &Notices::clear);
    connect(more_, &QToolButton::clicked, this, &Notices::open_list);
    connect(close_, &QToolButton::clicked, this, &Notices::close_newest);
    window->installEventFilter(this);
    show_newest();
}

void Notices::tell(const QString& text, bool is_problem, const QString& cause) {
    if (!cause.isEmpty())
        settle(cause);
    if (text.isEmpty())
        return;
    // Again: it is news, and over when that is which it is told of now.
    std::erase_if(notices_, [&](const Notice& notice) { return notice.text == text; });
    const int number = next_number_++;
    notices_.push_back({number, text, is_problem, cause});
    if (!is_problem)
        QTimer::singleShot(shown_for, this, [this, number] { drop(number); });
    show_newest();
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void Notices::settle(const QString& cause) {
    const auto settled = std::erase_if(
        notices_, [&](const Notice& notice) { return notice.is_problem && notice.cause == cause; });
    if (settled > 0)
        show_newest();
}

void Notices::settle_all() {
    std::erase_if(notices_, [](const Notice& notice) { return notice.is_problem; });
    show_newest();
}

void Notices::clear() {
    notices_.clear();
    show_newest();
}

void Notices::drop(int number) {
    std::erase_if(notices_, [number](const Notice& notice) { return notice.number == number; });
    show_newest();
}

void Notices::close_newest() {
    if (!notices_.empty())
        drop(notices_.back().number);
}

QStringList Notices::texts() const {
    QStringList texts;
    for (const Notice& notice : notices_)
        texts << notice.text;
    return texts;
}

QString Notices::newest() const {
    return text_->text();
}

void Notices::show_newest() {
    setVisible(!notices_.empty());
    if (notices_.empty()) {
        text_->clear();
        popup_->hide();
        return;
    }
    const Notice& notice = notices_.back();
    const QColor colour = notice.is_problem ? current_theme().error : current_theme().accent;
    const int side = fontMetrics().height();
    symbol_->setPixmap(glyph_icon(notice.is_problem ? Glyph::Error : Glyph::Information, colour)
                           .pixmap(QSize(side, side), devicePixelRatioF()));
    text_->setText(notice.text);
    text_->setToolTip(notice.text);
    setAccessibleDescription(notice.text);
    more_->setText(notices_.size() == 1 ? tr("Read") : tr("All %1").arg(notices_.size()));
    if (popup_->isVisible())
        fill_list();
}

bool Notices::list_is_open() const {
    return popup_->isVisible();
}

void Notices::open_list() {
    fill_list();
    popup_->show();
    QScrollBar* bar = scroll_->verticalScrollBar();
    bar->setValue(bar->maximum()); // the newest
}

void Notices::fill_list() {
    while (QLayoutItem* item = column_->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater(); // it may be the one that was just clicked
        }
        delete item;
    }
    for (const Notice& notice : notices_) {
        auto* banner = new Banner(scroll_->widget());
        banner->show_message(notice.is_problem ? Severity::Error : Severity::Information, notice.text);
        connect(banner, &Banner::closed, this, [this, number = notice.number] { drop(number); });
        column_->addWidget(banner);
    }
    close_all_->setVisible(notices_.size() > 1);
    place_list();
}

/// Above the line, within the window.
void Notices::place_list() {
    const int width = std::min(window()->width() - 2 * grid_step,
                               fontMetrics().averageCharWidth() * most_characters_a_line);
    column_->activate();
    const int around = 2 * (grid_step + popup_->frameWidth());
    const int messages =
        column_->hasHeightForWidth() ? column_->heightForWidth(width - around) : column_->sizeHint().height();
    const int below = close_all_->isHidden() ? 0 : close_all_->sizeHint().height() + grid_step / 2;
    const int room = mapTo(window(), QPoint()).y() - grid_step;
    const int height =
        std::max(std::min(messages + below + around, room), popup_->minimumSizeHint().height());
    const QPoint corner = mapToGlobal(QPoint(0, -height));
    const int rightmost = window()->mapToGlobal(QPoint(window()->width() - width - grid_step, 0)).x();
    popup_->setGeometry(std::min(corner.x(), rightmost), corner.y(), width, height);
}

bool Notices::eventFilter(QObject* watched, QEvent* event) {
    // Comes here when neither the widget with the keyboard nor what it lies in wants it.
    if (watched == parent() || watched == window()) {
        const bool is_escape =
            event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
        if (is_escape && !notices_.empty()) {
            close_newest();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Notices::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        open_list();
    event->accept(); // the strip below would open its jobs
}

void Notices::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        show_newest();
}

} // namespace sparsight
