#include "study/measurement.h"

#include "base/names.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

constexpr double contender_budget = 2;
constexpr int hopeless_repeats = 3;
constexpr double hopeless_precision = 0.05;

/// What makes the scaled median absolute deviation right on average for few values, too (Croux and Rousseeuw,
/// Time-efficient algorithms for two highly robust estimators of scale, 1992).
double small_sample_correction(std::size_t count) {
    constexpr std::array factors{1.0, 1.0, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107};
    if (count < factors.size())
        return factors[count];
    return static_cast<double>(count) / (static_cast<double>(count) - 0.8);
}

/// Of the median of normal samples: 1.2533 · σ / √n.
Milliseconds standard_error(const std::vector<Milliseconds>& runs) {
    return spread_of(runs) * (1.2533 / std::sqrt(static_cast<double>(runs.size())));
}

/// Whether what is measured is enough. Statistics are only computed once the cheap conditions hold.
bool is_enough(const TimingRules& rules, const std::vector<Milliseconds>& runs, Milliseconds spent) {
    const auto repeats = static_cast<int>(runs.size());
    if (rules.hopeless_above && repeats >= hopeless_repeats && std::ranges::min(runs) > *rules.hopeless_above)
        return spent + runs.back() > rules.budget / 4 ||
               standard_error(runs) < median_of(runs) * hopeless_precision;
    if (repeats < rules.least_repeats || spent < rules.least_time)
        return false;
    const Milliseconds median = median_of(runs);
    const bool is_contender = rules.contender_below && median < *rules.contender_below;
    const Milliseconds budget = rules.budget * (is_contender ? contender_budget : 1);
    if (rules.budget.count() > 0 && spent + runs.back() > budget)
        return true;
    return rules.precision > 0 && standard_error(runs) < median * rules.precision;
}

} // namespace

MillisecondClock steady_clock() {
    return [] { return Milliseconds(std::chrono::steady_clock::now().time_since_epoch()); };
}

Milliseconds median_of(std::vector<Milliseconds> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

Milliseconds spread_of(std::vector<Milliseconds> values) {
    const double correction = small_sample_correction(values.size());
    const Milliseconds median = median_of(values);
    for (Milliseconds& value : values)
        value = value < median ? median - value : value - median;
    return median_of(std::move(values)) * (1.4826 * correction);
}

bool is_given_up(const TimingRules& rules, Milliseconds first_run) {
    return rules.give_up_above && first_run > *rules.give_up_above;
}

std::optional<Timing> time_runs(const TimingRules& rules, const std::function<void()>& run,
                                const MillisecondClock& now, const std::stop_token& stop) {
    for (int warm_up = 1; warm_up < rules.warm_ups && !stop.stop_requested(); ++warm_up)
        run();
    std::vector<Milliseconds> runs;
    const Milliseconds start = now();
    Milliseconds before = start;
    while (static_cast<int>(runs.size()) < rules.most_repeats && !stop.stop_requested()) {
        run();
        const Milliseconds after = now();
        runs.push_back(after - before);
        if (is_enough(rules, runs, after - start))
            break;
        before = now(); // the statistics are not part of the next run
    }
    if (runs.empty())
        return std::nullopt;
    return Timing{median_of(runs), spread_of(runs), static_cast<int>(runs.size())};
}

namespace {

constexpr Names<Protocol, 2> protocol_names{
    {{Protocol::Adaptive, "adaptive"}, {Protocol::FixedRuns, "waco"}}};
constexpr Names<MeasurementStatus, 6> status_names{{
    {MeasurementStatus::Measured, "measured"},
    {MeasurementStatus::GaveUp, "gave up"},
    {MeasurementStatus::TooLarge, "too large"},
    {MeasurementStatus::Mismatch, "mismatch"},
    {MeasurementStatus::Failed, "failed"},
    {MeasurementStatus::Damaged, "damaged"},
}};

} // namespace

std::string_view name(MeasurementStatus status) {
    return name_in(status_names, status);
}

std::optional<MeasurementStatus> parse_measurement_status(std::string_view text) {
    return value_in(status_names, text);
}

std::string_view name(Protocol protocol) {
    return name_in(protocol_names, protocol);
}

std::optional<Protocol> parse_protocol(std::string_view text) {
    return value_in(protocol_names, text);
}

} // namespace sparsight
