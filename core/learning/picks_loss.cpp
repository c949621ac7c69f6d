#include "learning/picks_loss.h"

#include "base/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace sparsight {

double PicksLoss::mean() const {
    double sum = 0;
    for (const double each : regret)
        sum += each;
    return sum / static_cast<double>(regret.size());
}

PicksLoss picks_loss(std::span<const double> scores, std::span<const double> milliseconds) {
    double fastest = std::numeric_limits<double>::infinity();
    double slowest = 0;
    for (const double time : milliseconds)
        if (std::isfinite(time)) {
            fastest = std::min(fastest, time);
            slowest = std::max(slowest, time);
        }
    PicksLoss loss;
    if (!std::isfinite(fastest))
        return loss;
    std::vector<float> ranked;
    ranked.reserve(scores.size());
    for (const double score : scores) // what is no number ranks last
        ranked.push_back(std::isnan(score) ? std::numeric_limits<float>::infinity()
                                           : static_cast<float>(score));
    for (std::size_t at = 0; at < judged_picks.size(); ++at)
        loss.regret[at] = mean_of_top(ranked, milliseconds, judged_picks[at], [&](double answer) {
            return (std::isfinite(answer) ? answer : slowest) / fastest - 1;
        });
    return loss;
}

} // namespace sparsight
