// Experiments with a new machine: how well models rank its schedules after few and after many of its
// matrices. The models learned from different sources before (the transfer experiment), or are a gray box,
// its parts and its rivals (the contributions). They are read as printed by sparsight-learn and summarised as
// figures with intervals and as tables.
#pragma once

#include "base/error.h"
#include "evaluation/estimates.h"
#include "evaluation/reports/evaluation_tables.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

struct TransferTargetFacts {
    std::string machine;
    std::size_t matrices = 0;  ///< with runtimes there
    std::string imagined_from; ///< machine whose matrices and schedules simulated machines got
};

/// The training data of a model before it saw the target.
struct TransferTrainingFacts {
    std::string target;
    std::string source;
    int seed = 1;
    std::int64_t machines = 0;
    std::int64_t steps = 0;
    std::int64_t examples = 0; ///< schedules evaluated
};

struct TransferPoint {
    std::string target;
    std::string source; ///< or contender
    int seed = 1;
    std::size_t shots = 0; ///< matrices of the target that were learned from
    /// "ordered_pair_accuracy", "kendall_tau", "regret_at_1" … of all test matrices; of each family of them
    /// as "ordered_pair_accuracy/FAMILY".
    std::map<std::string, double> metrics;
};

enum class ExperimentKind : std::uint8_t {
    Sources,       ///< what to learn from before a new machine
    Contributions, ///< what simulator, network and meta-learning each contribute to a model, the first source
    Methods,       ///< which method of meta-learning learns most from few measurements, the first or another
};

struct TransferExperiment {
    ExperimentKind kind = ExperimentKind::Sources;
    std::string op;
    std::int64_t dense = 256;
    std::vector<TransferTargetFacts> targets;
    std::vector<std::string> sources;
    std::vector<TransferTrainingFacts> trainings;
    std::vector<TransferPoint> points;
    std::vector<std::string> notes;
    std::string created_by;

    /// All others are held against the first source.
    [[nodiscard]] bool is_about_first() const { return kind != ExperimentKind::Sources; }
};

/// Reads the output of `sparsight-learn transfer`. An error (Fault::Internal) for any other text.
[[nodiscard]] Result<TransferExperiment> parse_transfer_experiment(const nlohmann::ordered_json& json);

/// Of the answers of `sparsight-learn finetune --shots` on each target, whose contenders are the sources; the
/// first is the model that was fine-tuned. Errors likewise.
[[nodiscard]] Result<TransferExperiment>
contributions_of(const std::vector<std::pair<std::string, nlohmann::ordered_json>>& answers,
                 ExperimentKind kind = ExperimentKind::Contributions);

/// "other real machines" of "real"; any other text as it is.
[[nodiscard]] std::string_view source_title(std::string_view source);

struct TransferMetric {
    std::string_view name;
    std::string_view title;
    bool higher_is_better = true;
};
/// Ordered pair accuracy, Kendall's τ, and the regret of the best of the model's 1, 5 and 20.
[[nodiscard]] const std::vector<TransferMetric>& transfer_metrics();

/// The numbers of shots measured on a target, ascending.
[[nodiscard]] std::vector<std::size_t> shots_on(const TransferExperiment& experiment,
                                                std::string_view target);

/// The mean over seeds and families of test matrices (estimate_crossed()), or over the seeds where no family
/// is told; absent where no seed has the metric.
[[nodiscard]] std::optional<Estimate> transfer_estimate(const TransferExperiment& experiment,
                                                        std::string_view target, std::string_view source,
                                                        std::size_t shots, std::string_view metric);

/// `better` less `than` with the same draws, over seeds and families as transfer_estimate(); absent where
/// they share none.
[[nodiscard]] std::optional<Estimate> transfer_difference(const TransferExperiment& experiment,
                                                          std::string_view target, std::string_view better,
                                                          std::string_view than, std::size_t shots,
                                                          std::string_view metric);

struct TransferComparison {
    std::string target;
    std::string better; ///< the source that may be better
    std::string than;
    std::size_t seeds = 0;
    Estimate difference; ///< of the ordered pair accuracy, mean over the curve: above 0 favours `better`
};
/// On each target, where both sources were measured: "family" against "scratch", "paper" and "real", "real"
/// against "scratch" and "paper", and "family+real" against "real"; of contributions, the first against all
/// others. Only seeds and families whose two curves
/// are whole count, as pairs, which have splits and first weights in common.
[[nodiscard]] std::vector<TransferComparison> transfer_comparisons(const TransferExperiment& experiment);

/// "95 % intervals by Student's t, over seeds and families of test matrices"; "…, over the seeds" where
/// points tell no families.
[[nodiscard]] std::string_view interval_words(const TransferExperiment& experiment);

/// One row for each target and source, one column for each number of shots.
[[nodiscard]] TextTable curve_table(const TransferExperiment& experiment, const TransferMetric& metric);
/// Of contributions: one row for each target and contender but the first, from which it is subtracted; one
/// column for each number of shots.
[[nodiscard]] TextTable difference_table(const TransferExperiment& experiment, const TransferMetric& metric);
/// One row for each comparison, with the meaning of its interval.
[[nodiscard]] TextTable comparison_table(const TransferExperiment& experiment);
/// The conditions of the comparison: targets, budget, splits; then the experiment's notes.
[[nodiscard]] std::vector<std::string> transfer_sentences(const TransferExperiment& experiment);

} // namespace sparsight
