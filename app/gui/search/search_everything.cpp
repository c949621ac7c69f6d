#include "gui/search/search_everything.h"

#include "gui/icons/icon.h"
#include "widgets/look/theme.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStringList>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

constexpr int whole = 100;
constexpr int beginning = 80;
constexpr int word_beginning = 60;
constexpr int anywhere = 40;
constexpr int scattered = 10;

bool is_word_beginning(const QString& text, qsizetype at) {
    return at == 0 || !text[at - 1].isLetterOrNumber();
}

bool has_in_order(const QString& letters, const QString& text) {
    qsizetype at = 0;
    for (const QChar letter : letters) {
        at = text.indexOf(letter, at, Qt::CaseInsensitive);
        if (at < 0)
            return false;
        ++at;
    }
    return true;
}

int word_score(const QString& word, const QString& text) {
    if (text.compare(word, Qt::CaseInsensitive) == 0)
        return whole;
    int best = 0;
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive))
        best = std::max(best, at == 0 ? beginning : is_word_beginning(text, at) ? word_beginning : anywhere);
    if (best == 0 && word.size() >= 3 && has_in_order(word, text))
        best = scattered;
    return best;
}

} // namespace

int search_score(const QString& query, const QString& text) {
    const QStringList words = query.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int sum = 0;
    for (const QString& word : words) {
        const int score = word_score(word, text);
        if (score == 0)
            return 0;
        sum += score;
    }
    return words.isEmpty() ? 0 : sum / static_cast<int>(words.size());
}

namespace {

QStringList words_of(const QString& query) {
    return query.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

/// Where the word begins a word of the text; −1: nowhere.
qsizetype beginning_in(const QString& text, const QString& word) {
    for (qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive))
        if (is_word_beginning(text, at))
            return at;
    return -1;
}

} // namespace

int item_score(const QString& query, const SearchItem& item) {
    constexpr int name = 300;
    constexpr int kind = 200;
    constexpr int said = 100;
    const int title = search_score(query, item.title);
    if (title > scattered)
        return name + title;
    const QStringList words = words_of(query);
    if (words.isEmpty())
        return 0;
    if (const int detail = search_score(query, item.detail); detail > scattered)
        return kind + detail;
    int named = 0;
    const bool is_said = std::ranges::all_of(words, [&](const QString& word) {
        const bool is_in_name = word_score(word, item.title) > scattered;
        named += is_in_name ? 1 : 0;
        return is_in_name || beginning_in(item.text, word) >= 0;
    });
    return is_said ? said + named : title;
}

QString matching_line(const QString& query, const QString& text) {
    constexpr qsizetype longest = 160;
    qsizetype place = -1;
    for (const QString& word : words_of(query))
        if (const qsizetype at = beginning_in(text, word); at >= 0 && (place < 0 || at < place))
            place = at;
    qsizetype begin = 0;
    for (qsizetype stop = text.indexOf(QStringLiteral(". ")); stop >= 0 && stop + 2 <= place;
         stop = text.indexOf(QStringLiteral(". "), stop + 1))
        begin = stop + 2;
    const qsizetype end = text.indexOf(QStringLiteral(". "), std::max(begin, place));
    QString line = text.mid(begin, end < 0 ? -1 : end + 1 - begin).simplified();
    const qsizetype within = place < 0 ? 0 : line.indexOf(text.mid(place, 12).simplified());
    if (line.size() > longest && within > longest / 2) {
        const qsizetype space = line.indexOf(u' ', within - longest / 4);
        line = QStringLiteral("… ") + line.mid(space < within ? space + 1 : within);
    }
    return line.size() > longest ? line.left(longest).trimmed() + QStringLiteral("…") : line;
}

namespace {

constexpr std::size_t most_shown = 60;
constexpr int detail_role = Qt::UserRole + 1;
constexpr int line_role = Qt::UserRole + 2;

/// Paints the title, its kind at the right, and below them the line that matches; both dimmed.
class ItemPainter : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        const QString title = std::exchange(item.text, {});
        const QIcon symbol = std::exchange(item.icon, {});
        item.features &= ~QStyleOptionViewItem::HasDecoration;
        const QWidget* const widget = option.widget;
        widget->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, widget);
        const Theme& theme = current_theme();
        const QFontMetrics name(option.font);
        const QFontMetrics caption(caption_font());
        QRect room = option.rect.adjusted(grid_step, grid_step / 2, -grid_step, -grid_step / 2);
        const QRect picture(room.left(), room.top(), name.height(), name.height());
        symbol.paint(painter, picture);
        room.setLeft(picture.right() + grid_step);
        painter->save();
        painter->setFont(caption_font());
        painter->setPen(theme.dim_text);
        const QString kind =
            caption.elidedText(index.data(detail_role).toString(), Qt::ElideMiddle, room.width() / 2);
        const QRect first(room.left(), room.top(), room.width(), name.height());
        painter->drawText(first, Qt::AlignVCenter | Qt::AlignRight, kind);
        const QRect second(room.left(), first.bottom() + 2, room.width(), caption.height());
        painter->drawText(
            second, Qt::AlignVCenter | Qt::AlignLeft,
            caption.elidedText(index.data(line_role).toString(), Qt::ElideRight, second.width()));
        painter->setFont(option.font);
        painter->setPen(theme.text);
        const int left = first.width() - caption.horizontalAdvance(kind) - 2 * grid_step;
        painter->drawText(first, Qt::AlignVCenter | Qt::AlignLeft,
                          name.elidedText(title, Qt::ElideRight, left));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const bool has_line = !index.data(line_role).toString().isEmpty();
        return {0, QFontMetrics(option.font).height() + grid_step +
                       (has_line ? QFontMetrics(caption_font()).height() + 2 : 0)};
    }
};

} // namespace

SearchEverything::SearchEverything(std::vector<SearchSource> sources, QWidget* parent)
    : QDialog(parent, Qt::Popup | Qt::FramelessWindowHint)
    , sources_(std::move(sources))
    , field_(new QLineEdit(this))
    , list_(new QListWidget(this))
    , nothing_(new QLabel(tr("No results"), this)) {
    setObjectName(QStringLiteral("search-everything"));
    field_->setPlaceholderText(tr("Data, machines, models, pages, commands, settings, help…"));
    field_->setAccessibleName(tr("Search everything"));
    field_->setClearButtonEnabled(true);
    field_->installEventFilter(this);
    list_->setItemDelegate(new ItemPainter(list_));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->addWidget(field_);
    column->addWidget(list_, 1);
    column->addWidget(nothing_, 1);
    connect(field_, &QLineEdit::textChanged, this, &SearchEverything::find);
    connect(list_, &QListWidget::itemClicked, this, [this] { choose(list_->currentRow()); });
}

void SearchEverything::ask() {
    items_.clear();
    for (const SearchSource& source : sources_)
        std::ranges::move(source(), std::back_inserter(items_));
    field_->clear();
    find({});
    const QWidget* window = parentWidget();
    const int width = std::min(640, window->width() - 8 * grid_step);
    resize(width, std::min(420, window->height() - 12 * grid_step));
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, 6 * grid_step)));
    show();
    field_->setFocus();
}

void SearchEverything::find(const QString& query) {
    std::vector<std::pair<int, std::size_t>> scored;
    for (std::size_t at = 0; at < items_.size(); ++at) {
        const int score = query.trimmed().isEmpty() ? 1 : item_score(query, items_[at]);
        if (score > 0)
            scored.emplace_back(score, at);
    }
    std::ranges::stable_sort(scored, std::ranges::greater(), &std::pair<int, std::size_t>::first);
    scored.resize(std::min(scored.size(), most_shown));
    list_->clear();
    shown_.clear();
    for (const auto& [score, at] : scored) {
        shown_.push_back(at);
        auto* item = new QListWidgetItem(icon(items_[at].icon), items_[at].title, list_);
        item->setData(detail_role, items_[at].detail);
        const QString line = matching_line(query, items_[at].text);
        item->setData(line_role, line);
        item->setData(Qt::AccessibleDescriptionRole, QStringLiteral("%1. %2").arg(items_[at].detail, line));
    }
    list_->setCurrentRow(0);
    list_->setVisible(!shown_.empty());
    nothing_->setVisible(shown_.empty());
}

void SearchEverything::choose(int row) {
    if (row < 0 || static_cast<std::size_t>(row) >= shown_.size())
        return;
    // Closed first: the chosen item may open another window.
    const auto open = items_[shown_[static_cast<std::size_t>(row)]].open;
    accept();
    open();
}

bool SearchEverything::eventFilter(QObject* watched, QEvent* event) {
    if (watched != field_ || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const int rows = list_->count();
    switch (key->key()) {
    case Qt::Key_Down:
        list_->setCurrentRow(rows == 0 ? -1 : (list_->currentRow() + 1) % rows);
        return true;
    case Qt::Key_Up:
        list_->setCurrentRow(rows == 0 ? -1 : (list_->currentRow() + rows - 1) % rows);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        choose(list_->currentRow());
        return true;
    default:
        return QDialog::eventFilter(watched, event);
    }
}

} // namespace sparsight
