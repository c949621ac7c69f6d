// From values to the pixels of a figure, with marks at round numbers.
#pragma once

#include <string>
#include <vector>

namespace sparsight {

class SvgAxis {
public:
    /// `from` and `to` are the pixels of the lowest and the highest value; to < from for an axis that points
    /// up. An extent of no width is widened.
    [[nodiscard]] static SvgAxis linear(double lowest, double highest, double from, double to);
    /// Values above 0.
    [[nodiscard]] static SvgAxis logarithmic(double lowest, double highest, double from, double to);

    /// Values beyond the ends are drawn at the ends.
    [[nodiscard]] double place(double value) const;
    /// Between three and nine round numbers within the extent.
    [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

private:
    double lowest_ = 0; ///< of a logarithmic axis, its logarithm
    double highest_ = 1;
    double from_ = 0;
    double to_ = 1;
    bool is_logarithmic_ = false;
    std::vector<double> ticks_;
};

} // namespace sparsight
