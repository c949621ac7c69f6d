#include "domains/sparse/explanation/explanation_text.h"

#include "domains/sparse/schedule/schedule_space.h"
#include "evaluation/diagnosis/change_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

std::string_view title_of_other_side(const Blame& blame) {
    const SuperSchedule schedule = schedule_of(blame.space->from(), 1);
    return is_fixed_csr(schedule) ? "fixed CSR" : "the other side";
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
