#include "widgets/table/table_view.h"

#include "widgets/look/theme.h"

#include <QHeaderView>
#include <QPainter>

namespace sparsight {

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
    header->setStretchLastSection(true);
    header->setMinimumSectionSize(40);
    header->setResizeContentsPrecision(100); // rows looked at when a width is fitted
    header->setContextMenuPolicy(Qt::CustomContextMenu);
}

void TableView::set_empty_text(const QString& text) {
    if (text == empty_text_)
        return;
    empty_text_ = text;
    viewport()->update();
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
