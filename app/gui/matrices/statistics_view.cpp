#include "gui/matrices/statistics_view.h"

#include "widgets/table/data_table.h"
#include "widgets/table/explained_table.h"

#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int definition_column = 3;

} // namespace

StatisticsView::StatisticsView(QWidget* parent)
    : QWidget(parent)
    , explained_(new ExplainedTable(
          tr("Definition of the statistic"),
          [this](int row) {
              return ExplainedTable::Explanation{model_.row(row).title, model_.row(row).definition};
          },
          this)) {
    DataTable& table = explained_->table();
    table.set_model(&model_);
    table.set_column_shown(definition_column, false); // below the table
    table.setAccessibleName(tr("Statistics"));
    table.set_empty_text(tr("Statistics of the selected matrix stand here."));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(explained_);
}

void StatisticsView::show_statistics(const PatternStatistics& statistics) {
    model_.show_statistics(statistics);
    explained_->choose_first();
}

void StatisticsView::clear() {
    model_.clear();
}

} // namespace sparsight
