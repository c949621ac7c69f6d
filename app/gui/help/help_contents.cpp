#include "gui/help/help_contents.h"

#include "gui/help/help_text.h"
#include "gui/icons/icon.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int padding = grid_step;

QFont title_of_match(const QFont& text) {
    QFont font = text;
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont group_font() {
    QFont font = caption_font();
    font.setWeight(QFont::DemiBold);
    return font;
}

int text_line_height(const QFont& font) {
    return QFontMetrics(font).height();
}

} // namespace

void HelpLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    const Theme& theme = current_theme();
    const QString title = index.data(Qt::DisplayRole).toString();
    const QString excerpt = index.data(ExcerptRole).toString();
    const bool is_group = index.data(TopicRole).isNull();
    const QRect inside = option.rect.adjusted(padding, 0, -padding, 0);
    painter->save();
    if (is_group) {
        painter->setFont(group_font());
        painter->setPen(theme.dim_text);
        painter->drawText(inside.adjusted(0, 0, 0, -padding / 2), Qt::AlignLeft | Qt::AlignBottom, title);
        painter->restore();
        return;
    }
    const bool is_current = option.state.testFlag(QStyle::State_Selected);
    if (is_current || option.state.testFlag(QStyle::State_MouseOver)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(is_current ? theme.selection : theme.hover);
        painter->drawRoundedRect(option.rect.adjusted(0, 1, 0, -1), corner_radius, corner_radius);
    }
    painter->setPen(theme.text);
    if (excerpt.isEmpty()) {
        painter->setFont(option.font);
        painter->drawText(inside, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(option.font).elidedText(title, Qt::ElideRight, inside.width()));
    } else {
        const QFont font = title_of_match(option.font);
        QRect line(inside.left(), inside.top() + padding / 2 + 1, inside.width(), text_line_height(font));
        painter->setFont(font);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(font).elidedText(title, Qt::ElideRight, line.width()));
        line.moveTop(line.bottom() + 2);
        line.setHeight(text_line_height(caption_font()));
        painter->setFont(caption_font());
        painter->setPen(theme.dim_text);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(caption_font()).elidedText(excerpt, Qt::ElideRight, line.width()));
    }
    painter->restore();
}

QSize HelpLineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int text = text_line_height(option.font);
    if (index.data(TopicRole).isNull())
        return {1, text_line_height(group_font()) + (index.row() == 0 ? padding : 2 * padding)};
    if (index.data(ExcerptRole).toString().isEmpty())
        return {1, text + padding + 2};
    return {1, text + text_line_height(caption_font()) + padding + 6};
}

HelpContents::HelpContents(QWidget* parent)
    : QWidget(parent)
    , index_(all_help_sections())
    , search_(new QLineEdit(this))
    , list_(new QListWidget(this))
    , nothing_(new QLabel(this)) {
    search_->setPlaceholderText(tr("Search the help"));
    search_->setAccessibleName(tr("Search the help"));
    search_->setToolTip(tr("Finds words in all pages (Ctrl+F)"));
    search_->setClearButtonEnabled(true);
    search_->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    search_->installEventFilter(this);
    list_->setAccessibleName(tr("Pages of the help"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setItemDelegate(new HelpLineDelegate(list_));
    list_->viewport()->setAutoFillBackground(false);
    nothing_->setWordWrap(true);
    nothing_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    nothing_->setMargin(grid_step);
    nothing_->hide();

    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step * 3 / 2, grid_step * 3 / 2, grid_step / 2, 0);
    column->setSpacing(grid_step);
    column->addWidget(search_);
    column->addWidget(nothing_);
    column->addWidget(list_, 1);

    connect(search_, &QLineEdit::textChanged, this, &HelpContents::list_matches);
    connect(search_, &QLineEdit::returnPressed, this, [this] { choose(list_->currentItem()); });
    connect(list_, &QListWidget::itemClicked, this, &HelpContents::choose);
    connect(list_, &QListWidget::itemActivated, this, &HelpContents::choose);
    connect(list_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (list_->hasFocus())
            choose(item);
    });
    list_all();
}

void HelpContents::set_current(const QString& topic) {
    current_ = topic;
    if (!search_->text().isEmpty())
        return;
    const QSignalBlocker quiet(list_);
    for (int row = 0; row < list_->count(); ++row)
        if (list_->item(row)->data(HelpLineDelegate::TopicRole).toString() == topic)
            list_->setCurrentRow(row);
}

void HelpContents::seek(const QString& query) {
    search_->setText(query);
}

void HelpContents::focus_search() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

QStringList HelpContents::listed_topics() const {
    QStringList topics;
    for (int row = 0; row < list_->count(); ++row)
        if (const QString topic = list_->item(row)->data(HelpLineDelegate::TopicRole).toString();
            !topic.isEmpty())
            topics << topic;
    return topics;
}

/// Moves the focus from the search field straight into the list.
bool HelpContents::eventFilter(QObject* watched, QEvent* event) {
    if (watched == search_ && event->type() == QEvent::KeyPress) {
        const auto* const key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Down) {
            list_->setFocus(Qt::OtherFocusReason);
            return true;
        }
        if (key->key() == Qt::Key_Escape && !search_->text().isEmpty()) {
            search_->clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void HelpContents::list_all() {
    const QSignalBlocker quiet(list_);
    list_->clear();
    const char* group = nullptr;
    for (const HelpTopic& topic : help_topics) {
        if (group == nullptr || qstrcmp(group, topic.group) != 0) {
            group = topic.group;
            auto* const heading =
                new QListWidgetItem(QCoreApplication::translate("HelpContents", group), list_);
            heading->setFlags(Qt::NoItemFlags);
        }
        const auto id = QString::fromLatin1(topic.id);
        auto* const line = new QListWidgetItem(help_title(id), list_);
        line->setData(HelpLineDelegate::TopicRole, id);
        line->setToolTip(line->text());
    }
    nothing_->hide();
    list_->show();
    set_current(current_);
}

void HelpContents::list_matches(const QString& query) {
    if (query.trimmed().isEmpty()) {
        list_all();
        return;
    }
    const std::vector<HelpMatch> matches = index_.search(query);
    const QSignalBlocker quiet(list_);
    list_->clear();
    for (const HelpMatch& match : matches) {
        const HelpSection& section = match.section;
        auto* const line = new QListWidgetItem(section.heading, list_);
        line->setData(HelpLineDelegate::TopicRole, section.topic);
        line->setData(HelpLineDelegate::AnchorRole, section.anchor);
        line->setData(HelpLineDelegate::ExcerptRole, match.excerpt);
        line->setToolTip(section.page_title + QStringLiteral(": ") + match.excerpt);
    }
    list_->setCurrentRow(0);
    list_->setVisible(!matches.empty());
    nothing_->setVisible(matches.empty());
    nothing_->setText(tr("No page holds “%1”. Try one word, or its beginning.").arg(query.trimmed()));
}

void HelpContents::choose(const QListWidgetItem* item) {
    if (item == nullptr || item->data(HelpLineDelegate::TopicRole).isNull())
        return;
    Q_EMIT chosen(item->data(HelpLineDelegate::TopicRole).toString(),
                  item->data(HelpLineDelegate::AnchorRole).toString(), HelpIndex::words(search_->text()));
}

} // namespace sparsight
