#include "study/measurement.h"

#include "base/names.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

constexpr double contender_budget_of_one_part = 2; ///< of two halves each has the usual one
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

/// How alike successive values are: the autocorrelation at lag 1 of their deviations from the median. One
/// disturbed value would hide it, so deviations count up to three standard deviations. Its bias of -1/n is
/// taken off (Kendall, "Note on bias in the estimation of autocorrelation", 1954). Never negative: values
/// that alternate make no median better.
double autocorrelation(const std::vector<Milliseconds>& values, Milliseconds sigma) {
    constexpr std::size_t least = 8;
    constexpr double most = 0.9;
    if (values.size() < least || sigma.count() <= 0)
        return 0;
    const Milliseconds median = median_of(values);
    std::vector<double> off;
    for (const Milliseconds value : values)
        off.push_back(std::clamp((value - median) / sigma, -3.0, 3.0));
    double together = 0;
    double alone = 0;
    for (std::size_t at = 0; at < off.size(); ++at) {
        alone += off[at] * off[at];
        together += at > 0 ? off[at] * off[at - 1] : 0;
    }
    if (alone <= 0)
        return 0;
    return std::clamp(together / alone + 1 / static_cast<double>(values.size()), 0.0, most);
}

/// Whether what is measured is enough. Statistics are only computed once the cheap conditions hold.
bool is_enough(const TimingRules& rules, const std::vector<Milliseconds>& runs, Milliseconds spent,
               double contender_budget) {
    const auto repeats = static_cast<int>(runs.size());
    if (rules.hopeless_above && repeats >= hopeless_repeats && std::ranges::min(runs) > *rules.hopeless_above)
        return spent + runs.back() > rules.budget / 4 ||
               median_error_of(runs) < median_of(runs) * hopeless_precision;
    if (repeats < rules.least_repeats || spent < rules.least_time)
        return false;
    const Milliseconds median = median_of(runs);
    const bool is_contender = rules.contender_below && median < *rules.contender_below;
    const Milliseconds budget = rules.budget * (is_contender ? contender_budget : 1);
    if (rules.budget.count() > 0 && spent + runs.back() > budget)
        return true;
    return rules.precision > 0 && median_error_of(runs) < median * rules.precision;
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

Milliseconds median_error_of(const std::vector<Milliseconds>& values) {
    const Milliseconds sigma = spread_of(values);
    const double alike = autocorrelation(values, sigma);
    return sigma * (1.2533 * std::sqrt((1 + alike) / (1 - alike) / static_cast<double>(values.size())));
}

Milliseconds spread_from(Milliseconds error, Milliseconds drift) {
    return Milliseconds(2 * std::hypot(error.count(), drift.count()));
}

namespace {

/// What it costs to read the clock: the usual difference of two readings in a row.
Milliseconds cost_of(const MillisecondClock& now) {
    constexpr int readings = 15;
    std::vector<Milliseconds> differences;
    for (int reading = 0; reading < readings; ++reading) {
        const Milliseconds before = now();
        differences.push_back(now() - before);
    }
    return median_of(std::move(differences));
}

/// How many runs of a time below `shortest_alone` make a batch of twice that.
int batch_of(Milliseconds one_run, Milliseconds shortest_alone) {
    constexpr double most = 10'000;
    return static_cast<int>(
        std::min(most, std::ceil(2 * shortest_alone / std::max(one_run, shortest_alone / most))));
}

/// Repeats until it is enough, as often as it is asked to. Where the first run turns out to be too short for
/// the clock, batches of runs are repeated instead.
class RepeatedRuns {
public:
    RepeatedRuns(const TimingRules& rules, const std::function<void()>& run, const MillisecondClock& now,
                 const std::stop_token& stop, bool has_halves)
        : rules_(rules)
        , run_(run)
        , now_(now)
        , stop_(stop)
        , contender_budget_(has_halves ? 1 : contender_budget_of_one_part) {}

    std::vector<Milliseconds> until_enough() {
        std::vector<Milliseconds> repeats;
        const Milliseconds start = now_();
        Milliseconds before = start;
        while (static_cast<int>(repeats.size()) < rules_.most_repeats && !stop_.stop_requested()) {
            for (int run = 0; run < batch_; ++run)
                run_();
            const Milliseconds after = now_();
            repeats.push_back(std::max(after - before - clock_cost_, Milliseconds(0)) / batch_);
            if (batch_ == 1 && repeats.size() == 1 && repeats.front() < rules_.shortest_alone) {
                batch_ = batch_of(repeats.front(), rules_.shortest_alone);
                clock_cost_ = cost_of(now_);
                repeats.clear();
            } else if (is_enough(rules_, repeats, after - start, contender_budget_)) {
                break;
            }
            before = now_(); // the statistics are not part of the next run
        }
        return repeats;
    }

private:
    const TimingRules& rules_;
    const std::function<void()>& run_;
    const MillisecondClock& now_;
    const std::stop_token& stop_;
    double contender_budget_;
    int batch_ = 1;
    Milliseconds clock_cost_{0};
};

} // namespace

std::optional<Timing> time_runs(const TimingRules& rules, const std::function<void()>& run,
                                const MillisecondClock& now, const std::stop_token& stop,
                                const std::function<void()>& other_work) {
    for (int warm_up = 1; warm_up < rules.warm_ups && !stop.stop_requested(); ++warm_up)
        run();
    RepeatedRuns runs(rules, run, now, stop, static_cast<bool>(other_work));
    std::vector<Milliseconds> repeats = runs.until_enough();
    if (repeats.empty())
        return std::nullopt;
    Milliseconds error = median_error_of(repeats);
    if (other_work && rules.contender_below && median_of(repeats) < *rules.contender_below) {
        other_work();
        run(); // brings the operands back into the caches, and the result of this run after that of others
        const std::vector<Milliseconds> second = runs.until_enough();
        if (!second.empty()) {
            const Milliseconds apart = median_of(repeats) - median_of(second);
            repeats.insert(repeats.end(), second.begin(), second.end());
            error = std::max(median_error_of(repeats), Milliseconds(std::abs(apart.count()) / 2));
        }
    }
    return Timing{median_of(repeats), spread_of(repeats), error, static_cast<int>(repeats.size())};
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
