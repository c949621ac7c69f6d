#include "evaluation/model_reasons/nearest_points.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr std::size_t most_asked = 500;

double distance(std::span<const float> one, std::span<const float> other) {
    double sum = 0;
    for (std::size_t place = 0; place < one.size(); ++place) {
        const double difference = static_cast<double>(one[place]) - static_cast<double>(other[place]);
        sum += difference * difference;
    }
    return std::sqrt(sum);
}

} // namespace

void standardise(PointCloud& points, std::vector<float>& also) {
    const std::size_t count = points.size();
    for (std::size_t column = 0; count > 0 && column < points.width; ++column) {
        double sum = 0;
        double squares = 0;
        for (std::size_t place = 0; place < count; ++place) {
            const auto number = static_cast<double>(points[place][column]);
            sum += number;
            squares += number * number;
        }
        const double mean = sum / static_cast<double>(count);
        const double deviation = std::sqrt(std::max(0.0, squares / static_cast<double>(count) - mean * mean));
        // Differences below what a float holds are none.
        const double scale = deviation > 1e-6 * std::abs(mean) ? 1 / deviation : 1;
        const auto scaled = [&](float& number) {
            number = static_cast<float>((static_cast<double>(number) - mean) * scale);
        };
        for (std::size_t place = 0; place < count; ++place)
            scaled(points.numbers[place * points.width + column]);
        scaled(also[column]);
    }
}

std::vector<Neighbour> nearest_points(const PointCloud& points, std::span<const float> from, std::size_t most,
                                      std::optional<std::size_t> but) {
    std::vector<Neighbour> found;
    for (std::size_t place = 0; place < points.size(); ++place)
        if (place != but)
            found.push_back({place, distance(points[place], from)});
    const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size()));
    std::ranges::partial_sort(found, end, [](const Neighbour& one, const Neighbour& other) {
        return std::pair(one.distance, one.place) < std::pair(other.distance, other.place);
    });
    found.erase(end, found.end());
    return found;
}

Distances distances_among(const PointCloud& points, std::span<const float> from,
                          std::optional<std::size_t> own) {
    Distances distances;
    if (const auto nearest = nearest_points(points, from, 1, own); !nearest.empty())
        distances.nearest = nearest.front().distance;
    std::vector<double> apart;
    const std::size_t count = points.size();
    const std::size_t asked = std::min(count, most_asked);
    for (std::size_t turn = 0; count > 1 && turn < asked; ++turn) {
        const std::size_t place = turn * count / asked;
        apart.push_back(nearest_points(points, points[place], 1, place).front().distance);
    }
    if (!apart.empty()) {
        distances.typical = quantile(apart, 0.5);
        distances.far = quantile(apart, 0.95);
    }
    return distances;
}

} // namespace sparsight
