// The pictures of an evaluation: speedups matrix by matrix, and what was predicted against what was measured.
#pragma once

#include "evaluation/model_evaluation.h"

#include <QSplitter>

class QCheckBox;
class QComboBox;
class QLabel;

namespace sparsight {

class Chart;

class ResultCharts : public QSplitter {
    Q_OBJECT

public:
    explicit ResultCharts(QWidget* parent = nullptr);

    void show_evaluation(std::shared_ptr<const ModelEvaluation> evaluation);
    /// The matrix that stands out in both.
    void select(const QString& matrix);

    [[nodiscard]] Chart& bars() { return *bars_; }
    [[nodiscard]] Chart& scatter() { return *scatter_; }
    [[nodiscard]] QComboBox& order() { return *order_; }

Q_SIGNALS:
    void picked(const QString& matrix);

private:
    void build_bars();
    void build_scatter();
    void show_bars();
    void show_order();
    void show_scatter();

    std::shared_ptr<const ModelEvaluation> evaluation_; ///< never null
    QString matrix_;
    Chart* bars_;
    Chart* scatter_;
    QLabel* order_label_;
    QComboBox* order_; ///< which model sorts the bars
    QCheckBox* selected_only_;
    bool is_filling_ = false;
};

} // namespace sparsight
