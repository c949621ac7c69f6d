#include "domains/sparse/simulator/simulator_validation.h"

#include "base/digest.h"
#include "base/random.h"
#include "study/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace sparsight {

namespace {

constexpr std::size_t fewest_schedules = 5;

bool has_order(const CalibrationMatrix& matrix) {
    return matrix.milliseconds.size() >= fewest_schedules &&
           std::ranges::adjacent_find(matrix.milliseconds, std::ranges::not_equal_to{}) !=
               matrix.milliseconds.end();
}

double regret(std::span<const float> scores, std::span<const double> measured, std::size_t k) {
    return 1 + top_k_regret(scores, measured, k).value_or(0);
}

/// Means of differences, and of logarithms for what is a factor.
class Mean {
public:
    void add(const SimulationQuality& quality) {
        ++count_;
        for (const auto member : differences)
            sum_.*member += quality.*member;
        for (const auto member : factors)
            sum_.*member += std::log(quality.*member);
    }
    [[nodiscard]] SimulationQuality result() const {
        SimulationQuality mean;
        for (const auto member : differences)
            mean.*member = sum_.*member / count_;
        for (const auto member : factors)
            mean.*member = std::exp(sum_.*member / count_);
        return mean;
    }

private:
    using Member = double SimulationQuality::*;
    static constexpr std::array<Member, 4> differences{
        &SimulationQuality::kendall_tau, &SimulationQuality::ordered_pair_accuracy,
        &SimulationQuality::best_quarter_tau, &SimulationQuality::best_quarter_accuracy};
    static constexpr std::array<Member, 4> factors{
        &SimulationQuality::top_1_regret, &SimulationQuality::top_5_regret, &SimulationQuality::top_20_regret,
        &SimulationQuality::median_error};
    SimulationQuality sum_{0, 0, 0, 0, 0, 0, 0, 0};
    double count_ = 0;
};

/// Each time as it might come out when it is measured again.
std::vector<double> measured_again(const CalibrationMatrix& matrix, Random& random) {
    std::vector<double> times;
    for (std::size_t r = 0; r < matrix.milliseconds.size(); ++r) {
        const double relative = matrix.spreads[r] / matrix.milliseconds[r] / 2; // a spread is two errors
        times.push_back(matrix.milliseconds[r] * std::exp(relative * random.normal()));
    }
    return times;
}

SimulationQuality mean_quality(std::span<const CalibrationMatrix> matrices,
                               const std::function<std::vector<double>(const CalibrationMatrix&)>& predict) {
    Mean mean;
    for (const CalibrationMatrix& matrix : matrices)
        if (has_order(matrix))
            mean.add(simulation_quality(predict(matrix), matrix.milliseconds));
    return mean.result();
}

std::vector<double> simulated_times(const MachineParameters& machine, const CalibrationMatrix& matrix,
                                    std::optional<TimeTerm> without = std::nullopt) {
    std::vector<double> times;
    for (const ScheduleProfile& profile : matrix.profiles)
        times.push_back(simulate(machine, profile, without).total());
    return times;
}

} // namespace

SimulationQuality simulation_quality(std::span<const double> predicted, std::span<const double> measured) {
    constexpr double chance = 0.5;
    SimulationQuality quality;
    const RankingQuality ranking = ranking_quality(predicted, RankedTimes{measured});
    quality.kendall_tau = ranking.kendall_tau.value_or(0);
    quality.ordered_pair_accuracy = ranking.ordered_pairs.value_or(chance);
    quality.best_quarter_tau = ranking.best_quarter_tau.value_or(0);
    quality.best_quarter_accuracy = ranking.best_quarter_pairs.value_or(chance);
    const std::vector<float> scores(predicted.begin(), predicted.end());
    quality.top_1_regret = regret(scores, measured, 1);
    quality.top_5_regret = regret(scores, measured, 5);
    quality.top_20_regret = regret(scores, measured, 20);
    std::vector<double> errors;
    for (std::size_t r = 0; r < measured.size(); ++r)
        errors.push_back(std::abs(std::log(predicted[r] / measured[r])));
    const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
    std::ranges::nth_element(errors, middle);
    quality.median_error = std::exp(*middle);
    return quality;
}

std::optional<SimulationQuality> remeasurement_quality(const CalibrationMatrix& matrix, std::uint64_t seed) {
    constexpr int draws = 16; // of one draw τ still moves by some hundredths
    if (matrix.spreads.empty())
        return std::nullopt;
    Random random(seed ^ digest_of(matrix.name));
    Mean mean;
    for (int draw = 0; draw < draws; ++draw)
        mean.add(simulation_quality(measured_again(matrix, random), matrix.milliseconds));
    return mean.result();
}

std::optional<SimulationQuality> mean_quality(const MachineParameters& machine,
                                              std::span<const CalibrationMatrix> matrices) {
    if (std::ranges::none_of(matrices, has_order))
        return std::nullopt;
    return mean_quality(matrices,
                        [&](const CalibrationMatrix& matrix) { return simulated_times(machine, matrix); });
}

Result<SimulatorValidation> validate_simulator(const MachineParameters& machine,
                                               std::span<const CalibrationMatrix> matrices,
                                               std::uint64_t seed) {
    if (std::ranges::none_of(matrices, has_order))
        return fail(Fault::Input, "no matrix has five schedules with different runtimes to compare with");
    SimulatorValidation validation;
    Mean mean;
    for (const CalibrationMatrix& matrix : matrices) {
        if (!has_order(matrix))
            continue;
        MatrixSimulation simulation{matrix.name, simulated_times(machine, matrix), {}};
        simulation.quality = simulation_quality(simulation.simulated_ms, matrix.milliseconds);
        mean.add(simulation.quality);
        validation.matrices.push_back(std::move(simulation));
    }
    validation.mean = mean.result();

    Mean ceiling;
    bool spreads_known = true;
    for (const CalibrationMatrix& matrix : matrices) {
        const auto once_more = remeasurement_quality(matrix, seed);
        spreads_known = spreads_known && once_more;
        if (once_more && has_order(matrix))
            ceiling.add(*once_more);
    }
    if (spreads_known)
        validation.ceiling = ceiling.result();
    for (const TimeTerm term : all_time_terms())
        validation.without.push_back({term, mean_quality(matrices, [&](const CalibrationMatrix& matrix) {
                                          return simulated_times(machine, matrix, term);
                                      })});
    return validation;
}

} // namespace sparsight
