#include "gui/help/help_contents.h"

#include "gui/help/help_line_delegate.h"
#include "gui/help/help_topics.h"
#include "gui/icons/icon.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace sparsight {

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

/// From the field straight into the list.
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
