// Quantiles, and distances among points such as embeddings.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace sparsight {

/// The number, one of the given ones, that this share of them does not exceed. At least one number, none
/// NaN.
[[nodiscard]] inline double quantile(std::span<const double> numbers, double share) {
    std::vector<double> sorted(numbers.begin(), numbers.end());
    const auto place = static_cast<std::size_t>(std::floor(share * static_cast<double>(sorted.size() - 1)));
    std::ranges::nth_element(sorted, sorted.begin() + static_cast<std::ptrdiff_t>(place));
    return sorted[place];
}

/// The quartiles that separate low numbers from high ones, each once, ascending; a quartile with no number
/// above it is left out.
[[nodiscard]] inline std::vector<double> quartiles(std::span<const double> numbers) {
    std::vector<double> edges;
    if (numbers.empty())
        return edges;
    const double highest = std::ranges::max(numbers);
    for (const double share : {0.25, 0.5, 0.75})
        if (const double edge = quantile(numbers, share);
            edge < highest && (edges.empty() || edge > edges.back()))
            edges.push_back(edge);
    return edges;
}

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

/// Divides every coordinate by its standard deviation over the points, in `also` likewise; a coordinate that
/// never varies among the points is left as it is.
void standardise(PointCloud& points, std::vector<float>& also);

struct Neighbour {
    std::size_t place = 0;
    double distance = 0;
};
/// At most `most` points, the nearest first, without the point at `but`.
[[nodiscard]] std::vector<Neighbour> nearest_points(const PointCloud& points, std::span<const float> from,
                                                    std::size_t most, std::optional<std::size_t> but = {});

/// The distance to the training data, beside the distances within the training data.
struct Distances {
    std::optional<double> nearest{}; ///< from the explained one; absent: nothing to compare with
    /// The distance from a training item to its nearest other one, which 50 % and 95 % of them do not
    /// exceed.
    std::optional<double> typical{};
    std::optional<double> far{};

    bool operator==(const Distances&) const = default;

    /// Whether it is farther away than 95 % of the training data are from each other.
    [[nodiscard]] bool is_outside() const { return nearest && far && *nearest > *far; }
};

/// `own` is the place of the point itself, where it is among them. Of many points 500, spread evenly,
/// determine the typical distances.
[[nodiscard]] Distances distances_among(const PointCloud& points, std::span<const float> from,
                                        std::optional<std::size_t> own = {});

} // namespace sparsight
