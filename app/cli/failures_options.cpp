#include "cli/failures_options.h"

#include "command/options.h"

#include <CLI/CLI.hpp>

namespace sparsight {

void add_failures_options(CLI::App& command, FailuresRequest& request) {
    auto* model =
        command.add_option("--model", request.model, "only what this model chose")->type_name("NAME");
    auto* evaluation = command
                           .add_option("--evaluation", request.evaluation,
                                       "the number of its run\n(default: the newest of the workspace)")
                           ->type_name("N");
    auto* recorded =
        command
            .add_option("--recorded", request.recorded,
                        "a table of choices beside fixed CSR that others\nmeasured, instead of an evaluation")
            ->type_name("FILE")
            ->excludes(evaluation)
            ->excludes(model);
    command
        .add_option("--noise", request.recorded_noise, "of a recorded time, as a share of it (default 0.025)")
        ->type_name("SHARE")
        ->check(CLI::Range(0.0, 1.0))
        ->needs(recorded);
    command
        .add_option(
            "--simulated-on", request.simulated_on,
            "simulate this machine for the diagnosis: of the\nworkspace, a preset, or a file (default: "
            "that of the\nevaluation)")
        ->type_name("MACHINE");
}

} // namespace sparsight
