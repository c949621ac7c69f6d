#include "machine/calibration/simulator_validation.h"

#include "base/random.h"
#include "machine/mechanistic/mechanistic_simulator.h"
#include "matrix/generators/generator.h"
#include "schedule/sampler.h"

#include <cmath>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

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
    const auto loud = validate_simulator(machine(), measured(0.5));
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
        const double tau = measured_once_more(matrices.front(), seed)->kendall_tau;
        lowest = std::min(lowest, tau);
        highest = std::max(highest, tau);
    }
    EXPECT_LT(highest - lowest, 0.03) << "single draws differ by more than a tenth";
    EXPECT_LT(lowest, highest);
}

} // namespace
} // namespace sparsight
