#include "evaluation/failures/foreseen_times.h"

#include "evaluation/bootstrap.h"

#include <cmath>
#include <vector>

namespace sparsight {

ForeseenTimes::ForeseenTimes(const EvaluatedModel& model, int k) {
    for (const EvaluatedMatrix& matrix : model.matrices) {
        std::vector<double> scores;
        std::vector<double> times;
        for (const EvaluatedCandidate& candidate : matrix.candidates) {
            if (candidate.rank > k || !candidate.score || candidate.status != MeasurementStatus::Measured ||
                !(candidate.median_ms.value_or(0) > 0))
                continue;
            scores.push_back(*candidate.score);
            times.push_back(std::log(*candidate.median_ms));
        }
        if (scores.size() < 2)
            continue;
        const double score_mean = mean(scores);
        const double time_mean = mean(times);
        Sums& sums = by_matrix_[matrix.times.matrix];
        for (std::size_t at = 0; at < scores.size(); ++at) {
            sums.scores += (scores[at] - score_mean) * (scores[at] - score_mean);
            sums.both += (scores[at] - score_mean) * (times[at] - time_mean);
        }
        all_.scores += sums.scores;
        all_.both += sums.both;
    }
}

std::optional<double> ForeseenTimes::factor(const std::string& matrix, double score,
                                            double other_score) const {
    Sums others = all_;
    if (const auto own = by_matrix_.find(matrix); own != by_matrix_.end()) {
        others.scores -= own->second.scores;
        others.both -= own->second.both;
        if (by_matrix_.size() == 1)
            return std::nullopt;
    }
    if (!(others.scores > 0) || !(others.both > 0))
        return std::nullopt;
    return std::exp(others.both / others.scores * (score - other_score));
}

} // namespace sparsight
