#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/blocks/block_commands.h"
#include "command/job.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/blocks/exchange/block_table.h"
#include "domains/blocks/explanation/block_explanation.h"
#include "domains/blocks/models/crude_model.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <system_error>

namespace sparsight {
namespace {

constexpr CommandHelp explain_help{.description = R"(
Explains what a cost model says of a block: which instructions, dependencies or number of
instructions alone make it say so. Each rule suffices by itself. While its features
stay, the cost stays the same (within --tolerance) in most blocks that are changed at
random: its precision, with bounds at 95 %. Its coverage is the share of all changed
blocks that have the features. This is COMET's explanation (Chaudhary, Renda, Mendis,
Singh, MLSys 2024).

The model is COMET's crude one, whose true explanations are known: the cost is the
largest of a quarter of the number of instructions, each instruction's throughput, and
for each read after write the sum of both throughputs. --table has the throughputs:
columns instruction, as uops.info writes it: ADD (R64, M64), and one that ends in
throughput_cycles. An instruction that it lacks costs nothing.

CODE may also be a table of blocks with a column hex (.csv, also compressed): then each
of them is explained, one line a block, and --csv writes them to a file.)",
                                   .examples = R"(
sparsight-cli block explain 4801d8480fafc3 --table throughputs.csv
sparsight-cli block explain blocks.csv --table throughputs.csv --csv explained.csv)",
                                   .json = R"(
{"cycles", "features": [NAME], "true_features": [NAME],
 "rules": [{"features": [NAME], "precision": {"value", "lowest", "highest", "draws"},
            "coverage": the same}],
 "nearest": a rule or null, "unconditional": as precision, "calls", "complete"}
A NAME is num_insts, inst_I, or I_J_RAW, I_J_WAR, I_J_WAW, counted from 0. Of a table
{"blocks": [{"block_id", "cycles", "features", "true_features", "precision"}],
 "failed": [{"file", "line", "error"}]})"};

struct ExplainOptions {
    GivenBlock given;
    std::string table;
    std::string csv;
    BlockExplanationOptions search{.tolerance = 0.01};
};

std::vector<std::string> names(std::span<const BlockFeature> features) {
    std::vector<std::string> names;
    for (const BlockFeature& feature : features)
        names.push_back(name(feature));
    return names;
}

Json to_json(const BoundedShare& share) {
    return {
        {"value", share.value}, {"lowest", share.lowest}, {"highest", share.highest}, {"draws", share.draws}};
}

Json to_json(const BlockRule& rule) {
    return {{"features", names(rule.features)},
            {"precision", to_json(rule.precision)},
            {"coverage", to_json(rule.coverage)}};
}

Json to_json(const BlockExplanation& explanation, std::span<const BlockFeature> truth) {
    Json rules = Json::array();
    for (const BlockRule& rule : explanation.rules)
        rules.push_back(to_json(rule));
    return {{"cycles", explanation.cycles},
            {"features", names(explanation.features())},
            {"true_features", names(truth)},
            {"rules", std::move(rules)},
            {"nearest", explanation.nearest ? to_json(*explanation.nearest) : Json()},
            {"unconditional", to_json(explanation.unconditional)},
            {"calls", explanation.calls},
            {"complete", explanation.complete}};
}

std::string sentence(const BlockRule& rule) {
    std::vector<std::string> parts;
    for (const BlockFeature& feature : rule.features)
        parts.push_back(describe(feature));
    return parts.empty() ? "nothing is needed" : fmt::format("{}", fmt::join(parts, " and "));
}

std::string to_text(const DecodedBlock& block, const BlockExplanation& explanation,
                    std::span<const BlockFeature> truth) {
    std::string text = fmt::format("{:.2f} cycles an iteration\n\n", explanation.cycles);
    for (std::size_t at = 0; at < block.instructions.size(); ++at)
        text += fmt::format("{:>4}  {}\n", at + 1, block.instructions[at].text);
    text +=
        explanation.rules.empty() ? "\nNo rule is precise enough.\n" : "\nEach of these alone suffices:\n";
    Table table({{"cause"}, {"precision"}, {"coverage"}});
    for (const BlockRule& rule : explanation.rules)
        table.add_row({sentence(rule), bounds_text(rule.precision), bounds_text(rule.coverage)});
    if (explanation.rules.empty() && explanation.nearest)
        table.add_row({sentence(*explanation.nearest), bounds_text(explanation.nearest->precision),
                       bounds_text(explanation.nearest->coverage)});
    text += table.empty() ? "" : table.text();
    return text + fmt::format("\nTrue causes of this model: {}. Changed blocks: {}.\n",
                              fmt::join(names(truth), ", "), explanation.calls);
}

Result<ThroughputTable> read_throughputs(const std::string& file) {
    auto csv = CsvTable::open(file);
    if (!csv)
        return std::unexpected(std::move(csv).error());
    return ThroughputTable::read(*std::move(csv));
}

bool is_table(const std::string& code) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(code, ignored) &&
           std::filesystem::path(code).filename().string().find(".csv") != std::string::npos;
}

/// What a table of blocks becomes, line by line.
struct ExplainedTable {
    Json blocks = Json::array();
    std::vector<Error> failed;
    std::string csv = "block_id,cycles,features,true_features,precision\n";
    std::int64_t right = 0; ///< all true features and no other
    bool is_stopped = false;
};

Result<ExplainedTable> explain_table(const BlockDecoder& decoder, const CrudeModel& model,
                                     const ExplainOptions& options, Observer& observer,
                                     const std::stop_token& stop) {
    auto table = BlockTable::open(options.given.code);
    if (!table)
        return std::unexpected(std::move(table).error());
    ExplainedTable result;
    BlockExplanationOptions search = options.search;
    search.stop = stop;
    while (!table->is_over()) {
        const auto row = table->next();
        if (!row) {
            result.failed.push_back(row.error());
            continue;
        }
        if (!*row)
            break;
        const auto editor = BlockEditor::make(decoder, (*row)->code);
        if (!editor) {
            result.failed.push_back({Fault::Input, editor.error().message, table->file(), table->line()});
            continue;
        }
        const auto explanation = explain_block(model, *editor, search);
        if (!explanation && explanation.error().fault == Fault::Cancelled) {
            result.is_stopped = true;
            return result;
        }
        if (!explanation)
            return std::unexpected(explanation.error());
        const auto features = names(explanation->features());
        const auto truth = names(model.true_explanation(editor->block()));
        std::optional<double> precision; // the least of the rules
        for (const BlockRule& rule : explanation->rules)
            precision = std::min(precision.value_or(1), rule.precision.value);
        result.right += features == truth ? 1 : 0;
        result.blocks.push_back({{"block_id", (*row)->name},
                                 {"cycles", explanation->cycles},
                                 {"features", features},
                                 {"true_features", truth},
                                 {"precision", precision ? Json(*precision) : Json()}});
        result.csv += fmt::format("{},{},{},{},{}\n", csv_field((*row)->name), explanation->cycles,
                                  fmt::join(features, " "), fmt::join(truth, " "),
                                  precision ? fmt::to_string(*precision) : "");
        observer.show(
            {.stage = "explaining " + (*row)->name, .done = table->consumed(), .total = table->total()});
    }
    return result;
}

ExitCode answer_for_table(Session& session, const BlockDecoder& decoder, const CrudeModel& model,
                          const ExplainOptions& options) {
    const auto result =
        answer_with_progress(session, "explain", [&](Observer& observer, const std::stop_token& stop) {
            return explain_table(decoder, model, options, observer, stop);
        });
    if (!result)
        return session.refuse(result.error());
    for (const Error& error : result->failed)
        session.complain(error);
    if (const auto written = write_named_files(session, {{options.csv, [&] { return result->csv; }}});
        !written)
        return session.refuse(written.error());
    const Json json{{"blocks", result->blocks}, {"failed", failed_json(result->failed)}};
    session.answer(json, fmt::format("{}Explained {}; {} as the true explanation says.\n",
                                     options.csv.empty() ? result->csv : "",
                                     counted(result->blocks.size(), "block", "blocks"), result->right));
    if (result->is_stopped)
        return ExitCode::Interrupted;
    return result->failed.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

ExitCode answer_for_block(Session& session, const BlockDecoder& decoder, const CrudeModel& model,
                          const ExplainOptions& options) {
    if (!options.csv.empty())
        return session.refuse({Fault::Input, "--csv is for a table of blocks, and this is one block", {}, 0},
                              ExitCode::Usage);
    const auto code = read_block(decoder, options.given);
    if (!code)
        return session.refuse(code.error());
    const auto editor = BlockEditor::make(decoder, *code);
    if (!editor)
        return session.refuse(editor.error());
    const auto explanation =
        answer_with_progress(session, "explain", [&](Observer&, const std::stop_token& stop) {
            BlockExplanationOptions search = options.search;
            search.stop = stop;
            return explain_block(model, *editor, search);
        });
    if (!explanation && explanation.error().fault == Fault::Cancelled)
        return ExitCode::Interrupted;
    if (!explanation)
        return session.refuse(explanation.error());
    const auto truth = model.true_explanation(editor->block());
    session.answer(to_json(*explanation, truth), to_text(editor->block(), *explanation, truth));
    return ExitCode::Done;
}

ExitCode explain(Session& session, const ExplainOptions& options) {
    auto throughputs = read_throughputs(options.table);
    if (!throughputs)
        return session.refuse(throughputs.error());
    const CrudeModel model(*std::move(throughputs));
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return session.refuse(decoder.error());
    return is_table(options.given.code) ? answer_for_table(session, *decoder, model, options)
                                        : answer_for_block(session, *decoder, model, options);
}

} // namespace

void add_block_explain(CLI::App& block, Session& session) {
    CLI::App& command = add_command(block, "explain", "Explain a cost of a block", explain_help);
    const auto options = std::make_shared<ExplainOptions>();
    add_block_options(command, options->given);
    command.add_option("--table", options->table, "throughputs of instructions, see above")
        ->type_name("FILE")
        ->required();
    command
        .add_option("--tolerance", options->search.tolerance,
                    "cycles: costs that are less far apart are the same\n(default 0.01)")
        ->type_name("CYCLES")
        ->check(CLI::PositiveNumber);
    command.add_option("--csv", options->csv, "of a table: file for the explanations")->type_name("FILE");
    set_action(command, session, [&session, options] {
        options->search.seed = session.options.seed;
        return explain(session, *options);
    });
}

} // namespace sparsight
