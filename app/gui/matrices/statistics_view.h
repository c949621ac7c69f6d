// The statistics of a matrix as a table, and what the one that is looked at means.
#pragma once

#include "gui/matrices/statistics_model.h"

#include <QWidget>

class QLabel;

namespace sparsight {

class DataTable;

class StatisticsView : public QWidget {
    Q_OBJECT

public:
    explicit StatisticsView(QWidget* parent = nullptr);

    void show_statistics(const PatternStatistics& statistics);
    void clear();

protected:
    void changeEvent(QEvent* event) override;

private:
    void explain(int row);
    void dress();

    StatisticsModel model_;
    DataTable* table_;
    QLabel* definition_;
};

} // namespace sparsight
