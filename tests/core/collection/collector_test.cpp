#include "collection/collector.h"
#include "collection/measuring_domain.h"
#include "domains/sparse/clock/schedule_measuring.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "store/runs.h"
#include "store/sqlite.h"
#include "store/workspace.h"
#include "support/test_files.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <optional>
#include <thread>
#include <unistd.h>

namespace sparsight {
namespace {

class Collecting : public ::testing::Test {
protected:
    Collecting() {
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
        workspace_.emplace(*Workspace::create(folder_ / "w.sparsight", "test"));
        machine_ = *recorded_machine(*workspace_, "here");
        for (const char* name : {"first", "second"}) {
            const auto pattern =
                generate_matrix("uniform", {{"rows", 200}, {"cols", 150}, {"density", 0.05}}, 1);
            EXPECT_TRUE(pattern.has_value()) << pattern.error().text();
            EXPECT_TRUE(add_matrix(*workspace_, {name, "generated", {}}, *pattern).has_value());
        }
        request_.setting = setting_of(Operator::SpMM, 16);
        request_.threads = 2;
        request_.wanted = SampledConfigurations{"waco", 6, 3};
    }
    ~Collecting() override { std::filesystem::remove_all(folder_); }

    Result<CollectionSummary> run(const CollectionObserver& observer = {}, const std::stop_token& stop = {}) {
        return collect(*workspace_, *matrices_, machine_, request_, observer, stop);
    }
    std::vector<ResultRow> results() { return list_results(*workspace_).value_or(std::vector<ResultRow>{}); }
    std::size_t stored() { return results().size(); }
    std::vector<RunRecord> runs() { return list_runs(*workspace_).value_or(std::vector<RunRecord>{}); }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() /
        fmt::format("sparsight-collecting-{}-{}", getpid(),
                    ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::optional<Workspace> workspace_;
    const std::unique_ptr<const MeasuringDomain> matrices_ = make_sparse_measuring();
    MachineId machine_{};
    CollectionRequest request_;
};

TEST_F(Collecting, MeasuresFixedCsrAndEveryScheduleOnEveryMatrix) {
    const auto summary = run();
    ASSERT_TRUE(summary.has_value()) << summary.error().text();
    EXPECT_EQ(summary->measured, 14);
    EXPECT_TRUE(summary->complete);
    EXPECT_EQ(stored(), 14U);
    EXPECT_GT(summary->configurations_per_second(), 0);
    EXPECT_EQ(results().front().schedule, to_text(fixed_csr(Operator::SpMM, 2)));
    EXPECT_DOUBLE_EQ(*results().front().speedup_over_fixed_csr, 1);
}

TEST_F(Collecting, MeasuresEveryOperator) {
    for (const Operator op : all_operators) {
        request_.setting = setting_of(op, 16);
        const auto summary = run();
        ASSERT_TRUE(summary.has_value()) << summary.error().text();
        EXPECT_EQ(summary->measured, 14) << name(op);
        EXPECT_TRUE(summary->failures.empty());
    }
    for (const ResultRow& row : results())
        EXPECT_NE(row.status, MeasurementStatus::Mismatch) << row.schedule << ": " << row.reason;
}

TEST_F(Collecting, SearchesUntilSoManyAreMeasuredOnEachMatrix) {
    request_.wanted = SearchedConfigurations{10, 3};
    const auto summary = run();
    ASSERT_TRUE(summary.has_value()) << summary.error().text();
    EXPECT_TRUE(summary->complete);
    EXPECT_EQ(summary->measured + summary->failed, 22);
    EXPECT_EQ(stored(), 22U);
    EXPECT_TRUE(results().front().is_fixed_csr);
}

TEST_F(Collecting, SearchesOnFromWhatIsStored) {
    ASSERT_TRUE(run().has_value()); // fixed CSR and six schedules a matrix
    request_.wanted = SearchedConfigurations{10, 3};
    const auto summary = run();
    ASSERT_TRUE(summary.has_value()) << summary.error().text();
    EXPECT_EQ(summary->skipped, 14);
    EXPECT_EQ(stored(), 22U);
    const auto again = run();
    EXPECT_EQ(again->skipped, 22);
    EXPECT_TRUE(again->complete);
    EXPECT_EQ(stored(), 22U);
}

TEST_F(Collecting, SkipsWhatIsStored) {
    ASSERT_TRUE(run().has_value());
    const auto again = run();
    EXPECT_EQ(again->skipped, 14);
    EXPECT_EQ(again->measured + again->failed, 0);
    EXPECT_TRUE(again->complete);
    EXPECT_EQ(stored(), 14U);
}

TEST_F(Collecting, MeasuresAgainWhenAskedAndReplacesWhatWasStored) {
    ASSERT_TRUE(run().has_value());
    request_.again = true;
    const auto again = run();
    EXPECT_EQ(again->skipped, 0);
    EXPECT_EQ(again->measured, 14);
    EXPECT_EQ(stored(), 14U);
}

TEST_F(Collecting, GoesOnMeasuringAgainWhereItWasStopped) {
    ASSERT_TRUE(run().has_value());
    request_.again = true;
    std::stop_source source;
    int steps = 0;
    const CollectionObserver observer{{}, [&](const CollectionStep&) {
                                          if (++steps == 5)
                                              source.request_stop();
                                      }};
    EXPECT_EQ(run(observer, source.get_token())->measured, 5);
    const auto resumed = run();
    EXPECT_EQ(resumed->skipped, 5);
    EXPECT_EQ(resumed->measured, 9);
    EXPECT_EQ(run()->measured, 14) << "that run is finished: another begins";
}

TEST_F(Collecting, MeasuresAgainWhatOtherCodeMeasured) {
    ASSERT_TRUE(run().has_value());
    const auto make_old = [&](const char* which) {
        ASSERT_TRUE(workspace_->database()
                        .run(fmt::format(
                            "UPDATE measurements SET engine = 'code 0', checksum = row_checksum(workload_id, "
                            "machine_id, setting_id, configuration_id, protocol, condition, status, "
                            "median_ms, spread_ms, repeats, pack_ms, compile_ms, bytes, reason, measured, "
                            "'code 0', reference_ms, scatter_ms, error_ms, drift_ms, disturbance) WHERE {}",
                            which))
                        .has_value());
    };
    make_old("id <= 3");
    const auto again = run();
    EXPECT_EQ(again->outdated, 3);
    EXPECT_EQ(again->measured, 3);
    EXPECT_EQ(again->skipped, 11);
    EXPECT_EQ(run()->outdated, 0);
}

TEST_F(Collecting, LeavesARunToTheLivingProcessThatIsAtIt) {
    std::stop_source source;
    const CollectionObserver stop_at_once{{}, [&](const CollectionStep&) { source.request_stop(); }};
    ASSERT_TRUE(run(stop_at_once, source.get_token()).has_value());
    const auto other = RunHold::take(*workspace_, runs().front().id);
    ASSERT_TRUE(other.has_value());
    ASSERT_TRUE(run().has_value());
    ASSERT_EQ(runs().size(), 2U);
    EXPECT_EQ(std::ranges::count(runs(), RunState::Stopped, &RunRecord::state), 1) << "it is the other's";
}

TEST_F(Collecting, NeverRefusesFixedCsr) {
    request_.most_bytes = 1;
    ASSERT_TRUE(run().has_value());
    EXPECT_EQ(results().front().status, MeasurementStatus::Measured);
}

TEST_F(Collecting, StopsBetweenMeasurementsAndGoesOnWhereItStopped) {
    std::stop_source source;
    int steps = 0;
    const CollectionObserver observer{{}, [&](const CollectionStep&) {
                                          if (++steps == 3)
                                              source.request_stop();
                                      }};
    const auto stopped = run(observer, source.get_token());
    ASSERT_TRUE(stopped.has_value());
    EXPECT_FALSE(stopped->complete);
    EXPECT_EQ(stored(), 3U);
    EXPECT_EQ(runs().front().state, RunState::Stopped);
    const auto resumed = run();
    EXPECT_EQ(resumed->skipped, 3);
    EXPECT_TRUE(resumed->complete);
    EXPECT_EQ(stored(), 14U);
    ASSERT_EQ(runs().size(), 1U) << "the same run goes on";
    EXPECT_EQ(runs().front().state, RunState::Finished);
}

TEST_F(Collecting, EndsWhenItsBudgetIsSpent) {
    request_.budget = Seconds(0);
    const auto summary = run();
    ASSERT_TRUE(summary.has_value());
    EXPECT_FALSE(summary->complete);
    EXPECT_EQ(stored(), 0U);
}

/// A second a measurement, for a collection with this budget.
class CollectingInTime : public Collecting {
protected:
    std::vector<std::string> measured_within(double seconds) {
        request_.clock = [this] { return Milliseconds(1000.0 * static_cast<double>(measured_.size())); };
        request_.budget = Seconds(seconds);
        const CollectionObserver observer{
            {}, [this](const CollectionStep& step) { measured_.emplace_back(step.workload); }};
        EXPECT_TRUE(run(observer).has_value());
        return measured_;
    }

private:
    std::vector<std::string> measured_;
};

TEST_F(CollectingInTime, SharesTheBudgetAmongTheMatrices) {
    EXPECT_EQ(measured_within(4), (std::vector<std::string>{"first", "first", "second", "second"}));
}

TEST_F(CollectingInTime, GivesWhatAMatrixDoesNotNeedToTheOthersAndThenAnotherTurn) {
    ListedConfigurations listed{
        {"4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8", "1 2 8 i1 i0 k1 j1 k0 j0 1 1 0 1 i1 48 16"}};
    request_.workloads = {"first"};
    request_.wanted = listed;
    ASSERT_TRUE(run().has_value());
    listed.texts.emplace_back("2 1 8 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 48 4");
    request_.workloads = {"second", "first"};
    request_.wanted = listed;
    EXPECT_EQ(measured_within(5),
              (std::vector<std::string>{"second", "second", "second", "first", "second"}));
}

TEST_F(Collecting, TellsHowFarItIs) {
    std::vector<std::uint64_t> done;
    const CollectionObserver observer{{}, [&](const CollectionStep& step) {
                                          done.push_back(step.done);
                                          EXPECT_EQ(step.total, 14U);
                                          EXPECT_TRUE(step.left.has_value());
                                      }};
    ASSERT_TRUE(run(observer).has_value());
    ASSERT_EQ(done.size(), 14U);
    EXPECT_EQ(done.front(), 1U);
    EXPECT_EQ(done.back(), 14U);
}

TEST_F(Collecting, AMatrixWithoutPatternIsReportedAndTheOthersGoOn) {
    ASSERT_TRUE(add_matrix_name(*workspace_, "unknown", "imported runtimes").has_value());
    request_.workloads = {"unknown", "first"};
    const auto summary = run();
    ASSERT_TRUE(summary.has_value());
    ASSERT_EQ(summary->failures.size(), 1U);
    EXPECT_EQ(summary->failures[0].workload, "unknown");
    EXPECT_EQ(summary->measured + summary->failed, 7);
}

TEST_F(Collecting, MeasuresAMatrixOnceHoweverOftenItIsNamed) {
    request_.workloads = {"first", "first"};
    EXPECT_EQ(run()->measured, 7);
}

TEST_F(Collecting, IsCompleteWhenItIsStoppedDuringItsLastMeasurement) {
    std::stop_source source;
    const CollectionObserver observer{{}, [&](const CollectionStep& step) {
                                          if (step.done == step.total)
                                              source.request_stop();
                                      }};
    EXPECT_TRUE(run(observer, source.get_token())->complete);
}

TEST_F(Collecting, ComparesOnlyWithTimesOfAsManyThreads) {
    request_.workloads = {"first"};
    request_.wanted = ListedConfigurations{};
    ASSERT_TRUE(run().has_value());
    const MeasurementSetting setting{(*find_matrix(*workspace_, "first"))->id, machine_, 16, "adaptive"};
    EXPECT_TRUE(shortest_median(*workspace_, setting, Operator::SpMM, 2)->has_value());
    EXPECT_FALSE(shortest_median(*workspace_, setting, Operator::SpMM, 1)->has_value());
    request_.threads = 1;
    EXPECT_EQ(run()->measured, 1);
    for (const ResultRow& row : results())
        EXPECT_DOUBLE_EQ(*row.speedup_over_fixed_csr, 1) << row.schedule;
}

TEST_F(Collecting, PassesOverAScheduleDuringWhichTheProgramEndedThreeTimes) {
    request_.workloads = {"first"};
    request_.wanted = ListedConfigurations{};
    const PendingMeasurement in_flight{"first", "spmm dense=16", to_text(fixed_csr(Operator::SpMM, 2))};
    for (int attempt = 1; attempt <= 3; ++attempt)
        EXPECT_EQ(begin_attempt(*workspace_, in_flight), attempt);
    const auto summary = run();
    ASSERT_TRUE(summary.has_value());
    EXPECT_EQ(summary->failed, 1);
    ASSERT_EQ(summary->failures.size(), 1U);
    EXPECT_NE(results().front().reason.find("three times"), std::string::npos);
}

TEST_F(Collecting, TriesAScheduleAgainThatWasKilledTwice) {
    request_.workloads = {"first"};
    request_.wanted = ListedConfigurations{};
    const PendingMeasurement in_flight{"first", "spmm dense=16", to_text(fixed_csr(Operator::SpMM, 2))};
    EXPECT_EQ(begin_attempt(*workspace_, in_flight), 1);
    EXPECT_EQ(begin_attempt(*workspace_, in_flight), 2);
    EXPECT_EQ(run()->measured, 1);
}

TEST_F(Collecting, RefusesAnUnknownMatrixByName) {
    request_.workloads = {"third"};
    const auto summary = run();
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().fault, Fault::Input);
    EXPECT_NE(summary.error().message.find("'third'"), std::string::npos);
}

TEST_F(Collecting, StoresARefusedFormatAsAFailureWithItsReason) {
    request_.wanted = ListedConfigurations{{"1 1 1 i1 i0 k1 k0 j1 j0 1 1 1 1 i1 48 8"}};
    request_.most_bytes = 1 << 14;
    request_.workloads = {"first"};
    ASSERT_TRUE(run().has_value());
    const auto rows = results();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[1].status, MeasurementStatus::TooLarge);
    EXPECT_FALSE(rows[1].median_ms.has_value());
    EXPECT_FALSE(rows[1].reason.empty());
}

std::vector<std::string> texts_of(const std::vector<ResultRow>& rows) {
    std::vector<std::string> texts;
    for (const ResultRow& row : rows)
        texts.push_back(row.schedule);
    return texts;
}

TEST_F(Collecting, MeasuresTheBaselineFirstAndOnce) {
    request_.workloads = {"first"};
    request_.wanted = ListedConfigurations{
        {to_text(fixed_csr(Operator::SpMM, 48)), to_text(fixed_csr(Operator::SpMM, 48))}};
    ASSERT_TRUE(run().has_value());
    EXPECT_EQ(texts_of(results()), std::vector{to_text(fixed_csr(Operator::SpMM, 2))});
}

TEST_F(Collecting, GivesEachWorkloadItsOwnListAndTheOthersTheBaselineAlone) {
    request_.wanted = ConfigurationsByWorkload{{{"first", {"4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 48 8"}}}};
    ASSERT_TRUE(run().has_value());
    EXPECT_EQ(texts_of(results()), (std::vector<std::string>{to_text(fixed_csr(Operator::SpMM, 2)),
                                                             "4 4 16 i1 k1 j1 i0 k0 j0 1 1 0 1 i1 2 8",
                                                             to_text(fixed_csr(Operator::SpMM, 2))}));
}

TEST_F(Collecting, RefusesASamplerThatTheDomainHasNot) {
    request_.wanted = SampledConfigurations{"lucky", 6, 3};
    const auto summary = run();
    ASSERT_FALSE(summary.has_value());
    EXPECT_EQ(summary.error().message, "'lucky' is no sampler: expected waco or uniform");
}

using testing::TemporaryFolder;

TEST(MeasurementLock, IsTakenByOneAtATimeAndPassedOn) {
    const TemporaryFolder folder;
    const auto file = folder / "turn.lock";
    std::optional<Result<MeasurementLock>> first;
    first.emplace(MeasurementLock::take({}, {}, {}, file));
    ASSERT_TRUE(first->has_value());
    std::atomic<bool> waits = false;
    std::atomic<bool> has_it = false;
    std::jthread second([&] {
        const auto turn = MeasurementLock::take(
            {},
            [&] {
                waits = true;
                waits.notify_all();
            },
            {}, file);
        has_it = turn.has_value();
    });
    waits.wait(false);
    EXPECT_FALSE(has_it);
    first.reset();
    second.join();
    EXPECT_TRUE(has_it);
}

TEST(MeasurementLock, IsNotWaitedForWhenStopped) {
    const TemporaryFolder folder;
    const auto file = folder / "turn.lock";
    const auto first = MeasurementLock::take({}, {}, {}, file);
    std::stop_source source;
    source.request_stop();
    const auto second = MeasurementLock::take(source.get_token(), {}, {}, file);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().fault, Fault::Cancelled);
}

TEST(MeasurementLock, IsWaitedForNoLongerThanGiven) {
    const TemporaryFolder folder;
    const auto file = folder / "turn.lock";
    const auto first = MeasurementLock::take({}, {}, {}, file);
    bool waits = false;
    const auto second = MeasurementLock::take({}, [&] { waits = true; }, Seconds(0.05), file);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().fault, Fault::Limit);
    EXPECT_TRUE(second.error().message.ends_with("for the whole time budget")) << second.error().message;
    EXPECT_TRUE(waits);
}

TEST(MeasurementLock, SaysWhyThereIsNone) {
    const auto without = MeasurementLock::take({}, {}, {}, "/no/such/folder/turn.lock");
    ASSERT_TRUE(without.has_value());
    EXPECT_EQ(without->problem(), "/no/such/folder/turn.lock can't be opened (No such file or directory): "
                                  "other programs may measure at the same time");
    const testing::TemporaryFolder folder;
    std::filesystem::create_symlink(folder / "elsewhere", folder / "turn.lock");
    const auto of_link = MeasurementLock::take({}, {}, {}, folder / "turn.lock");
    ASSERT_TRUE(of_link.has_value());
    EXPECT_THAT(of_link->problem(), ::testing::HasSubstr("can't be opened (it is a link to another file): "));
}

TEST(MeasurementLock, IsOneForAllUsersAndFoldersOfTheComputer) {
    const std::filesystem::path before = MeasurementLock::default_file();
    ASSERT_EQ(::setenv("TMPDIR", "/var/tmp", 1), 0);
    EXPECT_EQ(MeasurementLock::default_file(), before);
    ::unsetenv("TMPDIR");
    ASSERT_EQ(::setenv(MeasurementLock::lock_variable, "/shared/turn.lock", 1), 0);
    EXPECT_EQ(MeasurementLock::default_file(), "/shared/turn.lock")
        << "for containers without a common folder";
    ::unsetenv(MeasurementLock::lock_variable);
    const auto file = std::filesystem::temp_directory_path() / fmt::format("sparsight-lock-{}", getpid());
    ASSERT_TRUE(MeasurementLock::take({}, {}, {}, file).has_value());
    const auto others = std::filesystem::status(file).permissions() & std::filesystem::perms::others_all;
    std::filesystem::remove(file);
    EXPECT_EQ(others, std::filesystem::perms::others_read | std::filesystem::perms::others_write);
}

TEST(MeasurementLock, FollowsNoLink) {
    const TemporaryFolder folder;
    std::filesystem::create_symlink(folder / "other", folder / "turn.lock");
    const auto turn = MeasurementLock::take({}, {}, {}, folder / "turn.lock");
    ASSERT_TRUE(turn.has_value());
    EXPECT_FALSE(turn->problem().empty());
    EXPECT_FALSE(std::filesystem::exists(folder / "other"));
}

} // namespace
} // namespace sparsight
