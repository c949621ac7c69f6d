#include "gui/failures/story_list.h"

#include "widgets/look/theme.h"

#include <QApplication>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QTextLayout>

namespace sparsight {

namespace {

constexpr int text_role = Qt::UserRole + 1;
constexpr int count_role = Qt::UserRole + 2;
constexpr int key_role = Qt::UserRole + 3;
constexpr int text_lines = 2;
constexpr int margin = grid_step;

QFont bold_font() {
    QFont font = QApplication::font();
    font.setBold(true);
    return font;
}

/// A text in a few lines, the last of which ends in "…" where there is more.
void draw_lines(QPainter& painter, const QRectF& room, const QString& text, const QFont& font) {
    QTextLayout layout(text, font);
    const QFontMetricsF metrics(font);
    layout.beginLayout();
    double top = room.top();
    for (int line = 0; line < text_lines; ++line) {
        QTextLine shown = layout.createLine();
        if (!shown.isValid())
            break;
        shown.setLineWidth(room.width());
        QString words = text.mid(shown.textStart(), shown.textLength());
        if (line + 1 == text_lines)
            words = metrics.elidedText(text.mid(shown.textStart()), Qt::ElideRight, room.width());
        painter.drawText(QPointF(room.left(), top + metrics.ascent()), words);
        top += metrics.height();
    }
    layout.endLayout();
}

class StoryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& /*option*/, const QModelIndex& /*index*/) const override {
        return {100, QFontMetrics(bold_font()).height() + text_lines * QFontMetrics(caption_font()).height() +
                         margin / 2 + 2 * margin};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        const Theme& theme = current_theme();
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(option.rect, theme.selection);
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(option.rect, theme.hover);
        painter->setPen(theme.grid);
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        const QRectF room = QRectF(option.rect).adjusted(margin, margin, -margin, -margin);
        const QFontMetricsF title(bold_font());
        const QFontMetricsF caption(caption_font());
        const QString count = index.data(count_role).toString();
        const double count_width = caption.horizontalAdvance(count) + margin;
        painter->setFont(caption_font());
        painter->setPen(theme.dim_text);
        painter->drawText(QRectF(room.left(), room.top(), room.width(), title.height()),
                          Qt::AlignRight | Qt::AlignVCenter, count);
        draw_lines(*painter, room.adjusted(0, title.height() + margin / 2.0, 0, 0),
                   index.data(text_role).toString(), caption_font());
        painter->setFont(bold_font());
        painter->setPen(theme.text);
        painter->drawText(
            QRectF(room.left(), room.top(), room.width() - count_width, title.height()),
            Qt::AlignLeft | Qt::AlignVCenter,
            title.elidedText(index.data().toString(), Qt::ElideRight, room.width() - count_width));
        painter->restore();
    }
};

} // namespace

StoryList::StoryList(QWidget* parent)
    : QListView(parent)
    , stories_(new QStandardItemModel(this)) {
    setModel(stories_);
    setItemDelegate(new StoryDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollMode(ScrollPerPixel);
    setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_Hover);
    setAccessibleName(tr("Stories of the failures"));
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (!is_filling_ && now.isValid())
            Q_EMIT chosen(now.row());
    });
}

void StoryList::set_stories(const std::vector<ToldStory>& stories) {
    const QString before = currentIndex().data(key_role).toString();
    is_filling_ = true;
    stories_->clear();
    int current = stories.empty() ? -1 : 0;
    for (const ToldStory& story : stories) {
        auto* const item = new QStandardItem(story.title);
        item->setData(story.text, text_role);
        item->setData(story.count, count_role);
        item->setData(story.key, key_role);
        item->setToolTip(story.hint);
        item->setData(QStringLiteral("%1, %2, %3").arg(story.title, story.count, story.text),
                      Qt::AccessibleTextRole);
        if (story.key == before)
            current = stories_->rowCount();
        stories_->appendRow(item);
    }
    choose(current);
    is_filling_ = false;
}

int StoryList::current_story() const {
    return currentIndex().row();
}

void StoryList::choose(int story) {
    setCurrentIndex(stories_->index(story, 0));
}

QSize StoryList::sizeHint() const {
    return {300, 4 * sizeHintForRow(0) + 2};
}

void StoryList::changeEvent(QEvent* event) {
    QListView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        scheduleDelayedItemsLayout();
}

} // namespace sparsight
