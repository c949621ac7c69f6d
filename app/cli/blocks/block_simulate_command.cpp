#include "base/files.h"
#include "base/helper_process.h"
#include "base/parallel.h"
#include "cli/blocks/block_commands.h"
#include "command/blocks/prediction_answer.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/blocks/simulator/table_file.h"
#include "domains/blocks/simulator/table_simulator.h"
#include "domains/blocks/tables/microarchitecture.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <utility>

namespace sparsight {
namespace {

constexpr CommandHelp simulate_help{.description = R"(
Simulates the blocks of a table with LLVM-MCA, whose parameters can be changed, and says
how far the cycles are from measured ones. FILE is a table as `import-blocks` takes it.

The processor has a dispatch width and a reorder buffer. Each scheduling class of LLVM has
micro-operations, a latency, read advances and cycles on each port. --write-parameters
writes LLVM's own numbers. --parameters reads a file of that form. What the file leaves
out is as LLVM has it. `tune-simulator` learns such a file from measured times.

The cycles are the "Total Cycles" of llvm-mca for 100 iterations.
--machine is snb, ivb, hsw, bdw, skl, skx, icl, zenp, zen2 or zen3.)",
                                    .examples = R"(
sparsight-cli block simulate blocks.csv --machine hsw --csv simulated.csv
sparsight-cli block simulate --machine hsw --write-parameters hsw.csv
sparsight-cli block simulate blocks.csv --machine hsw --parameters hsw.csv)",
                                    .json = R"(
{"model", "machine", "blocks": [{"block_id", "predicted", "reason"}],
 "errors": {"blocks", "mape", "median", "kendall_tau"},
 "failed": [{"file", "line", "error"}]}
errors is null where nothing was measured; mape and median are shares. With
--write-parameters: {"parameters"}, their number.)"};

constexpr CommandHelp answer_help{.description = R"(
Simulates blocks for another program of Sparsight, which starts this command and asks it
by standard input. For people there is `block simulate`.)",
                                  .examples = R"(
sparsight-cli block answer-simulations < /dev/null)",
                                  .json = R"(
None: the answers are bytes for a program of the same version.)"};

struct SimulateOptions {
    std::string file;
    std::string machine;
    std::string parameters;
    std::string written;
    std::string csv;
    int threads = available_threads();
};

ExitCode write_parameters(const Session& session, const SimulatorTable& original, const std::string& file) {
    const std::string text = table_text(original);
    if (auto written = write_whole_file(file, text); !written)
        return session.refuse(written.error());
    const auto parameters = std::ranges::count(text, '\n') - 1;
    session.answer({{"parameters", parameters}},
                   fmt::format("{} parameters of {} are in {}\n", parameters, original.machine, file));
    return ExitCode::Done;
}

/// A block that can't be simulated has the reason in place of its cycles.
Result<std::vector<Result<double>>> simulate(TableSimulator& simulator, const SimulatorTable& table,
                                             std::span<const MachineCode> codes,
                                             const std::stop_token& stop) {
    std::vector<const MachineCode*> pointers;
    for (const MachineCode& code : codes)
        pointers.push_back(&code);
    auto classes = simulator.classes(pointers);
    if (!classes)
        return std::unexpected(std::move(classes).error());
    std::vector<SimulationQuery> queries;
    for (std::size_t at = 0; at < codes.size(); ++at)
        if ((*classes)[at])
            queries.push_back(query_of(codes[at], *(*classes)[at], table));
    auto cycles = simulator.cycles(queries, usual_iterations, stop);
    if (!cycles)
        return std::unexpected(std::move(cycles).error());
    std::vector<Result<double>> all;
    for (std::size_t next = 0; auto& each : *classes)
        all.push_back(each ? (*cycles)[next++] : std::unexpected(std::move(each).error()));
    return all;
}

ExitCode run_simulate(Session& session, const SimulateOptions& options) {
    const auto known = find_microarchitecture(options.machine);
    const auto simulator = TableSimulator::make(options.machine, options.threads);
    if (!simulator)
        return session.refuse(simulator.error(), ExitCode::Usage);
    const SimulatorTable& original = (*simulator)->original();
    if (!options.written.empty())
        return write_parameters(session, original, options.written);
    if (options.file.empty())
        return session.refuse(
            {Fault::Input, "a table of blocks is missing, expected its name as FILE", {}, 0},
            ExitCode::Usage);
    const auto table = options.parameters.empty() ? Result<SimulatorTable>(original)
                                                  : read_table_file(options.parameters, original);
    if (!table)
        return session.refuse(table.error());
    const auto result =
        answer_with_progress(session, "simulate", [&](Observer& observer, const std::stop_token& stop) {
            return predict_table(
                options.file, known->name,
                [&](std::span<const MachineCode> codes) {
                    return simulate(**simulator, *table, codes, stop);
                },
                observer, stop);
        });
    if (!result)
        return session.refuse(result.error());
    const auto answer = prediction_answer(
        session, *result, options.parameters.empty() ? "llvm-mca" : options.parameters, options.csv);
    if (!answer)
        return session.refuse(answer.error());
    session.answer(answer->json, answer->text);
    return exit_code_of(*result);
}

ExitCode answer_simulations(Session& session, int threads) {
    std::map<std::string, std::unique_ptr<TableSimulator>, std::less<>> simulators; // by machine
    const auto find = [&](std::string_view machine) -> Result<BlockSimulator*> {
        auto found = simulators.find(machine);
        if (found == simulators.end()) {
            auto made = TableSimulator::make(machine, threads);
            if (!made)
                return std::unexpected(std::move(made).error());
            found = simulators.emplace(std::string(machine), *std::move(made)).first;
        }
        return found->second.get();
    };
    if (answer_questions(
            [&](std::string_view question) { return answer_simulator_question(question, find); }))
        return ExitCode::Done;
    return session.refuse({Fault::Input,
                           "standard input has no question of a program of Sparsight: `block simulate` "
                           "simulates blocks for you",
                           {},
                           0},
                          ExitCode::Usage);
}

} // namespace

void add_block_simulate(CLI::App& block, Session& session) {
    CLI::App& command =
        add_command(block, "simulate", "Simulate blocks with given parameters", simulate_help);
    const auto options = std::make_shared<SimulateOptions>();
    command.add_option("file", options->file, "table of blocks")->type_name("FILE");
    command.add_option("--machine", options->machine, "microarchitecture, see above")
        ->type_name("NAME")
        ->required();
    command.add_option("--parameters", options->parameters, "parameters of the simulator (default: LLVM's)")
        ->type_name("FILE");
    command.add_option("--write-parameters", options->written, "write LLVM's parameters and end")
        ->type_name("FILE");
    command.add_option("--csv", options->csv, "file for the cycles")->type_name("FILE");
    add_threads_option(command, options->threads, "threads that simulate (default: all)");
    set_action(command, session, [&session, options] { return run_simulate(session, *options); });
}

void add_block_answer_simulations(CLI::App& block, Session& session) {
    CLI::App& command = add_command(block, "answer-simulations",
                                    "Simulate blocks for another program of Sparsight", answer_help);
    const auto threads = std::make_shared<int>(1);
    add_threads_option(command, *threads, "threads that simulate (default: 1)");
    set_action(command, session, [&session, threads] { return answer_simulations(session, *threads); });
}

} // namespace sparsight
