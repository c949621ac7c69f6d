#include "gui/matrices/statistics_model.h"

#include "widgets/look/number_text.h"

#include <QCoreApplication>

namespace sparsight {

namespace {

struct StatisticsTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::StatisticsModel)
};

std::vector<RecordColumn<StatisticRow>> columns() {
    RecordColumn<StatisticRow> title;
    title.title = StatisticsTable::tr("Statistic");
    title.text = [](const StatisticRow& row) { return row.title; };
    title.hint = [](const StatisticRow& row) { return row.definition; };
    RecordColumn<StatisticRow> value;
    value.title = StatisticsTable::tr("Value");
    value.text = [](const StatisticRow& row) {
        return row.is_integer ? count_text(static_cast<qint64>(row.value)) : significant(row.value);
    };
    value.raw = [](const StatisticRow& row) { return QVariant(row.value); };
    value.hint = title.hint;
    RecordColumn<StatisticRow> unit;
    unit.title = StatisticsTable::tr("Unit");
    unit.text = [](const StatisticRow& row) { return row.unit; };
    unit.hint = title.hint;
    RecordColumn<StatisticRow> definition;
    definition.title = StatisticsTable::tr("Definition");
    definition.text = [](const StatisticRow& row) { return row.definition; };
    definition.hint = title.hint;
    return {title, value, unit, definition};
}

} // namespace

StatisticsModel::StatisticsModel(QObject* parent)
    : RecordModel(columns(), [](const StatisticRow& row) { return row.name; }, parent) {}

void StatisticsModel::show_statistics(const PatternStatistics& statistics) {
    std::vector<StatisticRow> rows;
    for (const Statistic& statistic : sparsight::statistics())
        rows.push_back({QString::fromStdString(statistic.name), QString::fromStdString(statistic.title),
                        QString::fromStdString(statistic.unit), QString::fromStdString(statistic.definition),
                        statistic.is_integer, statistic.of(statistics)});
    set_rows(std::move(rows));
}

} // namespace sparsight
