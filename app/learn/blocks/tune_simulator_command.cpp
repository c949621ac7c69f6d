#include "base/files.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "command/job.h"
#include "command/learn_program.h"
#include "command/options.h"
#include "command/program.h"
#include "domains/blocks/code/decoder_process.h"
#include "domains/blocks/learning/surrogate/simulator_tuning.h"
#include "domains/blocks/simulator/simulator_process.h"
#include "domains/blocks/simulator/table_file.h"
#include "learn/blocks/block_commands.h"
#include "model/tensors/torch_runtime.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

constexpr CommandHelp tune_help{.description = R"(
Learns the parameters of LLVM-MCA from measured times of basic blocks. The processor has
a dispatch width and a reorder buffer. Each scheduling class has micro-operations, a
latency, read advances and cycles on ports. FILE is a table as `import-blocks` takes it.
All blocks of a group are in one part: training, validation or held out. Groups that a
held-out set has elsewhere are left out.

--method says how:
  surrogate  DiffTune: a network learns what the simulator makes of random parameters,
             then parameters are learned through it, from random ones on
  local      the same near the best parameters so far, with new simulations each round
  search     tries neighbours of one parameter after the other with the simulator itself

The parameters with the lowest mean error on the validation blocks go to --output. That
file names each parameter with LLVM's value, and says whether the data determines it.
"determined" means that one more and one less are both worse, beyond noise. The file is
one for `block simulate`, by --parameters. --from continues with the parameters of such
a file, so that methods can follow each other.

Ctrl-C stops the tuning (exit code 130). The same command resumes it, even after a
crash, from the file OUTPUT.state. A crash costs one round of a surrogate, or about a
second of a search.

--preset difftune2020 has the settings of Renda et al. (MICRO 2020). The surrogate is 256
wide and learns from ten simulations a block, in six passes at a rate of 0.001. The
parameters are learned in one pass at a rate of 0.05. Batches have 256 blocks.)",
                                .examples = R"(
sparsight-cli tune-simulator blocks.csv --machine skl --output skl.csv
sparsight-cli tune-simulator blocks.csv --machine hsw --method local --output hsw.csv
sparsight-cli tune-simulator blocks.csv --machine ivb --blocks 2000 --output ivb.csv)",
                                .json = R"(
{"machine", "method", "blocks": {"training", "validation", "apart", "unknown"},
 "validation": {"before", "after"}, "held_out": {"blocks", "groups", "original":
 ERRORS, "learned": ERRORS, "change": ESTIMATE} or null, "parameters": [{"parameter",
 "original", "learned", "blocks", "verdict", "rise"}], "output"}
ERRORS is {"mape", "median", "kendall_tau"} of ESTIMATEs, ESTIMATE is {"value",
"interval": [LOW, HIGH] or null}. Errors are shares. rise is that of the mean error
with the better of both neighbours. held_out is null where the tuning was stopped.)",
                                .events = R"(
{"event": "start", "job", "machine", "method", "training_blocks", "classes", "resumed_at"}
{"event": "round", "round", "surrogate_error", "training_error_by_surrogate",
 "validation_error", "is_best"}
{"event": "sweep", "sweep", "changes", "validation_error", "is_best"})"};

struct TuneOptions {
    TuningRequest request{};
    std::string machine;
    std::string method = "search";
    std::string preset;
    std::optional<int> rounds{};              ///< otherwise those of the preset
    std::optional<std::size_t> simulations{}; ///< likewise
    std::string from;
    std::string output;
    int threads = 1;
    ProgressForm progress = ProgressForm::Display;
};

/// Renda, Chen, Mendis, Carbin: DiffTune: optimizing CPU simulator parameters using learned differentiable
/// surrogates, MICRO 2020, section 5.
void take_published_settings(TuneOptions& options) {
    options.method = "surrogate";
    SurrogateOptions& surrogate = options.request.surrogate;
    surrogate.width = 256;
    surrogate.batch = 256;
    surrogate.surrogate_rate = 0.001;
    surrogate.table_rate = 0.05;
    surrogate.table_passes = 1;
    surrogate.passes = 6;
    surrogate.rounds = 10;
    surrogate.simulations = 0; // a round: as many as there are training blocks
}

Json json_of(const TuneOptions& options, const TuningOutcome& outcome) {
    return {{"machine", options.machine},
            {"method", options.method},
            {"blocks",
             {{"training", outcome.training_blocks},
              {"validation", outcome.validation_blocks},
              {"apart", outcome.apart},
              {"unknown", outcome.unknown}}},
            {"validation", {{"before", outcome.validation_before}, {"after", outcome.validation_after}}},
            {"held_out", outcome.held_out ? json_of(*outcome.held_out) : Json()},
            {"parameters", json_of(outcome.table)},
            {"output", outcome.held_out ? Json(options.output) : Json()}};
}

std::string text_of(const TuneOptions& options, const TuningOutcome& outcome) {
    if (!outcome.held_out)
        return "";
    constexpr std::size_t most_lines = 25;
    return fmt::format("{}\n{}\nLearned from {}; {} are in other held-out sets, {} not known to LLVM.\nThe "
                       "parameters are in {}.\n",
                       text_of(*outcome.held_out), text_of(outcome.table, most_lines),
                       counted(outcome.training_blocks, "training block", "training blocks"), outcome.apart,
                       outcome.unknown, options.output);
}

ExitCode tune(Session& session, const TuneOptions& asked) {
    keep_freed_memory();
    TuneOptions options = asked;
    const Interruption interruption;
    JobObserver observer(session, "tune-simulator", options.progress);
    if (!options.preset.empty())
        take_published_settings(options);
    SurrogateOptions& surrogate = options.request.surrogate;
    surrogate.rounds = options.rounds.value_or(surrogate.rounds);
    surrogate.simulations = options.simulations.value_or(surrogate.simulations);
    options.request.method = *parse_tuning_method(options.method);
    surrogate.seed = session.options.seed;
    options.request.state = options.output + ".state";
    if (auto ready = prepare_torch(options.threads); !ready)
        return observer.refuse(ready.error());
    const auto simulator = SimulatorProcess::start(options.machine, options.threads);
    if (!simulator)
        return observer.refuse(simulator.error(), simulator.error().fault == Fault::Input
                                                      ? ExitCode::Usage
                                                      : ExitCode::SomeFailed);
    if (!options.from.empty()) {
        auto start = read_table_file(options.from, (*simulator)->original());
        if (!start)
            return observer.refuse(start.error());
        options.request.start = *std::move(start);
    }
    DecoderProcess decoder;
    const DecodeBlocks decode = [&](std::span<const MachineCode> codes) { return decoder.decode(codes); };
    const auto outcome = tune_simulator(options.request, **simulator, decode, observer, interruption.token());
    observer.clear();
    if (!outcome)
        return observer.refuse(outcome.error(), outcome.error().fault == Fault::Cancelled
                                                    ? ExitCode::Interrupted
                                                    : ExitCode::SomeFailed);
    if (outcome->held_out)
        if (auto written = write_whole_file(options.output, csv_of(outcome->table)); !written)
            return observer.refuse(written.error());
    observer.answer(json_of(options, *outcome), text_of(options, *outcome), outcome->is_stopped);
    if (outcome->is_stopped && observer.tells_people())
        session.remark("stopped: run the same command again to go on");
    return outcome->is_stopped ? ExitCode::Interrupted : ExitCode::Done;
}

} // namespace

void add_tune_simulator_command(CLI::App& app, Session& session, const LearningDomains&) {
    CLI::App& command = add_command(app, std::string(tune_simulator_summary.name),
                                    std::string(tune_simulator_summary.summary), tune_help);
    const auto options = std::make_shared<TuneOptions>();
    TuningRequest& request = options->request;
    command.add_option("file", request.blocks.file, "table of blocks")->type_name("FILE")->required();
    command.add_option("--machine", options->machine, "microarchitecture, such as hsw, ivb or skl")
        ->type_name("NAME")
        ->required();
    command.add_option("--output", options->output, "file for the learned parameters")
        ->type_name("FILE")
        ->required();
    auto* const method =
        command.add_option("--method", options->method, "surrogate, local or search (default)")
            ->type_name("NAME")
            ->check(CLI::IsMember({"surrogate", "local", "search"}));
    command.add_option("--preset", options->preset, "difftune2020: the settings of the paper")
        ->type_name("NAME")
        ->check(CLI::IsMember({"difftune2020"}))
        ->excludes(method);
    command.add_option("--from", options->from, "parameters to begin from (default: LLVM's)")
        ->type_name("FILE");
    constexpr std::int64_t many = 100'000'000;
    command.add_option("--blocks", request.blocks.most_training, "training blocks at most (default: all)")
        ->type_name("N")
        ->check(whole_numbers(1, many));
    command
        .add_option("--validation-blocks", request.blocks.most_validation,
                    "validation blocks at most (default: all)")
        ->type_name("N")
        ->check(whole_numbers(1, many));
    command
        .add_option("--held-out-blocks", request.blocks.most_held_out,
                    "held-out blocks at most (default: all)")
        ->type_name("N")
        ->check(whole_numbers(1, many));
    command.add_option("--rounds", options->rounds, "of a surrogate (default 8)")
        ->type_name("N")
        ->check(whole_numbers(1, many));
    command
        .add_option("--simulations", options->simulations, "of a surrogate: in each round (default 10000)")
        ->type_name("N")
        ->check(whole_numbers(1, many));
    command.add_option("--sweeps", request.sweeps, "of search: over all classes (default 2)")
        ->type_name("N")
        ->check(whole_numbers(1, many));
    command
        .add_option("--trial-blocks", request.search.blocks_a_trial,
                    "of search: blocks that a trial simulates (default 150)")
        ->type_name("N")
        ->check(whole_numbers(2, many));
    add_threads_option(command, options->threads, "threads of the simulator and LibTorch (default: 1)");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return tune(session, *options); });
}

} // namespace sparsight
