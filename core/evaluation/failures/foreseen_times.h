// What a model's scores say about times, as far as its own evaluation tells: a score has no unit.
#pragma once

#include "evaluation/model_evaluation.h"

#include <map>
#include <optional>
#include <string>

namespace sparsight {

/// The slope of log(time) over the scores that fits best where each matrix may have a level of its own (least
/// squares of the differences from each matrix's means). For a matrix that of the others, so that it does not
/// vouch for itself.
class ForeseenTimes {
public:
    ForeseenTimes(const EvaluatedModel& model, int k);

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

} // namespace sparsight
