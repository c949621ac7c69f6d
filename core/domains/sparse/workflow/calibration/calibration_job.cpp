#include "domains/sparse/workflow/calibration/calibration_job.h"

#include "base/parallel.h"
#include "machine/machine_json.h"
#include "store/machines.h"
#include "store/workspace.h"
#include "workflow/machines/this_machine.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

/// With this computer in the place of an empty machine.
Result<CalibrationRequest> completed(Workspace& workspace, CalibrationRequest request) {
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

/// A simulated machine keeps its numbers: times that were simulated for it are of those.
Kept what_to_keep(const MachineCalibrationRequest& request, const CalibrationData& data,
                  const CheckedCalibration& checked) {
    if (request.is_trial || data.description.source == MachineSource::Simulated)
        return Kept::AsItWas;
    const bool is_worse = checked.on_held_out && chooses_worse(*checked.on_held_out);
    return is_worse && !request.even_if_worse ? Kept::TheBetterOne : Kept::Calibrated;
}

} // namespace

Result<CalibrationOutcome> calibrate(Workspace& workspace, const MachineCalibrationRequest& request,
                                     Observer& observer, const std::stop_token& stop) {
    const auto measured = completed(workspace, request.measured);
    if (!measured)
        return std::unexpected(measured.error());
    observer.start(Json::object());
    auto data = calibration_data(workspace, *measured, stop, observer.sink());
    if (!data)
        return std::unexpected(std::move(data).error());
    MachineCalibrationOptions options;
    options.fitting.seed = request.seed;
    options.fitting.steps = request.steps;
    options.most_matrices = static_cast<std::size_t>(request.most_matrices);
    options.threads = available_threads();
    options.code_of = request.code_of;
    auto checked = calibrate_machine(*data, options, stop, observer.sink());
    if (!checked)
        return std::unexpected(std::move(checked).error());
    const Kept kept = what_to_keep(request, *data, *checked);
    return CalibrationOutcome{*std::move(data), *std::move(checked), kept};
}

Result<void> store_calibration(Workspace& workspace, const CalibrationOutcome& outcome) {
    if (outcome.kept != Kept::Calibrated)
        return {};
    const CalibrationData& data = outcome.data;
    const CheckedCalibration& checked = outcome.checked;
    const std::string& fingerprint = data.machine.fingerprint;
    return in_one_transaction(workspace, [&]() -> Result<void> {
        // Somebody may have probed or described it while it was fitted: only the coefficients are ours.
        const auto known = find_machine(workspace, fingerprint);
        if (!known)
            return std::unexpected(known.error());
        if (!*known)
            return fail(Fault::Input, fmt::format("the machine '{}' was deleted while it was calibrated",
                                                  data.machine.name));
        MachineDescription machine = without_calibration(description_of(**known).value_or(data.description));
        set_coefficients(machine, checked.calibration);
        machine.calibration.fitted_matrices = checked.stems_of_all;
        machine.calibration.cross_validation = cross_validation(data, checked);
        const auto id = record_machine(workspace, (*known)->name, fingerprint, machine_to_text(machine));
        return id ? Result<void>() : std::unexpected(id.error());
    });
}

Result<MachineValidation> validate(Workspace& workspace, const CalibrationRequest& measured,
                                   std::uint64_t seed, Observer& observer, const std::stop_token& stop) {
    const auto request = completed(workspace, measured);
    if (!request)
        return std::unexpected(request.error());
    observer.start(Json::object());
    return validate_machine(workspace, *request, seed, stop, observer.sink());
}

} // namespace sparsight
