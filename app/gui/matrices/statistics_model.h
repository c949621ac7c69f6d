// The statistics of a pattern as table rows: what it is, its value, and its definition.
#pragma once

#include "matrix/statistics.h"
#include "widgets/table/record_model.h"

namespace sparsight {

struct StatisticRow {
    QString name;
    QString title;
    QString unit;
    QString definition;
    bool is_integer = false;
    double value = 0;
    bool operator==(const StatisticRow&) const = default;
};

class StatisticsModel : public RecordModel<StatisticRow> {
public:
    explicit StatisticsModel(QObject* parent = nullptr);

    void show_statistics(const PatternStatistics& statistics);
    void clear() { set_rows({}); }
};

} // namespace sparsight
