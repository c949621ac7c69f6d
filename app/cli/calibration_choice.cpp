#include "cli/calibration_choice.h"

#include "base/parallel.h"
#include "cli/this_machine.h"
#include "command/options.h"

#include <CLI/CLI.hpp>

namespace sparsight {

std::shared_ptr<CalibrationChoice> add_calibration_choice(CLI::App& command) {
    auto choice = std::make_shared<CalibrationChoice>();
    CalibrationRequest& request = choice->request;
    command.add_option("machine", request.machine, "name or fingerprint (default: this computer)")
        ->type_name("MACHINE");
    add_operator_option(command, request.op);
    add_dense_option(command, request.dense);
    command.add_option("--protocol", request.protocol, "of this protocol only (default: the one of most)")
        ->type_name("NAME");
    command.add_option("--threads", request.threads, "of so many threads only (default: those of most)")
        ->type_name("N")
        ->check(whole_numbers(1, 4096));
    command
        .add_option("--schedules", request.most_schedules,
                    "look at so many schedules of a matrix at most (default 200)")
        ->type_name("N")
        ->check(whole_numbers(5, 1'000'000));
    return choice;
}

Result<CalibrationRequest> calibration_request(Workspace& workspace, const CalibrationChoice& choice) {
    CalibrationRequest request = choice.request;
    request.counting_threads = available_threads();
    if (!dense_index(request.op))
        request.dense = 1;
    if (request.machine.empty()) {
        const auto machine = this_machine(workspace);
        if (!machine)
            return std::unexpected(machine.error());
        request.machine = machine->fingerprint;
    }
    return request;
}

} // namespace sparsight
