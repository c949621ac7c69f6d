#include "gui/domains/sparse/matrices/statistics_view.h"

#include "widgets/table/data_table.h"
#include "widgets/table/record_model.h"
#include "widgets/table/table_view.h"

#include <QCoreApplication>
#include <QVBoxLayout>
#include <utility>

namespace sparsight {

namespace {

struct StatisticsTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::StatisticsModel)
};

std::vector<RecordColumn<StatisticRow>> statistic_columns() {
    auto title = text_column<StatisticRow>(StatisticsTable::tr("Statistic"), {}, &StatisticRow::title);
    RecordColumn<StatisticRow> value;
    value.title = StatisticsTable::tr("Value");
    value.raw = [](const StatisticRow& row) { return QVariant(row.value); };
    value.text = [](const StatisticRow& row) {
        return row.is_integer ? count_text(static_cast<qint64>(row.value)) : significant(row.value);
    };
    auto unit = text_column<StatisticRow>(StatisticsTable::tr("Unit"), {}, &StatisticRow::unit);
    auto definition =
        text_column<StatisticRow>(StatisticsTable::tr("Definition"), {}, &StatisticRow::definition);
    title.hint = value.hint = unit.hint = definition.hint;
    return {title, value, unit, definition};
}

} // namespace

StatisticsModel::StatisticsModel(QObject* parent)
    : RecordModel(statistic_columns(), [](const StatisticRow& row) { return row.name; }, parent) {}

void StatisticsModel::show_statistics(const PatternStatistics& statistics) {
    std::vector<StatisticRow> rows;
    for (const Statistic& statistic : sparsight::statistics()) {
        const QString title = QString::fromStdString(statistic.title);
        const QString unit = QString::fromStdString(statistic.unit);
        const bool is_said = title.compare(unit, Qt::CaseInsensitive) == 0; // "Entries 419 328 entries"
        rows.push_back({QString::fromStdString(statistic.name), title, is_said ? QString() : unit,
                        QString::fromStdString(statistic.definition), statistic.is_integer,
                        statistic.of(statistics)});
    }
    set_rows(std::move(rows));
}

namespace {

constexpr int unit_column = 2;
constexpr int definition_column = 3;
constexpr int narrow = 36; ///< characters

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
    table.set_column_shown(definition_column, false); // shown below the table
    table.setAccessibleName(tr("Statistics"));
    table.set_empty_text(tr("Statistics of the selected matrix stand here."));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(explained_);
}

void StatisticsView::show_statistics(const PatternStatistics& statistics) {
    model_.show_statistics(statistics);
    explained_->choose_first();
    if (const auto row = model_.row_of(std::exchange(wanted_, {})))
        explained_->table().select_source_row(*row);
}

void StatisticsView::go_to(const QString& name) {
    if (const auto row = model_.row_of(name))
        explained_->table().select_source_row(*row);
    else
        wanted_ = name;
    explained_->table().view()->setFocus(Qt::ShortcutFocusReason);
}

void StatisticsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    explained_->table().set_column_shown(unit_column, width() >= narrow * fontMetrics().averageCharWidth());
}

void StatisticsView::clear() {
    model_.clear();
}

} // namespace sparsight
