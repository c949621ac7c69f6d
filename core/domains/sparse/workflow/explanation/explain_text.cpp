#include "domains/sparse/workflow/explanation/explain_text.h"

#include "base/quantity.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/explanation/explanation_text.h"
#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "evaluation/diagnosis/change_text.h"
#include "evaluation/failures/failure_case.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

std::string ms_text(double milliseconds) {
    return fmt::format("{:.4g} ms", milliseconds);
}

std::string part_text(double milliseconds, double longest_ms) {
    return is_next_to_nothing(milliseconds, longest_ms) ? "0" : fmt::format("{:.4g}", milliseconds);
}

std::string difference_text(double milliseconds, double longest_ms) {
    return is_next_to_nothing(milliseconds, longest_ms) ? "0" : fmt::format("{:+.4g}", milliseconds);
}

std::string time_text(const ClockTime& time) {
    if (time.is_at_least)
        return "at least " + ms_text(*time.milliseconds);
    std::string text = time.spread_ms > 0
                           ? fmt::format("{:.4g} ± {:.2g} ms", *time.milliseconds, time.spread_ms)
                           : ms_text(*time.milliseconds);
    return time.turns > 1 ? text + fmt::format(" ({} turns)", time.turns) : text;
}

/// What happened.
std::string headline(const ExplainRequest& request, const ExplainAnswer& answer) {
    const Blame& blame = answer.explanation.blame;
    std::string text = fmt::format("matrix    {}, {}{}\n", answer.matrix, name(request.op),
                                   dense_index(request.op) ? fmt::format(", dense {}", request.dense) : "");
    text += request.measured ? fmt::format("measured  on this computer, {} threads\n", request.threads)
                             : fmt::format("simulated on {}\n", answer.machine.name);
    const std::vector<std::string> names =
        nicknames(schedules_of(std::array{blame.space->to(), blame.space->from()}, 1));
    text += fmt::format("schedule  {}\n          {}\n          {}\n", names[0],
                        blame.space->text(blame.space->to()), time_text(blame.to));
    text += fmt::format("against   {}\n          {}\n          {}\n", names[1],
                        blame.space->text(blame.space->from()), time_text(blame.from));
    const double factor = *blame.to.milliseconds / *blame.from.milliseconds;
    if (blame.shares.empty())
        return text + "\nBoth schedules mean the same.\n";
    if (blame.is_same_program)
        return text +
               "\nBoth schedules are one program here: their loops, their storage and the shares of the "
               "threads are the same.\nWhatever their times differ by is noise.\n";
    const std::string times = fmt::format("{:.3g}", factor);
    return text + fmt::format("\nThe schedule takes {}{} as long{}.\n",
                              blame.to.is_at_least ? "at least " : "",
                              times == "1" ? "just" : times + " times",
                              blame.is_significant() ? "" : ", which is within the noise");
}

/// Eighths of a character, so that short bars can be told apart.
std::string bar(double begin, double end) {
    constexpr double width = 30;
    const auto from = static_cast<std::size_t>(std::lround(std::min(begin, end) * width));
    const auto to = static_cast<std::size_t>(std::lround(std::max(begin, end) * width));
    std::string text(from, ' ');
    if (from == to)
        return text + "▏";
    for (std::size_t cell = from; cell < to; ++cell)
        text += end > begin ? "█" : "░";
    return text;
}

std::string significance(const DecisionShare& share) {
    if (share.is_same_program)
        return "same program";
    std::string text = share.is_significant      ? ""
                       : share.is_sign_decided() ? "within noise"
                                                 : "sign not decided";
    if (share.is_bounded)
        text += text.empty() ? "rests on times that were cut off" : ", cut off";
    return text;
}

std::string waterfall_text(const Blame& blame) {
    const std::vector<WaterfallStep> steps = waterfall(blame);
    double longest = *blame.from.milliseconds;
    for (const WaterfallStep& step : steps)
        longest = std::max({longest, step.begin_ms, step.end_ms});
    Table table(
        {{"decision"},
         {"against"},
         {"schedule"},
         {"costs ms", Align::Right},
         {"factor", Align::Right},
         {"noise", Align::Right},
         {fmt::format("from {} to {}", ms_text(*blame.from.milliseconds), ms_text(*blame.to.milliseconds))},
         {""}});
    for (const WaterfallStep& step : steps) {
        const DecisionShare& share = blame.shares[step.share];
        const double noise = share.uncertainty_ms();
        table.add_row({share.decision.name, blame.space->value(share.bit, blame.space->from()),
                       blame.space->value(share.bit, blame.space->to()),
                       difference_text(share.milliseconds, longest),
                       fmt::format("{}×{:.3g}", share.is_sign_decided() ? "" : "~", share.factor),
                       std::isfinite(noise) ? fmt::format("±{:.2g}", noise) : "unknown",
                       bar(std::max(0.0, step.begin_ms / longest), std::max(0.0, step.end_ms / longest)),
                       significance(share)});
    }
    return table.text();
}

std::string counts_text(const Blame& blame) {
    const HybridCounts& counts = blame.counts;
    std::string text =
        blame.is_exact
            ? fmt::format("Exact Shapley values over {} schedules between both", counts.all)
            : fmt::format("Shapley values of {} drawn pairs of orders, {} of {} schedules between both",
                          blame.draws, counts.asked, counts.all);
    text +=
        fmt::format(" ({} of them different, {} different programs", counts.configurations, counts.programs);
    if (counts.repaired > 0)
        text += fmt::format(", {} with a loop moved", counts.repaired);
    if (counts.without_time > 0)
        text += fmt::format(", {} that can't be built: {:.0f} % of the orders were walked",
                            counts.without_time, 100 * blame.walked_orders);
    if (counts.at_least > 0)
        text += fmt::format(", {} stopped and counted as at least that long", counts.at_least);
    text += ").\n";
    if (counts.repeated > 0)
        text += fmt::format("What was uncertain was measured again, in turns: {} measurements.\n",
                            counts.repeated);
    return text;
}

std::string counters_text(const HardwareCounts& from, const HardwareCounts& to) {
    Table table({{"counted in a run"}, {"against", Align::Right}, {"schedule", Align::Right}});
    const auto cell = [](const std::optional<double>& count) {
        return count ? fmt::format("{:.4g}", *count) : std::string("not available here");
    };
    for (const HardwareEvent event : all_hardware_events)
        table.add_row({std::string(title(event)), cell(from[event]), cell(to[event])});
    return table.text();
}

/// Some counts are averages: "1 chunk", "2.7 chunks", "343 chunks".
std::string count_words(double count, std::string_view one, std::string_view many) {
    const std::string number =
        count >= 10 ? fmt::format("{:.0f}", count) : fmt::format("{:g}", std::round(10 * count) / 10);
    return fmt::format("{} {}", number, number == "1" ? one : many);
}

std::string mechanism_text(const ExplainRequest& request, const Explanation& explanation) {
    Table table({{"simulated part"},
                 {"against ms", Align::Right},
                 {"schedule ms", Align::Right},
                 {"difference", Align::Right}});
    const double longest = std::max(explanation.from.parts.total(), explanation.to.parts.total());
    const auto row = [&](const std::string& title, double from, double to) {
        table.add_row(
            {title, part_text(from, longest), part_text(to, longest), difference_text(to - from, longest)});
    };
    for (const TimeTerm term : all_time_terms())
        row(std::string(title(term)), explanation.from.parts[term], explanation.to.parts[term]);
    row("all", explanation.from.parts.total(), explanation.to.parts.total());
    if (request.measured)
        row("measured", *explanation.blame.from.milliseconds, *explanation.blame.to.milliseconds);
    std::string counters;
    if (request.measured) {
        if (explanation.from.counted && explanation.to.counted)
            counters = counters_text(*explanation.from.counted, *explanation.to.counted);
        else
            counters = fmt::format("hardware counters: {}\n", explanation.no_counters);
    }
    const auto storage = [](const Mechanism& side) {
        return fmt::format("A takes {}, {:.0f} % of the work is on explicit zeros, {} of {}{}",
                           format_bytes(static_cast<std::uint64_t>(side.storage_bytes)), 100 * side.fill_in,
                           count_words(side.regions, "parallel region", "parallel regions"),
                           count_words(side.chunks, "chunk", "chunks"), side.regions == 1 ? "" : " each");
    };
    return table.text() +
           fmt::format("against: {}\nschedule: {}\n", storage(explanation.from), storage(explanation.to)) +
           counters;
}

std::string machine_text(const Explanation& explanation) {
    if (explanation.machine_changes.empty())
        return "No change of one number of the machine, within the usual range, makes it win.\n";
    const MachineChange& smallest = explanation.machine_changes.front();
    return fmt::format("Smallest change of the machine: {}\n  simulated {}, against {}\n", to_text(smallest),
                       ms_text(smallest.to_ms), ms_text(smallest.from_ms));
}

std::string counterfactual_text(const ExplainRequest& request, const Explanation& explanation) {
    const Blame& blame = explanation.blame;
    if (!explanation.schedule_change)
        return fmt::format("{}, the schedule is not slower: there is nothing to change in it.\n",
                           request.measured ? "Measured" : "Simulated");
    const ConfigurationChange& change = *explanation.schedule_change;
    const std::string_view other = title_of_other_side(blame);
    std::string text;
    if (change.is_other_side) {
        text = no_change_text(change, other, blame.space->noun(), request.measured) + "\n";
    } else {
        text = fmt::format("Smallest change of the schedule: {}\n  {}\n  {} {}, against {}: {}\n",
                           changed_decisions(change), blame.space->text(change.configuration),
                           request.measured ? "measured" : "simulated", time_text(change.time),
                           time_text(change.against), verdict(change));
        if (change.removal)
            text += fmt::format("Smallest change that removes the loss: {}\n",
                                removal_text(*change.removal, other));
    }
    if (!explanation.simulation_agrees)
        return text + "The simulator does not take the schedule for the slower one: it says nothing about"
                      " machines and patterns.\n";
    const PatternSearch& patterns = explanation.pattern_changes;
    return text + machine_text(explanation) +
           (patterns.winning.empty() ? "" : "Smallest change of the pattern: ") +
           pattern_change_text(patterns) + "\n";
}

/// What casts doubt on the times; mostly empty. A part of the result, for it changes what that means.
std::vector<std::string> warnings(const ExplainAnswer& answer) {
    std::vector<std::string> texts;
    if (answer.schedule_moved)
        texts.push_back(to_text(*answer.schedule_moved, "the schedule"));
    if (answer.against_moved)
        texts.push_back(to_text(*answer.against_moved, "what it is held against"));
    if (answer.busy_share)
        texts.push_back(fmt::format("the computer was busy: other programs took {:.0f} % of its processors, "
                                    "and times may be longer than they are",
                                    *answer.busy_share * 100));
    return texts;
}

Json moved_json(const std::optional<MachineTimeDrift>& moved) {
    if (!moved)
        return {};
    return {{"stored_ms", moved->stored_ms}, {"measured_ms", moved->measured_ms}};
}

/// Where measured times say something else than simulated ones; mostly empty.
std::string disagreement_text(const ExplainRequest& request, const ExplainAnswer& answer) {
    const Explanation& explanation = answer.explanation;
    const auto found =
        request.measured ? disagreement_of(explanation)
        : answer.known
            ? disagreement_beyond_noise(answer.known->against, answer.known->schedule,
                                        explanation.to.parts.total() / explanation.from.parts.total())
            : std::nullopt;
    if (!found)
        return {};
    return fmt::format("\nThe simulator contradicts what was measured. {}\n",
                       to_text(*found, "Measured", "the other", answer.machine.name,
                               !request.measured && request.machine.empty()));
}

/// The whole name where a beginning of it was given: another machine may begin so later.
std::string lasting_name(const std::string& given, const std::string& whole) {
    return given.size() < whole.size() && begins_with(whole, given) ? whole : given;
}

} // namespace

std::string explain_command(const WorkspaceLocation& location, const ExplainRequest& request,
                            const ExplainAnswer& answer) {
    const HybridSpace& space = *answer.explanation.blame.space;
    std::string text = fmt::format("sparsight-cli explain --matrix {} --operator {}",
                                   shell_word(request.matrix), name(request.op));
    if (dense_index(request.op))
        text += fmt::format(" --dense {}", request.dense);
    text += fmt::format(" --schedule {} --against {}", shell_word(space.text(space.to())),
                        shell_word(space.text(space.from())));
    if (!request.machine.empty())
        text += " --machine " + shell_word(lasting_name(request.machine, answer.machine.name));
    text += request.measured
                ? fmt::format(" --measured{} --threads {}", request.again ? " --again" : "", request.threads)
                : " --simulated";
    text += fmt::format(" --seed {}", request.seed);
    if (location.is_named)
        text += " --workspace " + shell_word(location.path);
    return text;
}

std::string page_command(const WorkspaceLocation& location, const ExplainRequest& request,
                         const ExplainAnswer& answer, const std::string& model) {
    constexpr std::string_view explain = "sparsight-cli explain";
    std::string command =
        "sparsight-cli report" + explain_command(location, request, answer).substr(explain.size());
    if (!model.empty())
        command += " --model " + shell_word(model);
    return command + " -o page.html";
}

Json explain_json(const WorkspaceLocation& location, const ExplainRequest& request,
                  const ExplainAnswer& answer) {
    Json json{{"matrix", answer.matrix},
              {"operator", name(request.op)},
              {"dense", dense_index(request.op) ? Json(request.dense) : Json()},
              {"evaluator", request.measured ? "measured" : "simulated"},
              {"machine", answer.machine.name},
              {"threads", answer.threads},
              {"seed", request.seed}};
    json.update(explanation_json(answer.explanation));
    json["measured"] = answer.measured;
    json["reused"] = answer.reused;
    json["repeated"] = answer.repeated;
    json["stored"] = answer.is_stored;
    json["known_factor"] = answer.known ? Json(answer.known->factor()) : Json();
    json["moved"] = {{"schedule", moved_json(answer.schedule_moved)},
                     {"against", moved_json(answer.against_moved)}};
    json["busy_share"] = answer.busy_share ? Json(*answer.busy_share) : Json();
    json["warnings"] = warnings(answer);
    if (!answer.far_off.empty())
        json["warnings"].push_back(answer.far_off);
    json["command"] = explain_command(location, request, answer);
    return json;
}

std::string explain_text(const WorkspaceLocation& location, const ExplainRequest& request,
                         const ExplainAnswer& answer) {
    const Explanation& explanation = answer.explanation;
    std::string text = headline(request, answer);
    for (const std::string& warning : warnings(answer))
        text += fmt::format("\nBeware: {}.\n", warning);
    if (!answer.far_off.empty())
        text += "\n" + answer.far_off + "\n";
    if (!explanation.blame.shares.empty() && !explanation.blame.is_same_program)
        text +=
            disagreement_text(request, answer) +
            fmt::format("\n{}{}\n{}\n{}", waterfall_text(explanation.blame), counts_text(explanation.blame),
                        mechanism_text(request, explanation), counterfactual_text(request, explanation));
    if (request.measured)
        text +=
            fmt::format("\n{} measured now, {} reused, {} measurements more in turns{}\n", answer.measured,
                        answer.reused, answer.repeated,
                        answer.is_stored ? "" : "; not stored: the matrix is a file, not one of a workspace");
    return text + "\nto reproduce: " + explain_command(location, request, answer) + "\n";
}

} // namespace sparsight
