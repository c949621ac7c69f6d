#include "base/text.h"
#include "evaluation/failures/failure_groups.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// "7 matrices, mostly banded", "9 choices for 7 matrices".
std::string subject(const FailureGroup& story, const DomainWords& words) {
    std::string text = counted(story.workloads, words.workload.one, words.workload.many);
    if (story.cases.size() != story.workloads)
        text = fmt::format("{} choices for {}", story.cases.size(), text);
    if (const auto family = story.dominant_family())
        text += fmt::format(", {}{}", story.families.size() > 1 ? "mostly " : "", family->title);
    return text;
}

std::string loss(const FailureGroup& story, const DomainWords& words) {
    return fmt::format("{}{:.0f} % slower than {}",
                       story.times == TimeSource::Simulated ? "by simulation " : "", 100 * story.lost_share,
                       title(story.against, words));
}

/// Whose time is off: the fastest of the k is what is run, what was put first is what the model believed.
std::string_view chosen_one(const FailureGroup& story) {
    return costs_time(story.kind) ? "the choice" : "its first choice";
}

std::string disagreement(const FailureGroup& story) {
    if (is_equally_fast(std::abs(story.simulated_share)))
        return "takes both for equally fast";
    return story.simulated_share < 0
               ? fmt::format("takes it for {:.0f} % faster", -100 * story.simulated_share)
               : fmt::format("takes it for {} {:.0f} % slower",
                             story.simulated_share < story.lost_share ? "no more than" : "as much as",
                             100 * story.simulated_share);
}

std::string decision_text(const FailureGroup& story, const DomainWords& words) {
    const std::string decision = story.decision->name;
    std::string text = story.is_mostly || story.is_one_value
                           ? fmt::format("{}{} {} instead of {}", decision,
                                         story.is_one_value ? "" : ", mostly", story.after, story.before)
                           : fmt::format("{} other than {}", decision, story.before);
    if (story.basis == DiagnosisBasis::Statistics)
        return fmt::format("{} goes along with being {}", text, loss(story, words));
    return fmt::format("{} makes {} {}{}", text, chosen_one(story), loss(story, words),
                       story.term ? fmt::format(", by {}", story.term->reason) : "");
}

/// Whose word a simulation is held against.
std::string_view clock_times(const FailureGroup& story) {
    return story.times == TimeSource::Recorded ? "the recorded times" : "the measured times";
}

std::string rest_ground(const FailureGroup& story) {
    return story.disagreeing == story.cases.size()
               ? fmt::format("the simulation does not agree with {}", clock_times(story))
               : "various decisions";
}

std::string doubt(const FailureGroup& story) {
    if (story.disagreeing == 0 || story.disagreeing == story.cases.size())
        return {};
    return fmt::format("; for {} of them the simulation does not agree with {}", story.disagreeing,
                       clock_times(story));
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
        return "mis-ranked";
    case FailureKind::OverConfident:
        return "over-confident";
    case FailureKind::OutsideTraining:
        return "outside of the training";
    }
    return "";
}

std::string group_loss(const FailureGroup& story) {
    if (!(story.lost_ms > 0))
        return "nothing lost: it was only wrong about its own choices";
    return fmt::format("{:.3g} ms lost{}", story.lost_ms,
                       story.times == TimeSource::Simulated ? ", simulated" : "");
}

std::string group_sentence(const FailureGroup& story, const DomainWords& words) {
    switch (story.ground) {
    case FailureGroupGround::Decision:
        return fmt::format("{}: {}", subject(story, words), decision_text(story, words));
    case FailureGroupGround::SimulationDisagrees:
        return fmt::format("{}: {} is {}, and the simulator, which {}, can't say why", subject(story, words),
                           chosen_one(story), loss(story, words), disagreement(story));
    case FailureGroupGround::NoDiagnosis:
        return fmt::format("{}: {} is {}; not diagnosed{}{}", subject(story, words), chosen_one(story),
                           loss(story, words), story.undiagnosed.empty() ? "" : ": ", story.undiagnosed);
    case FailureGroupGround::Rest:
        return fmt::format("{}: {}, {}{}", subject(story, words), rest_ground(story), loss(story, words),
                           doubt(story));
    }
    return {};
}

std::string failures_headline(std::span<const FailureCase> cases, std::size_t compared, std::size_t stories) {
    const std::string choices = counted(compared, "choice", "choices");
    if (cases.empty())
        return fmt::format("None of {} fails beyond the noise.", choices);
    double lost = 0;
    for (const FailureCase& failure : cases)
        lost += failure.lost_ms();
    const auto wrong =
        std::ranges::count_if(cases, [](const FailureCase& each) { return each.lost_ms() <= 0; });
    const bool is_simulated = cases.front().times == TimeSource::Simulated;
    std::string text = fmt::format("{} of {} {}; {:.3g}{} ms are lost in all: {}.", cases.size(), choices,
                                   cases.size() == 1 ? "fails" : "fail", lost,
                                   is_simulated ? " simulated" : "", counted(stories, "story", "stories"));
    if (wrong > 0)
        text += fmt::format(" {} of them {} only wrong about {} own choices: nothing is lost by that.", wrong,
                            wrong == 1 ? "was" : "were", wrong == 1 ? "its" : "their");
    return text;
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
