#include "evaluation/diagnosis/explanation_text.h"

#include "domains/sparse/schedule/super_schedule.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

std::string as_long_text(double ratio) {
    const std::string times = fmt::format("{:.3g}", ratio);
    return times == "1" ? "as long" : times + " times as long";
}

/// Of a time over the other side's.
std::string turns_text(const MeasuredLead& lead) {
    return fmt::format("{} turns with it {} (± {:.2g} %): it {}", lead.turns, as_long_text(lead.ratio),
                       100 * lead.error, lead.wins ? "wins" : "does not win beyond the noise");
}

std::string changed(const std::vector<Decision>& decisions, const SuperSchedule& before,
                    const SuperSchedule& after) {
    std::vector<std::string> parts;
    parts.reserve(decisions.size());
    for (const Decision& decision : decisions)
        parts.push_back(fmt::format("{} {} → {}", name(decision, before.op), value_of(decision, before),
                                    value_of(decision, after)));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

std::string changed_decisions(const ScheduleChange& change, const SuperSchedule& before) {
    return changed(change.decisions, before, change.schedule);
}

std::string verdict(const ScheduleChange& change) {
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
        return fmt::format("{:.3g} times as long as {}{}", ratio, other, noise);
    return fmt::format("{} {} than {}{}{}", short_percent(apart), ratio < 1 ? "faster" : "slower", other,
                       noise, ratio < 1 && error > 0 && !is_within ? ", though not in every turn" : "");
}

std::string_view title_of_other_side(const SuperSchedule& schedule) {
    return canonical(fixed_csr(schedule.op, schedule.threads)) == canonical(schedule) ? "fixed CSR"
                                                                                      : "the other side";
}

std::string removal_text(const LossRemoval& removal, const SuperSchedule& before,
                         const SuperSchedule& against) {
    const std::string_view other = title_of_other_side(against);
    return changed(removal.decisions, before, removal.schedule) + ": " +
           (removal.is_same_program ? fmt::format("as fast as {}, whose program it becomes", other)
                                    : compared_text(removal.ratio, removal.error, other));
}

std::string no_change_text(const ScheduleChange& other_side, const SuperSchedule& before, bool is_measured) {
    std::string text;
    if (other_side.removal) {
        const std::string removal = removal_text(*other_side.removal, before, other_side.schedule);
        text = fmt::format("This removes the loss: {}. No change that was tried is faster than {}{}", removal,
                           title_of_other_side(other_side.schedule),
                           is_measured ? " beyond the noise" : " by more than the simulation may be off");
    } else {
        text = is_measured ? "No smaller change of the schedule than taking all decisions back wins beyond "
                             "the noise"
                           : "No smaller change of the schedule wins than taking all decisions back";
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
                         other_side.removal->schedule == other_side.nearest->schedule;
    if (other_side.nearest && !is_told) {
        const NearestChange& nearest = *other_side.nearest;
        text += fmt::format(
            " Nearest came {}: {}.", changed(nearest.decisions, before, nearest.schedule),
            compared_text(nearest.ratio, nearest.error, title_of_other_side(other_side.schedule)));
    }
    return text;
}

namespace {

/// In a list of what was tried.
std::string_view short_name(PatternEdit edit) {
    switch (edit) {
    case PatternEdit::RowsByLength:
        return "rows ordered by length";
    case PatternEdit::RowsByColumn:
        return "rows ordered by their columns";
    case PatternEdit::BandedOrder:
        return "reverse Cuthill-McKee";
    case PatternEdit::EmptierBlocks:
        return "emptier blocks";
    case PatternEdit::FullerBlocks:
        return "fuller blocks";
    case PatternEdit::GatheredBlocks:
        return "entries gathered in blocks";
    case PatternEdit::NarrowerBand:
        return "a narrower band";
    case PatternEdit::DenserBand:
        return "a denser band";
    case PatternEdit::ScatteredEntries:
        return "scattered entries";
    case PatternEdit::EvenRows:
        return "rows of more even length";
    case PatternEdit::Repeated:
        return "more of the same";
    }
    return {};
}

std::string times_text(const PatternChange& change) {
    return fmt::format("simulated {:.4g} ms, against {:.4g} ms", change.to_ms, change.from_ms);
}

} // namespace

std::string pattern_change_text(const PatternSearch& search) {
    const auto& winning = search.winning;
    const auto verified = std::ranges::find_if(
        winning, [](const PatternChange& change) { return change.lead && change.lead->wins; });
    if (verified != winning.end())
        return fmt::format("{}: {}; measured in {}",
                           describe(verified->edit, verified->strength, verified->blocks),
                           times_text(*verified), turns_text(*verified->lead));
    if (!winning.empty()) {
        const PatternChange& smallest = winning.front();
        std::string text = fmt::format("{}: {}", describe(smallest.edit, smallest.strength, smallest.blocks),
                                       times_text(smallest));
        if (smallest.lead)
            text += fmt::format("; but measured there, in {}", turns_text(*smallest.lead));
        return text;
    }
    if (search.losing.empty())
        return "No change of the pattern could be tried.";
    std::vector<std::string_view> tried;
    for (const PatternChange& change : search.losing)
        if (std::ranges::find(tried, short_name(change.edit)) == tried.end())
            tried.push_back(short_name(change.edit));
    const PatternChange& nearest = search.losing.front();
    return fmt::format(
        "No change of the pattern that was tried makes it win: {}. Nearest: where {} it takes {} "
        "as the other side ({}).",
        fmt::join(tried, ", "), describe(nearest.edit, nearest.strength, nearest.blocks),
        as_long_text(nearest.ratio()), times_text(nearest));
}

namespace {

std::string spoken(MachineParameter parameter) {
    switch (parameter) {
    case MachineParameter::Cores:
        return "cores";
    case MachineParameter::ClockRate:
        return "clock";
    case MachineParameter::Lanes:
        return "floats in a vector";
    case MachineParameter::L2Bytes:
        return "level 2 cache of a core";
    case MachineParameter::L3Bytes:
        return "level 3 caches together";
    case MachineParameter::CoreBandwidth:
        return "bandwidth of memory to a core";
    case MachineParameter::SocketBandwidth:
        return "bandwidth of memory to a socket";
    case MachineParameter::MemoryLatency:
        return "latency of memory";
    case MachineParameter::RegionCost:
        return "cost of opening a parallel region";
    case MachineParameter::ChunkCost:
        return "cost of handing out a chunk";
    default: // what is never changed (machine_changes()) has no words of its own
        std::string key(parameter_info(parameter).key);
        std::ranges::replace(key, '_', ' ');
        return key;
    }
}

} // namespace

std::string_view title(TimeTerm term) {
    switch (term) {
    case TimeTerm::Compute:
        return "instructions for entries";
    case TimeTerm::FillIn:
        return "instructions for explicit zeros";
    case TimeTerm::L2Traffic:
        return "traffic: second level cache";
    case TimeTerm::L3Traffic:
        return "traffic: last level cache";
    case TimeTerm::MemoryTraffic:
        return "traffic: memory";
    case TimeTerm::Latency:
        return "latency";
    case TimeTerm::Imbalance:
        return "imbalance between cores";
    case TimeTerm::Regions:
        return "opening parallel regions";
    case TimeTerm::Chunks:
        return "handing out chunks";
    }
    return name(term);
}

std::string_view title(HardwareEvent event) {
    switch (event) {
    case HardwareEvent::Cycles:
        return "cycles";
    case HardwareEvent::Instructions:
        return "instructions";
    case HardwareEvent::CacheMisses:
        return "misses of the last level cache";
    }
    return name(event);
}

std::string to_text(const MachineChange& change) {
    const ParameterInfo& info = parameter_info(change.parameter);
    const bool is_said = info.unit.empty() || info.unit == "B"; // value_text() says bytes itself
    return fmt::format("{} {} → {}{}{}", spoken(change.parameter), value_text(info, change.before),
                       value_text(info, change.after), is_said ? "" : " ", is_said ? "" : info.unit);
}

} // namespace sparsight
