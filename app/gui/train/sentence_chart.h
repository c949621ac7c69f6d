// A chart under the sentence that says what one sees there. Without series it takes no room.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QWidget>
#include <vector>

class QLabel;

namespace sparsight {

class Chart;

class SentenceChart : public QWidget {
    Q_OBJECT

public:
    /// `name` is that of the chart, and with "-sentence" behind it that of the sentence.
    explicit SentenceChart(const QString& name, QWidget* parent = nullptr);

    [[nodiscard]] Chart& chart() { return *chart_; }
    void tell(const QString& sentence, std::vector<ChartSeries> series);
    [[nodiscard]] bool has_series() const { return has_series_; }
    /// Below which its sentence would lie over its chart.
    [[nodiscard]] int least_height(int width) const;

private:
    QLabel* sentence_;
    Chart* chart_;
    bool has_series_ = false;
};

} // namespace sparsight
