#include "base/memory.h"
#include "command/job.h"
#include "command/learning_settings.h"
#include "command/program.h"
#include "learn/commands.h"
#include "learn/transfer/transfer_run.h"

#include <CLI/CLI.hpp>

namespace sparsight {

namespace {

constexpr CommandHelp transfer_help{.description = R"(
The experiment on tasks: which machines to learn from before a machine is learned
that is new. `sparsight-cli experiment tasks` starts it and writes its report; its
help explains what is compared.

`--progress json` prints one JSON object a line on stdout:
  {"event": "start", "job", "run", "targets": [{"machine", "matrices",
   "imagined_from", "tasks_per_step"}], "sources", "shots", "seeds", "notes",
   "resumed", "parameters"}
  {"event": "progress", "stage", "done", "total", "seconds_left"}
  {"event": "point", "target", "source", "seed", "shots", "metrics": {METRIC:
   NUMBER}}
  {"event": "end", and what --json prints, "complete", "stopped"}
  {"event": "error", "file", "line", "error", "stopped"})",
                                    .examples = R"(
sparsight-cli experiment tasks
sparsight-learn transfer --targets 'Xeon 8272CL' --seeds 3 --json)",
                                    .json = R"(
{"run", "operator", "dense", "targets", "sources", "trainings": [{"target",
 "source", "seed", "machines", "steps", "examples"}], "points": [{"target",
 "source", "seed", "shots", "metrics"}], "notes", "parameters"})"};

ExitCode transfer(Session& session, const CLI::App& command, const SettingsInput& input,
                  ProgressForm progress) {
    keep_freed_memory();
    const Interruption interruption;
    JobEvents events(session, "experiment", progress);
    auto settings = collect_settings(command, session, input);
    if (!settings)
        return events.refuse(settings.error(), ExitCode::Usage);
    auto request = read_transfer_request(*settings);
    if (!request)
        return events.refuse(request.error(), ExitCode::Usage);
    const TransferOrder order{*std::move(settings), *std::move(request)};
    return run_transfer(session, events, order, interruption.token());
}

} // namespace

void add_transfer_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, std::string(transfer_command),
                                    "Compare what to learn from before a new machine", transfer_help);
    const auto input = std::make_shared<SettingsInput>();
    input->definitions = transfer_setting_definitions();
    add_settings_options(command, input);
    const auto progress = std::make_shared<ProgressForm>(ProgressForm::Display);
    add_progress_option(command, *progress);
    set_action(command, session, [&session, &command, input, progress] {
        return transfer(session, command, *input, *progress);
    });
}

} // namespace sparsight
