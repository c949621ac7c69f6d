#include "cli/matrices/simulate_command.h"

#include "cli/commands.h"
#include "command/job.h"
#include "command/options.h"
#include "command/program.h"
#include "command/terminal_text.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "store/matrices.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>

namespace sparsight {

namespace {

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

} // namespace

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

namespace {

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
    std::string family;
    bool list = false;
    std::optional<int> count;
    std::vector<std::string> parameters;
    std::string name;
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

/// Takes the generated matrices into the workspace, one by one.
class Addition {
public:
    Addition(const Session& session, JobEvents& events, Workspace& workspace)
        : session_(session)
        , events_(events)
        , workspace_(workspace) {}

    /// An error is the workspace's; a name that is taken is a failure of this matrix alone.
    Result<void> add(const std::string& name, const std::string& source, const CsrPattern& pattern) {
        const auto known = find_matrix(workspace_, name);
        if (!known)
            return std::unexpected(known.error());
        const auto id = add_matrix(workspace_, {name, source, {}}, pattern);
        if (!id && !id.error().file.empty())
            return std::unexpected(id.error());
        if (!id) {
            fail_with(id.error());
            return {};
        }
        const bool already_there = *known && (*known)->pattern != PatternPlace::Unknown;
        const Json matrix{{"name", name},         {"rows", pattern.rows}, {"cols", pattern.cols},
                          {"nnz", pattern.nnz()}, {"source", source},     {"already_there", already_there}};
        events_.tell("simulated", matrix);
        simulated_.push_back(matrix);
        known_ += already_there ? 1 : 0;
        table_.add_row({name, fmt::to_string(pattern.rows), fmt::to_string(pattern.cols),
                        fmt::to_string(pattern.nnz()), already_there ? "already there" : ""});
        return {};
    }

    void fail_with(const Error& error) {
        events_.tell("failed", failure_json(error));
        session_.complain(error);
        failed_.push_back(failure_json(error));
    }

    /// `count` matrices were asked for; fewer were tried when a signal came.
    ExitCode report(std::size_t count) const {
        const bool complete = simulated_.size() + failed_.size() == count;
        if (events_.are_told())
            events_.end(
                {{"simulated", simulated_.size()}, {"already_there", known_}, {"failed", failed_.size()}},
                complete, !complete);
        else if (session_.options.json)
            session_.print_json({{"simulated", simulated_}, {"failed", failed_}});
        else if (!table_.empty())
            session_.print(table_.text());
        if (!complete)
            return ExitCode::Interrupted;
        return failed_.empty() ? ExitCode::Done : ExitCode::SomeFailed;
    }

private:
    const Session& session_;
    JobEvents& events_;
    Workspace& workspace_;
    std::int64_t known_ = 0;
    Json simulated_ = Json::array();
    Json failed_ = Json::array();
    Table table_{{{"matrix"},
                  {"rows", Align::Right},
                  {"columns", Align::Right},
                  {"non-zeros", Align::Right},
                  {"remarks"}}};
};

ExitCode simulate_family(Session& session, const SimulateOptions& options, const ParameterValues& values,
                         JobEvents& events, Workspace& workspace, const Interruption& interruption) {
    Addition addition(session, events, workspace);
    ProgressDisplay display(events.display_style());
    const int count = options.count.value_or(1);
    const auto total = static_cast<std::uint64_t>(count);
    events.start({{"family", options.family}, {"matrices", count}});
    for (int i = 0; i < count && !interruption.requested(); ++i) {
        const std::uint64_t seed = session.options.seed + static_cast<std::uint64_t>(i);
        const bool is_named = !options.name.empty();
        const std::string name = is_named && count == 1
                                     ? options.name
                                     : fmt::format("{}-{}", is_named ? options.name : options.family, seed);
        const auto done = static_cast<std::uint64_t>(i);
        display.show({.what = name, .done = done, .total = total, .left = {}});
        events.progress(name, done, total);
        const auto pattern = generate_matrix(options.family, values, seed, interruption.token());
        display.clear();
        if (!pattern && pattern.error().fault == Fault::Cancelled)
            break;
        if (!pattern) {
            addition.fail_with(pattern.error());
            continue;
        }
        if (auto added = addition.add(name, generated_source(options.family, values, seed), *pattern); !added)
            return events.refuse(added.error());
        events.progress(name, done + 1, total);
    }
    return addition.report(static_cast<std::size_t>(count));
}

ExitCode simulate_collection(Session& session, const SimulateOptions& options, ParameterValues values,
                             JobEvents& events, Workspace& workspace, const Interruption& interruption) {
    if (options.count)
        values["count"] = *options.count;
    const auto matrices = simulate_matrices(values, session.options.seed, interruption.token());
    if (!matrices && matrices.error().fault == Fault::Cancelled)
        return Addition(session, events, workspace).report(1);
    if (!matrices)
        return events.refuse(matrices.error());
    values.erase("count"); // a matrix does not depend on it
    Addition addition(session, events, workspace);
    events.start({{"family", options.family}, {"matrices", matrices->size()}});
    std::uint64_t done = 0;
    constexpr std::string_view usual_name = "matrix";
    for (const NamedPattern& matrix : *matrices) {
        if (interruption.requested())
            break;
        const std::string number = matrix.name.substr(usual_name.size());
        const std::string source = fmt::format(
            "{} number={}", generated_source(simulated_matrices_name, values, session.options.seed), number);
        const std::string name = (options.name.empty() ? std::string(usual_name) : options.name) + number;
        if (auto added = addition.add(name, source, matrix.pattern); !added)
            return events.refuse(added.error());
        events.progress(name, ++done, matrices->size());
    }
    return addition.report(matrices->size());
}

ExitCode list_families(const Session& session) {
    Json json = Json::array();
    std::string text;
    for (const FamilyDescription& family : describe_families()) {
        json.push_back(to_json(family));
        text += (text.empty() ? "" : "\n") + to_text(family);
    }
    if (session.options.json)
        session.print_json(json);
    else
        session.print(text);
    return ExitCode::Done;
}

/// What is wrong with the command line, before anything is made.
Result<ParameterValues> check(const SimulateOptions& options) {
    auto values = parse_parameters(options.parameters);
    if (!values)
        return values;
    const auto families = describe_families();
    const auto family = std::ranges::find(families, options.family, &FamilyDescription::name);
    if (family == families.end()) {
        std::vector<std::string_view> names(families.size());
        std::ranges::transform(families, names.begin(), &FamilyDescription::name);
        return fail(Fault::Input, options.family.empty()
                                      ? "a family is missing; --list shows them"
                                      : fmt::format("there is no family '{}'; there are {}", options.family,
                                                    fmt::join(names, ", ")));
    }
    if (const auto complete = complete_settings(family->name, family->parameters, *values); !complete)
        return std::unexpected(complete.error());
    return values;
}

ExitCode simulate(Session& session, const SimulateOptions& options) {
    if (options.list)
        return list_families(session);
    const Interruption interruption;
    JobEvents events(session, "simulate", options.progress);
    const auto values = check(options);
    if (!values)
        return events.refuse(values.error(), ExitCode::Usage);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return events.refuse(workspace.error(), ExitCode::Workspace);
    return options.family == simulated_matrices_name
               ? simulate_collection(session, options, *values, events, *workspace, interruption)
               : simulate_family(session, options, *values, events, *workspace, interruption);
}

} // namespace

void add_simulate_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "simulate", "Add generated matrices to the workspace", simulate_help);
    const auto options = std::make_shared<SimulateOptions>();
    command.add_option("family", options->family, "family of matrices, see --list")->type_name("FAMILY");
    command.add_flag("--list", options->list, "show all families with their parameters");
    command.add_option("--count", options->count, "how many (default 1; simulated-matrices: 2000)")
        ->type_name("N")
        ->check(whole_numbers(1, 1'000'000));
    command
        .add_option("--param", options->parameters, "a parameter of the family; may be given several times")
        ->type_name("NAME=NUMBER");
    command.add_option("--name", options->name, "name of the matrices")->type_name("NAME");
    add_progress_option(command, options->progress);
    set_action(command, session, [&session, options] { return simulate(session, *options); });
}

} // namespace sparsight
