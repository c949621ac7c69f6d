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
Says why a model prefers one configuration of a workload to another one, such as its
choice to the fastest one. A configuration is best (the fastest known one on
--machine), choice (the known one that the model scores best) or its text.

Anchors: the most general rule under which the model keeps its preference. Over 95 %
of all variants that satisfy the rule have the same preference. Variants change
decisions of both configurations. The bounds of precision and coverage hold at 95 %
for all tested rules together.

margin is the score of the other configuration less that of this one: above 0, the
model prefers this one. The answer says if --budget was too short; otherwise the same
--seed gives the same answer.)",
                                   .examples = R"(
sparsight-cli reasons --model tuner --workload gemm4096 --machine A100 --configuration choice)",
                                   .json = R"(
{"model", "workload", "machine", "configuration", "against", "configuration_score",
 "against_score", "configuration_ms", "against_ms", "margin", "right",
 "configurations", "anchors": {"anchor": RULE, "nearest": RULE, "unconditional": SHARE,
   "wanted_precision", "confidence", "longest", "candidates", "calls", "complete"},
 "unchanged", "missing", parts of the setting}, in the domain's words.
SHARE: {"value", "lowest", "highest", "draws"}
RULE: {"predicates": [{"subject", "key", "title", "relation", "value", "number",
 "unit", "text"}], "precision": SHARE, "coverage": SHARE}
configurations: how many of them variants took decisions from. unchanged: why variants
change only one of both. missing: why there are no anchors. Both are empty otherwise.
What was not asked for or is not known is null. Without a rule that is precise enough,
anchor is null, and nearest is the rule with the surest precision.)",
                                   .events = R"({"event": "start", "job", "model", "workload"}
workload is the domain's word for it, as in what --json prints.)"};

struct ReasonsCommand {
    AskedReasons asked;
    PartsOfCommand<AskedReasons> parts;
};

ExitCode tell_reasons(Workspace& workspace, const DomainWords& words, const AskedReasons& asked) {
    JobObserver& observer = *asked.observer;
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
    asked.workspace = &*workspace;
    const auto domain = domain_of_model(*workspace, *asked.domains, asked.question.query.model);
    const auto words_from = domain ? domain : choose_domain(*workspace, session.domains, {});
    observer.start(
        {{"model", asked.question.query.model},
         {words_from ? (*words_from)->words().workload.one : "workload", asked.question.workload}});
    if (!domain)
        return observer.refuse(domain.error());
    const auto runtime = prepare_torch(asked.question.query.threads);
    if (!runtime)
        return observer.refuse(runtime.error());
    if (!runtime->warning.empty())
        session.remark(runtime->warning);
    const auto own = command.parts.of(**domain);
    if (!own)
        return observer.refuse(own.error(), ExitCode::Usage);
    return *own != nullptr ? (*own)->run(session, asked)
                           : tell_reasons(*workspace, (*domain)->words(), asked);
}

} // namespace

void add_reasons_command(CLI::App& app, Session& session, const LearningDomains& domains,
                         const ReasonsParts& parts) {
    const auto options = std::make_shared<ReasonsCommand>(AskedReasons{.domains = &domains},
                                                          PartsOfCommand<AskedReasons>(parts));
    CLI::App& command = options->parts.add_command_with_help(app, reasons_summary, reasons_help);
    ChoiceQuestion& question = options->asked.question;
    question.query.threads = available_threads();
    command.add_option("--model", question.query.model, "the model to explain")
        ->type_name("MODEL")
        ->required();
    command.add_option("--matrix,--workload", question.workload, "a workload of the workspace")
        ->type_name("NAME")
        ->required();
    command
        .add_option("--schedule,--configuration", question.configuration,
                    "best, a text in quotes, or a name as explained below")
        ->type_name("TEXT")
        ->required();
    command
        .add_option("--against", question.against,
                    "the configuration to compare with, likewise (default: best)")
        ->type_name("TEXT");
    add_setting_options(command, session.domains, question.query.setting, SettingParts::OpenToModels);
    command
        .add_option("--machine", question.query.machine,
                    "name or fingerprint of the machine (default: this\ncomputer)")
        ->type_name("NAME");
    add_parsed_option(command, "--budget", question.budget, &parse_duration,
                      "time for the search of reasons (default 60s)")
        ->type_name("TIME");
    options->parts.add_options(command);
    add_threads_option(command, question.query.threads, "threads that compute (default: all)");
    add_progress_option(command, options->asked.progress);
    set_action(command, session, [&session, options] { return tell_reasons_as_asked(session, *options); });
}

} // namespace sparsight
