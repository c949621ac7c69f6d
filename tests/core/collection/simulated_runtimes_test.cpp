#include "collection/simulated_runtimes.h"

#include "machine/machine_presets.h"
#include "machine/paper_formula.h"
#include "schedule/text.h"
#include "store/measurements.h"
#include "store/results.h"
#include "store/workspace.h"

#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace sparsight {
namespace {

class SimulatedRuntimes : public ::testing::Test {
protected:
    SimulatedRuntimes() {
        std::filesystem::remove(file_);
        workspace_.emplace(*Workspace::create(file_, "test"));
        measured_ = *record_machine(*workspace_, "laptop", "0123", "{}");
        matrix_ = *add_matrix_name(*workspace_, "a", "");
    }
    ~SimulatedRuntimes() override {
        workspace_.reset();
        for (const char* suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(file_.string() + suffix);
    }

    void measure(const char* schedule, MeasurementStatus status, double median, double spread) {
        Measurement measurement;
        measurement.status = status;
        measurement.median = Milliseconds(median);
        measurement.spread = Milliseconds(spread);
        measurement.repeats = 5;
        ASSERT_TRUE(record_measurement(*workspace_, {matrix_, measured_, 256, "adaptive"},
                                       *parse_schedule(Operator::SpMM, schedule), measurement)
                        .has_value());
    }
    MachineId simulate() {
        const MachineId machine = *record_simulated_machine(*workspace_, formula_, report_machine_a(),
                                                            **find_machine(*workspace_, "laptop"));
        EXPECT_TRUE(simulate_runtimes(*workspace_, formula_,
                                      {.machine = measured_, .protocol = "adaptive", .threads = 2}, machine)
                        .has_value());
        return machine;
    }

    static constexpr const char* csr = "1 1 1 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 2 32";
    static constexpr const char* blocked = "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 2 8";
    PaperFormula formula_;
    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() /
        fmt::format("sparsight-simulated-{}-{}.sparsight", getpid(),
                    ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::optional<Workspace> workspace_;
    MachineId measured_{};
    MatrixId matrix_{};
};

TEST_F(SimulatedRuntimes, AreTheMeasuredOnesByTheFormula) {
    measure(csr, MeasurementStatus::Measured, 120, 3);
    measure(blocked, MeasurementStatus::Measured, 95, 1);
    simulate();
    const auto rows = *list_results(*workspace_, {.machine = "A"});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_NEAR(*rows[0].median_ms, 0.36, 1e-12) << "the report's example: 120 ms on 8 cores, 50 GB/s, 1.2";
    EXPECT_NEAR(*rows[0].spread_ms, 0.009, 1e-12);
    EXPECT_NEAR(*rows[1].speedup_over_fixed_csr, 120.0 / 95, 1e-12) << "a factor changes no speedup";
    EXPECT_EQ(rows[1].protocol, "adaptive");
}

TEST_F(SimulatedRuntimes, KeepWhatFailedAndWhatWasGivenUp) {
    measure(csr, MeasurementStatus::TooLarge, 0, 0);
    measure(blocked, MeasurementStatus::GaveUp, 1000, 0);
    simulate();
    const auto rows = *list_results(*workspace_, {.machine = "A"});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].status, MeasurementStatus::TooLarge);
    EXPECT_FALSE(rows[0].median_ms.has_value());
    EXPECT_EQ(rows[1].status, MeasurementStatus::GaveUp);
    EXPECT_NEAR(*rows[1].median_ms, 3, 1e-12);
}

TEST_F(SimulatedRuntimes, FollowWhatIsMeasuredLater) {
    measure(csr, MeasurementStatus::Measured, 120, 3);
    const MachineId first = simulate();
    measure(csr, MeasurementStatus::Measured, 240, 3);
    measure(blocked, MeasurementStatus::Measured, 95, 1);
    EXPECT_EQ(simulate(), first);
    const auto rows = *list_results(*workspace_, {.machine = "A"});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_NEAR(*rows[0].median_ms, 0.72, 1e-12);
}

TEST_F(SimulatedRuntimes, NeedWhatTheSimulatorNeedsToKnowOfTheMachine) {
    measure(csr, MeasurementStatus::Measured, 120, 3);
    MachineDescription nothing_known;
    nothing_known.name = "?";
    const MachineId machine = *record_simulated_machine(*workspace_, formula_, nothing_known,
                                                        **find_machine(*workspace_, "laptop"));
    const auto simulated = simulate_runtimes(
        *workspace_, formula_, {.machine = measured_, .protocol = "adaptive", .threads = 2}, machine);
    ASSERT_FALSE(simulated.has_value());
    EXPECT_EQ(simulated.error().fault, Fault::Input);
    EXPECT_TRUE(list_results(*workspace_, {.machine = "?"})->empty());
}

} // namespace
} // namespace sparsight
