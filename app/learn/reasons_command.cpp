#include "base/memory.h"
#include "base/parallel.h"
#include "command/learn_program.h"
#include "command/options.h"
#include "command/program.h"
#include "learn/commands.h"
#include "model/tensors/torch_runtime.h"
#include "workflow/learning/models/model_storage.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

namespace sparsight {

namespace {

constexpr CommandHelp reasons_help{.description = R"(
Says why a model prefers one configuration of a workload to another one, such as the
schedule that it chose for a matrix to the fastest one. A configuration is best (the
fastest known one on --machine) or its text. Of matrices it is also csr (fixed CSR),
of other domains choice (the known one that the model scores best).

Anchors: the most general rule under which it keeps to its preference. As long as the
predicates of the rule hold, over 95 % of all changed cases end alike. Changed are
decisions of both configurations; of matrices also the pattern and, where the model
reads it, the machine. precision and coverage have bounds that hold at 95 %.

Of matrices it has more parts, all of them unless --only names some:
  sensitivity  one thing varied at a time: each decision, the pattern, parts of the
               machine and, of models that read statistics, each statistic; beside it
               measured or simulated times, and where both part
  nearest      what it learned from that is most alike, with runtimes, and whether
               the matrix is farther off than those are from each other
  uncertainty  how sure it may be of its choice, and how often it was right when it
               was as sure as that, by known times
  saliency     which cells of the pattern move its choice: each is taken away in turn

margin is the score of the other one less that of the configuration: above 0 where the
model prefers the configuration. Every part has its share of --budget and says where
that was too short; otherwise the same --seed gives the same answer.)",
                                   .examples = R"(
sparsight-cli reasons --model first --matrix cage8 --schedule best
sparsight-cli reasons --model first --matrix cage8 --schedule '1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 64 4096' --only anchors
sparsight-cli reasons --model first --matrix cage8 --schedule best --against csr --json
sparsight-cli reasons --model tuner --workload gemm4096 --machine A100 --configuration choice)",
                                   .json = R"(
{"model", "workload", "machine", "configuration", "against", "configuration_score",
 "against_score", "configuration_ms", "against_ms", "margin", "right",
 "configurations", "anchors": {"anchor": RULE, "nearest": RULE, "unconditional": SHARE,
   "wanted_precision", "confidence", "longest", "candidates", "calls", "complete"},
 "missing", parts of the setting}, in the domain's words. Of matrices:
{"model", "architecture", "operator", "dense", "matrix", "machine", "seed",
 "reads_machine", "schedule", "against", "schedule_score", "against_score",
 "times": TIMES, "margin", "right",
 "anchors": the same, and {"pattern_draws", "patterns", "machines"},
 "sensitivity": {"curves": [{"kind", "key", "title", "unit", "read", "points":
   [{"value", "number", "present", "margin", "times": TIMES, "schedule"}],
   "kendall_tau", "widest": {"better", "worse", "factor"}, "with_times",
   "wrong_sides", "swing"}], "complete"},
 "nearest": {"space", "trained", "missing", "is_trained", "matrix_distances":
   DISTANCES, "matrices": [{"matrix", "distance", "margin", "schedule_ms",
   "against_ms", "simulated_schedule_ms", "simulated_against_ms", "best_ms",
   "best_schedule"}], "schedules", "schedule_distances", "against_distances",
   "schedule": [{"schedule", "distance", "matrices",
   "median_speedup"}], "against": the same, "machine", "simulated_on"},
 "uncertainty": {"method", "margin", "deviation", "confidence", "scale",
   "fitted_pairs", "fitted_matrices", "held_out", "checked_pairs",
   "checked_matrices", "calibration_error", "bins": [{"lowest", "highest",
   "predicted", "observed": SHARE}], "machine"},
 "saliency": {"row_edges", "column_edges", "margin", "removed_share", "cells":
   [{"row", "column", "entries", "support"}], "complete"},
 "missing": [{"part", "why"}]}
TIMES: {"schedule_ms", "against_ms", "origin": measured or simulated, "log2_gain"}
SHARE: {"value", "lowest", "highest", "draws"}
RULE: {"predicates": [{"subject", "key", "title", "relation", "value", "number",
 "unit", "text"}], "precision": SHARE, "coverage": SHARE}
DISTANCES: {"nearest", "typical", "far", "outside"}
configurations: how many of them changed cases took decisions from. missing: why there
are no anchors. better and worse are places in points; what was not asked for or is not
known is null. Without a rule that is precise enough, anchor is null, and nearest the
surest.)",
                                   .events = R"({"event": "start", "job", "model", "matrix"})"};

struct ReasonsCommand {
    AskedReasons asked;
    PartsOfCommand<AskedReasons> parts;
};

ExitCode tell_reasons(Workspace& workspace, const DomainWords& words, const AskedReasons& asked) {
    JobObserver& observer = *asked.observer;
    observer.start({{"model", asked.question.model}, {words.workload.one, asked.question.workload}});
    const auto found = explain_choice(workspace, *asked.domains, asked.question, asked.stop, observer.sink());
    observer.clear();
    if (!found)
        return observer.refuse(found.error());
    Json json = choice_reasons_json(found->reasons, words);
    for (const SettingMember& member : found->domain->members(found->setting))
        json[member.key] = member_json(member);
    observer.answer(json, choice_reasons_text(found->reasons, words));
    return ExitCode::Done;
}

ExitCode tell_reasons_as_asked(Session& session, ReasonsCommand& command) {
    keep_freed_memory();
    const Interruption interruption;
    AskedReasons& asked = command.asked;
    JobObserver observer(session, "reasons", asked.progress);
    asked.observer = &observer;
    asked.stop = interruption.token();
    asked.question.seed = session.options.seed;
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const auto runtime = prepare_torch(asked.question.threads);
    if (!runtime)
        return observer.refuse(runtime.error());
    if (!runtime->warning.empty())
        session.remark(runtime->warning);
    const auto model = load_model(*workspace, *asked.domains, asked.question.model);
    if (!model)
        return observer.refuse(model.error());
    const Domain& domain = model->domain->domain();
    const auto own = command.parts.of(domain);
    if (!own)
        return observer.refuse(own.error(), ExitCode::Usage);
    return *own != nullptr ? (*own)->run(session, asked) : tell_reasons(*workspace, domain.words(), asked);
}

} // namespace

void add_reasons_command(CLI::App& app, Session& session, const LearningDomains& domains,
                         const ReasonsParts& parts) {
    CLI::App& command = add_command(app, std::string(reasons_summary.name),
                                    std::string(reasons_summary.summary), reasons_help);
    const auto options = std::make_shared<ReasonsCommand>(AskedReasons{.domains = &domains},
                                                          PartsOfCommand<AskedReasons>(parts));
    ChoiceQuestion& question = options->asked.question;
    question.threads = available_threads();
    command.add_option("--model", question.model, "whose reasons")->type_name("MODEL")->required();
    command
        .add_option("--matrix,--workload", question.workload, "a workload of the workspace, such as a matrix")
        ->type_name("NAME")
        ->required();
    command
        .add_option("--schedule,--configuration", question.configuration, "best, a text, quoted, or as above")
        ->type_name("TEXT")
        ->required();
    command
        .add_option("--against", question.against,
                    "what it is held against, likewise (default: best, of\nmatrices csr)")
        ->type_name("TEXT");
    add_setting_options(command, session.domains, question.setting, SettingParts::OpenToModels);
    command
        .add_option("--machine", question.machine,
                    "on this machine: name, fingerprint, of matrices also a preset\n(default: this computer)")
        ->type_name("NAME");
    add_parsed_option(command, "--budget", question.budget, &parse_duration,
                      "look for reasons for so long (default 60s)")
        ->type_name("TIME");
    options->parts.add_options(command);
    add_threads_option(command, question.threads, "threads that compute (default: all)");
    add_progress_option(command, options->asked.progress);
    set_action(command, session, [&session, options] { return tell_reasons_as_asked(session, *options); });
}

} // namespace sparsight
