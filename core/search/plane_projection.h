// Projects points of many dimensions onto a plane for display, by their principal components (Jolliffe,
// "Principal Component Analysis", 2002).
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sparsight {

struct PlanePoint {
    double x = 0;
    double y = 0;
    bool operator==(const PlanePoint&) const = default;
};

/// The plane on which the points vary most.
class PlaneProjection {
public:
    /// The plane of `rows` with `width` numbers each. The largest coefficient of each axis is positive (of
    /// equal ones the first), so that the same rows always give the same picture. Without rows, all points
    /// coincide.
    [[nodiscard]] static PlaneProjection of(std::span<const float> rows, std::size_t width);

    /// Projects rows of the same width.
    [[nodiscard]] std::vector<PlanePoint> project(std::span<const float> rows) const;

    /// The share of the variance along x and along y; 0 where nothing varies.
    [[nodiscard]] const std::array<double, 2>& explained() const { return explained_; }

private:
    std::vector<double> mean_;
    std::array<std::vector<double>, 2> axes_;
    std::array<double, 2> explained_{};
};

} // namespace sparsight
