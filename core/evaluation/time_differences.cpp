#include "evaluation/time_differences.h"

#include "evaluation/estimates.h"
#include "study/measurement.h"
#include "study/student.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

using Ratios = std::vector<double>;

Ratios ratios_of(TurnTimes times, TurnTimes reference) {
    Ratios ratios;
    for (std::size_t turn = 0; turn < reference.size(); ++turn)
        ratios.push_back(times[turn] / reference[turn]);
    return ratios;
}

std::vector<Milliseconds> as_times(const Ratios& ratios) {
    return {ratios.begin(), ratios.end()};
}

/// How many of the least and of the greatest ratios a trimmed mean leaves out: a fifth at each end.
std::size_t trimmed_at_each_end(std::size_t ratios) {
    return ratios < 3 ? 0 : std::max<std::size_t>(1, ratios / 5);
}

/// How many values an error of them rests on: of a few, where a single one would be kept, on all.
std::size_t kept_for_error(std::size_t ratios) {
    const std::size_t kept = ratios - 2 * trimmed_at_each_end(ratios);
    return kept < 2 ? ratios : kept;
}

/// The mean of logarithms, trimmed: it wastes less than a median, and what lies at the ends has no weight.
double centre_of(Ratios ratios) {
    std::ranges::sort(ratios);
    const std::size_t trimmed = trimmed_at_each_end(ratios.size());
    const std::span<const double> kept = std::span(ratios).subspan(trimmed, ratios.size() - 2 * trimmed);
    const double middle = kept[kept.size() / 2]; // equal ratios give exactly that ratio
    double logarithms = 0;
    for (const double ratio : kept)
        logarithms += std::log(ratio / middle);
    return middle * std::exp(logarithms / static_cast<double>(kept.size()));
}

/// The standard error of centre_of(): that of the winsorised logarithms, in which what is trimmed counts as
/// the nearest that is kept, over the share that is kept (Tukey and McLaughlin, Sankhyā 1963). Where a single
/// one is kept, which tells no scatter, that of the plain mean, which is no smaller.
double error_of_centre(Ratios ratios) {
    std::ranges::sort(ratios);
    const std::size_t trimmed = (ratios.size() - kept_for_error(ratios.size())) / 2;
    const auto count = static_cast<double>(ratios.size());
    std::vector<double> logarithms;
    for (std::size_t place = 0; place < ratios.size(); ++place)
        logarithms.push_back(std::log(ratios[std::clamp(place, trimmed, ratios.size() - 1 - trimmed)]));
    double mean = 0;
    for (const double each : logarithms)
        mean += each / count;
    double squares = 0;
    for (const double each : logarithms)
        squares += (each - mean) * (each - mean);
    const double kept = 1 - 2 * static_cast<double>(trimmed) / count;
    return std::sqrt(squares / (count - 1)) / (kept * std::sqrt(count));
}

TurnRatio sum_up(const Ratios& ratios, bool turns_agree = true) {
    TurnRatio told{
        .ratio = centre_of(ratios), .spread = spread_of(as_times(ratios)).count(), .turns = ratios.size()};
    // The larger of two estimates: by the spread, which is right for normal samples (1.16 · σ / √n for 3 of
    // them, 1.07 for 5, 1.05 for 15) and 0 where most turns agree; and by the winsorised ones, which sees the
    // others and is a fifth too small for 5.
    if (ratios.size() > 1)
        told.error = std::max(1.1 * told.spread / std::sqrt(static_cast<double>(ratios.size())),
                              told.ratio * error_of_centre(ratios));
    if (told.error && !turns_agree) {
        const auto turns = static_cast<double>(ratios.size());
        *told.error *= std::sqrt(1 + turns / (turns - 1));
    }
    return told;
}

Ratios without(const Ratios& ratios, std::size_t turn) {
    Ratios others = ratios;
    if (others.size() > 1)
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(turn));
    return others;
}

/// The place of the least ratio.
template <typename Seen>
std::size_t fastest_of(const std::vector<Ratios>& contenders, const Seen& seen) {
    std::size_t fastest = 0;
    std::optional<double> least;
    for (std::size_t place = 0; place < contenders.size(); ++place)
        if (const double ratio = centre_of(seen(contenders[place])); !least || ratio < *least) {
            least = ratio;
            fastest = place;
        }
    return fastest;
}

} // namespace

double CollectedTime::noise() const {
    const double of_spreads = noise_of_ratio(milliseconds, spread_ms, baseline_ms, baseline_spread_ms);
    const double extreme = (speedup() > 1 ? shortest_baseline_ms : longest_baseline_ms).value_or(baseline_ms);
    return std::max(of_spreads, std::abs(std::log(baseline_ms / extreme)));
}

double confidence_factor(std::size_t turns) {
    return student_factor(kept_for_error(turns) - 1);
}

TurnRatio ratio_by_turn(TurnTimes times, TurnTimes reference) {
    return sum_up(ratios_of(times, reference));
}

FastestByTurn fastest_by_turn(std::span<const TurnTimes> contenders, TurnTimes reference) {
    std::vector<Ratios> ratios;
    for (const TurnTimes times : contenders)
        ratios.push_back(ratios_of(times, reference));
    const std::size_t fastest = fastest_of(ratios, std::identity{});
    Ratios told;
    bool do_agree = true;
    for (std::size_t turn = 0; turn < reference.size(); ++turn) {
        const std::size_t chosen =
            fastest_of(ratios, [&](const Ratios& each) { return without(each, turn); });
        told.push_back(ratios[chosen][turn]);
        do_agree = do_agree && chosen == fastest;
    }
    return {fastest, sum_up(told, do_agree), told, do_agree};
}

TurnRatio ratio_of_told(ToldTurns told, ToldTurns against) {
    return sum_up(ratios_of(told.ratios, against.ratios), told.turns_agree && against.turns_agree);
}

double Disagreement::apart() const {
    return std::max(measured_factor, simulated_factor) / std::min(measured_factor, simulated_factor);
}

bool is_far_off(double simulated_ms, double known_ms, double spread_ms, double simulation_error) {
    constexpr double deviations_at_half = 0.6745; // half of a normal distribution lies within as many
    const double simulated = 2 * std::log1p(simulation_error) / deviations_at_half;
    const double apart = std::abs(std::log(simulated_ms / known_ms));
    // The known time may be as long, or as short, as its spread allows.
    const double share = spread_ms / known_ms;
    if (simulated_ms < known_ms && share >= 1)
        return false;
    const double known = simulated_ms < known_ms ? -std::log1p(-share) : std::log1p(share);
    return apart > std::log(far_off_factor) && apart > std::hypot(simulated, known);
}

std::string far_off_text(double simulated_ms, double simulation_error, const ClockTime& known,
                         std::string_view clock, std::string_view configuration,
                         std::optional<double> in_turns_ms) {
    const double known_ms = known.milliseconds.value_or(0);
    const bool may_take_as_long = known.is_at_least && simulated_ms >= known_ms;
    if (known_ms <= 0 || may_take_as_long ||
        !is_far_off(simulated_ms, known_ms, known.spread_ms, simulation_error))
        return {};
    const std::string both =
        in_turns_ms ? fmt::format(" as collected and {:.4g} ms in turns", *in_turns_ms) : "";
    return fmt::format("The simulation of {} takes {:.4g} ms; the {} time is {}{:.4g} ms{}. Read the "
                       "simulated parts with care.",
                       configuration, simulated_ms, clock, known.is_at_least ? "at least " : "", known_ms,
                       both);
}

std::optional<double> far_off_in_median(std::span<const SimulatedAndKnown> times, double simulation_error) {
    if (times.empty())
        return std::nullopt;
    std::vector<double> factors;
    std::vector<double> spreads;
    for (const SimulatedAndKnown& each : times) {
        factors.push_back(std::exp(std::abs(std::log(each.simulated_ms / each.known_ms))));
        spreads.push_back(each.spread_ms / each.known_ms);
    }
    const double factor = median(factors);
    return is_far_off(factor, 1, median(spreads), simulation_error) ? std::optional(factor) : std::nullopt;
}

std::string to_text(const Disagreement& disagreement, std::string_view known, std::string_view against,
                    std::string_view machine, bool can_be_measured) {
    return fmt::format(
        "{}, it takes {:.3g} times as long as {}; simulated on {}, {:.3g} times. The two disagree "
        "by a factor of {:.3g}, so do not trust the simulated parts here. Fit the machine to "
        "measurements (`sparsight-cli machine calibrate`){}.",
        known, disagreement.measured_factor, against, machine, disagreement.simulated_factor,
        disagreement.apart(), can_be_measured ? ", or measure every step (`--measured`)" : "");
}

} // namespace sparsight
