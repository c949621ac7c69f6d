#include "cli/blocks/block_commands.h"
#include "command/blocks/prediction_answer.h"
#include "command/job.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/blocks/analyser/mca_model.h"
#include "domains/blocks/exchange/prediction_table.h"
#include "domains/blocks/models/bound_model.h"
#include "domains/blocks/tables/machine_tables.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <span>
#include <vector>

namespace sparsight {
namespace {

constexpr CommandHelp predict_help{.description = R"(
Predicts the cycles of each block of a table (a column hex, see `import-blocks --help`),
in the order of the table and per 100 iterations. A block that can't be decoded or
predicted keeps its line, with an empty value and the reason. The errors follow where
the table has measured cycles of the machine.

The models:
  mca         LLVM's machine-code analyser: "Block RThroughput", what width and units of
              the processor need, whatever waits for what
  mca-cycles  the same: "Total Cycles" of 100 simulated iterations
  bound       the largest of what front end, instruction fetch, ports, divider and chains
              of dependencies need; for unrolled code of Intel's processors from Sandy
              Bridge to Skylake. --table has ports and latencies, as one of two kinds of
              tables writes them:
              uops.info (hsw and later): columns uarch, instruction, latency,
                throughput_cycles, uops_retired_issued, ports
              OSACA (snb, ivb): columns uarch, mnemonic, operands_att_order, latency,
                throughput_cycles, port_pressure
--machine is snb, ivb, hsw, bdw, skl, skx, icl, zenp, zen2 or zen3. The bound takes the
lines of its uarch from --table.)",
                                   .examples = R"(
sparsight-cli block predict blocks.csv --machine hsw
sparsight-cli block predict blocks.csv --machine skl --model mca-cycles --csv predicted.csv
sparsight-cli block predict blocks.csv --machine hsw --model bound --table ports.csv
sparsight-cli block predict blocks.csv --machine ivb --model bound --table osaca.csv)",
                                   .json = R"(
{"model", "machine", "blocks": [{"block_id", "predicted", "reason"}],
 "errors": {"blocks", "mape", "median", "kendall_tau"},
 "failed": [{"file", "line", "error"}]}
errors is null where nothing was measured; mape and median are shares.)"};

struct PredictOptions {
    std::string file;
    std::string machine;
    std::string model = "mca";
    std::string table;
    std::string csv;
};

/// A block that can't be decoded has the reason in place of its cycles.
Result<std::vector<Result<double>>> predict(const BlockDecoder& decoder, const BlockModel& model,
                                            std::span<const MachineCode> codes) {
    std::vector<Result<double>> cycles;
    for (const MachineCode& code : codes) {
        auto instructions = decoder.decode(code);
        if (!instructions) {
            cycles.emplace_back(std::unexpected(std::move(instructions).error()));
            continue;
        }
        const DecodedBlock block{code, *std::move(instructions)};
        const auto predicted = model.cycles(std::span(&block, 1));
        cycles.push_back(predicted ? Result<double>(predicted->front()) : std::unexpected(predicted.error()));
    }
    return cycles;
}

Result<std::unique_ptr<const BlockModel>> make_model(const BlockDecoder& decoder,
                                                     const PredictOptions& options) {
    if (options.model != "bound") {
        auto model =
            McaModel::make(decoder, options.machine,
                           options.model == "mca" ? McaFigure::ReciprocalThroughput : McaFigure::TotalCycles);
        if (!model)
            return std::unexpected(std::move(model).error());
        return *std::move(model);
    }
    const auto known = find_microarchitecture(options.machine);
    if (!known || !known->has_known_front_end)
        return fail(Fault::Input,
                    fmt::format("the bound does not describe '{}': expected snb, ivb, hsw, bdw, skl or "
                                "skx",
                                options.machine));
    if (options.table.empty())
        return fail(Fault::Input, "--model bound needs the ports of instructions: --table FILE");
    auto table = find_ports(options.table, *known);
    if (!table)
        return std::unexpected(std::move(table).error());
    if (!*table)
        return fail_in_file(Fault::Input, options.table, 0,
                            fmt::format("has no ports of {}, expected a table of {}", known->title,
                                        known->osaca.empty() ? "uops.info" : "OSACA"));
    return std::make_unique<const BoundModel>(**std::move(table), front_end_of(*known));
}

ExitCode run_predict(Session& session, const PredictOptions& options) {
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return session.refuse(decoder.error());
    const auto model = make_model(*decoder, options);
    if (!model) // a table that can't be read is no wrong command line
        return session.refuse(model.error(),
                              model.error().file.empty() ? ExitCode::Usage : ExitCode::SomeFailed);
    const auto known = find_microarchitecture(options.machine);
    const auto result =
        answer_with_progress(session, "predict", [&](Observer& observer, const std::stop_token& stop) {
            return predict_table(
                options.file, known ? known->name : options.machine,
                [&](std::span<const MachineCode> codes) { return predict(*decoder, **model, codes); },
                observer, stop);
        });
    if (!result)
        return session.refuse(result.error());
    const auto answer = prediction_answer(session, *result, options.model, options.csv);
    if (!answer)
        return session.refuse(answer.error());
    session.answer(answer->json, answer->text);
    return exit_code_of(*result);
}

} // namespace

void add_block_predict(CLI::App& block, Session& session) {
    CLI::App& command = add_command(block, "predict", "Predict the cycles of blocks", predict_help);
    const auto options = std::make_shared<PredictOptions>();
    command.add_option("file", options->file, "table of blocks")->type_name("FILE")->required();
    command.add_option("--machine", options->machine, "microarchitecture, see above")
        ->type_name("NAME")
        ->required();
    command.add_option("--model", options->model, "mca (default), mca-cycles or bound")
        ->type_name("NAME")
        ->check(CLI::IsMember({"mca", "mca-cycles", "bound"}));
    command.add_option("--table", options->table, "of bound: ports and latencies of instructions")
        ->type_name("FILE");
    command.add_option("--csv", options->csv, "file for the predictions")->type_name("FILE");
    set_action(command, session, [&session, options] { return run_predict(session, *options); });
}

} // namespace sparsight
