#include "base/random.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/simulator/calibration.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/simulator/simulator_validation.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "machine/machine_parameters.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using P = MachineParameter;

/// Matrices of several sizes with schedules, measured on a machine that the test knows.
class ACalibration : public testing::Test {
protected:
    ACalibration() {
        Random random(5);
        for (int m = 0; m < 6; ++m) {
            const double rows = 300.0 * std::pow(2.0, m);
            patterns_.push_back(
                *generate_matrix("uniform", {{"rows", rows}, {"cols", rows}, {"density", 8 / rows}}, 1));
            const ProfiledPattern profiled(patterns_.back());
            const Extents extents =
                sparsight::extents(Operator::SpMM, patterns_.back().rows, patterns_.back().cols, 64);
            CalibrationMatrix matrix{"m" + std::to_string(m), {}, {}, {}};
            for (const SuperSchedule& schedule : sample_waco(Operator::SpMM, extents, 40, 8, random))
                matrix.profiles.push_back(*profiled.profile(schedule, 64));
            matrices_.push_back(std::move(matrix));
        }
    }

    void measure_on(const MachineParameters& truth) {
        for (CalibrationMatrix& matrix : matrices_) {
            matrix.milliseconds.clear();
            for (const ScheduleProfile& profile : matrix.profiles)
                matrix.milliseconds.push_back(simulate(truth, profile).total());
        }
    }

    static MachineParameters prior() {
        MachineDescription machine;
        machine.name = "prior";
        machine.cores = 8;
        machine.threads = 8;
        return resolve_parameters(machine).values;
    }

    std::vector<CsrPattern> patterns_;
    std::vector<CalibrationMatrix> matrices_;
};

TEST_F(ACalibration, FollowsGradientsThatFiniteDifferencesConfirm) {
    FittedCoordinates theta{};
    Random random(9);
    for (double& coordinate : theta)
        coordinate = 0.3 * random.normal();
    for (std::size_t run = 0; run < 40; run += 7) {
        const ScheduleProfile& profile = matrices_[3].profiles[run];
        const InstructionCounts instructions = instructions_on(prior(), profile);
        const LogTime time = log_simulated_time(prior(), theta, profile, instructions);
        EXPECT_NEAR(time.value, std::log(simulate(moved(prior(), theta), profile).total()), 1e-12);
        for (std::size_t f = 0; f < theta.size(); ++f) {
            constexpr double step = 1e-5;
            FittedCoordinates above = theta;
            FittedCoordinates below = theta;
            above[f] += step;
            below[f] -= step;
            const double difference = (log_simulated_time(prior(), above, profile, instructions).value -
                                       log_simulated_time(prior(), below, profile, instructions).value) /
                                      (2 * step);
            EXPECT_NEAR(time.gradient[f], difference, 1e-6) << parameter_info(fitted_parameters()[f]).key;
        }
    }
}

TEST_F(ACalibration, FindsTheMachineThatTheRuntimesAreOf) {
    MachineParameters truth = prior();
    truth[P::RegionCost] *= 6;
    truth[P::UpdatedVector] *= 2.5;
    truth[P::CompressedStart] *= 2;
    truth[P::SocketBandwidth] /= 2;
    measure_on(truth);
    const auto calibration = calibrate(prior(), matrices_);
    ASSERT_TRUE(calibration);
    double before = 0;
    double after = 0;
    for (const CalibrationMatrix& matrix : matrices_)
        for (std::size_t r = 0; r < matrix.profiles.size(); ++r) {
            const double measured = std::log(matrix.milliseconds[r]);
            before += std::abs(std::log(simulate(prior(), matrix.profiles[r]).total()) - measured);
            after += std::abs(std::log(simulate(calibration->after, matrix.profiles[r]).total()) - measured);
        }
    EXPECT_LT(after, before / 5);
    EXPECT_NEAR(calibration->after[P::RegionCost] / truth[P::RegionCost], 1, 0.15);
}

TEST_F(ACalibration, SaysWhatTheRuntimesDoNotDetermine) {
    measure_on(prior());
    const auto calibration = calibrate(prior(), matrices_);
    ASSERT_TRUE(calibration);
    for (const FittedParameter& fitted : calibration->parameters) {
        if (fitted.parameter == P::SmtGain) { // no schedule has more threads than there are cores
            EXPECT_FALSE(fitted.is_determined());
        }
        if (fitted.parameter == P::RegionCost) {
            EXPECT_TRUE(fitted.is_determined());
        }
        EXPECT_GE(fitted.uncertainty, 0);
        EXPECT_LE(fitted.uncertainty, 1);
    }
}

TEST_F(ACalibration, IsTheSameForTheSameSeed) {
    MachineParameters truth = prior();
    truth[P::UpdatedVector] *= 2;
    measure_on(truth);
    CalibrationOptions options;
    options.steps = 30;
    EXPECT_EQ(calibrate(prior(), matrices_, options)->after, calibrate(prior(), matrices_, options)->after);
}

TEST_F(ACalibration, StopsWhenItIsAskedTo) {
    measure_on(prior());
    std::stop_source stop;
    stop.request_stop();
    const auto calibration = calibrate(prior(), matrices_, {}, stop.get_token());
    ASSERT_FALSE(calibration);
    EXPECT_EQ(calibration.error().fault, Fault::Cancelled);
}

TEST_F(ACalibration, NeedsAnOrderToLearnFrom) {
    for (CalibrationMatrix& matrix : matrices_)
        matrix.milliseconds.assign(matrix.profiles.size(), 1.0);
    EXPECT_FALSE(calibrate(prior(), matrices_));
}

TEST_F(ACalibration, BecomesCoefficientsThatADescriptionResolvesTo) {
    MachineParameters truth = prior();
    truth[P::UpdatedVector] *= 2;
    measure_on(truth);
    const auto calibration = calibrate(prior(), matrices_);
    ASSERT_TRUE(calibration);
    MachineDescription machine;
    machine.name = "calibrated";
    machine.cores = 8;
    machine.threads = 8;
    set_coefficients(machine, *calibration);
    const MachineParameters resolved = resolve_parameters(machine).values;
    for (const MachineParameter parameter : fitted_parameters())
        EXPECT_DOUBLE_EQ(resolved[parameter], calibration->after[parameter]);
}

TEST_F(ACalibration, SaysInTheDescriptionHowSureItIsOfEachParameter) {
    measure_on(prior());
    const auto calibration = calibrate(prior(), matrices_);
    ASSERT_TRUE(calibration);
    MachineDescription machine;
    machine.name = "calibrated";
    machine.source = MachineSource::Recorded;
    machine.calibration.doubt_left[P::Noise] = 0.5; // of an earlier one
    set_coefficients(machine, *calibration);
    for (const FittedParameter& fitted : calibration->parameters)
        EXPECT_EQ(doubt_left(machine, fitted.parameter), fitted.uncertainty);
    EXPECT_FALSE(doubt_left(machine, P::Noise));
    EXPECT_TRUE(is_calibrated(machine));
    EXPECT_EQ(without_calibration(machine).calibration, CalibrationRecord());
    machine.source = MachineSource::Simulated;
    EXPECT_FALSE(doubt_left(machine, P::RegionCost)) << "its numbers are chosen";
}

MachineParameters machine() {
    MachineDescription description;
    description.name = "machine";
    description.cores = 4;
    description.threads = 4;
    return resolve_parameters(description).values;
}

/// Runtimes as the simulator itself predicts them, times noise.
std::vector<CalibrationMatrix> measured(double noise) {
    std::vector<CalibrationMatrix> matrices;
    Random random(8);
    for (const double rows : {400.0, 3000.0}) {
        const CsrPattern pattern =
            *generate_matrix("uniform", {{"rows", rows}, {"cols", rows}, {"density", 10 / rows}}, 1);
        const ProfiledPattern profiled(pattern);
        const Extents extents = sparsight::extents(Operator::SpMM, pattern.rows, pattern.cols, 128);
        CalibrationMatrix matrix{"m", {}, {}, {}};
        for (const SuperSchedule& schedule : sample_waco(Operator::SpMM, extents, 50, 4, random)) {
            matrix.profiles.push_back(*profiled.profile(schedule, 128));
            const double exact = simulate(machine(), matrix.profiles.back()).total();
            matrix.milliseconds.push_back(exact * std::exp(noise * random.normal()));
            matrix.spreads.push_back(noise * exact);
        }
        matrices.push_back(std::move(matrix));
    }
    return matrices;
}

TEST(SimulationQuality, OfTheRuntimesThemselvesIsPerfect) {
    const std::vector times{3.0, 1.0, 2.0, 5.0, 4.0, 9.0};
    const SimulationQuality quality = simulation_quality(times, times);
    EXPECT_DOUBLE_EQ(quality.kendall_tau, 1);
    EXPECT_DOUBLE_EQ(quality.ordered_pair_accuracy, 1);
    EXPECT_DOUBLE_EQ(quality.best_quarter_tau, 1);
    EXPECT_DOUBLE_EQ(quality.top_1_regret, 1);
    EXPECT_DOUBLE_EQ(quality.median_error, 1);
}

TEST(SimulationQuality, NamesRegretsAndErrorsAsFactors) {
    const std::vector measured{1.0, 2.0, 3.0, 4.0, 5.0, 6.0};
    const std::vector predicted{12.0, 10.0, 8.0, 6.0, 4.0, 2.0}; // the order reversed
    const SimulationQuality quality = simulation_quality(predicted, measured);
    EXPECT_DOUBLE_EQ(quality.kendall_tau, -1);
    EXPECT_DOUBLE_EQ(quality.ordered_pair_accuracy, 0);
    EXPECT_DOUBLE_EQ(quality.top_1_regret, 6);
    EXPECT_DOUBLE_EQ(quality.top_5_regret, 2);
    EXPECT_DOUBLE_EQ(quality.top_20_regret, 1);
    EXPECT_NEAR(quality.median_error, 3, 0.4); // 12, 5, 2.67, 1.5, 1.25, 3: the middle of the logarithms
}

TEST(SimulatorValidation, IsPerfectWhereTheSimulatorIsTheMachine) {
    auto matrices = measured(0);
    for (CalibrationMatrix& matrix : matrices)
        matrix.spreads.clear();
    const auto validation = validate_simulator(machine(), matrices);
    ASSERT_TRUE(validation);
    EXPECT_GT(validation->mean.kendall_tau, 0.999);
    EXPECT_NEAR(validation->mean.median_error, 1, 1e-9);
    EXPECT_FALSE(validation->ceiling) << "nobody knows the noise";
    EXPECT_EQ(validation->matrices.size(), 2U);
}

TEST(SimulatorValidation, LeavingATermOutMakesItWorse) {
    const auto validation = validate_simulator(machine(), measured(0));
    ASSERT_TRUE(validation);
    EXPECT_EQ(validation->without.size(), time_term_count);
    for (const auto& [term, mean] : validation->without)
        EXPECT_LE(mean.kendall_tau, validation->mean.kendall_tau + 1e-9) << name(term);
    const auto& imbalance = validation->without[static_cast<std::size_t>(TimeTerm::Imbalance)].mean;
    EXPECT_LT(imbalance.kendall_tau, 0.98);
}

TEST(SimulatorValidation, CeilingIsWhatMeasuringAgainReaches) {
    const auto quiet = validate_simulator(machine(), measured(0.02));
    const auto loud = validate_simulator(machine(), measured(2));
    ASSERT_TRUE(quiet && loud && quiet->ceiling && loud->ceiling);
    EXPECT_GT(quiet->ceiling->kendall_tau, 0.9);
    EXPECT_LT(loud->ceiling->kendall_tau, quiet->ceiling->kendall_tau - 0.1);
}

TEST(SimulatorValidation, NeedsMatricesWithAnOrder) {
    auto matrices = measured(0);
    for (CalibrationMatrix& matrix : matrices)
        matrix.milliseconds.assign(matrix.milliseconds.size(), 2.0);
    const auto validation = validate_simulator(machine(), matrices);
    ASSERT_FALSE(validation);
    EXPECT_EQ(validation.error().fault, Fault::Input);
}

TEST(SimulatorValidation, CeilingOfAMatrixIsTheSameWhateverIsBesideIt) {
    auto matrices = measured(0.3);
    matrices[1].name = "another";
    const auto both = validate_simulator(machine(), matrices, 7);
    ASSERT_TRUE(both && both->ceiling);
    double tau = 0;
    for (const CalibrationMatrix& matrix : matrices)
        tau += validate_simulator(machine(), {&matrix, 1}, 7)->ceiling->kendall_tau / 2;
    EXPECT_DOUBLE_EQ(both->ceiling->kendall_tau, tau);
}

TEST(SimulatorValidation, CeilingIsTheMeanOfSeveralDrawsAndHardlyMovesWithTheSeed) {
    const auto matrices = measured(0.3);
    double lowest = 1;
    double highest = -1;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const double tau = remeasurement_quality(matrices.front(), seed)->kendall_tau;
        lowest = std::min(lowest, tau);
        highest = std::max(highest, tau);
    }
    EXPECT_LT(highest - lowest, 0.03) << "single draws differ by more than a tenth";
    EXPECT_LT(lowest, highest);
}

} // namespace
} // namespace sparsight
