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

private:
    QLabel* sentence_;
    Chart* chart_;
};

} // namespace sparsight
