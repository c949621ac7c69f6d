#include "collection/machine_calibration.h"

#include "base/parallel.h"
#include "collection/machine_validation.h"
#include "machine/analysed_costs.h"
#include "machine/parameter_origin.h"
#include "matrix/name_stem.h"

#include <algorithm>
#include <atomic>
#include <iterator>

namespace sparsight {

namespace {

using Matrices = std::vector<CalibrationMatrix>;

std::vector<std::string> stems_of(std::span<const CalibrationMatrix> matrices) {
    std::vector<std::string> stems;
    for (const CalibrationMatrix& matrix : matrices)
        if (std::string stem = name_stem(matrix.name); std::ranges::find(stems, stem) == stems.end())
            stems.push_back(std::move(stem));
    return stems;
}

/// Calibrations to several choices of matrices, one beside the other.
class Fits {
public:
    Fits(const MachineParameters& prior, const MachineCalibrationOptions& options,
         const std::stop_token& stop, const ProgressSink& progress)
        : prior_(prior)
        , options_(options)
        , stop_(stop)
        , progress_(progress) {}

    /// In the order of the choices. Error: Fault::Cancelled.
    Result<std::vector<Result<Calibration>>> run(std::span<const Matrices> choices) {
        std::vector<Result<Calibration>> fitted(choices.size());
        std::atomic<std::size_t> next = 0;
        std::atomic<std::uint64_t> done = 0;
        const int threads = std::clamp(options_.threads, 1, std::max(1, static_cast<int>(choices.size())));
        parallel_parts(threads, threads, [&](int part, std::int64_t, std::int64_t) {
            for (std::size_t at = next++; at < choices.size(); at = next++) {
                const ProgressSink of_all = [&](const Progress& one) {
                    if (part == 0 && progress_)
                        progress_({one.stage, done * one.total + one.done, choices.size() * one.total});
                };
                fitted[at] = calibrate(prior_, choices[at], options_.fitting, stop_, of_all);
                ++done;
            }
        });
        if (stop_.stop_requested())
            return fail(Fault::Cancelled, "stopped while the machine was calibrated");
        return fitted;
    }

private:
    const MachineParameters& prior_;
    const MachineCalibrationOptions& options_;
    const std::stop_token& stop_;
    const ProgressSink& progress_;
};

/// The first of those that `is_wanted`, as many as may be fitted.
template <typename Wanted>
Matrices chosen(const CalibrationData& data, std::size_t most, Wanted is_wanted) {
    Matrices matrices;
    std::ranges::copy_if(data.matrices, std::back_inserter(matrices), is_wanted);
    if (most > 0 && matrices.size() > most)
        matrices.resize(most);
    return matrices;
}

std::vector<std::string> names_of(std::span<const CalibrationMatrix> matrices) {
    std::vector<std::string> names;
    for (const CalibrationMatrix& matrix : matrices)
        names.push_back(matrix.name);
    return names;
}

std::optional<CalibrationEffect> effect_on(std::span<const CalibrationMatrix> matrices,
                                           const Calibration& calibration) {
    const auto before = mean_quality(calibration.before, matrices);
    const auto after = mean_quality(calibration.after, matrices);
    if (!before || !after)
        return std::nullopt;
    return CalibrationEffect{*before, *after};
}

Result<CheckedCalibration> with_some_kept_back(const CalibrationData& data,
                                               const MachineCalibrationOptions& options, Fits& fits) {
    const Matrices fitted = chosen(data, options.most_matrices,
                                   [](const CalibrationMatrix& matrix) { return !is_held_out(matrix.name); });
    const Matrices kept_back =
        chosen(data, 0, [](const CalibrationMatrix& matrix) { return is_held_out(matrix.name); });
    auto calibrations = fits.run({&fitted, 1});
    if (!calibrations)
        return std::unexpected(std::move(calibrations).error());
    if (!calibrations->front())
        return std::unexpected(std::move(calibrations->front()).error());
    CheckedCalibration checked{.calibration = std::move(*calibrations->front())};
    checked.fitted = names_of(fitted);
    checked.on_fitted = effect_on(fitted, checked.calibration);
    checked.on_held_out = effect_on(kept_back, checked.calibration);
    if (checked.on_held_out) {
        checked.check = HeldOutCheck::KeptBack;
        checked.held_out = kept_back.size();
    }
    return checked;
}

/// The last choice is that of all; each before it leaves out one stem.
std::vector<Matrices> choices_without_one(const CalibrationData& data, std::span<const std::string> stems,
                                          std::size_t most) {
    std::vector<Matrices> choices;
    if (stems.size() > 1)
        for (const std::string& stem : stems)
            choices.push_back(chosen(
                data, most, [&](const CalibrationMatrix& matrix) { return name_stem(matrix.name) != stem; }));
    choices.push_back(chosen(data, most, [](const CalibrationMatrix&) { return true; }));
    return choices;
}

Result<CheckedCalibration> cross_validated(const CalibrationData& data,
                                           const MachineCalibrationOptions& options, Fits& fits) {
    const std::vector<std::string> stems = stems_of(data.matrices);
    const std::vector<Matrices> choices = choices_without_one(data, stems, options.most_matrices);
    auto calibrations = fits.run(choices);
    if (!calibrations)
        return std::unexpected(std::move(calibrations).error());
    if (!calibrations->back())
        return std::unexpected(std::move(calibrations->back()).error());
    std::vector<SimulationQuality> before;
    std::vector<SimulationQuality> after;
    for (std::size_t fold = 0; fold + 1 < choices.size(); ++fold)
        for (const CalibrationMatrix& matrix : data.matrices)
            if ((*calibrations)[fold] &&
                name_stem(matrix.name) == stems[fold]) // else the others have no order
                if (const auto effect = effect_on({&matrix, 1}, *(*calibrations)[fold])) {
                    before.push_back(effect->before);
                    after.push_back(effect->after);
                }
    CheckedCalibration checked{.calibration = std::move(*calibrations->back())};
    checked.fitted = names_of(choices.back());
    checked.stems_of_all = stems_of(choices.back());
    checked.on_fitted = effect_on(choices.back(), checked.calibration);
    if (!before.empty()) {
        checked.check = HeldOutCheck::CrossValidated;
        checked.held_out = before.size();
        checked.on_held_out = CalibrationEffect{mean_of(before), mean_of(after)};
    }
    return checked;
}

} // namespace

std::string_view name(HeldOutCheck check) {
    switch (check) {
    case HeldOutCheck::KeptBack:
        return "kept back";
    case HeldOutCheck::CrossValidated:
        return "cross-validated";
    case HeldOutCheck::Impossible:
        break;
    }
    return "impossible";
}

bool chooses_worse(const CalibrationEffect& effect) {
    return effect.after.kendall_tau < effect.before.kendall_tau - 0.02 ||
           effect.after.top_1_regret > effect.before.top_1_regret * 1.1;
}

std::optional<CrossValidation> cross_validation(const CalibrationData& data,
                                                const CheckedCalibration& checked) {
    if (checked.check != HeldOutCheck::CrossValidated || !checked.on_held_out)
        return std::nullopt;
    return CrossValidation{std::string(name(data.source.op)), static_cast<int>(data.source.dense),
                           checked.on_held_out->after};
}

namespace {

Result<MachineParameters> prior_of(const CalibrationData& data, const std::string& code_of) {
    MachineParameters prior = uncalibrated_parameters(data);
    if (code_of.empty())
        return prior;
    MachineDescription machine = without_calibration(data.description);
    if (auto set = set_analysed_costs(machine, code_of); !set)
        return std::unexpected(std::move(set).error());
    for (const MachineParameter parameter : analysed_parameters())
        prior[parameter] = machine.coefficients.at(parameter);
    return prior;
}

} // namespace

Result<CheckedCalibration> calibrate_machine(const CalibrationData& data,
                                             const MachineCalibrationOptions& options,
                                             const std::stop_token& stop, const ProgressSink& progress) {
    const auto prior = prior_of(data, options.code_of);
    if (!prior)
        return std::unexpected(prior.error());
    Fits fits(*prior, options, stop, progress);
    return count_stems(data.matrices) < fewest_stems_to_keep_back ? cross_validated(data, options, fits)
                                                                  : with_some_kept_back(data, options, fits);
}

} // namespace sparsight
