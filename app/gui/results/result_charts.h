// The pictures of an evaluation: speedups matrix by matrix, and what was predicted against what was measured.
#pragma once

#include "evaluation/model_evaluation.h"
#include "widgets/chart/chart_values.h"

#include <QSplitter>
#include <cstddef>
#include <optional>
#include <vector>

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

// What the charts of an evaluation draw, as plain values.

/// A bar a matrix for each model, sorted by the speedups of the model at this place, or else by the best of
/// all, losers in the colour of losers; a single model's winners in that of winners, those of several in the
/// model's own. The key of a bar is its matrix.
[[nodiscard]] std::vector<ChartSeries> speedup_bars(const ModelEvaluation& evaluation,
                                                    std::optional<std::size_t> sorted_by = std::nullopt);

/// A dot for each schedule that a model chose: its score, standardised within its matrix since scores of
/// different matrices can't be compared, and its time over that of fixed CSR. With a matrix: of that one
/// alone, the scores as they are. With one that stands out, the dots of the others are pale.
[[nodiscard]] std::vector<ScatterSeries>
score_points(const ModelEvaluation& evaluation, const QString& matrix = {}, const QString& standing_out = {});

[[nodiscard]] bool has_matrix(const ModelEvaluation& evaluation, const QString& matrix);

/// Of the first model on that matrix, or over all of them.
[[nodiscard]] std::optional<double> agreement(const EvaluatedModel& model, const QString& matrix = {});

} // namespace sparsight
