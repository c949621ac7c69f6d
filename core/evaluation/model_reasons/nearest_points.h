// Distances among points, such as embeddings.
#pragma once

#include "evaluation/model_reasons/nearest.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// Points of equal width, row by row.
struct PointCloud {
    std::size_t width = 0; ///< above 0
    std::vector<float> numbers{};

    [[nodiscard]] std::size_t size() const { return numbers.size() / width; }
    [[nodiscard]] std::span<const float> operator[](std::size_t place) const {
        return std::span(numbers).subspan(place * width, width);
    }
    void add(std::span<const float> point) { numbers.insert(numbers.end(), point.begin(), point.end()); }
};

/// Every coordinate in its standard deviations over the points, those of `also` likewise; one that never
/// varies among the points is left as it is.
void standardise(PointCloud& points, std::vector<float>& also);

struct Neighbour {
    std::size_t place = 0;
    double distance = 0;
};
/// The nearest first, at most so many, without the point at `but`.
[[nodiscard]] std::vector<Neighbour> nearest_points(const PointCloud& points, std::span<const float> from,
                                                    std::size_t most, std::optional<std::size_t> but = {});

/// `own`: the place of the point itself among them, where it is. Of many points 500, spread evenly, say how
/// far apart they are.
[[nodiscard]] Distances distances_among(const PointCloud& points, std::span<const float> from,
                                        std::optional<std::size_t> own = {});

} // namespace sparsight
