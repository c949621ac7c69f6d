#include "widgets/table/table_view.h"

#include "widgets/look/theme.h"
#include "widgets/table/column_widths.h"

#include <QHeaderView>
#include <QPainter>
#include <QResizeEvent>
#include <QStyleOptionFocusRect>
#include <algorithm>

namespace sparsight {

namespace {
constexpr int widest_fitted_column = 420;
constexpr int narrowest_text = 12; // characters
} // namespace

TableView::TableView(QWidget* parent)
    : QTableView(parent) {
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setSortingEnabled(true);
    setShowGrid(false);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false); // Tab leaves the table; the arrow keys move in it
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setFrameShape(NoFrame);
    verticalHeader()->hide();

    QHeaderView* const header = horizontalHeader();
    header->setSectionsMovable(true);
    header->setHighlightSections(false);
    header->setSortIndicatorClearable(true);
    header->setSortIndicator(-1, Qt::AscendingOrder);
    header->setMinimumSectionSize(40);
    header->setResizeContentsPrecision(100); // rows looked at when a width is fitted
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::sectionResized, this, [this](int, int before, int now) {
        if (!fitting_ && before > 0 && now > 0) // otherwise a column is shown or hidden
            fitted_ = false;                    // the user has chosen a width
    });
}

void TableView::set_empty_text(const QString& text) {
    if (text == empty_text_)
        return;
    empty_text_ = text;
    viewport()->update();
}

/// Numbers stand at the right, marks in the middle.
bool TableView::holds_texts(int column) const {
    const QVariant alignment = model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
    return !(Qt::Alignment(alignment.toInt()) & (Qt::AlignRight | Qt::AlignHCenter));
}

int TableView::least_width(int column) const {
    const bool has_pictures = model()->index(0, column).data(Qt::DecorationRole).isValid();
    return narrowest_text * fontMetrics().averageCharWidth() + 2 * grid_step +
           (has_pictures ? verticalHeader()->defaultSectionSize() : 0);
}

int TableView::wanted_width(int column) const {
    return std::min(std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column)),
                    widest_fitted_column);
}

void TableView::fit_columns() {
    const QHeaderView* const header = horizontalHeader();
    fitting_ = true;
    std::vector<int> shown;
    std::vector<ColumnNeed> needs;
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        if (isColumnHidden(column))
            continue;
        const int wanted = wanted_width(column);
        const bool texts = holds_texts(column);
        shown.push_back(column);
        needs.push_back({wanted, texts ? least_width(column) : wanted, texts});
    }
    const std::vector<int> widths = fitted_widths(needs, viewport()->width());
    for (std::size_t i = 0; i < shown.size(); ++i)
        setColumnWidth(shown[i], widths[i]);
    fitting_ = false;
    fitted_ = true;
}

bool TableView::cuts_numbers() const {
    for (int column = 0; column < horizontalHeader()->count(); ++column)
        if (!isColumnHidden(column) && !holds_texts(column) && columnWidth(column) < wanted_width(column))
            return true;
    return false;
}

void TableView::focusInEvent(QFocusEvent* event) {
    if (!currentIndex().isValid())
        setCurrentIndex({}); // otherwise Qt makes the first row current, which nobody has chosen
    QTableView::focusInEvent(event);
}

void TableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    if (fitted_ && event->size().width() != event->oldSize().width())
        fit_columns();
}

/// Around the row, as rows are what is chosen.
void TableView::paint_focus() {
    if (!hasFocus() || !currentIndex().isValid())
        return;
    QStyleOptionFocusRect focus;
    focus.initFrom(this);
    focus.rect = visualRect(currentIndex());
    focus.rect.setLeft(0);
    focus.rect.setRight(std::min(viewport()->width(), horizontalHeader()->length()) - 1);
    QPainter painter(viewport());
    style()->drawPrimitive(QStyle::PE_FrameFocusRect, &focus, &painter, this);
}

void TableView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    paint_focus();
    if (empty_text_.isEmpty() || (model() != nullptr && model()->rowCount(rootIndex()) > 0))
        return;
    QPainter painter(viewport());
    painter.setPen(current_theme().dim_text);
    const int margin = 3 * grid_step;
    painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin),
                     Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
}

} // namespace sparsight
