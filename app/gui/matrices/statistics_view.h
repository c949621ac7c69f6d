// The statistics of a matrix as a table, and what the one that is looked at means.
#pragma once

#include "gui/matrices/statistics_model.h"

#include <QWidget>

namespace sparsight {

class ExplainedTable;

class StatisticsView : public QWidget {
    Q_OBJECT

public:
    explicit StatisticsView(QWidget* parent = nullptr);

    void show_statistics(const PatternStatistics& statistics);
    void clear();

private:
    StatisticsModel model_;
    ExplainedTable* explained_;
};

} // namespace sparsight
