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

constexpr std::size_t most_shown = 60;
constexpr int detail_role = Qt::UserRole + 1;

/// Paints the title, and the detail at the right, dimmed.
class ItemPainter : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem item = option;
        const QString detail = index.data(detail_role).toString();
        const QFontMetrics metrics(caption_font());
        const int room = item.rect.width() * 2 / 5;
        const QString shown = metrics.elidedText(detail, Qt::ElideMiddle, room);
        const QRect right = item.rect.adjusted(
            item.rect.width() - metrics.horizontalAdvance(shown) - grid_step, 0, -grid_step, 0);
        QStyledItemDelegate::paint(painter, item, index);
        painter->save();
        painter->setFont(caption_font());
        painter->setPen(current_theme().dim_text);
        painter->drawText(right, Qt::AlignVCenter | Qt::AlignRight, shown);
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return QStyledItemDelegate::sizeHint(option, index) + QSize(0, grid_step);
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
    field_->setPlaceholderText(tr("Data, machines, models, pages, commands, help…"));
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
        const int score = query.trimmed().isEmpty() ? 1
                                                    : std::max(search_score(query, items_[at].title),
                                                               search_score(query, items_[at].detail) / 2);
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
