#include "cli/commands.h"
#include "cli/what_if_output.h"
#include "command/command.h"
#include "command/interruption.h"
#include "command/options.h"
#include "command/progress_display.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

namespace {

constexpr CommandHelp whatif_help{.description = R"(
Ranks schedules of a matrix by what they would take on a machine, with the parts
of each time, without running any. --set changes a parameter of the machine and
what goes with it: more cores have as many threads each, the L3 is that of the
whole machine. --map shows who wins over two parameters.

The machine is one of the workspace, a preset, a file with a machine's JSON, or
by default this computer. Schedules are fixed CSR, the best that were measured
on the machine, and of drawn ones those that win somewhere on a family of
machines; --from takes those of a file, --measured all that were measured.

Formulas:
  mechanistic  a sum of terms: instructions, fill-in, traffic from L2, L3 and
               memory, latency, imbalance, parallel regions, chunks
  paper        recorded time / (cores · bandwidth) · latency: a constant factor,
               which can't change a winner. Without recorded times it starts
               from simulated ones.)",
                                  .examples = R"(
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --dense 64
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --set cores=4 --set l2_bytes=256KiB
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --map cores,socket_gb_per_s --map-steps 16
sparsight-cli whatif --matrix cage8.mtx --machine epyc-7543 --formula paper --map cores,socket_gb_per_s)",
                                  .json = R"(
{"matrix", "operator", "dense", "machine": {"name", "parameters": {KEY: VALUE},
 "assumed": [KEY]}, "formula", "basis", "winner", "lead",
 "ranking": [{"rank", "schedule", "ms", "parts": {TERM: MS}, "recorded_ms"}],
 "map": {"x": {"parameter", "unit", "values"}, "y", "winners": [{"schedule",
         "cells"}], "cells"}}
lead: how much longer the second takes, 0.1 is 10 %. assumed: parameters of which
nothing is known. basis: what the paper's formula scales, recorded or simulated
times. cells: rows of places among the winners. Absent: null.)"};

struct WhatIfOptions {
    WhatIfRequest request;
    std::vector<std::string> map;
};

Result<WhatIfFormula> read_formula(std::string_view text) {
    for (const WhatIfFormula formula : {WhatIfFormula::Mechanistic, WhatIfFormula::Paper})
        if (text == name(formula))
            return formula;
    return fail(Fault::Input, fmt::format("'{}' is no formula: expected mechanistic or paper", text));
}

Result<void> read_map(WhatIfOptions& options) {
    if (options.map.empty())
        return {};
    std::vector<MachineParameter> parameters;
    for (const std::string& key : options.map) {
        const auto parameter = parse_machine_parameter(key);
        if (!parameter)
            return fail(Fault::Input, fmt::format("--map: there is no parameter '{}': expected two of {}",
                                                  key, fmt::join(parameter_keys(), ", ")));
        parameters.push_back(*parameter);
    }
    if (parameters.size() != 2 || parameters[0] == parameters[1])
        return fail(Fault::Input, "--map: expected two different parameters with a comma between them, as "
                                  "cores,socket_gb_per_s");
    options.request.map = std::pair(parameters[0], parameters[1]);
    return {};
}

ExitCode answer(Session& session, WhatIfOptions options) {
    if (auto read = read_map(options); !read)
        return session.refuse(read.error(), ExitCode::Usage);
    options.request.seed = session.options.seed;
    const Interruption interruption;
    ProgressDisplay display(ProgressDisplay::style_of_stderr(session.options.quiet));
    const auto answered = answer_what_if(session, options.request, display.sink(), interruption.token());
    display.clear();
    if (!answered)
        return session.refuse(answered.error(), answered.error().fault == Fault::Cancelled
                                                    ? ExitCode::Interrupted
                                                    : ExitCode::SomeFailed);
    if (session.options.json)
        session.print_json(what_if_json(options.request, *answered));
    else
        session.print(what_if_text(options.request, *answered));
    return ExitCode::Done;
}

void add_schedule_options(CLI::App& command, WhatIfRequest& request) {
    auto* count = command.add_option("--schedules", request.schedules, "how many (default 20)")
                      ->type_name("N")
                      ->check(whole_numbers(1, 100));
    auto* from = command.add_option("--from", request.from, "the schedules of this file, one a line")
                     ->type_name("FILE")
                     ->excludes(count);
    command.add_flag("--measured", request.measured, "all schedules that were measured on the machine")
        ->excludes(count)
        ->excludes(from);
}

} // namespace

void add_whatif_command(CLI::App& app, Session& session) {
    CLI::App& command =
        add_command(app, "whatif", "Rank schedules by what they would take on a machine", whatif_help);
    const auto options = std::make_shared<WhatIfOptions>();
    WhatIfRequest& request = options->request;
    command.add_option("--matrix", request.matrix, "a file, or a matrix of the workspace")
        ->type_name("MATRIX")
        ->required();
    command
        .add_option("--machine", request.machine,
                    "a machine of the workspace, a preset, or a file\n(default: this computer)")
        ->type_name("MACHINE");
    command
        .add_option("--set", request.settings, "set a parameter of the machine; may be given several times")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add_operator_option(command, request.op);
    add_dense_option(command, request.dense);
    add_schedule_options(command, request);
    command.add_option("--map", options->map, "who wins over these two parameters, as cores,socket_gb_per_s")
        ->type_name("KEY,KEY")
        ->delimiter(',');
    command.add_option("--map-steps", request.map_steps, "steps along each of them (default 32)")
        ->type_name("N")
        ->check(whole_numbers(2, 256));
    add_parsed_option(command, "--formula", request.formula, &read_formula, "mechanistic (default) or paper")
        ->type_name("FORMULA");
    set_action(command, session, [&session, options] { return answer(session, *options); });
}

} // namespace sparsight
