// Finding the failure cases of an evaluation: where models lost, by how much, and whether that is more than
// noise.
#pragma once

#include "evaluation/failures/failure_case.h"
#include "evaluation/failures/training_range.h"
#include "evaluation/model_evaluation.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// How a model's scores relate to times, since a score has no unit: the slope of log(time) over the scores
/// that fits best where each workload may have a level of its own (least squares of the differences from each
/// workload's means). For a workload the slope of the other workloads is used, so that no workload confirms
/// itself.
class ScoreCalibration {
public:
    ScoreCalibration(const EvaluatedModel& model, int k);

    /// The predicted time of a configuration over that of another, by their scores. Absent where the other
    /// workloads give no slope, or one that says that a higher score is not slower.
    [[nodiscard]] std::optional<double> factor(const std::string& workload, double score,
                                               double other_score) const;

private:
    struct Sums {
        double scores = 0; ///< Σ (score − mean)²
        double both = 0;   ///< Σ (score − mean) · (log time − mean)
    };
    std::map<std::string, Sums> by_workload_;
    Sums all_;
};

struct FailureOptions {
    /// Thresholds, as shares of the time compared with. A difference within the noise is never a failure.
    double slower_than_baseline = 0.02;
    double regret = 0.10;
    double mis_ranked = 0.25; ///< of the first choice over the fastest of the k
    /// Below this τ, and below what chance gives once in 20 times, the k are mis-ranked however little the
    /// first choice loses: a few configurations of about equal speed are easily in an order against their
    /// times.
    double worst_tau = -0.2;
    double over_confident = 0.25;   ///< predicted lead of a first choice that is slower
    double outside_training = 0.02; ///< loss to the best known on a pattern outside the training data
    /// The noise assumed for a time without a spread, as a share of it. 0: none, and the significance stays
    /// Significance::NoiseUnknown.
    double assumed_noise = 0;
};

/// Facts beside the evaluation. Without them there is no family and no OutsideTraining.
struct FailureContext {
    std::map<std::string, StatisticVector> statistics{}; ///< by workload
    std::map<std::string, WorkloadFamily> families{};    ///< by workload
    std::map<ModelId, TrainingRange> trained_on{};
    /// Of a workload and the text of a configuration: equal for configurations that are one program there.
    /// Absent: each text is a program of its own.
    std::function<std::string(const std::string& workload, const std::string& configuration)> program{};
};

/// One case for each model and workload with any failure, the greatest loss in milliseconds first; equal
/// losses by the difference of the main sign, then by model and workload.
///
/// The times of the fastest of the k, of the baseline and of the best known are those of the evaluation, so
/// its speedup is 1 / (1 + lost_share()). Configurations that are one program on a workload
/// (FailureContext::program) do not fail against each other, and a first choice has the shortest time that
/// was found for its program.
///
/// A score has no unit. The lead that a model predicts is derived from its own scores: the score difference
/// times the slope of the line through 0 that fits log(time) over scores best on the other workloads of the
/// evaluation (differences within each workload). Where that slope is not above 0 the model predicts nothing,
/// and it cannot be over-confident.
[[nodiscard]] std::vector<FailureCase> find_failures(const ModelEvaluation& evaluation,
                                                     const FailureContext& context = {},
                                                     const FailureOptions& options = {});

/// Turn by turn where both have turns, or else by their spreads; `assumed_noise` as in FailureOptions.
[[nodiscard]] Significance significance_of(const TimedConfiguration& chosen,
                                           const TimedConfiguration& against, double assumed_noise);
/// Sorts in the order of find_failures().
void sort_by_loss(std::vector<FailureCase>& cases);

} // namespace sparsight
