#include "base/memory.h"
#include "command/blocks/study_options.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/blocks/block_domain.h"
#include "domains/blocks/learning/block_payload.h"
#include "domains/blocks/models/learned_model.h"
#include "domains/blocks/workflow/study_run.h"
#include "learn/blocks/block_commands.h"
#include "learn/commands.h"
#include "learn/experiment_answer.h"
#include "model/cost_model.h"
#include "model/tensors/torch_runtime.h"
#include "workflow/learning/models/model_storage.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace sparsight {
namespace {

constexpr CommandHelp study_help{.description = R"(
The trainings of the study of basic blocks. `sparsight-cli experiment blocks` starts them
and writes the report; its help explains what is compared.)",
                                 .examples = R"(
sparsight-cli experiment blocks
sparsight-learn blocks-study --quick --parts accuracy --json)",
                                 .json = R"(
{"cells", "finished", "elsewhere", "failed": [SENTENCE]}
elsewhere: cells that another process works on.)",
                                 .events = R"(
{"event": "start", "job", "cells", "finished", "blocks", "machines",
 "expected_seconds", "resumed"}
{"event": "cell", "cell", "finished"})"};

ExitCode run_study(Session& session, const LearningDomains& domains, const StudyOptions& options,
                   ProgressForm progress) {
    keep_freed_memory();
    const Interruption interruption;
    JobObserver observer(session, "experiment", progress);
    auto workspace = session.open_workspace(WorkspaceAccess::ReadWrite);
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    const auto domain = domains.require(blocks_domain);
    if (!domain)
        return observer.refuse(domain.error());
    if (const auto ready = prepare_torch(options.threads); !ready)
        return observer.refuse(ready.error());
    BlockStudyRequest request{.sizes = options.sizes(), .threads = options.threads, .hours = options.hours};
    request.sizes.seed = session.options.seed;
    const auto outcome = run_block_study(*workspace, **domain, request, observer, interruption.token());
    if (!outcome)
        return observer.refuse(outcome.error());
    const Json json{{"cells", outcome->cells},
                    {"finished", outcome->finished},
                    {"elsewhere", outcome->elsewhere},
                    {"failed", outcome->failed}};
    return answer_experiment(
        observer, *outcome, json,
        fmt::format("{} of {} cells are finished.\n", outcome->finished, outcome->cells));
}

constexpr CommandHelp cycles_help{.description = R"(
Predicts cycles for another program of Sparsight, which starts this command and asks it
by standard input. For people there is `predict --domain blocks`.)",
                                  .examples = R"(
sparsight-learn block-cycles --model blocks --machine skl < /dev/null)",
                                  .json = R"(
None: the answers are bytes for a program of the same version.)"};

struct CyclesOptions {
    std::string model;
    std::string machine;
};

ExitCode answer_cycles(Session& session, const LearningDomains& domains, const CyclesOptions& options) {
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    const auto stored = load_model(*workspace, domains, options.model);
    if (!stored)
        return session.refuse(stored.error());
    if (const auto ready = prepare_torch(1); !ready)
        return session.refuse(ready.error());
    const auto model = make_cost_model(stored->checkpoint, *stored->domain);
    if (!model)
        return session.refuse(model.error());
    MachineDescription machine;
    machine.name = options.machine;
    const auto no_tables = std::make_shared<const MachineBounds>(MachineTables());
    const PredictDecoded predict = [&](std::span<const DecodedBlock> blocks) -> Result<std::vector<double>> {
        std::vector<std::shared_ptr<const Payload>> payloads;
        for (const DecodedBlock& block : blocks)
            payloads.push_back(std::make_shared<const BlockPayload>(block, no_tables));
        const auto scores = (*model)->score_each(payloads, Configuration(), &machine, 1);
        if (!scores)
            return std::unexpected(scores.error());
        constexpr double iterations = 100;
        std::vector<double> cycles;
        for (const float score : *scores)
            cycles.push_back(std::exp(static_cast<double>(score)) / time_of_cycles(iterations).count());
        return cycles;
    };
    if (answer_questions([&](std::string_view question) { return answer_model_question(question, predict); }))
        return ExitCode::Done;
    return session.refuse({Fault::Input,
                           "standard input has no question of a program of Sparsight: `predict` predicts for "
                           "you",
                           {},
                           0},
                          ExitCode::Usage);
}

} // namespace

void add_block_study_command(CLI::App& app, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(app, std::string(block_study_command),
                                    "The trainings of the study of basic blocks", study_help);
    const auto options = std::make_shared<StudyOptions>();
    const auto progress = std::make_shared<ProgressForm>(ProgressForm::Display);
    options->add_to(command);
    add_progress_option(command, *progress);
    set_action(command, session, [&session, &domains, options, progress] {
        return run_study(session, domains, *options, *progress);
    });
}

void add_block_cycles_command(CLI::App& app, Session& session, const LearningDomains& domains) {
    CLI::App& command = add_command(app, std::string(block_cycles_command),
                                    "Predict cycles for another program of Sparsight", cycles_help);
    const auto options = std::make_shared<CyclesOptions>();
    command.add_option("--model", options->model, "a model of blocks")->type_name("NAME")->required();
    command.add_option("--machine", options->machine, "the machine")->type_name("NAME")->required();
    set_action(command, session,
               [&session, &domains, options] { return answer_cycles(session, domains, *options); });
}

} // namespace sparsight
