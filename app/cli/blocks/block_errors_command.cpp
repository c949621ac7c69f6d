#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/blocks/block_commands.h"
#include "command/job.h"
#include "command/program.h"
#include "command/session.h"
#include "domains/blocks/exchange/block_errors.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <string>

namespace sparsight {
namespace {

constexpr CommandHelp errors_help{.description = R"(
Says where a cost model errs: the errors of its predicted cycles by classes of instructions
and by the applications that the blocks are from, the largest first. A block counts in every
class that one of its instructions has, and in every one of its applications.

--predicted has the predictions of any model, as `block predict --csv` writes them: columns
block_id and predicted. The table of blocks has measured cycles of the machine (tp_MACHINE)
and, for applications, the column of that name.)",
                                  .examples = R"(
sparsight-cli block predict blocks.csv --machine hsw --csv predicted.csv
sparsight-cli block errors blocks.csv --machine hsw --predicted predicted.csv)",
                                  .json = R"(
{"machine", "all": GROUP or null, "by_class": [GROUP], "by_application": [GROUP],
 "without_prediction", "failed": [{"file", "line", "error"}]}
A GROUP is {"name", "blocks", "mape", "median", "bias", "kendall_tau"}; the first three
numbers behind "blocks" are shares. A bias below 0 means too few cycles.)"};

struct ErrorsOptions {
    std::string file;
    std::string machine;
    std::string predicted;
};

Json to_json(const ErrorGroup& group) {
    return {{"name", group.name},
            {"blocks", group.errors.blocks},
            {"mape", group.errors.mean},
            {"median", group.errors.median},
            {"bias", group.bias},
            {"kendall_tau", group.errors.kendall_tau ? Json(*group.errors.kendall_tau) : Json()}};
}

Json to_json(const std::vector<ErrorGroup>& groups) {
    Json all = Json::array();
    for (const ErrorGroup& group : groups)
        all.push_back(to_json(group));
    return all;
}

std::string to_text(const std::string& title, const std::vector<ErrorGroup>& groups) {
    Table table({{title},
                 {"blocks", Align::Right},
                 {"mean error", Align::Right},
                 {"median", Align::Right},
                 {"bias", Align::Right},
                 {"Kendall tau", Align::Right}});
    for (const ErrorGroup& group : groups)
        table.add_row({group.name, fmt::to_string(group.errors.blocks),
                       fmt::format("{:.1f} %", 100 * group.errors.mean),
                       fmt::format("{:.1f} %", 100 * group.errors.median),
                       fmt::format("{:+.1f} %", 100 * group.bias),
                       group.errors.kendall_tau ? fmt::format("{:.3f}", *group.errors.kendall_tau) : "–"});
    return table.text();
}

ExitCode run_errors(Session& session, const ErrorsOptions& options) {
    const auto decoder = BlockDecoder::make();
    if (!decoder)
        return session.refuse(decoder.error());
    const auto result =
        answer_with_progress(session, "errors", [&](Observer& observer, const std::stop_token& stop) {
            return errors_of_blocks(options.file, options.machine, options.predicted, *decoder, observer,
                                    stop);
        });
    if (!result)
        return session.refuse(result.error());
    for (const Error& error : result->failed)
        session.complain(error);
    const ErrorGroups& groups = result->groups;
    std::string text = to_text("blocks", groups.all) + '\n' + to_text("with a", groups.by_class) + '\n' +
                       to_text("application", groups.by_application);
    if (groups.all.empty())
        text = fmt::format("No block is both predicted and measured on {}.\n", options.machine);
    if (result->without_prediction > 0)
        text += fmt::format("\nMeasured blocks without a prediction: {}.\n", result->without_prediction);
    session.answer({{"machine", options.machine},
                    {"all", groups.all.empty() ? Json() : to_json(groups.all.front())},
                    {"by_class", to_json(groups.by_class)},
                    {"by_application", to_json(groups.by_application)},
                    {"without_prediction", result->without_prediction},
                    {"failed", failed_json(result->failed)}},
                   text);
    if (result->is_stopped)
        return ExitCode::Interrupted;
    return result->failed.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_block_errors(CLI::App& block, Session& session) {
    CLI::App& command = add_command(block, "errors", "Say where a cost model errs", errors_help);
    const auto options = std::make_shared<ErrorsOptions>();
    command.add_option("file", options->file, "table of blocks")->type_name("FILE")->required();
    command.add_option("--machine", options->machine, "whose measured cycles are compared with")
        ->type_name("NAME")
        ->required();
    command.add_option("--predicted", options->predicted, "predicted cycles of the blocks")
        ->type_name("FILE")
        ->required();
    set_action(command, session, [&session, options] { return run_errors(session, *options); });
}

} // namespace sparsight
