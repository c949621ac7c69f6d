#include "cli/failures_command.h"

#include "base/terminal_text.h"
#include "cli/commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "evaluation/failures/failure_groups.h"
#include "workflow/chosen_setting.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace sparsight {

FailureQuestion::FailureQuestion(const DiagnosingDomains& diagnosing) {
    for (const auto& each : diagnosing)
        own_.push_back({each->name(), each->diagnosis()});
}

void FailureQuestion::add_options(CLI::App& command, const DomainRegistry& domains) {
    command.add_option("--model", request.model, "only choices of this model")->type_name("NAME");
    command
        .add_option("--evaluation", request.evaluation,
                    "number of the evaluation's run (default: the newest)")
        ->type_name("N");
    for (const Own& each : own_)
        each.diagnosis->add_common_options(command);
    add_domain_option(command, domains, domain);
}

Result<const DomainDiagnosis*> FailureQuestion::diagnosis(const Session& session) const {
    for (const Own& each : own_)
        if (each.diagnosis->has_own_source()) {
            if (!domain.empty() && domain != each.domain)
                return foreign_option(each.diagnosis->own_option(), domain);
            return each.diagnosis.get();
        }
    auto workspace = session.workspace_location().open(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    const auto chosen = choose_domain(*workspace, session.domains, domain);
    if (!chosen)
        return std::unexpected(chosen.error());
    const DomainDiagnosis* found = nullptr;
    for (const Own& each : own_)
        if (each.domain == (*chosen)->name())
            found = each.diagnosis.get();
        else if (const std::string_view option = each.diagnosis->own_option(); !option.empty())
            return foreign_option(option, (*chosen)->name());
    return found;
}

std::string FailureQuestion::words(const Session& session, const FailuresAnswer& answer) const {
    std::string source;
    std::string others;
    for (const Own& each : own_) {
        source += each.diagnosis->source_words();
        others += each.diagnosis->other_words();
    }
    if (source.empty())
        source = fmt::format(" --evaluation {}", static_cast<std::int64_t>(answer.run.value_or(RunId{})));
    std::string text = source.substr(1);
    if (!request.model.empty())
        text += " --model " + shell_word(request.model);
    text += others;
    if (request.seed != 1)
        text += fmt::format(" --seed {}", request.seed);
    if (reasons)
        text += fmt::format(" --reasons {}s", reasons->count());
    const bool is_usual_domain =
        answer.setting.domain.empty() || answer.setting.domain == session.domains.all().front()->name();
    if (!is_usual_domain)
        text += " --domain " + shell_word(answer.setting.domain);
    if (session.names_workspace())
        text += " --workspace " + shell_word(session.workspace_path());
    return text;
}

Result<FailuresAnswer> failures_by_known_times(const Session& session, const FailureQuestion& question,
                                               std::size_t asked_cases, Observer& observer,
                                               const std::stop_token& stop) {
    auto workspace = session.workspace_location().open(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    const auto domain = choose_domain(*workspace, session.domains, question.domain);
    if (!domain)
        return std::unexpected(domain.error());
    auto answer = answer_failures(*workspace, **domain, question.request, observer, stop);
    if (!answer)
        return answer;
    if (auto asked = ask_what_misled(*answer, *workspace, observer, stop); !asked)
        return std::unexpected(std::move(asked).error());
    if (!question.reasons || *question.reasons <= Seconds(0))
        return answer;
    if (auto asked = ask_for_reasons(*answer,
                                     {.workspace = session.workspace_path(),
                                      .budget = *question.reasons,
                                      .cases = asked_cases,
                                      .seed = question.request.seed},
                                     observer, stop);
        !asked)
        return std::unexpected(std::move(asked).error());
    return answer;
}

namespace {

std::string case_time_text(const TimedConfiguration& time) {
    return fmt::format("{}{:.4g}", time.is_at_least ? "> " : "", time.milliseconds);
}

std::string noise_text(Significance significance) {
    return significance == Significance::NoiseUnknown ? "noise unknown" : "";
}

std::string kinds_text(const FailureCase& failure, const DomainWords& words) {
    std::vector<std::string> kinds;
    kinds.reserve(failure.signs.size());
    for (const FailureSign& sign : failure.signs)
        kinds.push_back(title(sign.kind, words));
    return fmt::format("{}", fmt::join(kinds, ", "));
}

std::string cases_text(const FailureGroup& group, const FailuresAnswer& answer, std::size_t shown_cases) {
    const bool is_simulated = group.times == TimeSource::Simulated;
    std::vector<Table::Column> columns{{"  " + answer.words.workload.one},
                                       {"model"},
                                       {is_simulated ? "chosen, simulated ms" : "chosen ms", Align::Right},
                                       {is_simulated ? "against, simulated ms" : "against ms", Align::Right},
                                       {"slower", Align::Right},
                                       {"than"},
                                       {"what"},
                                       {"decision"}};
    const bool have_parts = std::ranges::any_of(
        answer.cases, [](const FailureCase& failure) { return failure.misleading.has_value(); });
    if (have_parts)
        columns.push_back({"misled by"});
    columns.push_back({""});
    Table table(columns);
    const std::size_t shown = std::min(shown_cases, group.cases.size());
    for (const std::size_t place : std::span(group.cases).first(shown)) {
        const FailureCase& failure = answer.cases[place];
        const FailureSign& sign = failure.main();
        std::vector<std::string> row{"  " + failure.workload,
                                     failure.model_name,
                                     case_time_text(sign.chosen),
                                     case_time_text(sign.against),
                                     fmt::format("{:.0f} %", 100 * sign.lost_share()),
                                     title(sign.held_against, answer.words),
                                     kinds_text(failure, answer.words),
                                     cause_text(failure)};
        if (have_parts)
            row.emplace_back(failure.misleading ? name(failure.misleading->by()) : "");
        row.push_back(noise_text(sign.significance));
        table.add_row(std::move(row));
    }
    std::string text = table.text();
    if (shown < group.cases.size())
        text += fmt::format("  and {} more\n", group.cases.size() - shown);
    for (const std::size_t place : std::span(group.cases).first(shown))
        if (const std::string reasons = reasons_text(answer.cases[place], answer.words); !reasons.empty())
            text += fmt::format("  {}: {}\n", answer.cases[place].workload, reasons);
    return text;
}

} // namespace

Json failures_json(const FailuresAnswer& answer, const std::string& words) {
    Json groups = Json::array();
    for (const FailureGroup& group : answer.groups)
        groups.push_back(failure_group_json(group, answer.cases, answer.words));
    Json cases = Json::array();
    for (const FailureCase& failure : answer.cases)
        cases.push_back(failure_case_json(failure, answer.words));
    Json json{{"evaluation", answer.run ? Json(static_cast<std::int64_t>(*answer.run)) : Json()},
              {"machine", answer.machine}};
    for (const SettingMember& member : answer.setting_members)
        json[member.key] = member_json(member);
    json.update({{"simulated_on", answer.simulated_on ? Json(answer.simulated_on->name) : Json()},
                 {"compared", answer.compared},
                 {"stories", groups},
                 {"cases", cases},
                 {"stands_in", answer.stands_in},
                 {"remarks", answer.remarks},
                 {"command", "sparsight-cli failures " + words}});
    return json;
}

std::string failures_text(const FailuresAnswer& answer, const std::string& words, std::size_t shown_cases) {
    std::string text = fmt::format("{}\n{}\n", answer.sentence,
                                   failures_headline(answer.cases, answer.compared, answer.groups.size()));
    if (answer.cases.empty())
        return text;
    std::size_t number = 0;
    for (const FailureGroup& group : answer.groups)
        text += fmt::format("\n{}. {} ({})\n{}", ++number, group_sentence(group, answer.words),
                            group_loss(group), cases_text(group, answer, shown_cases));
    return text + "\nto reproduce: sparsight-cli failures " + words + "\n";
}

namespace {

constexpr CommandHelp failures_help{.description = R"(
Says where models lost, and why, in a few groups. A choice of the newest evaluation
(`evaluate`) is a failure if, by more than the noise,
  - the fastest of the k is slower than the baseline, by 2 % or more,
  - or 10 % slower than the best that is known,
  - the first choice is 25 % slower than another one of the k, or the k are ranked
    against their times by more than chance (nobody loses that time: the fastest
    of the k is run),
  - the model predicted a lead of 25 % that does not exist (likewise),
  - or it loses on a workload that is unlike all that it was trained on.
Each failure is diagnosed by the configurations between both, which take each decision
from one of the two. Failures with the same decision to blame form a group. `report`
writes pages about them. Of a gray box, "misled by" says which part of it was wrong: its
simulator, the correction that it learned, or both.

Domains such as records look these up among the recorded configurations ("basis":
"recorded"). --reasons adds the rule by which the model of each shown case
preferred its choice (see `reasons`).

The schedules between both are simulated (see `explain`), and the baseline is
fixed CSR. A simulation names a cause only if it predicts between a quarter of the
loss and four times the loss. The output says so where it predicts more than the loss.
Schedules that compile to one program for a matrix never fail against each other. If
only the name of a machine is known, this computer is simulated instead, and the
output says so.

--recorded FILE reads a table with the columns matrix, waco_schedule, waco_ms and
fixedcsr_ms: what a tuner chose, and fixed CSR, measured elsewhere. Matrices of the
workspace are simulated. For other matrices, the blame is the decision that occurs
together with losses in the whole table: an association, and no proof. A schedule that
compiles to fixed CSR is never a failure: noise or another compiler makes the
difference. Effects below twice their error are not blamed. A table matrices.csv
beside it (matrix, rows, cols, nnz), or the workspace, gives the sizes of matrices
without a pattern, for their families.)",
                                    .examples = R"(
sparsight-cli failures
sparsight-cli failures --model first --simulated-on epyc-7543
sparsight-cli failures --domain records --reasons 10s
sparsight-cli failures --recorded best_vs_csr.csv --json)",
                                    .json = R"(
{"evaluation", "machine", "operator", "dense", "simulated_on", "compared",
 "stories": [{"sentence", "ground", "decision", "before", "after", "one_value",
   "term", "basis", "kind", "against", "families": {FAMILY: N}, "matrices", "times",
   "lost_ms", "behind_ms", "lost_share", "cases": [{"model", "matrix"}]}],
 "cases": [{"model", "matrix", "times", "lost_ms", "family",
   "signs": [{"kind", "held_against",
   "chosen": {"schedule", "ms", "spread_ms", "at_least", "rank", "error_ms",
   "raw_ms"}, "against": the same,
   "lost_ms", "lost_share", "significance", "figure"}],
   "diagnosis": {"basis", "decisions": [{"decision", "before", "after", "ms",
   "error_ms", "factor", "significant"}], "term", "term_ms", "simulation_agrees",
   "simulated_factor"}, "undiagnosed", "unfamiliar": [{"statistic", "value",
   "trained_low", "trained_high"}], "line", "change": {"schedule", "decisions", "ms",
   "removes_loss"}, "misled": {"by", "known", "simulated", "corrected", "mended",
   "distrusted", "distrusted_factor"}, "reasons": what `reasons` prints, or
   "unasked": why not}], "stands_in", "remarks", "command"}
stories are the groups. Keys have the domain's words for "matrix" and "schedule".
times: measured, recorded, simulated. lost_ms of a case: that of its first sign that
costs time; 0 where the model was only wrong about its own k; behind_ms counts that,
too. ms is the time of the evaluation, from turns that did not choose the schedule;
raw_ms its own time over all turns. stands_in: this computer is simulated in place
of a machine that is known by its name alone.
misled: of gray boxes; by is simulator, correction, both or neither. known, simulated,
corrected: time of the chosen one over that of the other. mended: the share of the
simulator's mistake that the correction took away. distrusted: the parameter of the
simulator that the correction changes most in this pair, by distrusted_factor.
kind: slower_than_csr, high_regret, mis_ranked, over_confident, outside_training.
ground: decision, simulation_disagrees, no_diagnosis, rest. significance:
beyond_noise, noise_unknown. Absent: null.)"};

struct FailuresOptions {
    FailureQuestion question;
    std::size_t shown_cases = 5;
};

ExitCode tell_failures(Session& session, FailuresOptions& options) {
    FailureQuestion& question = options.question;
    question.request.seed = session.options.seed;
    const auto find = [&](Observer& observer, const std::stop_token& stop) -> Result<FailuresAnswer> {
        const auto own = question.diagnosis(session);
        if (!own)
            return std::unexpected(own.error());
        if (*own == nullptr)
            return failures_by_known_times(session, question, options.shown_cases, observer, stop);
        if (question.reasons)
            return fail(Fault::Input, "--reasons is for domains whose times are looked up: `report` asks the "
                                      "models of others");
        return (*own)->failures(session, question.request, observer, stop);
    };
    const auto answer = answer_with_progress(session, "failures", find);
    if (!answer)
        return session.refuse(answer.error());
    for (const std::string& remark : answer->remarks)
        session.remark(remark);
    const std::string words = question.words(session, *answer);
    session.answer(failures_json(*answer, words), failures_text(*answer, words, options.shown_cases));
    return ExitCode::Done;
}

} // namespace

void add_failures_command(CLI::App& app, Session& session, const DiagnosingDomains& diagnosing) {
    CLI::App& command =
        add_command(app, "failures", "Say where models chose badly, and why, in a few groups", failures_help);
    const auto options = std::make_shared<FailuresOptions>(FailureQuestion(diagnosing));
    FailureQuestion& question = options->question;
    question.add_options(command, session.domains);
    command.add_option("--machine", question.request.machine, "machine of the evaluation (default: any)")
        ->type_name("NAME")
        ->excludes(command.get_option("--evaluation"));
    for (const FailureQuestion::Own& own : question.own())
        own.diagnosis->add_failures_options(command);
    command.add_option("--cases", options->shown_cases, "cases to show in each group (default 5)")
        ->type_name("N");
    add_parsed_option(
        command, "--reasons", question.reasons, &parse_duration,
        "known times: ask the model of each shown case for its\nreasons, for this time (default: do not ask)")
        ->type_name("TIME");
    set_action(command, session, [&session, options] { return tell_failures(session, *options); });
}

} // namespace sparsight
