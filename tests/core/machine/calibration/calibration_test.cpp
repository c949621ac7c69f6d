#include "machine/calibration/calibration.h"

#include "base/random.h"
#include "machine/mechanistic/mechanistic_simulator.h"
#include "machine/parameter_origin.h"
#include "matrix/generators/generator.h"
#include "schedule/sampler.h"

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

} // namespace
} // namespace sparsight
