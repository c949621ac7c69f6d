#include "domains/sparse/simulator/calibration.h"

#include "base/random.h"
#include "domains/sparse/simulator/mechanistic_formula.h"
#include "domains/sparse/simulator/simulator.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/AutoDiff>

namespace sparsight {

namespace {

/// How many independent measurements the schedules of one matrix are worth: they share what the simulator
/// gets wrong about it.
constexpr double independent_runs_of_matrix = 10;

void add(FittedCoordinates& sum, const FittedCoordinates& gradient, double factor) {
    for (std::size_t f = 0; f < sum.size(); ++f)
        sum[f] += factor * gradient[f];
}

/// Adam (Kingma and Ba, ICLR 2015) over the fitted coordinates.
class Adam {
public:
    void step(FittedCoordinates& theta, const FittedCoordinates& gradient, double rate) {
        constexpr double first_decay = 0.9;
        constexpr double second_decay = 0.99;
        constexpr double tiny = 1e-9;
        first_power_ *= first_decay;
        second_power_ *= second_decay;
        for (std::size_t f = 0; f < theta.size(); ++f) {
            first_[f] += (1 - first_decay) * (gradient[f] - first_[f]);
            second_[f] += (1 - second_decay) * (gradient[f] * gradient[f] - second_[f]);
            const double mean = first_[f] / (1 - first_power_);
            theta[f] -= rate * mean / (std::sqrt(second_[f] / (1 - second_power_)) + tiny);
        }
    }

private:
    FittedCoordinates first_{};
    FittedCoordinates second_{};
    double first_power_ = 1;
    double second_power_ = 1;
};

class Calibrator {
public:
    Calibrator(const MachineParameters& prior, std::span<const CalibrationMatrix> matrices,
               const CalibrationOptions& options)
        : prior_(prior)
        , matrices_(matrices)
        , options_(options)
        , random_(options.seed)
        , independent_runs_(independent_runs(matrices)) {
        for (const CalibrationMatrix& matrix : matrices) {
            instructions_.emplace_back();
            for (const ScheduleProfile& profile : matrix.profiles)
                instructions_.back().push_back(instructions_on(prior, profile));
        }
    }

    Result<Calibration> run(const std::stop_token& stop, const ProgressSink& progress) {
        Adam adam;
        for (int step = 0; step < options_.steps; ++step) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped while the machine was calibrated");
            if (progress)
                progress({"fitting the machine's parameters", static_cast<std::uint64_t>(step),
                          static_cast<std::uint64_t>(options_.steps)});
            const double done = static_cast<double>(step) / options_.steps;
            adam.step(theta_, gradient(), options_.rate * 0.5 * (1 + std::cos(std::numbers::pi * done)));
            stay_in_range();
        }
        return result();
    }

private:
    static double independent_runs(std::span<const CalibrationMatrix> matrices) {
        double runs = 0;
        for (const CalibrationMatrix& matrix : matrices)
            runs += std::min(independent_runs_of_matrix, static_cast<double>(matrix.profiles.size()));
        return runs;
    }

    /// Beyond it a coordinate would change nothing, and would have to come back all the way.
    void stay_in_range() {
        for (std::size_t f = 0; f < theta_.size(); ++f) {
            const ParameterInfo& info = parameter_info(fitted_parameters()[f]);
            const double prior = prior_[info.parameter];
            if (prior > 0)
                theta_[f] = std::clamp(theta_[f], std::log(info.lowest / prior) / std::log(info.doubt),
                                       std::log(info.highest / prior) / std::log(info.doubt));
        }
    }

    /// Some of `count` places, in random order.
    std::vector<std::size_t> draw(std::size_t count, int wanted) {
        std::vector<std::size_t> places(count);
        std::ranges::generate(places, [at = std::size_t{0}]() mutable { return at++; });
        random_.shuffle(places);
        places.resize(std::min(count, static_cast<std::size_t>(wanted)));
        return places;
    }

    FittedCoordinates gradient() {
        FittedCoordinates sum{};
        const auto chosen = draw(matrices_.size(), options_.matrices_a_step);
        const DifferentiatedMachine machine(prior_, theta_);
        for (const std::size_t matrix : chosen)
            add_matrix(sum, machine, matrix, 1.0 / static_cast<double>(chosen.size()));
        for (std::size_t f = 0; f < sum.size(); ++f)
            sum[f] += theta_[f] / independent_runs_;
        return sum;
    }

    void add_matrix(FittedCoordinates& sum, const DifferentiatedMachine& machine, std::size_t at,
                    double weight) {
        const CalibrationMatrix& matrix = matrices_[at];
        const auto chosen = draw(matrix.profiles.size(), options_.schedules_a_matrix);
        std::vector<LogTime> times;
        times.reserve(chosen.size());
        for (const std::size_t run : chosen)
            times.push_back(machine.log_time(matrix.profiles[run], instructions_[at][run]));

        const double error_weight = weight / static_cast<double>(chosen.size());
        for (std::size_t r = 0; r < chosen.size(); ++r) {
            const double error =
                (times[r].value - std::log(matrix.milliseconds[chosen[r]])) / options_.robustness;
            add(sum, times[r].gradient,
                error_weight * error / std::sqrt(1 + error * error) / options_.robustness);
        }
        add_order(sum, matrix, chosen, times, weight * options_.ranking_weight);
    }

    void add_order(FittedCoordinates& sum, const CalibrationMatrix& matrix,
                   std::span<const std::size_t> chosen, std::span<const LogTime> times, double weight) const {
        const auto drawn = static_cast<double>(chosen.size());
        const double pairs = drawn * (drawn - 1) / 2;
        for (std::size_t a = 0; a < chosen.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) {
                if (is_near_tie(matrix, chosen[a], chosen[b]))
                    continue;
                const bool a_is_slower = matrix.milliseconds[chosen[a]] > matrix.milliseconds[chosen[b]];
                const LogTime& slow = a_is_slower ? times[a] : times[b];
                const LogTime& fast = a_is_slower ? times[b] : times[a];
                const double pull =
                    weight / pairs / (1 + std::exp(options_.order_sharpness * (slow.value - fast.value)));
                add(sum, slow.gradient, -pull);
                add(sum, fast.gradient, pull);
            }
    }

    static bool is_near_tie(const CalibrationMatrix& matrix, std::size_t a, std::size_t b) {
        constexpr double always = 0.02;
        const double difference = std::abs(matrix.milliseconds[a] - matrix.milliseconds[b]);
        const double spread = matrix.spreads.empty() ? 0 : std::hypot(matrix.spreads[a], matrix.spreads[b]);
        return difference <=
               std::max(spread, always * std::min(matrix.milliseconds[a], matrix.milliseconds[b]));
    }

    [[nodiscard]] double mean_error() const {
        const DifferentiatedMachine machine(prior_, theta_);
        double sum = 0;
        double runs = 0;
        for (std::size_t at = 0; at < matrices_.size(); ++at)
            for (std::size_t r = 0; r < matrices_[at].profiles.size(); ++r) {
                const LogTime time = machine.log_time(matrices_[at].profiles[r], instructions_[at][r]);
                sum += std::abs(time.value - std::log(matrices_[at].milliseconds[r]));
                ++runs;
            }
        return sum / runs;
    }

    [[nodiscard]] Calibration result() const {
        Calibration calibration{prior_, moved(prior_, theta_), {}, mean_error()};
        const FittedCoordinates uncertainties = posterior_uncertainties();
        for (std::size_t f = 0; f < theta_.size(); ++f) {
            const MachineParameter parameter = fitted_parameters()[f];
            calibration.parameters.push_back({parameter, prior_[parameter], calibration.after[parameter],
                                              uncertainties[f], is_at_limit(f)});
        }
        return calibration;
    }

    [[nodiscard]] bool is_at_limit(std::size_t f) const {
        constexpr double rounding = 1e-9;
        const ParameterInfo& info = parameter_info(fitted_parameters()[f]);
        const double value = moved(prior_, theta_)[info.parameter];
        if (prior_[info.parameter] <= 0) // it can't be moved: there is none of it
            return false;
        return value <= info.lowest * (1 + rounding) || value >= info.highest * (1 - rounding);
    }

    /// Laplace's approximation: the curvature of the squared errors and of the prior.
    [[nodiscard]] FittedCoordinates posterior_uncertainties() const {
        using Square = Eigen::Matrix<double, fitted_parameter_count, fitted_parameter_count>;
        using Column = Eigen::Matrix<double, fitted_parameter_count, 1>;
        const DifferentiatedMachine machine(prior_, theta_);
        Square curvature = Square::Zero();
        std::vector<double> errors;
        for (std::size_t at = 0; at < matrices_.size(); ++at)
            for (std::size_t r = 0; r < matrices_[at].profiles.size(); ++r) {
                const LogTime time = machine.log_time(matrices_[at].profiles[r], instructions_[at][r]);
                errors.push_back(std::abs(time.value - std::log(matrices_[at].milliseconds[r])));
                const Column gradient = Eigen::Map<const Column>(time.gradient.data());
                curvature.noalias() += gradient * gradient.transpose();
            }
        std::ranges::nth_element(errors, errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2));
        constexpr double of_median = 1.4826; // σ of normal errors with this median
        const double sigma = std::max(0.01, of_median * errors[errors.size() / 2]);
        curvature *= independent_runs_ / static_cast<double>(errors.size()) / (sigma * sigma);
        curvature += Square::Identity();
        const Square covariance = curvature.ldlt().solve(Square::Identity());
        FittedCoordinates result{};
        for (std::size_t f = 0; f < result.size(); ++f) {
            const auto i = static_cast<Eigen::Index>(f);
            result[f] = std::sqrt(std::clamp(covariance(i, i), 0.0, 1.0));
        }
        return result;
    }

    const MachineParameters& prior_;
    std::span<const CalibrationMatrix> matrices_;
    const CalibrationOptions& options_;
    Random random_;
    double independent_runs_;
    std::vector<std::vector<InstructionCounts>> instructions_;
    FittedCoordinates theta_{};
};

/// Of TACO's kernels it is not known what the compiler made of short loops: both are tried.
std::vector<MachineParameters> kinds_of_code(const MachineParameters& prior) {
    std::vector<MachineParameters> kinds{prior};
    if (prior[MachineParameter::Accumulators] == 0) {
        kinds.push_back(prior);
        kinds.back()[MachineParameter::UnrolledExtent] =
            prior[MachineParameter::UnrolledExtent] > 0 ? 0 : unrolled_by_gcc;
    }
    return kinds;
}

} // namespace

Result<Calibration> calibrate(const MachineParameters& prior, std::span<const CalibrationMatrix> matrices,
                              const CalibrationOptions& options, const std::stop_token& stop,
                              const ProgressSink& progress) {
    const bool any_order = std::ranges::any_of(matrices, [](const CalibrationMatrix& matrix) {
        return std::ranges::adjacent_find(matrix.milliseconds, std::ranges::not_equal_to{}) !=
               matrix.milliseconds.end();
    });
    if (!any_order)
        return fail(Fault::Input, "no matrix has two different runtimes to fit the machine to");
    std::optional<Calibration> best;
    const std::vector<MachineParameters> priors = kinds_of_code(prior);
    for (std::size_t kind = 0; kind < priors.size(); ++kind) {
        const ProgressSink of_all = [&](const Progress& one) {
            if (progress)
                progress({one.stage, kind * one.total + one.done, priors.size() * one.total});
        };
        auto fitted = Calibrator(priors[kind], matrices, options).run(stop, of_all);
        if (!fitted)
            return fitted;
        if (!best || fitted->mean_error < best->mean_error)
            best = std::move(*fitted);
    }
    best->before = prior;
    if (priors.size() > 1) // one of two kinds: nothing of the doubt is left
        best->parameters.push_back({MachineParameter::UnrolledExtent, prior[MachineParameter::UnrolledExtent],
                                    best->after[MachineParameter::UnrolledExtent], 0, false});
    return std::move(*best);
}

void set_coefficients(MachineDescription& machine, const Calibration& calibration) {
    machine.calibration = {};
    for (const FittedParameter& fitted : calibration.parameters) {
        machine.coefficients[fitted.parameter] = fitted.after;
        machine.calibration.doubt_left[fitted.parameter] = fitted.uncertainty;
    }
    // The costs are of this shape of code, whatever else becomes known of the machine.
    for (const MachineParameter code : {MachineParameter::Accumulators, MachineParameter::UnrolledExtent})
        machine.coefficients[code] = calibration.after[code];
    // The runtimes may contain a fact that the description lacks: how many threads ran.
    if (!machine.threads)
        machine.coefficients[MachineParameter::Threads] = calibration.after[MachineParameter::Threads];
    if (!machine.cores)
        machine.coefficients[MachineParameter::Cores] = calibration.after[MachineParameter::Cores];
}

namespace {

using Derivatives = Eigen::Matrix<double, fitted_parameter_count, 1>;
using Differentiated = Eigen::AutoDiffScalar<Derivatives>;

} // namespace

template <>
struct mechanistic::InCapacities<Differentiated> {
    using Number = Eigen::AutoDiffScalar<Eigen::Matrix<double, 2, 1>>;

    InCapacities(const Differentiated& core, const Differentiated& one)
        : of_core(core.value(), 2, 0)
        , of_one(one.value(), 2, 1)
        , core_(core.derivatives())
        , one_(one.derivatives()) {}

    [[nodiscard]] Differentiated whole(const Number& number) const {
        return {number.value(), number.derivatives()[0] * core_ + number.derivatives()[1] * one_};
    }

    Number of_core;
    Number of_one;

private:
    Derivatives core_;
    Derivatives one_;
};

MachineParameters moved(const MachineParameters& prior, const FittedCoordinates& theta) {
    MachineParameters result = prior;
    for (std::size_t f = 0; f < fitted_parameters().size(); ++f) {
        const ParameterInfo& info = parameter_info(fitted_parameters()[f]);
        result[fitted_parameters()[f]] = std::clamp(
            prior[fitted_parameters()[f]] * std::pow(info.doubt, theta[f]), info.lowest, info.highest);
    }
    return result;
}

struct DifferentiatedMachine::Parameters {
    BasicMachineParameters<Differentiated> values;
};

DifferentiatedMachine::DifferentiatedMachine(const MachineParameters& prior, const FittedCoordinates& theta) {
    const MachineParameters values = moved(prior, theta);
    auto parameters = std::make_unique<Parameters>();
    BasicMachineParameters<Differentiated>& machine = parameters->values;
    for (const ParameterInfo& info : all_parameters()) {
        machine[info.parameter].value() = values[info.parameter];
        machine[info.parameter].derivatives().setZero();
    }
    for (std::size_t f = 0; f < fitted_parameters().size(); ++f) {
        const ParameterInfo& info = parameter_info(fitted_parameters()[f]);
        machine[fitted_parameters()[f]].derivatives()[static_cast<Eigen::Index>(f)] =
            values[fitted_parameters()[f]] * std::log(info.doubt);
    }
    parameters_ = std::move(parameters);
}

DifferentiatedMachine::~DifferentiatedMachine() = default;

LogTime DifferentiatedMachine::log_time(const ScheduleProfile& profile,
                                        const InstructionCounts& instructions) const {
    const BasicSimulatedTime<Differentiated> time =
        mechanistic::Formula<Differentiated>(parameters_->values, profile, instructions).run();
    const Differentiated total = time.total();
    LogTime result;
    result.value = std::log(total.value());
    for (std::size_t f = 0; f < fitted_parameters().size(); ++f)
        result.gradient[f] = total.derivatives()[static_cast<Eigen::Index>(f)] / total.value();
    for (std::size_t term = 0; term < time_term_count; ++term)
        result.time.parts[term] = time.parts[term].value();
    return result;
}

LogTime log_simulated_time(const MachineParameters& prior, const FittedCoordinates& theta,
                           const ScheduleProfile& profile, const InstructionCounts& instructions) {
    return DifferentiatedMachine(prior, theta).log_time(profile, instructions);
}

} // namespace sparsight
