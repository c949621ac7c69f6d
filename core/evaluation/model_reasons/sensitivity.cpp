#include "evaluation/model_reasons/sensitivity.h"

#include "base/pair_counts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sparsight {

namespace {

/// A point of which both curves are known.
struct ComparedPoint {
    std::size_t place = 0;
    double margin = 0;
    double gain = 0;
};

std::vector<ComparedPoint> compared_points(const SensitivityCurve& curve) {
    std::vector<ComparedPoint> compared;
    for (std::size_t place = 0; place < curve.points.size(); ++place)
        if (const auto gain = curve.points[place].times.log2_gain())
            compared.push_back({place, curve.points[place].margin, *gain});
    return compared;
}

std::optional<double> tau_of(const std::vector<ComparedPoint>& compared) {
    std::vector<double> margins;
    std::vector<double> gains;
    for (const ComparedPoint& point : compared) {
        margins.push_back(point.margin);
        gains.push_back(point.gain);
    }
    return kendall_tau_b(count_pairs(std::span<const double>(margins), std::span<const double>(gains)));
}

/// A model that does not look at what is varied rates all points alike: that is no order, and thus no wrong
/// one.
std::optional<PartedPair> widest_of(const std::vector<ComparedPoint>& compared, double least_gain) {
    std::optional<PartedPair> widest;
    double most = least_gain;
    for (const ComparedPoint& better : compared)
        for (const ComparedPoint& worse : compared)
            if (better.gain - worse.gain > most && better.margin < worse.margin) {
                most = better.gain - worse.gain;
                widest = PartedPair{better.place, worse.place, std::exp2(most)};
            }
    return widest;
}

} // namespace

std::optional<double> PairTimes::log2_gain() const {
    if (!schedule_ms || !against_ms || !(*schedule_ms > 0) || !(*against_ms > 0) ||
        !std::isfinite(*schedule_ms) || !std::isfinite(*against_ms))
        return std::nullopt;
    return std::log2(*against_ms / *schedule_ms);
}

void compare_curves(SensitivityCurve& curve, double equal_factor) {
    const auto compared = compared_points(curve);
    const double equal_gain = std::log2(equal_factor);
    curve.with_times = static_cast<std::int64_t>(compared.size());
    curve.wrong_sides = std::ranges::count_if(compared, [&](const ComparedPoint& point) {
        return std::abs(point.gain) > equal_gain && point.margin != 0 &&
               (point.gain > 0) != (point.margin > 0);
    });
    curve.kendall_tau = compared.empty() ? std::nullopt : tau_of(compared);
    curve.widest = widest_of(compared, equal_gain);
    curve.swing = 0;
    if (!curve.points.empty()) {
        const auto [least, most] =
            std::ranges::minmax(curve.points, {}, [](const SensitivityPoint& point) { return point.margin; });
        curve.swing = most.margin - least.margin;
    }
}

} // namespace sparsight
