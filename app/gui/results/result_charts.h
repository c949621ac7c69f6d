// The charts of an evaluation: the speedup on each workload, and predicted scores against measured times.
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
    /// In the words of a domain. Without a baseline the bars say how much slower than the best known
    /// configuration the best chosen one is.
    explicit ResultCharts(const DomainWords& words, QWidget* parent = nullptr);

    void show_evaluation(std::shared_ptr<const ModelEvaluation> evaluation);
    /// Highlights the workload in both charts.
    void select(const QString& workload);

    [[nodiscard]] Chart& bars() { return *bars_; }
    [[nodiscard]] Chart& scatter() { return *scatter_; }
    [[nodiscard]] QComboBox& order() { return *order_; }

Q_SIGNALS:
    void picked(const QString& workload);

private:
    void build_bars();
    void build_scatter();
    void show_bars();
    void show_order();
    void show_scatter();

    DomainWords words_;
    std::shared_ptr<const ModelEvaluation> evaluation_; ///< never null
    QString workload_;
    Chart* bars_;
    Chart* scatter_;
    QLabel* order_label_;
    QComboBox* order_; ///< the model that sorts the bars
    QCheckBox* selected_only_;
    bool is_filling_ = false;
};

/// One bar per workload for each model, sorted by the speedups of the model at this place, or by the best of
/// all models. Losing bars have the colour of losing; winning bars have the colour of winning for a single
/// model, and the model's own colour for several. The key of a bar is its workload.
/// Without a baseline a bar is a regret, the largest first.
[[nodiscard]] std::vector<ChartSeries> speedup_bars(const ModelEvaluation& evaluation,
                                                    std::optional<std::size_t> sorted_by = std::nullopt);

/// A dot for each configuration that a model chose: its score, standardised within its workload because
/// scores of different workloads can't be compared, and its time over that of the baseline, or else of the
/// best known. With a workload: the dots of that one alone, with unchanged scores. With a highlighted
/// workload, the dots of the others are grey and pale.
[[nodiscard]] std::vector<ScatterSeries> score_points(const ModelEvaluation& evaluation,
                                                      const QString& workload = {},
                                                      const QString& standing_out = {});

[[nodiscard]] bool has_workload(const ModelEvaluation& evaluation, const QString& workload);

/// Kendall's τ of the model's scores and the times, on that workload or over all of them.
[[nodiscard]] std::optional<double> agreement(const EvaluatedModel& model, const QString& workload = {});

} // namespace sparsight
