#include "collection/measuring_domain.h"
#include "domains/sparse/explanation/measured_clock.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "evaluation/diagnosis/blame.h"
#include "store/workspace.h"
#include "support/spmm_schedule.h"
#include "support/test_files.h"

#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using testing::spmm;

Measurement outcome(MeasurementStatus status, double milliseconds, std::string reason) {
    Measurement measurement;
    measurement.status = status;
    measurement.median = Milliseconds(milliseconds);
    measurement.reason = std::move(reason);
    return measurement;
}

/// A small matrix in a workspace, measured with one thread.
class MeasuredHybrids : public ::testing::Test {
protected:
    testing::TemporaryFolder folder;
    Workspace workspace = *Workspace::create(folder / "test.sparsight", "test");
    CsrPattern pattern = *generate_matrix("uniform", {{"rows", 64}, {"cols", 64}}, 1);
    KernelInputs workload = *KernelInputs::make(pattern, Operator::SpMM, 8, 1);
    KernelCompiler compiler = *KernelCompiler::make();
    Team team{1};
    MeasurementSetting setting{*record_matrix(), *record_machine(workspace, "here", "0123456789abcdef", "{}"),
                               8, "adaptive"};

    const SuperSchedule csr = canonical(fixed_csr(Operator::SpMM, 1));
    const SuperSchedule other = spmm("2 1 8 i1 i0 k1 k0 j1 j0 0 1 0 1 i1 1 8");

    Result<WorkloadId> record_matrix();

    MeasurementStore store() {
        return {&workspace, setting, "small",
                *known_times(workspace, *make_sparse_domain(),
                             {.matrix = "small", .op = Operator::SpMM, .dense = 8, .threads = 1})};
    }
    MeasuredClock clock() { return {workload, compiler, team, store()}; }
};

Result<WorkloadId> MeasuredHybrids::record_matrix() {
    return add_matrix(workspace, {"small", "made by the test", {}}, pattern);
}

TEST_F(MeasuredHybrids, AreStoredAsACollectionStoresThem) {
    auto first = clock();
    const auto time = first.time(configuration_of(csr));
    ASSERT_TRUE(time) << time.error().text();
    ASSERT_TRUE(time->milliseconds);
    EXPECT_GT(*time->milliseconds, 0);
    EXPECT_EQ(first.measured(), 1U);
    const auto stored = *find_measurement(workspace, setting, csr);
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->median.count(), *time->milliseconds);
    EXPECT_GE(time->spread_ms, stored->spread.count()) << "two standard errors of few runs";
}

TEST_F(MeasuredHybrids, AreNotMeasuredTwice) {
    auto first = clock();
    const auto time = *first.time(configuration_of(other));
    EXPECT_EQ(first.time(configuration_of(other))->milliseconds, time.milliseconds);
    EXPECT_EQ(first.measured(), 1U);

    auto again = clock();
    EXPECT_EQ(again.time(configuration_of(other))->milliseconds, time.milliseconds);
    EXPECT_EQ(again.measured(), 0U);
    EXPECT_EQ(again.reused(), 1U);
}

TEST_F(MeasuredHybrids, AreTheSameWhateverThreadsTheScheduleAsksFor) {
    auto first = clock();
    SuperSchedule of_a_server = csr;
    of_a_server.threads = 48;
    const auto time = *first.time(configuration_of(of_a_server));
    EXPECT_EQ(first.time(configuration_of(csr))->milliseconds, time.milliseconds);
    EXPECT_EQ(first.measured(), 1U);
}

// The dense index has 8 columns: split by 4 or not, its loop is one.
TEST_F(MeasuredHybrids, ThatAreOneProgramHaveOneTime) {
    auto first = clock();
    const auto time = *first.time(configuration_of(csr));
    EXPECT_EQ(first.time(configuration_of(spmm("1 1 4 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 1 32")))->milliseconds,
              time.milliseconds);
    EXPECT_EQ(first.measured(), 1U);
}

// What was measured of one program differs by what disturbed it: the fastest stands for all.
TEST_F(MeasuredHybrids, ThatAreOneProgramHaveTheShorterOfTheStoredTimes) {
    const auto split = spmm("1 1 4 i1 i0 k1 k0 j1 j0 1 1 0 1 i1 1 32");
    ASSERT_TRUE(record_measurement(workspace, setting, csr, outcome(MeasurementStatus::Measured, 3, "")));
    ASSERT_TRUE(record_measurement(workspace, setting, split, outcome(MeasurementStatus::Measured, 2, "")));
    auto first = clock();
    EXPECT_EQ(first.time(configuration_of(csr))->milliseconds, 2);
    EXPECT_EQ(first.time(configuration_of(split))->milliseconds, 2);
    EXPECT_EQ(first.measured(), 0U);
}

TEST_F(MeasuredHybrids, ThatCannotBeBuiltHaveAReasonInsteadOfATime) {
    ASSERT_TRUE(record_measurement(workspace, setting, other,
                                   outcome(MeasurementStatus::TooLarge, 0, "it needs 9 TiB")));
    auto first = clock();
    const auto time = *first.time(configuration_of(other));
    EXPECT_FALSE(time.milliseconds);
    EXPECT_THAT(time.reason, HasSubstr("9 TiB"));
}

TEST_F(MeasuredHybrids, ThatWereGivenUpTakeAtLeastAsLong) {
    ASSERT_TRUE(record_measurement(workspace, setting, other, outcome(MeasurementStatus::GaveUp, 50, "")));
    auto first = clock();
    const auto time = *first.time(configuration_of(other));
    EXPECT_EQ(time.milliseconds, 50);
    EXPECT_TRUE(time.is_at_least);
}

// What is stored as given up serves learning, too: a schedule of 3 s is one that a collection measures.
TEST_F(MeasuredHybrids, AreNotGivenUpWhereACollectionGoesOn) {
    Milliseconds now{0};
    MeasuredClock patient(workload, compiler, team, store(), {}, [&] { return now += Seconds(3); });
    const auto time = *patient.time(configuration_of(other));
    EXPECT_EQ(time.milliseconds, 3000);
    EXPECT_FALSE(time.is_at_least);
    EXPECT_EQ((*find_measurement(workspace, setting, other))->status, MeasurementStatus::Measured);
}

TEST_F(MeasuredHybrids, ThatTookTheProgramDownThreeTimesAreLeftAlone) {
    for (int attempt = 0; attempt < 3; ++attempt)
        ASSERT_TRUE(begin_attempt(workspace, {"small", "spmm dense=8", to_text(other)}));
    auto first = clock();
    const auto time = *first.time(configuration_of(other));
    EXPECT_FALSE(time.milliseconds);
    EXPECT_THAT(time.reason, HasSubstr("ended three times"));
}

// Who stops an explanation does so while something is measured.
TEST_F(MeasuredHybrids, ThatWereStoppedAreMeasuredTheNextTime) {
    for (int attempt = 0; attempt < 3; ++attempt) {
        std::stop_source source;
        MeasuredClock stopped(workload, compiler, team, store(), source.get_token());
        source.request_stop();
        const auto time = stopped.time(configuration_of(other));
        ASSERT_FALSE(time);
        EXPECT_EQ(time.error().fault, Fault::Cancelled);
    }
    auto last = clock();
    EXPECT_TRUE(last.time(configuration_of(other))->milliseconds);
}

TEST_F(MeasuredHybrids, AreTheMedianOfTheirTurnsWhichIsStored) {
    auto first = clock();
    std::vector<Milliseconds> turns{Milliseconds(*first.time(configuration_of(other))->milliseconds)};
    for (int turn = 0; turn < 4; ++turn)
        turns.push_back(**first.measure_again(configuration_of(other)));
    const auto time = *first.time(configuration_of(other));
    EXPECT_EQ(time.turns, 5);
    EXPECT_EQ(*time.milliseconds, median_of(turns).count());
    EXPECT_EQ(first.measured(), 1U);
    EXPECT_EQ(first.repeated(), 4U);
    const auto stored = *find_measurement(workspace, setting, other);
    EXPECT_EQ(stored->median.count(), *time.milliseconds);
    EXPECT_EQ(stored->repeats, 5);
}

// Yesterday's time is what today's is compared with, not an interim median of today.
TEST_F(MeasuredHybrids, LeaveTheTimeOfBeforeTheirFirstTurnAsTheEarlierOne) {
    ASSERT_TRUE(record_measurement(workspace, setting, other, outcome(MeasurementStatus::Measured, 1000, ""),
                                   std::nullopt, "2026-11-20T00:00:00.000Z"));
    MeasurementStore anew = store();
    anew.known = {}; // as where all is measured again
    MeasuredClock first(workload, compiler, team, std::move(anew));
    ASSERT_TRUE(first.time(configuration_of(other))->milliseconds);
    for (int turn = 0; turn < 4; ++turn) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2)); // dates have milliseconds
        ASSERT_TRUE(*first.measure_again(configuration_of(other)));
    }
    ASSERT_EQ((*find_measurement(workspace, setting, other))->repeats, 5);
    const auto earlier = *list_earlier_results(workspace, {.domain = "sparse"});
    ASSERT_EQ(earlier.size(), 1U);
    EXPECT_EQ(earlier[0].median_ms, 1000.0);
}

// Times of a collection are compared with each other; one that was taken an hour later would not belong to
// them.
TEST_F(MeasuredHybrids, ThatWereStoredBeforeStayAsTheyWereStored) {
    ASSERT_TRUE(
        record_measurement(workspace, setting, other, outcome(MeasurementStatus::Measured, 1000, "")));
    auto first = clock();
    const auto kept = *first.time(configuration_of(other));
    EXPECT_EQ(kept.milliseconds, 1000);
    EXPECT_GE(kept.spread_ms, 100) << "the computer was another one an hour ago";
    for (int turn = 0; turn < 3; ++turn)
        ASSERT_TRUE(*first.measure_again(configuration_of(other)));
    EXPECT_LT(*first.time(configuration_of(other))->milliseconds, 1000)
        << "the turns count, what was stored no more";
    EXPECT_EQ((*find_measurement(workspace, setting, other))->median.count(), 1000);
    EXPECT_EQ(first.measured(), 0U);
    EXPECT_EQ(first.repeated(), 3U);
}

// The computer may be slower now than when the one was stored.
TEST_F(MeasuredHybrids, AreNotHeldAgainstWhatWasStoredAtAnotherMoment) {
    ASSERT_TRUE(record_measurement(workspace, setting, csr, outcome(MeasurementStatus::Measured, 20, "")));
    auto first = clock();
    EXPECT_EQ(first.time(configuration_of(csr))->turns, 0);
    BlameOptions options;
    options.budget = Seconds(2);
    const auto blame = *find_blame(*ScheduleHybrids::make(csr, other), first, options);
    EXPECT_GE(blame.from.turns, 2);
    EXPECT_LT(*blame.from.milliseconds, 20);
}

TEST_F(MeasuredHybrids, ThatHaveNoTimeAreNotMeasuredAgain) {
    ASSERT_TRUE(record_measurement(workspace, setting, other,
                                   outcome(MeasurementStatus::TooLarge, 0, "it needs 9 TiB")));
    auto first = clock();
    EXPECT_EQ(*first.measure_again(configuration_of(other)), std::nullopt);
    EXPECT_EQ(first.repeated(), 0U);
}

TEST_F(MeasuredHybrids, WithoutAStoreLiveAsLongAsTheEvaluator) {
    MeasuredClock first(workload, compiler, team, std::nullopt);
    EXPECT_TRUE(first.time(configuration_of(csr))->milliseconds);
    EXPECT_EQ(*count_measurements(workspace), 0);
}

TEST_F(MeasuredHybrids, ShareTheMeasuredDifferenceOutWithoutARest) {
    auto first = clock();
    const auto blame = find_blame(*ScheduleHybrids::make(csr, other), first);
    ASSERT_TRUE(blame) << blame.error().text();
    EXPECT_EQ(blame->shares.size(), 4U);
    EXPECT_EQ(blame->counts.asked, 16U);
    double sum = 0;
    for (const DecisionShare& share : blame->shares)
        sum += share.milliseconds;
    EXPECT_NEAR(sum, blame->difference_ms(), 1e-12);
    EXPECT_EQ(static_cast<std::size_t>(*count_measurements(workspace)), blame->counts.programs);
}

ResultRecord stored(double milliseconds, double spread) {
    ResultRecord row;
    row.status = MeasurementStatus::Measured;
    row.median_ms = milliseconds;
    row.spread_ms = spread;
    return row;
}

ClockTime now(double milliseconds, double spread, int turns = 9) {
    return {.milliseconds = milliseconds, .spread_ms = spread, .turns = turns};
}

TEST(MachineTimeDrift, IsOneThatContradictsTheStoredTimeByFarMoreThanBothErrors) {
    const ResultRecord row = stored(0.09, 0.004);
    const auto moved = machine_time_drift(&row, now(0.1676, 0.005));
    ASSERT_TRUE(moved);
    EXPECT_EQ(to_text(*moved, "the schedule"),
              "the computer was slower than when the schedule was measured before: 0.168 against 0.09 ms");
    const auto faster = machine_time_drift(&row, now(0.05, 0.001));
    ASSERT_TRUE(faster);
    EXPECT_FALSE(faster->is_slower());
}

TEST(MachineTimeDrift, IsNoneWithinTheErrorsOrAQuarter) {
    const ResultRecord row = stored(0.09, 0.004);
    EXPECT_FALSE(machine_time_drift(&row, now(0.11, 0.001))) << "no quarter longer";
    EXPECT_FALSE(machine_time_drift(&row, now(0.16, 0.05))) << "within twice the errors";
}

TEST(MachineTimeDrift, IsNoneWhereNothingWasMeasuredTwice) {
    ResultRecord row = stored(0.09, 0.004);
    EXPECT_FALSE(machine_time_drift(nullptr, now(0.2, 0)));
    EXPECT_FALSE(machine_time_drift(&row, now(0.2, 0, 0))) << "that is the stored time";
    row.status = MeasurementStatus::GaveUp;
    EXPECT_FALSE(machine_time_drift(&row, now(0.2, 0)));
}

} // namespace
} // namespace sparsight
