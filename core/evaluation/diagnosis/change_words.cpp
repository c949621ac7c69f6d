#include "evaluation/diagnosis/change_words.h"

#include <algorithm>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

/// Of a time over the other side's.
std::string turns_text(const MeasuredLead& lead) {
    return fmt::format("{} turns with it {:.3g} times as long (± {:.2g} %): it {}", lead.turns, lead.ratio,
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

std::string no_change_text(const ScheduleChange& other_side, const SuperSchedule& before, bool is_measured) {
    std::string text = is_measured
                           ? "No smaller change of the schedule than taking all decisions back wins beyond "
                             "the noise"
                           : "No smaller change of the schedule wins than taking all decisions back";
    if (is_measured)
        text +=
            other_side.verified == 0
                ? ": none seemed to"
                : fmt::format(": of {} measured in turns with the other side none did", other_side.verified);
    if (other_side.is_cut_short)
        text += ", and not all were tried before time was over (--budget)";
    text += ".";
    if (other_side.nearest) {
        const NearestChange& nearest = *other_side.nearest;
        text += fmt::format(" Nearest came {}: {:.3g} times as long as the other side",
                            changed(nearest.decisions, before, nearest.schedule), nearest.ratio);
        text += nearest.error > 0 ? fmt::format(" (± {:.2g} %).", 100 * nearest.error) : ".";
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
        "No change of the pattern that was tried makes it win: {}. Nearest: where {} it takes {:.3g} "
        "times as long as the other side ({}).",
        fmt::join(tried, ", "), describe(nearest.edit, nearest.strength, nearest.blocks), nearest.ratio(),
        times_text(nearest));
}

} // namespace sparsight
