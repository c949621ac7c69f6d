#include "cli/commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/terminal_text.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/workflow/import/matrix_import.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>
#include <span>
#include <string_view>

namespace sparsight {

namespace {

/// A family as a user sees it.
struct FamilyDescription {
    std::string_view name;
    std::string_view title;
    std::string_view description;
    std::string_view source;
    std::span<const Parameter> parameters;
};

std::string range(const Parameter& parameter) {
    if (!parameter.choices.empty())
        return fmt::format("{}", fmt::join(parameter.choices, ", "));
    return fmt::format("{} to {}{}", parameter.minimum, parameter.maximum,
                       parameter.is_integer ? ", whole" : "");
}

Json number(const Parameter& parameter, double value) {
    return parameter.is_integer ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json to_json(const Parameter& parameter) {
    Json json{{"name", parameter.name},
              {"description", parameter.description},
              {"unit", parameter.unit},
              {"default", number(parameter, parameter.default_value)},
              {"minimum", number(parameter, parameter.minimum)},
              {"maximum", number(parameter, parameter.maximum)},
              {"integer", parameter.is_integer},
              {"choices", Json::array()}};
    for (const double choice : parameter.choices)
        json["choices"].push_back(number(parameter, choice));
    return json;
}

/// Every family and, last, the report's collection.
std::vector<FamilyDescription> describe_families() {
    std::vector<FamilyDescription> families;
    for (const Generator& generator : generators())
        families.push_back(
            {generator.name, generator.title, generator.description, generator.source, generator.parameters});
    families.push_back(
        {simulated_matrices_name, "Simulated matrices of the report",
         "A whole collection: uniformly random matrices of random sizes and densities. --count sets how "
         "many.",
         "simulate_matrices.py in github.com/cecnyb/WACO_with_ML", simulated_matrices_parameters()});
    return families;
}

Json to_json(const FamilyDescription& family) {
    Json json{{"name", family.name},
              {"title", family.title},
              {"description", family.description},
              {"source", family.source},
              {"parameters", Json::array()}};
    for (const Parameter& parameter : family.parameters)
        json["parameters"].push_back(to_json(parameter));
    return json;
}

std::string to_text(const FamilyDescription& family) {
    Table table({{"  parameter"}, {"default", Align::Right}, {"allowed"}, {"meaning"}});
    for (const Parameter& parameter : family.parameters)
        table.add_row({fmt::format("  {}", parameter.name), fmt::format("{}", parameter.default_value),
                       range(parameter), std::string(parameter.description)});
    return fmt::format("{}: {}\n  {}\n  Source: {}\n{}", family.name, family.title, family.description,
                       family.source, table.text());
}

constexpr CommandHelp simulate_help{.description = R"(
Adds generated matrices to the workspace. --list shows the families with their
parameters, defaults, allowed values and sources; what --param leaves out keeps
its default.

A matrix follows from family, parameters and seed alone, on any machine. With
--count N the seeds are --seed, --seed + 1, and so on, and each matrix is called
FAMILY-SEED, or NAME-SEED with --name; a single one is called NAME.

The family simulated-matrices is a collection, the "simulated matrices" of the
meta-learning report: matrix0, matrix1, … (NAME0, NAME1, … with --name).

Without --workspace, a missing ./workspace.sparsight is made.

`--progress json` prints one JSON object a line on stdout as it happens:
  {"event": "start", "job", "family", "matrices"}
  {"event": "progress", "stage", "done", "total", "seconds_left"}
  {"event": "simulated", and what --json has for the matrix}
  {"event": "failed", "file", "line", "error"}
  {"event": "end", "simulated", "already_there", "failed", "seconds", "complete",
   "stopped"}
  {"event": "error", "file", "line", "error", "stopped"})",
                                    .examples = R"(
sparsight-cli simulate --list
sparsight-cli simulate banded --param size=20000 lower=8 upper=8 --name band
sparsight-cli simulate power-law --count 5 --seed 7
sparsight-cli simulate simulated-matrices --count 100 --param maximum-rows=500)",
                                    .json = R"(
{"simulated": [{"name", "rows", "cols", "nnz", "source", "already_there"}],
 "failed":    [{"file", "line", "error"}]}
with --list:
[{"name", "title", "description", "source",
  "parameters": [{"name", "description", "unit", "default", "minimum",
                  "maximum", "integer", "choices"}]}])"};

struct SimulateOptions {
    GenerationRequest request;
    bool list = false;
    std::vector<std::string> parameters;
    ProgressForm progress = ProgressForm::Display;
};

Result<ParameterValues> parse_parameters(const std::vector<std::string>& texts) {
    ParameterValues values;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        double value = 0;
        const char* const end = text.data() + text.size();
        if (equals == std::string::npos || std::from_chars(text.data() + equals + 1, end, value).ptr != end ||
            equals + 1 == text.size())
            return fail(Fault::Input, fmt::format("--param {}: expected NAME=NUMBER", text));
        if (!values.emplace(text.substr(0, equals), value).second)
            return fail(Fault::Input, fmt::format("--param {} is given twice", text.substr(0, equals)));
    }
    return values;
}

/// What is in the answer for one matrix, as in the events.
Json to_json(const GeneratedMatrices& generated) {
    Json json{{"simulated", Json::array()}, {"failed", Json::array()}};
    for (const GeneratedMatrix& matrix : generated.matrices)
        json["simulated"].push_back(generated_json(matrix));
    for (const Error& error : generated.failed)
        json["failed"].push_back(failure_json(error));
    return json;
}

void print(const Session& session, const GeneratedMatrices& generated) {
    Table table({{"matrix"},
                 {"rows", Align::Right},
                 {"columns", Align::Right},
                 {"non-zeros", Align::Right},
                 {"remarks"}});
    for (const GeneratedMatrix& matrix : generated.matrices)
        table.add_row({matrix.name, fmt::to_string(matrix.rows), fmt::to_string(matrix.cols),
                       fmt::to_string(matrix.nnz), matrix.already_there ? "already there" : ""});
    if (!table.empty())
        session.print(table.text());
}

ExitCode list_families(const Session& session) {
    Json json = Json::array();
    std::string text;
    for (const FamilyDescription& family : describe_families()) {
        json.push_back(to_json(family));
        text += (text.empty() ? "" : "\n") + to_text(family);
    }
    session.answer(json, text);
    return ExitCode::Done;
}

/// What is wrong with the command line, before anything is made.
Result<ParameterValues> check(const SimulateOptions& options) {
    auto values = parse_parameters(options.parameters);
    if (!values)
        return values;
    const auto families = describe_families();
    const auto family = std::ranges::find(families, options.request.family, &FamilyDescription::name);
    if (family == families.end()) {
        std::vector<std::string_view> names(families.size());
        std::ranges::transform(families, names.begin(), &FamilyDescription::name);
        return fail(Fault::Input, options.request.family.empty()
                                      ? "a family is missing; --list shows them"
                                      : fmt::format("there is no family '{}'; there are {}",
                                                    options.request.family, fmt::join(names, ", ")));
    }
    if (const auto complete = complete_settings(family->name, family->parameters, *values); !complete)
        return std::unexpected(complete.error());
    return values;
}

ExitCode simulate(Session& session, SimulateOptions options) {
    if (options.list)
        return list_families(session);
    const Interruption interruption;
    JobObserver observer(session, "simulate", options.progress);
    auto values = check(options);
    if (!values)
        return observer.refuse(values.error(), ExitCode::Usage);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return observer.refuse(workspace.error(), ExitCode::Workspace);
    options.request.values = *std::move(values);
    options.request.seed = session.options.seed;
    const auto generated = generate_matrices(*workspace, options.request, observer, interruption.token());
    if (!generated)
        return observer.refuse(generated.error());
    observer.clear();
    if (observer.tells_events())
        observer.end({{"simulated", generated->matrices.size()},
                      {"already_there", generated->known()},
                      {"failed", generated->failed.size()}},
                     generated->is_complete, !generated->is_complete);
    else if (session.options.json)
        session.print_json(to_json(*generated));
    else
        print(session, *generated);
    if (!generated->is_complete)
        return ExitCode::Interrupted;
    return generated->failed.empty() ? ExitCode::Done : ExitCode::SomeFailed;
}

} // namespace

void add_simulate_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "simulate", "Add generated matrices to the workspace", simulate_help);
    const auto options = std::make_shared<SimulateOptions>();
    command.add_option("family", options->request.family, "family of matrices, see --list")
        ->type_name("FAMILY");
    command.add_flag("--list", options->list, "show all families with their parameters");
    command.add_option("--count", options->request.count, "how many (default 1; simulated-matrices: 2000)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    command
        .add_option("--param", options->parameters, "a parameter of the family; may be given several times")
        ->type_name("NAME=NUMBER");
    command.add_option("--name", options->request.name, "name of the matrices")->type_name("NAME");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return simulate(session, *options); });
}

} // namespace sparsight
