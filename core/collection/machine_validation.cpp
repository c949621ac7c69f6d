#include "collection/machine_validation.h"

#include "machine/parameter_origin.h"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

using Member = double SimulationQuality::*;
constexpr std::array<Member, 4> agreements{
    &SimulationQuality::kendall_tau, &SimulationQuality::ordered_pair_accuracy,
    &SimulationQuality::best_quarter_tau, &SimulationQuality::best_quarter_accuracy};
constexpr std::array<Member, 4> factors{&SimulationQuality::top_1_regret, &SimulationQuality::top_5_regret,
                                        &SimulationQuality::top_20_regret, &SimulationQuality::median_error};

/// Adds up what is told of one matrix after the other.
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

} // namespace sparsight
