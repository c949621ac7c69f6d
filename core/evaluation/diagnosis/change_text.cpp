#include "evaluation/diagnosis/change_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace sparsight {

std::string as_long_text(double ratio) {
    const std::string times = fmt::format("{:.3g}", ratio);
    return times == "1" ? "as long" : times + " times as long";
}

namespace {

/// "0.93 ± 0.02 times as long", "as long"
std::string as_long_with_error(double ratio, double error) {
    return error > 0 ? fmt::format("{:.2f} ± {:.2f} times as long", ratio, ratio * error)
                     : as_long_text(ratio);
}

} // namespace

/// Of a time over the other side's.
std::string turns_text(const MeasuredLead& lead) {
    return fmt::format("{} turns with it {}: it {}", lead.turns, as_long_with_error(lead.ratio, lead.error),
                       lead.wins ? "wins" : "does not win beyond the noise");
}

namespace {

std::string changed(const std::vector<DecisionChange>& decisions) {
    std::vector<std::string> parts;
    parts.reserve(decisions.size());
    for (const DecisionChange& change : decisions)
        parts.push_back(fmt::format("{} {} → {}", change.decision.name, change.before, change.after));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

std::string changed_decisions(const ConfigurationChange& change) {
    return changed(change.decisions);
}

std::string verdict(const ConfigurationChange& change) {
    return change.lead ? "in " + turns_text(*change.lead) : "it wins";
}

namespace {

/// Two digits are enough for such uncertain figures.
std::string short_percent(double share) {
    const double percent = 100 * share;
    return percent < 10 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

} // namespace

std::string compared_text(double ratio, double error, std::string_view other) {
    const double apart = std::abs(ratio - 1);
    const bool is_within = error > 0 && apart <= error;
    const std::string noise = is_within   ? fmt::format(", within the error of ± {}", short_percent(error))
                              : error > 0 ? fmt::format(" (± {})", short_percent(error))
                                          : "";
    constexpr double nothing = 0.005;
    if (apart < nothing)
        return fmt::format("as fast as {}{}", other, noise);
    if (ratio >= 2)
        return fmt::format("{} as {}{}", as_long_with_error(ratio, error), other,
                           is_within ? ", which is within the error" : "");
    return fmt::format("{} {} than {}{}{}", short_percent(apart), ratio < 1 ? "faster" : "slower", other,
                       noise, ratio < 1 && error > 0 && !is_within ? ", though not in every turn" : "");
}

std::string removal_text(const LossRemoval& removal, std::string_view other) {
    return changed(removal.decisions) + ": " +
           (removal.is_same_program ? fmt::format("as fast as {}, whose program it becomes", other)
                                    : compared_text(removal.ratio, removal.error, other));
}

std::string no_change_text(const ConfigurationChange& other_side, std::string_view other,
                           std::string_view noun, bool is_measured) {
    std::string text;
    if (other_side.removal) {
        const std::string removal = removal_text(*other_side.removal, other);
        text =
            fmt::format("This removes the loss: {}. No change that was tried is faster than {}{}", removal,
                        other, is_measured ? " beyond the noise" : " by more than the simulation may be off");
    } else {
        text = fmt::format("No smaller change of the {} {}", noun,
                           is_measured ? "than taking all decisions back wins beyond the noise"
                                       : "wins than taking all decisions back");
    }
    if (is_measured)
        text +=
            other_side.verified == 0
                ? ": none seemed to"
                : fmt::format(": of {} measured in turns with the other side none did", other_side.verified);
    if (other_side.is_cut_short)
        text += ", and not all were tried before time was over (--budget)";
    text += ".";
    const bool is_told = other_side.removal && other_side.nearest &&
                         other_side.removal->configuration == other_side.nearest->configuration;
    if (other_side.nearest && !is_told) {
        const NearestChange& nearest = *other_side.nearest;
        text += fmt::format(" Nearest came {}: {}.", changed(nearest.decisions),
                            compared_text(nearest.ratio, nearest.error, other));
    }
    return text;
}

} // namespace sparsight
