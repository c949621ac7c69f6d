// Points of many dimensions on a plane, to be looked at: their principal components (Jolliffe, "Principal
// Component Analysis", 2002).
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

/// The plane on which the points that it was made from are spread out most.
class PlaneProjection {
public:
    /// Of `rows` with `width` numbers each. An axis points to where its largest coefficient is positive (of
    /// equal ones the first), so that the same rows always give the same picture. Of no rows it is a point.
    [[nodiscard]] static PlaneProjection of(std::span<const float> rows, std::size_t width);

    /// Rows with as many numbers as those that it was made from.
    [[nodiscard]] std::vector<PlanePoint> project(std::span<const float> rows) const;

    /// The share of the variance along x and along y; 0 where nothing varies.
    [[nodiscard]] const std::array<double, 2>& explained() const { return explained_; }

private:
    std::vector<double> mean_;
    std::array<std::vector<double>, 2> axes_;
    std::array<double, 2> explained_{};
};

} // namespace sparsight
