#include "base/text.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/failures/find_failures.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace sparsight {

namespace {

/// "7 matrices, mostly banded", "9 choices for 7 matrices".
std::string subject(const FailureGroup& group, const DomainWords& words) {
    std::string text = counted(group.workloads, words.workload.one, words.workload.many);
    if (group.cases.size() != group.workloads)
        text = fmt::format("{} choices for {}", group.cases.size(), text);
    if (const auto family = group.dominant_family())
        text += fmt::format(", {}{}", group.families.size() > 1 ? "mostly " : "", family->title);
    return text;
}

std::string loss(const FailureGroup& group, const DomainWords& words) {
    const std::size_t cases = group.cases.size();
    return fmt::format(
        "{}{:.0f} % slower than {}{}", group.times == TimeSource::Simulated ? "by simulation " : "",
        100 * group.lost_share, title(group.against, words),
        group.held_against < cases ? fmt::format(" in {} of {} cases", group.held_against, cases) : "");
}

/// Whose time is off: the fastest of the k is what is run, what was put first is what the model believed.
std::string chosen_one(const FailureGroup& group, const DomainWords& words) {
    return costs_time(group.kind) ? "the chosen " + words.configuration.one : "its first choice";
}

std::string disagreement(const FailureGroup& group) {
    if (is_equally_fast(std::abs(group.simulated_share)))
        return "takes both for equally fast";
    return group.simulated_share < 0
               ? fmt::format("takes it for {:.0f} % faster", -100 * group.simulated_share)
               : fmt::format("takes it for {} {:.0f} % slower",
                             group.simulated_share < group.lost_share ? "no more than" : "as much as",
                             100 * group.simulated_share);
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& names) {
    const auto first = std::span(names).first(names.size() - 1);
    return first.empty() ? names.back() : fmt::format("{} and {}", fmt::join(first, ", "), names.back());
}

std::string milliseconds(double ms) {
    return ms < 1000 ? fmt::format("{:.3g}", ms) : fmt::format("{:.0f}", ms);
}

/// A simulation is believed up to loss_agreement_factor times the loss: its milliseconds may exceed it.
std::string excess(const FailureGroup& group) {
    const bool is_simulated =
        group.basis == DiagnosisBasis::Simulated && group.times != TimeSource::Simulated;
    if (!is_simulated || group.explained_ms <= (1 + equal_within) * group.behind_ms)
        return {};
    return fmt::format("; the simulated difference of {} ms exceeds the {} one of {} ms",
                       milliseconds(group.explained_ms), name(group.times), milliseconds(group.behind_ms));
}

/// "split of k 128 instead of 4", "split of k 128 instead of other values", "split of k other than 4"
std::string changed_decision(const FailureGroup& group) {
    const std::string decision = group.decision->name;
    if (group.is_mostly || group.is_one_value)
        return fmt::format("{}{} {} instead of {}", decision, group.is_one_value ? "" : ", mostly",
                           group.after, group.before.value_or("other values"));
    return group.before ? fmt::format("{} other than {}", decision, *group.before)
                        : fmt::format("{} (various values)", decision);
}

std::string decision_text(const FailureGroup& group, const DomainWords& words) {
    const std::string text = changed_decision(group);
    if (group.basis == DiagnosisBasis::Statistics)
        return fmt::format("{} goes along with being {}", text, loss(group, words));
    const std::string reason = group.term ? fmt::format(", by {}", group.term->reason) : "";
    if (group.others.empty())
        return fmt::format("{} makes {} {}{}{}", text, chosen_one(group, words), loss(group, words), reason,
                           excess(group));
    const std::string_view unit = group.basis == DiagnosisBasis::Simulated ? "simulated ms" : "ms";
    const std::string cost =
        group.decision_ms <= group.explained_ms
            ? fmt::format("{} of {} {}", milliseconds(group.decision_ms), milliseconds(group.explained_ms),
                          unit)
            : fmt::format("{} {}, partly won back by others", milliseconds(group.decision_ms), unit);
    return fmt::format("{} costs {}: {} is {}{}; the loss also depends on {}{}", text, cost,
                       chosen_one(group, words), loss(group, words), reason, listed(group.others),
                       excess(group));
}

/// Whose word a simulation is held against.
std::string_view clock_times(const FailureGroup& group) {
    return group.times == TimeSource::Recorded ? "the recorded times" : "the measured times";
}

std::string rest_ground(const FailureGroup& group) {
    return group.disagreeing == group.cases.size()
               ? fmt::format("the simulation does not agree with {}", clock_times(group))
               : "various decisions";
}

std::string doubt(const FailureGroup& group) {
    if (group.disagreeing == 0 || group.disagreeing == group.cases.size())
        return {};
    return fmt::format("; for {} of them the simulation does not agree with {}", group.disagreeing,
                       clock_times(group));
}

} // namespace

std::string_view name(FailureGroupGround ground) {
    switch (ground) {
    case FailureGroupGround::Decision:
        return "decision";
    case FailureGroupGround::SimulationDisagrees:
        return "simulation_disagrees";
    case FailureGroupGround::NoDiagnosis:
        return "no_diagnosis";
    case FailureGroupGround::Rest:
        return "rest";
    }
    return "";
}

std::string title(FailureAgainst against, const DomainWords& words) {
    switch (against) {
    case FailureAgainst::Baseline:
        return words.baseline ? words.baseline->one : "the baseline";
    case FailureAgainst::BestKnown:
        return "the best known";
    case FailureAgainst::OwnBest:
        return "the fastest of its own choices";
    }
    return "";
}

std::string title(FailureKind kind, const DomainWords& words) {
    switch (kind) {
    case FailureKind::SlowerThanBaseline:
        return "slower than " + title(FailureAgainst::Baseline, words);
    case FailureKind::HighRegret:
        return "far from the best known";
    case FailureKind::MisRanked:
        return "ranked wrongly";
    case FailureKind::OverConfident:
        return "over-confident";
    case FailureKind::OutsideTraining:
        return "unlike its training";
    }
    return "";
}

std::string group_loss(const FailureGroup& group) {
    if (!(group.lost_ms > 0))
        return "nothing lost: it was only wrong about its own choices";
    return fmt::format("{:.3g} ms lost{}", group.lost_ms,
                       group.times == TimeSource::Simulated ? ", simulated" : "");
}

std::string group_sentence(const FailureGroup& group, const DomainWords& words) {
    switch (group.ground) {
    case FailureGroupGround::Decision:
        return fmt::format("{}: {}", subject(group, words), decision_text(group, words));
    case FailureGroupGround::SimulationDisagrees:
        return fmt::format("{}: {} is {}, and the simulator, which {}, can't say why", subject(group, words),
                           chosen_one(group, words), loss(group, words), disagreement(group));
    case FailureGroupGround::NoDiagnosis:
        return fmt::format("{}: {} is {}; not diagnosed{}{}", subject(group, words), chosen_one(group, words),
                           loss(group, words), group.undiagnosed.empty() ? "" : ": ", group.undiagnosed);
    case FailureGroupGround::Rest:
        return fmt::format("{}: {}, {}{}", subject(group, words), rest_ground(group), loss(group, words),
                           doubt(group));
    }
    return {};
}

std::string failures_headline(std::span<const FailureCase> cases, std::size_t compared, std::size_t groups) {
    const std::string choices = counted(compared, "choice", "choices");
    if (cases.empty()) {
        const FailureOptions limits;
        return fmt::format(
            "None of {} fails beyond the noise. A failure is {:.0f} % slower than the best known, "
            "or {:.0f} % slower than a baseline.",
            choices, 100 * limits.regret, 100 * limits.slower_than_baseline);
    }
    double lost = 0;
    for (const FailureCase& failure : cases)
        lost += failure.lost_ms();
    const auto wrong =
        std::ranges::count_if(cases, [](const FailureCase& each) { return each.lost_ms() <= 0; });
    const bool is_simulated = cases.front().times == TimeSource::Simulated;
    std::string text = fmt::format("{} of {} {}; {:.3g}{} ms are lost in all, in {}.", cases.size(), choices,
                                   cases.size() == 1 ? "fails" : "fail", lost,
                                   is_simulated ? " simulated" : "", counted(groups, "group", "groups"));
    if (wrong > 0)
        text += fmt::format(" {} of them {} only wrong about {} own choices: nothing is lost by that.", wrong,
                            wrong == 1 ? "was" : "were", wrong == 1 ? "its" : "their");
    return text;
}

std::string reasons_text(const FailureCase& failure, const DomainWords& words) {
    std::vector<std::string> sentences;
    if (failure.misleading)
        sentences.push_back(misled_sentence(*failure.misleading, failure.model_name));
    if (failure.reasons)
        sentences.push_back(preference_sentence(
            *failure.reasons, costs_time(failure.main().kind) ? "its choice" : "its first choice",
            title(failure.main().held_against, words)));
    if (!failure.no_reasons_because.empty())
        sentences.push_back(
            fmt::format("{} gave no reasons: {}.", failure.model_name, failure.no_reasons_because));
    return fmt::format("{}", fmt::join(sentences, " "));
}

std::string cause_text(const FailureCase& failure) {
    if (!failure.diagnosis)
        return failure.undiagnosed;
    if (!failure.diagnosis->names_a_cause())
        return fmt::format("the simulator says ×{:.3g}, not ×{:.3g}", failure.diagnosis->simulated_factor,
                           1 + failure.main().lost_share());
    const BlamedDecision& top = failure.diagnosis->top();
    return fmt::format("{}: {} → {}", top.decision.name, top.before, top.after);
}

} // namespace sparsight
