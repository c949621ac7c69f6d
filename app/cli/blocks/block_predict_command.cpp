#include "base/text.h"
#include "cli/blocks/block_commands.h"
#include "command/job.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/blocks/analyser/mca_model.h"
#include "domains/blocks/exchange/block_table.h"
#include "domains/blocks/models/bound_model.h"
#include "domains/blocks/models/prediction_errors.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <optional>

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
              Bridge to Skylake. --table has ports and latencies as uops.info writes them:
              columns uarch, instruction, latency, throughput_cycles,
              uops_retired_issued, ports
--machine is snb, ivb, hsw, bdw, skl, skx, icl, zenp, zen2 or zen3. The bound takes the
lines of its uarch from --table.)",
                                   .examples = R"(
sparsight-cli block predict blocks.csv --machine hsw
sparsight-cli block predict blocks.csv --machine skl --model mca-cycles --csv predicted.csv
sparsight-cli block predict blocks.csv --machine hsw --model bound --table ports.csv)",
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

struct PredictedTable {
    Json blocks = Json::array();
    std::string csv = "block_id,predicted,reason\n";
    std::vector<double> predicted; ///< of measured blocks
    std::vector<double> measured;
    std::vector<Error> failed; ///< why the rest of the file can't be read
    bool is_stopped = false;

    void add(const std::string& name, const Result<double>& cycles) {
        blocks.push_back({{"block_id", name},
                          {"predicted", cycles ? Json(*cycles) : Json()},
                          {"reason", cycles ? Json() : Json(cycles.error().message)}});
        csv += cycles ? fmt::format("{},{},\n", csv_field(name), *cycles)
                      : fmt::format("{},,{}\n", csv_field(name), csv_field(cycles.error().message));
    }
};

/// Per 100 iterations.
Result<double> predict(const BlockDecoder& decoder, const BlockModel& model, const MachineCode& code) {
    auto instructions = decoder.decode(code);
    if (!instructions)
        return std::unexpected(std::move(instructions).error());
    const DecodedBlock block{code, *std::move(instructions)};
    const auto cycles = model.cycles(std::span(&block, 1));
    if (!cycles)
        return std::unexpected(cycles.error());
    constexpr double iterations = 100;
    return iterations * cycles->front();
}

Result<PredictedTable> predict_table(const BlockDecoder& decoder, const BlockModel& model,
                                     const PredictOptions& options, Observer& observer,
                                     const std::stop_token& stop) {
    auto table = BlockTable::open(options.file);
    if (!table)
        return std::unexpected(std::move(table).error());
    const auto known = find_microarchitecture(options.machine);
    const std::string column(known ? known->name : options.machine);
    const auto of_machine = std::ranges::find(table->machines(), column);
    PredictedTable result;
    while (!table->is_over() && !stop.stop_requested()) {
        const auto row = table->next();
        if (!row && table->is_over()) {
            result.failed.push_back(row.error()); // the rest of the file
            break;
        }
        if (!row) {
            result.add(table->name(), std::unexpected(row.error()));
            continue;
        }
        if (!*row)
            break;
        const auto cycles = predict(decoder, model, (*row)->code);
        result.add((*row)->name, cycles);
        if (cycles && of_machine != table->machines().end())
            if (const auto& measured =
                    (*row)->cycles[static_cast<std::size_t>(of_machine - table->machines().begin())]) {
                result.predicted.push_back(*cycles);
                result.measured.push_back(*measured);
            }
        observer.show({.stage = "predicting", .done = table->consumed(), .total = table->total()});
    }
    result.is_stopped = stop.stop_requested();
    return result;
}

Json to_json(const std::optional<PredictionErrors>& errors) {
    if (!errors)
        return {};
    return {{"blocks", errors->blocks},
            {"mape", errors->mean},
            {"median", errors->median},
            {"kendall_tau", errors->kendall_tau ? Json(*errors->kendall_tau) : Json()}};
}

std::string to_text(const std::optional<PredictionErrors>& errors, std::string_view machine) {
    if (!errors)
        return fmt::format("The table has no measured cycles of {}.\n", machine);
    return fmt::format("Mean error {:.1f} %, median {:.1f} %, Kendall tau {} on {} measured on {}.\n",
                       100 * errors->mean, 100 * errors->median,
                       errors->kendall_tau ? fmt::format("{:.3f}", *errors->kendall_tau) : "–",
                       counted(errors->blocks, "block", "blocks"), machine);
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
    auto csv = CsvTable::open(options.table);
    if (!csv)
        return std::unexpected(std::move(csv).error());
    auto table = PortTable::read(*std::move(csv), known->uops_info.empty() ? known->llvm : known->uops_info);
    if (!table)
        return std::unexpected(std::move(table).error());
    return std::make_unique<const BoundModel>(*std::move(table));
}

ExitCode run_predict(Session& session, const PredictOptions& options) {
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return session.refuse(decoder.error());
    const auto model = make_model(*decoder, options);
    if (!model)
        return session.refuse(model.error(), ExitCode::Usage);
    const auto result =
        answer_with_progress(session, "predict", [&](Observer& observer, const std::stop_token& stop) {
            return predict_table(*decoder, **model, options, observer, stop);
        });
    if (!result)
        return session.refuse(result.error());
    for (const Error& error : result->failed)
        session.complain(error);
    if (const auto written = write_named_files(session, {{options.csv, [&] { return result->csv; }}});
        !written)
        return session.refuse(written.error());
    const auto errors = prediction_errors(result->predicted, result->measured);
    session.answer({{"model", options.model},
                    {"machine", options.machine},
                    {"blocks", result->blocks},
                    {"errors", to_json(errors)},
                    {"failed", failed_json(result->failed)}},
                   (options.csv.empty() ? result->csv : std::string()) + to_text(errors, options.machine));
    if (result->is_stopped)
        return ExitCode::Interrupted;
    return result->failed.empty() ? ExitCode::Done : ExitCode::SomeFailed;
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
