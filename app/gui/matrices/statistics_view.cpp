#include "gui/matrices/statistics_view.h"

#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int definition_column = 3;

} // namespace

StatisticsView::StatisticsView(QWidget* parent)
    : QWidget(parent)
    , table_(new DataTable(this))
    , definition_(new QLabel(this)) {
    table_->set_model(&model_);
    table_->set_selection_mode_single(true);
    table_->set_column_shown(definition_column, false); // sentences, for which a column is too narrow
    table_->setAccessibleName(tr("Statistics"));
    table_->set_empty_text(tr("Statistics of the selected matrix stand here."));
    definition_->setWordWrap(true);
    definition_->setTextFormat(Qt::RichText);
    definition_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    definition_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    definition_->setMargin(grid_step);
    definition_->setAccessibleName(tr("Definition of the statistic"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(table_, 1);
    column->addWidget(definition_);
    connect(table_, &DataTable::current_row_changed, this, &StatisticsView::explain);
    dress();
}

void StatisticsView::show_statistics(const PatternStatistics& statistics) {
    model_.show_statistics(statistics);
    if (table_->current_source_row() < 0)
        table_->select_source_row(0);
}

void StatisticsView::clear() {
    model_.clear();
}

void StatisticsView::explain(int row) {
    if (row < 0) {
        definition_->clear();
        return;
    }
    const StatisticRow& statistic = model_.row(row);
    definition_->setText(QStringLiteral("<b>%1.</b> %2")
                             .arg(statistic.title.toHtmlEscaped(), statistic.definition.toHtmlEscaped()));
}

/// Room for the longest definition, so that the table does not jump from one to the next.
void StatisticsView::dress() {
    constexpr int lines = 2;
    definition_->setMinimumHeight(lines * definition_->fontMetrics().lineSpacing() + 2 * grid_step);
}

void StatisticsView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        dress();
}

} // namespace sparsight
