// How far a figure over matrices would move had other matrices of their kind been drawn: percentile intervals
// of the bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace sparsight {

struct Interval {
    double low = 0;
    double high = 0;

    [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
    bool operator==(const Interval&) const = default;
};

struct Estimate {
    double value = 0;                 ///< over what was really drawn
    std::optional<Interval> interval; ///< absent below two values, which tell nothing of their spread
    bool operator==(const Estimate&) const = default;
};

struct BootstrapOptions {
    int resamples = 10'000;
    double confidence = 0.95;
    std::uint64_t seed = 1;
};

/// Of some values, at least one.
using SampleStatistic = std::function<double(std::span<const double>)>;

[[nodiscard]] double mean(std::span<const double> values);
/// Of values above 0.
[[nodiscard]] double geometric_mean(std::span<const double> values);
[[nodiscard]] double median(std::span<const double> values);

/// The same draws for the same number of values and options: two series over the same matrices are resampled
/// as pairs.
[[nodiscard]] Estimate bootstrap(std::span<const double> values, const SampleStatistic& statistic,
                                 const BootstrapOptions& options = {});

/// The statistic of `first` less that of `second`, where the values of one place belong together: what
/// both have in common, such as a matrix that is hard for every model, does not widen the interval.
[[nodiscard]] Estimate paired_difference(std::span<const double> first, std::span<const double> second,
                                         const SampleStatistic& statistic,
                                         const BootstrapOptions& options = {});

} // namespace sparsight
