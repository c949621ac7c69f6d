#include "evaluation/time_differences.h"

#include "study/measurement.h"

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

/// The mean of logarithms, trimmed. It wastes less than a median, and no disturbed turn moves it.
double centre_of(Ratios ratios) {
    constexpr double trimmed_share = 0.2;
    std::ranges::sort(ratios);
    const std::size_t trimmed =
        ratios.size() < 3 ? 0
                          : std::max<std::size_t>(1, static_cast<std::size_t>(
                                                         trimmed_share * static_cast<double>(ratios.size())));
    const std::span<const double> kept = std::span(ratios).subspan(trimmed, ratios.size() - 2 * trimmed);
    const double middle = kept[kept.size() / 2]; // equal ratios give exactly that ratio
    double logarithms = 0;
    for (const double ratio : kept)
        logarithms += std::log(ratio / middle);
    return middle * std::exp(logarithms / static_cast<double>(kept.size()));
}

TurnRatio sum_up(const Ratios& ratios) {
    TurnRatio told{.ratio = centre_of(ratios), .spread = spread_of(as_times(ratios)).count()};
    // Of the trimmed mean of normal samples: 1.16 · σ / √n for 3 of them, 1.07 for 5, 1.05 for 15.
    if (ratios.size() > 1)
        told.error = 1.1 * told.spread / std::sqrt(static_cast<double>(ratios.size()));
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

TurnRatio ratio_by_turn(TurnTimes times, TurnTimes reference) {
    return sum_up(ratios_of(times, reference));
}

FastestByTurn fastest_by_turn(std::span<const TurnTimes> contenders, TurnTimes reference) {
    std::vector<Ratios> ratios;
    for (const TurnTimes times : contenders)
        ratios.push_back(ratios_of(times, reference));
    Ratios told;
    for (std::size_t turn = 0; turn < reference.size(); ++turn) {
        const std::size_t chosen =
            fastest_of(ratios, [&](const Ratios& each) { return without(each, turn); });
        told.push_back(ratios[chosen][turn]);
    }
    return {fastest_of(ratios, std::identity{}), sum_up(told)};
}

namespace {

/// -1: faster, 0: equally fast, 1: slower.
int side(double factor) {
    if (is_equally_fast(std::max(factor, 1 / factor) - 1))
        return 0;
    return factor > 1 ? 1 : -1;
}

} // namespace

double Disagreement::apart() const {
    return std::max(measured_factor, simulated_factor) / std::min(measured_factor, simulated_factor);
}

std::optional<Disagreement> disagreement_of(double measured_factor, double simulated_factor) {
    if (side(measured_factor) == side(simulated_factor))
        return std::nullopt;
    return Disagreement{measured_factor, simulated_factor};
}

std::string to_text(const Disagreement& disagreement, std::string_view known, std::string_view against,
                    std::string_view machine, bool can_be_measured) {
    return fmt::format(
        "{}, it takes {:.3g} times as long as {}; simulated on {}, {:.3g} times. The two disagree "
        "by a factor of {:.3g}, so simulated parts say little here: fit the machine to "
        "measurements (`sparsight-cli machine calibrate`){}.",
        known, disagreement.measured_factor, against, machine, disagreement.simulated_factor,
        disagreement.apart(), can_be_measured ? ", or have every step measured (`--measured`)" : "");
}

} // namespace sparsight
