// The charts of a model's reasons with what belongs to them: a choice of what is varied, and what there is to
// be seen.
#pragma once

#include "gui/failures/reason_charts.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace sparsight {

class Chart;

class ReasonChartView : public QWidget {
    Q_OBJECT

public:
    ReasonChartView(const QString& title, QWidget* parent = nullptr);

    void show_chart(const ReasonChart& chart);
    [[nodiscard]] Chart& chart() const { return *chart_; }
    [[nodiscard]] QLabel& title() const { return *title_; }

private:
    QLabel* title_;
    Chart* chart_;
    QLabel* remark_;
};

class SensitivityView : public QWidget {
    Q_OBJECT

public:
    explicit SensitivityView(QWidget* parent = nullptr);

    /// What was chosen stays chosen where it is among them.
    void show_reason(const SensitivityReason& reason);
    [[nodiscard]] QComboBox& choice() const { return *choice_; }
    [[nodiscard]] Chart& chart() const { return view_->chart(); }

private:
    void show_curve();

    SensitivityReason reason_;
    QComboBox* choice_;
    ReasonChartView* view_;
};

} // namespace sparsight
