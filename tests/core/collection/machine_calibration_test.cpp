#include "collection/machine_calibration.h"

#include "base/random.h"
#include "kernel/instruction_cost.h"
#include "machine/analysed_costs.h"
#include "machine/mechanistic/mechanistic_simulator.h"
#include "machine/parameter_origin.h"
#include "matrix/generators/generator.h"
#include "schedule/sampler.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using P = MachineParameter;

/// Matrices measured on a computer whose loops cost twice what the simulator takes for typical.
class MachineCalibration : public testing::Test {
protected:
    MachineCalibration() {
        data_.description.name = "computer";
        data_.description.source = MachineSource::Recorded;
        data_.description.cores = 4;
        data_.description.threads = 4;
        data_.parameters = resolve_parameters(data_.description).values;
        options_.fitting.steps = 40;
    }

    void measure(const std::string& name) {
        const double rows = 200.0 + 60.0 * static_cast<double>(data_.matrices.size());
        const CsrPattern pattern =
            *generate_matrix("uniform", {{"rows", rows}, {"cols", rows}, {"density", 8 / rows}}, 1);
        const ProfiledPattern profiled(pattern);
        MachineParameters truth = data_.parameters;
        truth[P::UpdatedVector] *= 2;
        truth[P::CompressedStart] *= 2;
        truth[P::RegionCost] *= 3;
        CalibrationMatrix matrix{name, {}, {}, {}};
        Random random(data_.matrices.size() + 1);
        const Extents all = extents(Operator::SpMM, pattern.rows, pattern.cols, 64);
        for (const SuperSchedule& schedule : sample_waco(Operator::SpMM, all, 16, 4, random)) {
            matrix.profiles.push_back(*profiled.profile(schedule, 64));
            matrix.milliseconds.push_back(simulate(truth, matrix.profiles.back()).total());
        }
        data_.matrices.push_back(std::move(matrix));
    }
    void measure_many(int count) {
        for (int at = 0; at < count; ++at)
            measure(fmt::format("m{}", at));
    }
    [[nodiscard]] CheckedCalibration calibrated() const {
        auto checked = calibrate_machine(data_, options_);
        EXPECT_TRUE(checked) << checked.error().text();
        return *std::move(checked);
    }

    CalibrationData data_;
    MachineCalibrationOptions options_;
};

TEST_F(MachineCalibration, OfFewMatricesIsCrossValidatedOverAllAndFittedToAll) {
    measure_many(4);
    const CheckedCalibration checked = calibrated();
    EXPECT_EQ(checked.check, HeldOutCheck::CrossValidated);
    EXPECT_EQ(checked.held_out, 4U);
    EXPECT_THAT(checked.fitted, ElementsAre("m0", "m1", "m2", "m3"));
    EXPECT_THAT(checked.stems_of_all, ElementsAre("m0", "m1", "m2", "m3"));
    EXPECT_EQ(checked.calibration.after,
              calibrate(uncalibrated_parameters(data_), data_.matrices, options_.fitting)->after);
    ASSERT_TRUE(checked.on_held_out && checked.on_fitted);
    EXPECT_DOUBLE_EQ(checked.on_held_out->before.median_error, checked.on_fitted->before.median_error)
        << "the same matrices by the same facts";
    EXPECT_LT(checked.on_held_out->after.median_error, checked.on_held_out->before.median_error);
}

TEST_F(MachineCalibration, HoldsAMatrixAgainstOthersThatAreNoFormsOfIt) {
    measure("cage8");
    measure("cage8_t");
    measure("bcsstk17");
    const CheckedCalibration checked = calibrated();
    std::vector<SimulationQuality> after;
    for (const auto& [held_out, fitted] : {std::pair{0U, std::vector{2U}}, std::pair{1U, std::vector{2U}},
                                           std::pair{2U, std::vector{0U, 1U}}}) {
        std::vector<CalibrationMatrix> others;
        for (const unsigned at : fitted)
            others.push_back(data_.matrices[at]);
        const auto calibration = calibrate(uncalibrated_parameters(data_), others, options_.fitting);
        after.push_back(*mean_quality(calibration->after, {&data_.matrices[held_out], 1}));
    }
    double error = 1;
    for (const SimulationQuality& quality : after)
        error *= quality.median_error;
    EXPECT_NEAR(checked.on_held_out->after.median_error, std::cbrt(error), 1e-12);
    EXPECT_THAT(checked.stems_of_all, ElementsAre("cage8", "bcsstk17"));
}

TEST_F(MachineCalibration, OfADozenMatricesKeepsAThirdBack) {
    measure_many(12);
    const CheckedCalibration checked = calibrated();
    EXPECT_EQ(checked.check, HeldOutCheck::KeptBack);
    EXPECT_EQ(checked.held_out + checked.fitted.size(), 12U);
    EXPECT_GT(checked.held_out, 0U);
    for (const std::string& name : checked.fitted)
        EXPECT_FALSE(is_held_out(name));
    EXPECT_THAT(checked.stems_of_all, IsEmpty());
}

TEST_F(MachineCalibration, IsTheSameOnAnyNumberOfThreads) {
    measure_many(3);
    const CheckedCalibration one = calibrated();
    options_.threads = 3;
    const CheckedCalibration three = calibrated();
    EXPECT_EQ(one.calibration.after, three.calibration.after);
    EXPECT_EQ(one.on_held_out->after.median_error, three.on_held_out->after.median_error);
}

TEST_F(MachineCalibration, FitsToNoMoreMatricesThanAskedFor) {
    measure_many(4);
    options_.most_matrices = 2;
    const CheckedCalibration checked = calibrated();
    EXPECT_THAT(checked.fitted, ElementsAre("m0", "m1"));
    EXPECT_EQ(checked.held_out, 4U) << "each against two others";
    EXPECT_THAT(checked.stems_of_all, ElementsAre("m0", "m1"));
}

TEST_F(MachineCalibration, OfOneMatrixIsHeldAgainstNone) {
    measure("alone");
    const CheckedCalibration checked = calibrated();
    EXPECT_EQ(checked.check, HeldOutCheck::Impossible);
    EXPECT_EQ(checked.held_out, 0U);
    EXPECT_FALSE(checked.on_held_out);
    EXPECT_TRUE(checked.on_fitted);
}

TEST_F(MachineCalibration, LeavesOutWhatCannotBeFittedFromTheCheckAlone) {
    measure("useful");
    measure("constant");
    data_.matrices[1].milliseconds.assign(data_.matrices[1].milliseconds.size(), 1.0);
    const CheckedCalibration checked = calibrated();
    EXPECT_EQ(checked.check, HeldOutCheck::Impossible);
    EXPECT_EQ(checked.fitted.size(), 2U);
}

TEST_F(MachineCalibration, BeginsWithWhatTheCodeForAProcessorCosts) {
    if (analysed_processors("x86_64").empty())
        GTEST_SKIP() << "LLVM was built without x86_64";
    measure_many(2);
    data_.description.float_lanes = 8;
    options_.code_of = "znver3";
    const CheckedCalibration checked = calibrated();
    const auto costs = analysed_costs("znver3");
    ASSERT_TRUE(costs);
    for (const auto& [parameter, cycles] : costs->cycles)
        EXPECT_EQ(checked.calibration.before[parameter], cycles) << parameter_info(parameter).key;
    options_.code_of = "skylake-avx512";
    EXPECT_FALSE(calibrate_machine(data_, options_)) << "its vectors are longer";
}

TEST(CalibrationEffects, AreForTheWorseWhenPairsOrTheFirstChoiceClearlyAre) {
    CalibrationEffect effect{{.kendall_tau = 0.5, .top_1_regret = 1.2},
                             {.kendall_tau = 0.49, .top_1_regret = 1.25}};
    EXPECT_FALSE(chooses_worse(effect)) << "that may be chance";
    effect.after.kendall_tau = 0.45;
    EXPECT_TRUE(chooses_worse(effect));
    effect.after = {.kendall_tau = 0.6, .top_1_regret = 1.4};
    EXPECT_TRUE(chooses_worse(effect)) << "better pairs do not make up for it";
}

TEST_F(MachineCalibration, StopsWhenItIsAskedTo) {
    measure_many(2);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = calibrate_machine(data_, options_, stop.get_token());
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight
