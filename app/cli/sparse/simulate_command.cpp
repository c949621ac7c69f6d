#include "base/terminal_text.h"
#include "cli/sparse/sparse_commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
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

Family, parameters and seed determine a matrix, on any machine. --count N uses the
seeds --seed, --seed + 1, and so on. The names are FAMILY-SEED, or NAME-SEED with
--name; a single matrix is called NAME.

The family simulated-matrices is a collection, the "simulated matrices" of the
meta-learning report: matrix0, matrix1, … (NAME0, NAME1, … with --name).

A missing ./workspace.sparsight is made, unless --workspace names another file.)",
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
                  "maximum", "integer", "choices"}]}])",
                                    .events = R"(
{"event": "start", "job", "family", "matrices"}
{"event": "simulated", and what --json has for the matrix}
{"event": "failed", "file", "line", "error"}
{"event": "end", "simulated", "already_there", "failed", "seconds", "complete",
 "stopped"})"};

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
Result<void> complete_request(SimulateOptions& options) {
    auto values = parse_parameters(options.parameters);
    if (!values)
        return std::unexpected(values.error());
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
    options.request.values = *std::move(values);
    return {};
}

ExitCode simulate(const Job& job, const GenerationRequest& request) {
    const auto generated = generate_matrices(job.workspace, request, job.observer, job.stop());
    if (!generated)
        return job.observer.refuse(generated.error());
    AddedWorkloads added{.verb = "simulated",
                         .already_there = generated->known(),
                         .failed = generated->failed,
                         .is_complete = generated->is_complete,
                         .table = matrices_table(),
                         .has_summary = false};
    for (const GeneratedMatrix& matrix : generated->matrices) {
        added.added.push_back(generated_json(matrix));
        add_matrix(added.table, matrix, matrix.already_there ? "already there" : "");
    }
    return end_adding(job, added);
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
    set_action(command, session, [&session, options] {
        if (options->list)
            return list_families(session);
        options->request.seed = session.options.seed;
        return run_job(
            session, "simulate", options->progress, WorkspaceUse::Make,
            [options](const Job& job) { return simulate(job, options->request); },
            [options] { return complete_request(*options); });
    });
}

} // namespace sparsight
