#include "domains/sparse/workflow/calibration/machine_calibration.h"

#include "base/parallel.h"
#include "domains/sparse/clock/analysed_costs.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "machine/machine_parameters.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

using Member = double SimulationQuality::*;
constexpr std::array<Member, 4> agreements{
    &SimulationQuality::kendall_tau, &SimulationQuality::ordered_pair_accuracy,
    &SimulationQuality::best_quarter_tau, &SimulationQuality::best_quarter_accuracy};
constexpr std::array<Member, 4> factors{&SimulationQuality::top_1_regret, &SimulationQuality::top_5_regret,
                                        &SimulationQuality::top_20_regret, &SimulationQuality::median_error};

/// Adds up the results of one matrix after the other.
class Validator {
public:
    Validator(const CalibrationData& data, std::uint64_t seed)
        : data_(data)
        , before_(uncalibrated_parameters(data))
        , seed_(seed)
        , without_(time_term_count) {
        result_.machine = data.machine;
        result_.source = data.source;
        result_.without_pattern = data.without_pattern;
        result_.left_out = data.left_out;
        result_.all_were_fitted = data.all_were_fitted;
        result_.is_calibrated = is_calibrated(data.description);
        const auto& check = data.description.calibration.cross_validation;
        if (data.all_were_fitted && check && check->op == name(data.source.op) &&
            check->dense == data.source.dense)
            result_.cross_validated = check->quality;
    }

    void add(const CalibrationMatrix& matrix) {
        auto validation = validate_simulator(data_.parameters, {&matrix, 1}, seed_);
        if (!validation)
            return; // it has no order
        MatrixSimulation& simulation = validation->matrices.front();
        means_.push_back(validation->mean);
        if (validation->ceiling)
            ceilings_.push_back(*validation->ceiling);
        for (std::size_t term = 0; term < validation->without.size(); ++term)
            without_[term].push_back(validation->without[term].mean);
        if (before_ != data_.parameters)
            if (const auto before = mean_quality(before_, {&matrix, 1}))
                befores_.push_back(*before);
        result_.runs += static_cast<std::int64_t>(matrix.milliseconds.size());
        result_.matrices.push_back({matrix.name, matrix.milliseconds, std::move(simulation.simulated_ms),
                                    simulation.quality, validation->ceiling});
    }

    [[nodiscard]] Result<MachineValidation> result() {
        if (result_.matrices.empty())
            return fail(Fault::Input, fmt::format("no matrix has five schedules with different runtimes on "
                                                  "{} to compare with",
                                                  data_.machine.name));
        result_.mean = mean_of(means_);
        if (!befores_.empty())
            result_.uncalibrated = mean_of(befores_);
        if (ceilings_.size() == result_.matrices.size())
            result_.ceiling = mean_of(ceilings_);
        for (std::size_t term = 0; term < without_.size(); ++term)
            result_.without.push_back({all_time_terms()[term], mean_of(without_[term])});
        return std::move(result_);
    }

private:
    const CalibrationData& data_;
    MachineParameters before_;
    std::uint64_t seed_;
    std::vector<SimulationQuality> means_;
    std::vector<SimulationQuality> befores_;
    std::vector<SimulationQuality> ceilings_;
    std::vector<std::vector<SimulationQuality>> without_; ///< by term
    MachineValidation result_;
};

} // namespace

SimulationQuality mean_of(std::span<const SimulationQuality> qualities) {
    SimulationQuality mean{1, 1, 1, 1, 1, 1, 1, 1};
    if (qualities.empty())
        return mean;
    const auto count = static_cast<double>(qualities.size());
    const auto averaged = [&](Member member, auto of) {
        double sum = 0;
        for (const SimulationQuality& quality : qualities)
            sum += of(quality.*member);
        return sum / count;
    };
    for (const Member member : agreements)
        mean.*member = averaged(member, [](double value) { return value; });
    for (const Member member : factors)
        mean.*member = std::exp(averaged(member, [](double value) { return std::log(value); }));
    return mean;
}

Result<MachineValidation> validate_machine(Workspace& workspace, const CalibrationRequest& request,
                                           std::uint64_t seed, const std::stop_token& stop,
                                           const ProgressSink& progress) {
    const auto data = calibration_data(workspace, request, stop, progress);
    if (!data)
        return std::unexpected(data.error());
    Validator validator(*data, seed);
    std::uint64_t done = 0;
    for (const CalibrationMatrix& matrix : data->matrices) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while matrices were simulated");
        if (progress)
            progress({"simulating", done++, data->matrices.size()});
        validator.add(matrix);
    }
    return validator.result();
}

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

/// The first matrices that satisfy `is_wanted`, up to the limit of fitted ones.
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
    const Matrices fitted = chosen(data, options.most_matrices, [](const CalibrationMatrix& matrix) {
        return !is_held_out(family_of(matrix));
    });
    const Matrices kept_back =
        chosen(data, 0, [](const CalibrationMatrix& matrix) { return is_held_out(family_of(matrix)); });
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

/// The last choice is that of all; each before it leaves out one family.
std::vector<Matrices> choices_without_one(const CalibrationData& data, std::span<const std::string> families,
                                          std::size_t most) {
    std::vector<Matrices> choices;
    if (families.size() > 1)
        for (const std::string& family : families)
            choices.push_back(chosen(
                data, most, [&](const CalibrationMatrix& matrix) { return family_of(matrix) != family; }));
    choices.push_back(chosen(data, most, [](const CalibrationMatrix&) { return true; }));
    return choices;
}

Result<CheckedCalibration> cross_validated(const CalibrationData& data,
                                           const MachineCalibrationOptions& options, Fits& fits) {
    const std::vector<std::string> families = families_of(data.matrices);
    const std::vector<Matrices> choices = choices_without_one(data, families, options.most_matrices);
    auto calibrations = fits.run(choices);
    if (!calibrations)
        return std::unexpected(std::move(calibrations).error());
    if (!calibrations->back())
        return std::unexpected(std::move(calibrations->back()).error());
    std::vector<SimulationQuality> before;
    std::vector<SimulationQuality> after;
    for (std::size_t fold = 0; fold + 1 < choices.size(); ++fold)
        for (const CalibrationMatrix& matrix : data.matrices)
            if ((*calibrations)[fold] && family_of(matrix) == families[fold]) // else the others have no order
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
    return families_of(data.matrices).size() < fewest_families_to_keep_back
               ? cross_validated(data, options, fits)
               : with_some_kept_back(data, options, fits);
}

} // namespace sparsight
