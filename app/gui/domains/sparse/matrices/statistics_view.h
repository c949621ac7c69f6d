// The statistics of a matrix as a table (name, value, definition), with the definition of the current row
// below it.
#pragma once

#include "domains/sparse/tensor/statistics.h"
#include "widgets/table/record_model.h"

#include <QWidget>

namespace sparsight {

class ExplainedTable;

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

class StatisticsView : public QWidget {
    Q_OBJECT

public:
    explicit StatisticsView(QWidget* parent = nullptr);

    void show_statistics(const PatternStatistics& statistics);
    void clear();
    /// Selects the statistic of this name, also where the statistics are still computed, and takes the focus.
    void go_to(const QString& name);

protected:
    /// Where there is no room for units, definitions tell them.
    void resizeEvent(QResizeEvent* event) override;

private:
    StatisticsModel model_;
    ExplainedTable* explained_;
    QString wanted_; ///< to be selected as soon as it is there
};

} // namespace sparsight
