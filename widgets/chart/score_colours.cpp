#include "widgets/chart/score_colours.h"

#include "widgets/look/theme.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

ScoreColours::ScoreColours(std::vector<double> scores, std::optional<double> reference) {
    std::erase_if(scores, [](double score) { return !std::isfinite(score); });
    std::ranges::sort(scores);
    if (scores.empty())
        return;
    best_ = scores.front();
    middle_ = reference && std::isfinite(*reference) ? *reference : scores[scores.size() / 2];
    worst_ = std::max(middle_, scores[(scores.size() - 1) * 9 / 10]);
}

double ScoreColours::place(double score) const {
    if (std::isnan(score) || score == middle_)
        return 0;
    if (score < middle_)
        return best_ < middle_ ? std::max(-1.0, (score - middle_) / (middle_ - best_)) : 0;
    return worst_ > middle_ ? std::min(1.0, (score - middle_) / (worst_ - middle_)) : 1;
}

QColor ScoreColours::colour(double score, const Theme& theme) const {
    return score_colour_at(place(score), theme);
}

QColor score_colour_at(double place, const Theme& theme) {
    const QColor grey = mixed(theme.surface, theme.reference, 0.6);
    return mixed(grey, place < 0 ? theme.win : theme.lose, std::min(1.0, std::abs(place)));
}

} // namespace sparsight
