#include "domains/sparse/kernel/measurement/measurement.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

constexpr std::array<std::pair<MeasurementStatus, std::string_view>, 5> names{{
    {MeasurementStatus::Measured, "measured"},
    {MeasurementStatus::GaveUp, "gave up"},
    {MeasurementStatus::TooLarge, "too large"},
    {MeasurementStatus::Mismatch, "mismatch"},
    {MeasurementStatus::Failed, "failed"},
}};

} // namespace

std::string_view name(MeasurementStatus status) {
    for (const auto& [known, text] : names)
        if (known == status)
            return text;
    return "";
}

std::optional<MeasurementStatus> parse_measurement_status(std::string_view text) {
    for (const auto& [status, known] : names)
        if (known == text)
            return status;
    return std::nullopt;
}

namespace {

// How much slower than the best: given up after its first run; known well enough after three.
constexpr double give_up_factor = 10;
/// A first run is cold, and the best's runs were warm: below this, ten times the best says nothing.
constexpr Milliseconds least_give_up{5};
constexpr double contender_factor = 1.1;
constexpr double contender_budget = 2;
constexpr double hopeless_factor = 1.5;
constexpr int hopeless_repeats = 3;
constexpr double hopeless_precision = 0.05;

TimingRules adaptive_rules(bool is_baseline, std::optional<Milliseconds> best, Milliseconds longest_run) {
    TimingRules rules;
    rules.least_repeats = is_baseline ? 11 : 5;
    rules.most_repeats = 200;
    rules.least_time = Milliseconds(is_baseline ? 20 : 4);
    rules.budget = Milliseconds(is_baseline ? 400 : 80);
    rules.precision = 0.01;
    if (is_baseline)
        return rules;
    rules.give_up_above = longest_run;
    rules.chances = 2;
    if (best) {
        rules.give_up_above =
            std::min(std::max(*best * give_up_factor, least_give_up), std::max(longest_run, *best * 2));
        rules.contender_below = *best * contender_factor;
        rules.hopeless_above = *best * hopeless_factor;
    }
    return rules;
}

/// WACO's execution manager: fixed CSR 10 + 50 runs, a schedule 5 + 30; SpMM gives up above 100 ms.
TimingRules waco_rules(Operator op, bool is_baseline) {
    TimingRules rules;
    rules.warm_ups = is_baseline ? 10 : 5;
    rules.least_repeats = is_baseline ? 50 : 30;
    rules.most_repeats = rules.least_repeats;
    if (op == Operator::SpMM && !is_baseline)
        rules.give_up_above = Milliseconds(100);
    return rules;
}

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

std::string_view name(Protocol protocol) {
    return protocol == Protocol::Adaptive ? "adaptive" : "waco";
}

std::optional<Protocol> parse_protocol(std::string_view text) {
    for (const Protocol protocol : {Protocol::Adaptive, Protocol::Waco})
        if (text == name(protocol))
            return protocol;
    return std::nullopt;
}

TimingRules timing_rules(Protocol protocol, Operator op, bool is_baseline, std::optional<Milliseconds> best,
                         Milliseconds longest_run) {
    return protocol == Protocol::Waco ? waco_rules(op, is_baseline)
                                      : adaptive_rules(is_baseline, best, longest_run);
}

Clock steady_clock() {
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

std::optional<Timing> time_runs(const TimingRules& rules, const std::function<void()>& run, const Clock& now,
                                const std::stop_token& stop) {
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

} // namespace sparsight
