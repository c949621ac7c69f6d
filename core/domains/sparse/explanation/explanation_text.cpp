#include "domains/sparse/explanation/explanation_text.h"

#include "domains/sparse/explanation/simulated_clock.h"
#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "evaluation/diagnosis/change_text.h"
#include "machine/machine_parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

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
        return "SIMD width";
    case MachineParameter::L2Bytes:
        return "L2 cache per core";
    case MachineParameter::L3Bytes:
        return "total L3 cache";
    case MachineParameter::CoreBandwidth:
        return "memory bandwidth per core";
    case MachineParameter::SocketBandwidth:
        return "memory bandwidth per socket";
    case MachineParameter::MemoryLatency:
        return "memory latency";
    case MachineParameter::RegionCost:
        return "parallel region cost";
    case MachineParameter::ChunkCost:
        return "chunk scheduling cost";
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

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no infinity.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

Json parts_json(const SimulatedTime& parts) {
    Json json = Json::object();
    for (const TimeTerm term : all_time_terms())
        json[std::string(name(term))] = parts[term];
    return json;
}

Json counted_json(const std::optional<HardwareCounts>& counted) {
    if (!counted)
        return {};
    Json json = Json::object();
    for (const HardwareEvent event : all_hardware_events)
        json[std::string(name(event))] = (*counted)[event] ? Json(*(*counted)[event]) : Json();
    return json;
}

Json side_json(const HybridSpace& space, const Configuration& side, const std::string& name,
               const ClockTime& time, const Mechanism& mechanism) {
    return {{"schedule", space.text(side)},
            {"nickname", name},
            {"ms", *time.milliseconds},
            {"spread_ms", time.spread_ms},
            {"turns", time.turns},
            {"at_least", time.is_at_least},
            {"simulated_ms", mechanism.parts.total()},
            {"parts", parts_json(mechanism.parts)},
            {"storage_bytes", mechanism.storage_bytes},
            {"positions", mechanism.positions},
            {"fill_in", mechanism.fill_in},
            {"regions", mechanism.regions},
            {"chunks", mechanism.chunks},
            {"counted", counted_json(mechanism.counted)}};
}

Json change_json(const DecisionChange& change) {
    return {{"decision", change.decision.key}, {"before", change.before}, {"after", change.after}};
}

Json share_json(const Blame& blame, const DecisionShare& share, const WaterfallStep& step) {
    const HybridSpace& space = *blame.space;
    const DecisionSet alone = DecisionSet{1} << share.bit;
    const ClockTime* const alone_time = blame.time_of(alone);
    Json json = change_json(
        {share.decision, space.value(share.bit, space.from()), space.value(share.bit, space.to())});
    json["ms"] = share.milliseconds;
    json["begin_ms"] = step.begin_ms;
    json["end_ms"] = step.end_ms;
    json["factor"] = share.factor;
    json["noise_ms"] = share.noise_ms;
    json["sampling_error_ms"] = number(share.sampling_error_ms);
    json["uncertainty_ms"] = number(share.uncertainty_ms());
    json["significant"] = share.is_significant;
    json["sign_decided"] = share.is_sign_decided();
    json["same_program"] = share.is_same_program;
    json["bounded"] = share.is_bounded;
    json["parts"] = share.terms.empty() ? Json() : parts_json(simulated_time_of(share.terms));
    json["alone"] = {
        {"schedule", space.text(space.at(alone).configuration)},
        {"ms", alone_time && alone_time->milliseconds ? Json(*alone_time->milliseconds) : Json()}};
    return json;
}

Json nearest_json(const HybridSpace& space, const std::optional<NearestChange>& nearest) {
    if (!nearest)
        return {};
    Json decisions = Json::array();
    for (const DecisionChange& each : nearest->decisions)
        decisions.push_back(change_json(each));
    return {{"schedule", space.text(nearest->configuration)},
            {"decisions", decisions},
            {"ratio", nearest->ratio},
            {"ratio_error", number(nearest->error)}};
}

Json removal_json(const HybridSpace& space, const std::optional<LossRemoval>& removal) {
    if (!removal)
        return {};
    Json decisions = Json::array();
    for (const DecisionChange& each : removal->decisions)
        decisions.push_back(change_json(each));
    return {{"schedule", space.text(removal->configuration)},
            {"decisions", decisions},
            {"same_program", removal->is_same_program},
            {"ratio", removal->ratio},
            {"ratio_error", number(removal->error)}};
}

Json schedule_change_json(const Explanation& explanation) {
    if (!explanation.schedule_change)
        return {};
    const ConfigurationChange& change = *explanation.schedule_change;
    Json decisions = Json::array();
    for (const DecisionChange& each : change.decisions)
        decisions.push_back(change_json(each));
    return {{"schedule", explanation.blame.space->text(change.configuration)},
            {"decisions", decisions},
            {"ms", change.time.milliseconds ? Json(*change.time.milliseconds) : Json()},
            {"spread_ms", change.time.spread_ms},
            {"against_ms", change.against.milliseconds ? Json(*change.against.milliseconds) : Json()},
            {"wins", change.wins},
            {"other_side", change.is_other_side},
            {"turns", change.lead ? Json(change.lead->turns) : Json()},
            {"ratio", change.lead ? Json(change.lead->ratio) : Json()},
            {"ratio_error", change.lead ? number(change.lead->error) : Json()},
            {"verified", change.verified},
            {"cut_short", change.is_cut_short},
            {"nearest", nearest_json(*explanation.blame.space, change.nearest)},
            {"removes_loss", removal_json(*explanation.blame.space, change.removal)}};
}

Json disagreement_json(const Explanation& explanation) {
    const auto found = explanation.is_measured ? disagreement_of(explanation) : std::nullopt;
    if (!found)
        return {};
    return {{"measured_factor", found->measured_factor},
            {"simulated_factor", found->simulated_factor},
            {"apart", found->apart()}};
}

Json machine_change_json(const MachineChange& change) {
    const ParameterInfo& info = parameter_info(change.parameter);
    return {{"parameter", info.key},      {"unit", info.unit},         {"before", change.before},
            {"after", change.after},      {"factor", change.factor()}, {"against_ms", change.from_ms},
            {"schedule_ms", change.to_ms}};
}

Json pattern_change_json(const PatternChange& change) {
    return {{"edit", name(change.edit)},
            {"strength", change.strength},
            {"description", describe(change.edit, change.strength, change.blocks)},
            {"entries", change.entries},
            {"against_ms", change.from_ms},
            {"schedule_ms", change.to_ms},
            {"turns", change.lead ? Json(change.lead->turns) : Json()},
            {"ratio", change.lead ? Json(change.lead->ratio) : Json()},
            {"ratio_error", change.lead ? number(change.lead->error) : Json()},
            {"wins", change.lead ? Json(change.lead->wins) : Json()}};
}

} // namespace

Json explanation_json(const Explanation& explanation) {
    const Blame& blame = explanation.blame;
    Json shares = Json::array();
    for (const WaterfallStep& step : waterfall(blame))
        shares.push_back(share_json(blame, blame.shares[step.share], step));
    Json machine_changes = Json::array();
    for (const MachineChange& change : explanation.machine_changes)
        machine_changes.push_back(machine_change_json(change));
    Json pattern_changes = Json::array();
    for (const PatternChange& change : explanation.pattern_changes.winning)
        pattern_changes.push_back(pattern_change_json(change));
    Json pattern_losing = Json::array();
    for (const PatternChange& change : explanation.pattern_changes.losing)
        pattern_losing.push_back(pattern_change_json(change));
    const HybridCounts& counts = blame.counts;
    const HybridSpace& space = *blame.space;
    const std::vector<std::string> names =
        nicknames(std::array{schedule_of(space.from(), 1), schedule_of(space.to(), 1)});
    return {{"against", side_json(space, space.from(), names[0], blame.from, explanation.from)},
            {"schedule", side_json(space, space.to(), names[1], blame.to, explanation.to)},
            {"difference_ms", blame.difference_ms()},
            {"same_program", blame.is_same_program},
            {"significant", blame.is_significant()},
            {"exact", blame.is_exact},
            {"draws", blame.draws},
            {"walked_orders", blame.walked_orders},
            {"hybrids",
             {{"all", counts.all},
              {"asked", counts.asked},
              {"schedules", counts.configurations},
              {"programs", counts.programs},
              {"repaired", counts.repaired},
              {"without_time", counts.without_time},
              {"at_least", counts.at_least},
              {"repeated", counts.repeated}}},
            {"waterfall", shares},
            {"counterfactual",
             {{"schedule", schedule_change_json(explanation)},
              {"simulation_agrees", explanation.simulation_agrees},
              {"disagreement", disagreement_json(explanation)},
              {"machine", machine_changes},
              {"pattern", pattern_changes},
              {"pattern_tried", pattern_losing}}},
            {"no_counters", explanation.no_counters.empty() ? Json() : Json(explanation.no_counters)}};
}

} // namespace sparsight
