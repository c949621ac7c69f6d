// Colours of predicted scores: blue for those that are better than the reference, orange for those that are
// worse, grey in between.
#pragma once

#include <QColor>
#include <optional>
#include <vector>

namespace sparsight {

struct Theme;

class ScoreColours {
public:
    /// NaN among the scores is left out. Without a reference the median takes its place. The worst tenth
    /// shares one colour: a few scores far off would take the colours from all others.
    ScoreColours(std::vector<double> scores, std::optional<double> reference);

    [[nodiscard]] double best() const { return best_; }
    [[nodiscard]] double middle() const { return middle_; }
    [[nodiscard]] double worst() const { return worst_; } ///< where colours end
    /// −1 at the best, 0 at the middle, 1 at the worst; 0 for NaN.
    [[nodiscard]] double place(double score) const;
    [[nodiscard]] QColor colour(double score, const Theme& theme) const;

private:
    double best_ = 0;
    double middle_ = 0;
    double worst_ = 0;
};

/// Of a place from −1 to 1.
[[nodiscard]] QColor score_colour_at(double place, const Theme& theme);

} // namespace sparsight
