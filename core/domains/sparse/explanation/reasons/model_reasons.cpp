#include "domains/sparse/explanation/reasons/model_reasons.h"

#include "base/names.h"
#include "study/ranking_metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

/// A point with both a margin and a gain.
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

/// A model that does not read the varied quantity rates all points equally: that is no order, and so not a
/// wrong one.
std::optional<MisorderedPair> widest_of(const std::vector<ComparedPoint>& compared, double least_gain) {
    std::optional<MisorderedPair> widest;
    double most = least_gain;
    for (const ComparedPoint& better : compared)
        for (const ComparedPoint& worse : compared)
            if (better.gain - worse.gain > most && better.margin < worse.margin) {
                most = better.gain - worse.gain;
                widest = MisorderedPair{better.place, worse.place, std::exp2(most)};
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

namespace {

constexpr Names<PatternDraws, 2> draws{
    {{PatternDraws::Statistics, "statistics"}, {PatternDraws::Matrices, "matrices"}}};
constexpr Names<VariedKind, 4> kinds{{{VariedKind::Decision, "decision"},
                                      {VariedKind::Statistic, "statistic"},
                                      {VariedKind::Pattern, "pattern"},
                                      {VariedKind::Machine, "machine"}}};
constexpr Names<TimeOrigin, 2> origins{
    {{TimeOrigin::Simulated, "simulated"}, {TimeOrigin::Measured, "measured"}}};
constexpr Names<ReasonSpace, 2> spaces{
    {{ReasonSpace::Embedding, "embedding"}, {ReasonSpace::Statistics, "statistics"}}};
constexpr Names<ReasonPart, 5> parts{{{ReasonPart::Anchors, "anchors"},
                                      {ReasonPart::Sensitivity, "sensitivity"},
                                      {ReasonPart::Nearest, "nearest"},
                                      {ReasonPart::Uncertainty, "uncertainty"},
                                      {ReasonPart::Saliency, "saliency"}}};

} // namespace

std::string_view name(PatternDraws of) {
    return name_in(draws, of);
}
std::optional<PatternDraws> parse_pattern_draws(std::string_view text) {
    return value_in(draws, text);
}

std::string_view name(VariedKind kind) {
    return name_in(kinds, kind);
}
std::optional<VariedKind> parse_varied_kind(std::string_view text) {
    return value_in(kinds, text);
}

std::string_view name(TimeOrigin origin) {
    return name_in(origins, origin);
}
std::optional<TimeOrigin> parse_time_origin(std::string_view text) {
    return value_in(origins, text);
}

std::string_view name(ReasonSpace space) {
    return name_in(spaces, space);
}
std::optional<ReasonSpace> parse_reason_space(std::string_view text) {
    return value_in(spaces, text);
}

std::string_view name(ReasonPart part) {
    return name_in(parts, part);
}
std::optional<ReasonPart> parse_reason_part(std::string_view text) {
    return value_in(parts, text);
}

Result<ReasonPart> read_reason_part(std::string_view text) {
    if (const auto part = parse_reason_part(text))
        return *part;
    return fail(Fault::Input, fmt::format("'{}' is no part: expected anchors, sensitivity, nearest, "
                                          "uncertainty or saliency",
                                          text));
}

const SubjectWords& sparse_subject_words() {
    static const SubjectWords words{
        .configuration = "schedule", .workload = "pattern", .workload_title = "matrix"};
    return words;
}

std::optional<bool> ModelReasons::is_right() const {
    const auto gain = times.log2_gain();
    if (!gain || *gain == 0 || margin() == 0)
        return std::nullopt;
    return (*gain > 0) == (margin() > 0);
}

} // namespace sparsight
