#include "domains/sparse/workflow/calibration/calibration_job.h"

#include "base/parallel.h"
#include "base/text.h"
#include "machine/machine_description.h"
#include "machine/machine_parameters.h"
#include "store/machines.h"
#include "store/workspace.h"
#include "workflow/machines/named_machines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <string_view>
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

namespace {

/// {"kendall_tau", "ordered_pair_accuracy", "best_quarter": {…}, "regret": {"1", "5", "20"}, "median_error"}
Json quality_json(const SimulationQuality& quality) {
    return {{"kendall_tau", quality.kendall_tau},
            {"ordered_pair_accuracy", quality.ordered_pair_accuracy},
            {"best_quarter",
             {{"kendall_tau", quality.best_quarter_tau},
              {"ordered_pair_accuracy", quality.best_quarter_accuracy}}},
            {"regret",
             {{"1", quality.top_1_regret - 1},
              {"5", quality.top_5_regret - 1},
              {"20", quality.top_20_regret - 1}}},
            {"median_error", quality.median_error}};
}

/// [{"matrix", "reason"}]
Json without_pattern_json(std::span<const UnreadPattern> matrices) {
    Json json = Json::array();
    for (const auto& [matrix, reason] : matrices)
        json.push_back({{"matrix", matrix}, {"reason", reason.message}});
    return json;
}

/// {"gave up": 4, "too short": 3, …}: only those that there are.
Json left_out_json(const ExcludedRuns& runs) {
    Json json = Json::object();
    for (const auto& [status, count] : runs.without_time)
        json[std::string(name(status))] = count;
    if (runs.other_engines > 0)
        json["another code generator"] = runs.other_engines;
    if (runs.too_short > 0)
        json["too short"] = runs.too_short;
    return json;
}

std::string matrix_count(std::size_t count) {
    return counted(count, "matrix", "matrices");
}

std::string factor_in_percent(double factor) {
    return fmt::format("{:.1f} %", 100 * (factor - 1));
}

/// "Kendall's tau (0.51, was 0.55)", of every figure that is worse by what is printed of it.
std::vector<std::string> worse_figures(const CalibrationEffect& effect) {
    std::vector<std::string> worse;
    constexpr double printed = 0.001;
    const auto agreement = [&](std::string_view what, double SimulationQuality::* member) {
        if (effect.after.*member < effect.before.*member - printed)
            worse.push_back(
                fmt::format("{} ({:.3f}, was {:.3f})", what, effect.after.*member, effect.before.*member));
    };
    const auto regret = [&](std::string_view what, double SimulationQuality::* member) {
        if (effect.after.*member > effect.before.*member + printed)
            worse.push_back(fmt::format("{} ({}, was {})", what, factor_in_percent(effect.after.*member),
                                        factor_in_percent(effect.before.*member)));
    };
    agreement("Kendall's tau", &SimulationQuality::kendall_tau);
    agreement("the pairs in the right order", &SimulationQuality::ordered_pair_accuracy);
    agreement("tau of the best quarter", &SimulationQuality::best_quarter_tau);
    regret("the regret of 1", &SimulationQuality::top_1_regret);
    regret("the regret of 5", &SimulationQuality::top_5_regret);
    regret("the regret of 20", &SimulationQuality::top_20_regret);
    if (effect.after.median_error > effect.before.median_error * 1.01)
        worse.push_back(fmt::format("the median error (×{:.2f}, was ×{:.2f})", effect.after.median_error,
                                    effect.before.median_error));
    return worse;
}

Json effect_json(const std::optional<CalibrationEffect>& effect) {
    if (!effect)
        return nullptr;
    return {{"before", quality_json(effect->before)}, {"after", quality_json(effect->after)}};
}

} // namespace

std::vector<std::string> calibration_remarks(const CheckedCalibration& checked, Kept kept) {
    std::vector<std::string> remarks;
    if (kept == Kept::TheBetterOne)
        remarks.emplace_back(
            "the machine stays as it was: schedules of matrices that the calibration did not "
            "see are chosen worse by it; `machine calibrate --even-if-worse` keeps it");
    constexpr std::size_t very_few = 2;
    if (checked.fitted.size() <= very_few)
        remarks.push_back(fmt::format("fitted to {} alone: that says little of other matrices; `collect` on "
                                      "a dozen that differ in size says more",
                                      matrix_count(checked.fitted.size())));
    if (checked.check == HeldOutCheck::CrossValidated)
        remarks.push_back(fmt::format("with fewer than {} matrices none was kept back: each was held against "
                                      "a calibration to the others, and the machine is fitted to all",
                                      fewest_families_to_keep_back));
    if (checked.check == HeldOutCheck::Impossible)
        remarks.emplace_back("nothing is known of other matrices: there is none that it could be held "
                             "against; measuring more would tell");
    if (checked.on_held_out)
        if (const auto worse = worse_figures(*checked.on_held_out); !worse.empty())
            remarks.push_back(fmt::format("on matrices that it did not see the calibration made worse: {}",
                                          fmt::join(worse, ", ")));
    return remarks;
}

Json calibration_json(const CalibrationOutcome& outcome) {
    const CalibrationData& data = outcome.data;
    const CheckedCalibration& checked = outcome.checked;
    Json parameters = Json::array();
    for (const FittedParameter& fitted : checked.calibration.parameters) {
        const ParameterInfo& info = parameter_info(fitted.parameter);
        parameters.push_back({{"key", info.key},
                              {"unit", info.unit},
                              {"before", fitted.before},
                              {"after", fitted.after},
                              {"uncertainty", fitted.uncertainty},
                              {"determined", fitted.is_determined()},
                              {"at_limit", fitted.is_at_limit}});
    }
    return {{"machine", data.machine.name},
            {"operator", name(data.source.op)},
            {"dense", data.source.dense},
            {"protocol", data.source.protocol},
            {"threads", data.source.threads},
            {"matrices", checked.fitted.size()},
            {"check", name(checked.check)},
            {"held_out", checked.held_out},
            {"runs", data.runs},
            {"left_out", data.left_out.count()},
            {"left_out_because", left_out_json(data.left_out)},
            {"without_pattern", without_pattern_json(data.without_pattern)},
            {"stored", outcome.kept == Kept::Calibrated},
            {"fitted_on", effect_json(checked.on_fitted)},
            {"held_out_quality", effect_json(checked.on_held_out)},
            {"remarks", calibration_remarks(checked, outcome.kept)},
            {"parameters", std::move(parameters)}};
}

Json validation_json(const MachineValidation& validation, bool held_out) {
    Json without = Json::array();
    for (const auto& [term, mean] : validation.without)
        without.push_back({{"term", name(term)}, {"mean", quality_json(mean)}});
    Json matrices = Json::array();
    for (const ValidatedMatrix& matrix : validation.matrices)
        matrices.push_back({{"matrix", matrix.name},
                            {"schedules", matrix.simulated_ms.size()},
                            {"quality", quality_json(matrix.quality)}});
    return {
        {"machine", validation.machine.name},
        {"operator", name(validation.source.op)},
        {"dense", validation.source.dense},
        {"protocol", validation.source.protocol},
        {"threads", validation.source.threads},
        {"calibrated", validation.is_calibrated},
        {"held_out", held_out && !validation.all_were_fitted},
        {"runs", validation.runs},
        {"left_out", validation.left_out.count()},
        {"left_out_because", left_out_json(validation.left_out)},
        {"without_pattern", without_pattern_json(validation.without_pattern)},
        {"mean", quality_json(validation.mean)},
        {"cross_validated", validation.cross_validated ? quality_json(*validation.cross_validated) : Json()},
        {"ceiling", validation.ceiling ? quality_json(*validation.ceiling) : Json()},
        {"without", std::move(without)},
        {"matrices", std::move(matrices)}};
}

} // namespace sparsight
