#include "search/plane_projection.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace sparsight {
namespace {

std::vector<double> mean_of(std::span<const float> rows, std::size_t width) {
    std::vector<double> mean(width, 0);
    for (std::size_t at = 0; at < rows.size(); ++at)
        mean[at % width] += rows[at];
    const std::size_t count = rows.size() / width;
    for (double& value : mean)
        value /= static_cast<double>(count);
    return mean;
}

/// Sums of products: the variances but for a factor, which no share of them knows.
std::vector<double> scatter_of(std::span<const float> rows, const std::vector<double>& mean) {
    const std::size_t width = mean.size();
    std::vector<double> scatter(width * width, 0);
    std::vector<double> centred(width);
    for (std::size_t at = 0; at + width <= rows.size(); at += width) {
        for (std::size_t i = 0; i < width; ++i)
            centred[i] = rows[at + i] - mean[i];
        for (std::size_t i = 0; i < width; ++i) {
            const double factor = centred[i];
            double* const line = scatter.data() + i * width;
            for (std::size_t j = i; j < width; ++j)
                line[j] += factor * centred[j];
        }
    }
    for (std::size_t i = 0; i < width; ++i)
        for (std::size_t j = 0; j < i; ++j)
            scatter[i * width + j] = scatter[j * width + i];
    return scatter;
}

/// Components that rounding alone tells apart count as equal.
void point_forwards(std::vector<double>& axis) {
    double largest = 0;
    for (const double value : axis)
        largest = std::max(largest, std::abs(value));
    const auto decisive = std::ranges::find_if(
        axis, [largest](double value) { return std::abs(value) >= largest * (1 - 1e-9); });
    if (decisive == axis.end() || *decisive >= 0)
        return;
    for (double& value : axis)
        value = -value;
}

} // namespace

PlaneProjection PlaneProjection::of(std::span<const float> rows, std::size_t width) {
    PlaneProjection plane;
    plane.mean_.assign(width, 0);
    plane.axes_.fill(std::vector<double>(width, 0));
    if (width == 0 || rows.size() < width)
        return plane;
    rows = rows.first(rows.size() - rows.size() % width);
    plane.mean_ = mean_of(rows, width);
    const std::vector<double> scatter = scatter_of(rows, plane.mean_);
    const auto size = static_cast<Eigen::Index>(width);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
        Eigen::Map<const Eigen::MatrixXd>(scatter.data(), size, size));
    if (eigen.info() != Eigen::Success) // of what is no number
        return plane;
    const double all = eigen.eigenvalues().sum();
    for (std::size_t axis = 0; axis < std::min(plane.axes_.size(), width); ++axis) {
        const Eigen::Index place = size - 1 - static_cast<Eigen::Index>(axis); // the largest is the last
        const Eigen::VectorXd direction = eigen.eigenvectors().col(place);
        plane.axes_[axis].assign(direction.begin(), direction.end());
        point_forwards(plane.axes_[axis]);
        plane.explained_[axis] = all > 0 ? std::max(0.0, eigen.eigenvalues()[place] / all) : 0;
    }
    return plane;
}

std::vector<PlanePoint> PlaneProjection::project(std::span<const float> rows) const {
    const std::size_t width = mean_.size();
    std::vector<PlanePoint> points;
    if (width == 0)
        return points;
    points.reserve(rows.size() / width);
    for (std::size_t at = 0; at + width <= rows.size(); at += width) {
        PlanePoint point;
        for (std::size_t i = 0; i < width; ++i) {
            const double value = rows[at + i] - mean_[i];
            point.x += value * axes_[0][i];
            point.y += value * axes_[1][i];
        }
        points.push_back(point);
    }
    return points;
}

} // namespace sparsight
