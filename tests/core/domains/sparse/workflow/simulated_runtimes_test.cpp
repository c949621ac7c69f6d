// Simulated times in a workspace, and the matrices of the demo.
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/workflow/experiment/demo_matrices.h"
#include "domains/sparse/workflow/simulation/simulated_runtimes.h"
#include "machine/machine_edit.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <unistd.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;

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
    WorkloadId matrix_{};
};

TEST_F(SimulatedRuntimes, AreTheMeasuredOnesByTheFormula) {
    measure(csr, MeasurementStatus::Measured, 120, 3);
    measure(blocked, MeasurementStatus::Measured, 95, 1);
    simulate();
    const auto rows = *list_results(*workspace_, ResultFilter{.machine = "A"});
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
    const auto rows = *list_results(*workspace_, ResultFilter{.machine = "A"});
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
    const auto rows = *list_results(*workspace_, ResultFilter{.machine = "A"});
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_NEAR(*rows[0].median_ms, 0.72, 1e-12);
}

TEST_F(SimulatedRuntimes, ThatAreSimulatedAgainLeaveNoEarlierTimes) {
    measure(csr, MeasurementStatus::Measured, 120, 3);
    for (int time = 0; time < 3; ++time) {
        simulate();
        std::this_thread::sleep_for(std::chrono::milliseconds(2)); // dates have milliseconds
    }
    EXPECT_TRUE(list_earlier_results(*workspace_, {.domain = "sparse"})->empty());
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
    EXPECT_TRUE(list_results(*workspace_, ResultFilter{.machine = "?"})->empty());
}

/// The mechanistic one, counting how often it is asked to look at a matrix.
class CountingSimulator final : public Simulator {
public:
    [[nodiscard]] std::string_view name() const override { return simulator_.name(); }
    [[nodiscard]] bool needs_data() const override { return true; }
    [[nodiscard]] bool needs_recorded() const override { return false; }
    [[nodiscard]] Result<std::unique_ptr<const SimulationProfile>>
    profile(const SimulatedRuns& runs) const override {
        ++looks;
        return simulator_.profile(runs);
    }

    mutable int looks = 0;

private:
    MechanisticSimulator simulator_;
};

class SimulatedSchedulesTest : public ::testing::Test {
protected:
    SimulatedSchedulesTest() {
        for (const double rows : {200.0, 400.0}) {
            const CsrPattern pattern =
                *generate_matrix("uniform", {{"rows", rows}, {"cols", rows}, {"density", 0.02}}, 1);
            EXPECT_TRUE(
                add_matrix(*workspace_, {"m" + std::to_string(static_cast<int>(rows)), "", {}}, pattern));
        }
        request_.schedules = SampledSchedules{.count = 6};
    }
    SimulatedMachine machine(std::string name, int threads) {
        MachineDescription description =
            with_parameter(find_machine_preset("laptop")->machine, MachineParameter::Threads, threads);
        description.name = std::move(name);
        description.source = MachineSource::Simulated;
        return {.record = add_machine(*workspace_, description)->record, .description = description};
    }
    std::vector<StoredRuntime> runtimes_of(const SimulatedMachine& machine, int threads) {
        return *list_runtimes(*workspace_, RuntimeSource{.machine = machine.record.id,
                                                         .protocol = std::string(simulated_protocol),
                                                         .threads = threads});
    }

    testing::TemporaryFolder folder_;
    std::optional<Workspace> workspace_ = *Workspace::create((folder_ / "w.sparsight").string(), "test");
    CountingSimulator simulator_;
    SimulationRequest request_;
};

TEST_F(SimulatedSchedulesTest, OfSeveralMachinesAreLookedAtOnceAndAreThoseOfEachAlone) {
    const std::vector both{machine("two", 2), machine("eight", 8)};
    ASSERT_TRUE(simulate_schedules(*workspace_, MechanisticSimulator(), {&both[1], 1}, request_));
    const auto alone = runtimes_of(both[1], 8);
    const auto summary = simulate_schedules(*workspace_, simulator_, both, request_);
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_EQ(simulator_.looks, 2) << "one for each matrix";
    EXPECT_EQ(summary->matrices, 2);
    EXPECT_EQ(summary->runtimes, 2 * 7);
    const auto together = runtimes_of(both[1], 8);
    ASSERT_EQ(together.size(), alone.size());
    for (std::size_t at = 0; at < alone.size(); ++at) {
        EXPECT_EQ(together[at].schedule, alone[at].schedule);
        EXPECT_EQ(together[at].median_ms, alone[at].median_ms);
    }
    const auto of_two = runtimes_of(both[0], 2);
    ASSERT_EQ(of_two.size(), alone.size());
    EXPECT_NE(of_two.front().median_ms, alone.front().median_ms);
}

TEST_F(SimulatedSchedulesTest, NameMatricesThatCannotBeReadAndGoOn) {
    ASSERT_TRUE(add_matrix_name(*workspace_, "known by its name", ""));
    const std::vector machines{machine("two", 2)};
    const auto summary = simulate_schedules(*workspace_, simulator_, machines, request_);
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_EQ(summary->matrices, 2);
    ASSERT_EQ(summary->unreadable.size(), 1U);
    EXPECT_EQ(summary->unreadable[0].name, "known by its name");
    EXPECT_THAT(summary->unreadable[0].reason.message, HasSubstr("not known"));
}

TEST_F(SimulatedSchedulesTest, StopWithinAMatrix) {
    const std::vector machines{machine("two", 2)};
    std::stop_source stop;
    const auto stopped = simulate_schedules(*workspace_, simulator_, machines, request_, stop.get_token(),
                                            [&](const Progress&) { stop.request_stop(); });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().fault, Fault::Cancelled);
    EXPECT_TRUE(runtimes_of(machines[0], 2).empty());
}

class DemoMatrices : public ::testing::Test {
protected:
    DemoMatrices() {
        std::filesystem::remove(file_);
        workspace_.emplace(*Workspace::create(file_, "test"));
    }
    ~DemoMatrices() override {
        workspace_.reset();
        for (const char* suffix : {"", "-wal", "-shm"})
            std::filesystem::remove(file_.string() + suffix);
    }
    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() /
        fmt::format("sparsight-demo-{}-{}.sparsight", getpid(),
                    ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::optional<Workspace> workspace_;
};

TEST_F(DemoMatrices, OfTheTestAreNoneThatAreTrainedOn) {
    ASSERT_TRUE(add_demo_matrices(*workspace_, 1).has_value());
    const DemoSplit lessons = *add_demo_training_matrices(*workspace_, 1);
    EXPECT_GE(lessons.train.size(), 20U);
    EXPECT_GE(lessons.validation.size(), 3U);
    EXPECT_GE(lessons.test.size(), 5U);
    // Neither by name nor by shape: resized, transposed or permuted ones would share the number of entries.
    std::set<std::string> names;
    std::set<std::string> patterns;
    std::set<std::int64_t> sizes;
    const auto records = *list_matrices(*workspace_);
    for (const MatrixRecord& record : records) {
        EXPECT_TRUE(names.insert(record.name).second) << record.name;
        EXPECT_TRUE(patterns.insert(record.content_hash).second) << record.name;
        EXPECT_TRUE(sizes.insert(record.nnz).second) << record.name << " has as many entries as another one";
    }
    EXPECT_EQ(records.size(), 3 + lessons.train.size() + lessons.validation.size() + lessons.test.size());
}

TEST_F(DemoMatrices, ToLearnFromAreSmallEnoughToMeasureManySchedules) {
    ASSERT_TRUE(add_demo_training_matrices(*workspace_, 1).has_value());
    const auto records = *list_matrices(*workspace_);
    for (const MatrixRecord& record : records) {
        EXPECT_GT(record.nnz, 5'000) << record.name;
        EXPECT_LT(record.nnz, 130'000) << record.name;
    }
}

TEST_F(DemoMatrices, AreAddedOnce) {
    const DemoSplit first = *add_demo_training_matrices(*workspace_, 1);
    const DemoSplit second = *add_demo_training_matrices(*workspace_, 2);
    EXPECT_EQ(first.train, second.train);
    EXPECT_EQ(list_matrices(*workspace_)->size(),
              first.train.size() + first.validation.size() + first.test.size());
}

TEST_F(DemoMatrices, HaveTheSplitOfTheLessonsOnlyTogetherWithTheirTimes) {
    MachineDescription other = find_machine_preset("laptop")->machine;
    other.name = "Laptop";
    other.cpu_model = "another one";
    ASSERT_TRUE(add_machine(*workspace_, other).has_value());
    const auto refused = add_lesson_times(*workspace_, 1);
    ASSERT_FALSE(refused.has_value());
    EXPECT_THAT(refused.error().text(), HasSubstr("another machine 'Laptop'"));
    EXPECT_THAT(*split_names(*workspace_), ::testing::IsEmpty()) << "a lesson would go on without times";
}

} // namespace
} // namespace sparsight
