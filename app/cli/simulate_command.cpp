#include "cli/command.h"
#include "cli/commands.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/progress_display.h"
#include "cli/session.h"
#include "cli/simulate_list.h"
#include "cli/table.h"
#include "matrix/generators/generator.h"
#include "matrix/generators/simulated_matrices.h"
#include "store/matrices.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>

namespace sparsight {

namespace {

constexpr CommandHelp help{.description = R"(
Adds generated matrices to the workspace. --list shows the families with their
parameters, defaults, allowed values and sources; what --param leaves out keeps
its default.

A matrix follows from family, parameters and seed alone, on any machine. With
--count N the seeds are --seed, --seed + 1, and so on, and each matrix is called
FAMILY-SEED, or NAME-SEED with --name; a single one is called NAME.

The family simulated-matrices is a collection, the "simulated matrices" of the
meta-learning report: matrix0, matrix1, … (NAME0, NAME1, … with --name).

Without --workspace, a missing ./workspace.sparsight is made.)",
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
    Addition(const Session& session, Workspace& workspace)
        : session_(session)
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
        simulated_.push_back({{"name", name},
                              {"rows", pattern.rows},
                              {"cols", pattern.cols},
                              {"nnz", pattern.nnz()},
                              {"source", source},
                              {"already_there", already_there}});
        table_.add_row({name, fmt::to_string(pattern.rows), fmt::to_string(pattern.cols),
                        fmt::to_string(pattern.nnz()), already_there ? "already there" : ""});
        return {};
    }

    void fail_with(const Error& error) {
        session_.complain(error);
        failed_.push_back(failure_json(error));
    }

    ExitCode report() const {
        if (session_.options.json)
            session_.print_json({{"simulated", simulated_}, {"failed", failed_}});
        else if (!table_.empty())
            session_.print(table_.text());
        return failed_.empty() ? ExitCode::Done : ExitCode::SomeFailed;
    }

private:
    const Session& session_;
    Workspace& workspace_;
    Json simulated_ = Json::array();
    Json failed_ = Json::array();
    Table table_{{{"matrix"},
                  {"rows", Align::Right},
                  {"columns", Align::Right},
                  {"non-zeros", Align::Right},
                  {"remarks"}}};
};

ExitCode simulate_family(Session& session, const SimulateOptions& options, const ParameterValues& values,
                         Workspace& workspace) {
    const Interruption interruption;
    Addition addition(session, workspace);
    ProgressDisplay display(ProgressDisplay::style_of_stderr(session.options.quiet));
    const int count = options.count.value_or(1);
    for (int i = 0; i < count && !interruption.requested(); ++i) {
        const std::uint64_t seed = session.options.seed + static_cast<std::uint64_t>(i);
        const bool is_named = !options.name.empty();
        const std::string name = is_named && count == 1
                                     ? options.name
                                     : fmt::format("{}-{}", is_named ? options.name : options.family, seed);
        display.show({.what = name,
                      .done = static_cast<std::uint64_t>(i),
                      .total = static_cast<std::uint64_t>(count),
                      .left = {}});
        const auto pattern = generate_matrix(options.family, values, seed);
        display.clear();
        if (!pattern) {
            addition.fail_with(pattern.error());
            continue;
        }
        if (auto added = addition.add(name, generated_source(options.family, values, seed), *pattern); !added)
            return session.refuse(added.error());
    }
    const ExitCode code = addition.report();
    return interruption.requested() ? ExitCode::Interrupted : code;
}

ExitCode simulate_collection(Session& session, const SimulateOptions& options, ParameterValues values,
                             Workspace& workspace) {
    if (options.count)
        values["count"] = *options.count;
    const auto matrices = simulate_matrices(values, session.options.seed);
    if (!matrices)
        return session.refuse(matrices.error());
    values.erase("count"); // a matrix does not depend on it
    Addition addition(session, workspace);
    constexpr std::string_view usual_name = "matrix";
    for (const NamedPattern& matrix : *matrices) {
        const std::string number = matrix.name.substr(usual_name.size());
        const std::string source = fmt::format(
            "{} number={}", generated_source(simulated_matrices_name, values, session.options.seed), number);
        const std::string name = (options.name.empty() ? std::string(usual_name) : options.name) + number;
        if (auto added = addition.add(name, source, matrix.pattern); !added)
            return session.refuse(added.error());
    }
    return addition.report();
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
        std::vector<std::string_view> names;
        for (const FamilyDescription& known : families)
            names.push_back(known.name);
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
    const auto values = check(options);
    if (!values)
        return session.refuse(values.error(), ExitCode::Usage);
    auto workspace = session.open_or_make_workspace();
    if (!workspace)
        return session.refuse(workspace.error(), ExitCode::Workspace);
    return options.family == simulated_matrices_name
               ? simulate_collection(session, options, *values, *workspace)
               : simulate_family(session, options, *values, *workspace);
}

} // namespace

void add_simulate_command(CLI::App& app, Session& session) {
    CLI::App& command = add_command(app, "simulate", "Add generated matrices to the workspace", help);
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
    set_action(command, session, [&session, options] { return simulate(session, *options); });
}

} // namespace sparsight
