// The colour scale of the sparsity plot: how many nonzeros fall into a cell, on a logarithmic scale.
#pragma once

#include "widgets/look/number_style.h"

#include <QColor>
#include <QString>
#include <array>
#include <vector>

namespace sparsight {

enum class PlotTheme { Light, Dark };

/// One mark beside the colour bar.
struct LegendTick {
    double count = 0;
    double position = 0; ///< along the bar: 0 is one entry a cell, 1 the fullest cell
    QString label;       ///< "1", "100", "10 000"
};

/// Colours of equal steps in perceived lightness, away from the background: darker in the light theme,
/// brighter in the dark one. One entry in a cell already stands out; fractions of an entry (a cell that a
/// pixel covers in part) fade into the background.
class DensityColours {
public:
    /// fullest: the count of the fullest cell; below 1 it is taken as 1.
    DensityColours(PlotTheme theme, double fullest);

    /// Negative counts and NaN get the background, counts above the fullest its colour.
    [[nodiscard]] QRgb colour(double count) const;
    [[nodiscard]] QRgb background() const { return background_; }
    [[nodiscard]] double fullest() const { return fullest_; }

    /// Powers of ten and the fullest count, ascending, at most about `wanted` of them (at least 2).
    [[nodiscard]] std::vector<LegendTick> legend(int wanted = 6, const NumberStyle& style = {}) const;

private:
    [[nodiscard]] double position(double count) const;

    double fullest_ = 1;
    QRgb background_ = 0;
    std::array<QRgb, 256> scale_{};
};

} // namespace sparsight
