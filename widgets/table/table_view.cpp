#include "widgets/table/table_view.h"

#include "widgets/look/theme.h"

#include <QHeaderView>
#include <QPainter>
#include <QResizeEvent>
#include <algorithm>

namespace sparsight {

namespace {
constexpr int widest_fitted_column = 420;
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
    connect(header, &QHeaderView::sectionResized, this, [this] {
        if (!fitting_)
            fitted_ = false; // the user has chosen a width
    });
}

void TableView::set_empty_text(const QString& text) {
    if (text == empty_text_)
        return;
    empty_text_ = text;
    viewport()->update();
}

void TableView::fit_columns() {
    const QHeaderView* const header = horizontalHeader();
    fitting_ = true;
    int elastic = -1; // the first column of texts takes the room that is left
    int used = 0;
    for (int place = 0; place < header->count(); ++place) {
        const int column = header->logicalIndex(place);
        if (isColumnHidden(column))
            continue;
        resizeColumnToContents(column);
        setColumnWidth(column, std::min(columnWidth(column), widest_fitted_column));
        used += columnWidth(column);
        const QVariant alignment = model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole);
        const bool texts = !(Qt::Alignment(alignment.toInt()) & Qt::AlignRight);
        if (elastic < 0 && texts)
            elastic = column;
    }
    if (elastic >= 0 && used < viewport()->width())
        setColumnWidth(elastic, columnWidth(elastic) + viewport()->width() - used);
    fitting_ = false;
    fitted_ = true;
}

void TableView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    if (fitted_ && event->size().width() != event->oldSize().width())
        fit_columns();
}

void TableView::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (empty_text_.isEmpty() || (model() != nullptr && model()->rowCount(rootIndex()) > 0))
        return;
    QPainter painter(viewport());
    painter.setPen(current_theme().dim_text);
    const int margin = 3 * grid_step;
    painter.drawText(viewport()->rect().adjusted(margin, margin, -margin, -margin),
                     Qt::AlignCenter | Qt::TextWordWrap, empty_text_);
}

} // namespace sparsight
