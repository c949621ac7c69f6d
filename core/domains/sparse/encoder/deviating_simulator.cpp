#include "domains/sparse/encoder/deviating_simulator.h"

#include "base/digest.h"
#include "base/random.h"
#include "domains/sparse/encoder/sparse_physics.h"
#include "domains/sparse/simulator/calibration.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "model/networks/physics.h"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sparsight {
namespace {

/// How one machine deviates.
class Deviation {
public:
    Deviation(std::string_view machine, std::size_t choices) {
        Random random(digest_of(machine));
        constexpr double parameter_deviation = 0.25;
        constexpr double term_deviation = 0.45;
        constexpr double term_share = 0.7; ///< of the terms that deviate
        constexpr double curve_size = 0.12;
        constexpr double input_share = 0.25; ///< of the numbers that a curve depends on
        for (std::size_t p = 0; p < theta_.size(); ++p)
            theta_[p] = parameter_deviation * random.normal() /
                        std::log(parameter_info(fitted_parameters()[p]).doubt);
        for (double& factor : term_factors_)
            factor = random.uniform() < term_share ? std::exp(term_deviation * random.normal()) : 1;
        for (Curve& curve : curves_) {
            curve.height = curve_size * random.normal();
            for (std::size_t input = 0; input < choices + time_term_count; ++input)
                curve.slopes.push_back(random.uniform() < input_share ? random.normal() / 2 : 0);
        }
    }

    [[nodiscard]] MachineParameters machine(const MachineParameters& described) const {
        return moved(described, theta_);
    }

    /// ln of its milliseconds of a schedule, but for scatter.
    [[nodiscard]] double log_time(const SimulatedTime& time, std::span<const double> choices) const {
        constexpr double share_scale = 3;
        double total = 0;
        for (std::size_t term = 0; term < time_term_count; ++term)
            total += time.parts[term] * term_factors_[term];
        double logarithm = std::log(total);
        for (const Curve& curve : curves_) {
            double input = std::inner_product(choices.begin(), choices.end(), curve.slopes.begin(), 0.0);
            for (std::size_t term = 0; term < time_term_count; ++term)
                input += curve.slopes[choices.size() + term] * share_scale * time.parts[term] / time.total();
            logarithm += curve.height * std::tanh(input);
        }
        return logarithm;
    }

private:
    struct Curve {
        double height = 0;
        std::vector<double> slopes;
    };

    FittedCoordinates theta_{};
    std::array<double, time_term_count> term_factors_{};
    std::array<Curve, 6> curves_;
};

class DeviatingTimes final : public SimulationProfile {
public:
    DeviatingTimes(std::shared_ptr<const Physics> physics, std::shared_ptr<const PhysicsProfile> profile,
                   std::size_t count, std::uint64_t workload)
        : physics_(std::move(physics))
        , profile_(std::move(profile))
        , count_(count)
        , workload_(workload) {}

    Result<SimulatedTimes> times(const MachineDescription& machine) const override {
        constexpr int all_threads = 0;
        constexpr int one_thread = 1; // other workloads are simulated beside this one
        const std::size_t choices = physics_->choice_count();
        constexpr double scatter = 0.06;
        const Deviation deviation(machine.name, choices);
        Random random = Random(digest_of(machine.name)).fork(workload_);
        const PhysicsNumbers numbers =
            profile_->times(deviation.machine(physics_->machine(machine, all_threads)), one_thread);
        SimulatedTimes simulated;
        for (std::size_t at = 0; at < count_; ++at) {
            if (!std::isfinite(numbers.log_times[at])) {
                simulated.milliseconds.push_back(std::numeric_limits<double>::infinity());
                continue;
            }
            SimulatedTime time;
            std::copy_n(numbers.terms.begin() + static_cast<std::ptrdiff_t>(at * time_term_count),
                        time_term_count, time.parts.begin());
            const auto chosen = std::span(numbers.choices).subspan(at * choices, choices);
            simulated.milliseconds.push_back(
                std::exp(deviation.log_time(time, chosen) + scatter * random.normal()));
        }
        return simulated;
    }

private:
    std::shared_ptr<const Physics> physics_;
    std::shared_ptr<const PhysicsProfile> profile_;
    std::size_t count_;
    std::uint64_t workload_; ///< schedules at one place of two workloads scatter apart
};

} // namespace

Result<std::unique_ptr<const SimulationProfile>>
DeviatingSimulator::profile(const SimulatedRuns& runs) const {
    auto physics = sparse_physics(sparse_setting(runs.setting));
    auto profile = physics->profile(*runs.data, runs.configurations, runs.threads, runs.stop);
    if (!profile)
        return std::unexpected(std::move(profile).error());
    const CsrPattern& pattern = pattern_of(*runs.data);
    Digest digest;
    digest.add(static_cast<std::uint64_t>(pattern.rows));
    digest.add(static_cast<std::uint64_t>(pattern.cols));
    digest.add(static_cast<std::uint64_t>(pattern.nnz()));
    return std::make_unique<const DeviatingTimes>(std::move(physics), *std::move(profile),
                                                  runs.configurations.size(), digest.value());
}

} // namespace sparsight
