// What a model's scores say about times, as far as its own evaluation tells: a score has no unit.
#pragma once

#include "evaluation/diagnosis/hybrids/hybrid_evaluator.h"
#include "evaluation/failures/failure_case.h"
#include "evaluation/failures/training_range.h"
#include "evaluation/model_evaluation.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

/// The slope of log(time) over the scores that fits best where each matrix may have a level of its own (least
/// squares of the differences from each matrix's means). For a matrix that of the others, so that it does not
/// vouch for itself.
class ScoreCalibration {
public:
    ScoreCalibration(const EvaluatedModel& model, int k);

    /// The time of a schedule over that of another one, by their scores. Absent where the other matrices
    /// tell nothing, or that a higher score is not slower.
    [[nodiscard]] std::optional<double> factor(const std::string& matrix, double score,
                                               double other_score) const;

private:
    struct Sums {
        double scores = 0; ///< Σ (score − mean)²
        double both = 0;   ///< Σ (score − mean) · (log time − mean)
    };
    std::map<std::string, Sums> by_matrix_;
    Sums all_;
};

// Failure cases of an evaluation: where models lost, by how much, and whether that is more than noise.

struct FailureOptions {
    /// What counts, as shares of the time that it is held against. Within the noise nothing counts.
    double slower_than_csr = 0.02;
    double regret = 0.10;
    double mis_ranked = 0.25; ///< of the first choice over the fastest of the k
    /// Below it, and below what chance gives once in 20 times, the k are mis-ranked however little the first
    /// choice loses: few that are about equally fast stand in some order against their times easily.
    double worst_tau = -0.2;
    double over_confident = 0.25;   ///< lead that was foreseen of a first choice that is slower
    double outside_training = 0.02; ///< loss to the best known of a pattern that is outside
    /// Noise that is assumed of a time that comes without a spread, as a share of it. 0: none, and the
    /// significance stays Significance::NoiseUnknown.
    double assumed_noise = 0;
};

/// What is known beside the evaluation. What is missing is left out: no family, no OutsideTraining.
struct FailureContext {
    std::map<std::string, PatternStatistics> statistics{}; ///< by matrix
    std::map<ModelId, TrainingRange> trained_on{};
    /// What kernels are shaped for where the times are from. Absent: schedules that mean the same are one
    /// program, and no others.
    std::optional<KernelTarget> target{};
};

/// One case a model and matrix that fails in any way, the greatest loss in milliseconds first; equal ones by
/// how far the choice is behind, then by model and matrix.
///
/// Schedules that are one program on a matrix whose size is known
/// (evaluation/diagnosis/hybrids/hybrid_evaluator.h) have one time there: the shortest that was found for any
/// of them. Nothing fails against its own program.
///
/// A score has no unit: how much faster a model foresees one of its k to be than another is read off its own
/// scores, as score difference times the slope of the line through 0 that fits log(time) over scores best on
/// the other matrices of the evaluation (differences within each matrix). Where that slope is not above 0 the
/// model foresees nothing, and nobody can be over-confident.
[[nodiscard]] std::vector<FailureCase> find_failures(const ModelEvaluation& evaluation,
                                                     const FailureContext& context = {},
                                                     const FailureOptions& options = {});

/// By the spreads of both times; `assumed_noise` as in FailureOptions.
[[nodiscard]] Significance significance_of(const TimedSchedule& chosen, const TimedSchedule& against,
                                           double assumed_noise);
/// As find_failures() orders them.
void sort_by_loss(std::vector<FailureCase>& cases);

} // namespace sparsight
