#include "learning/runtime_rules.h"

#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double never = std::numeric_limits<double>::infinity();

/// Another schedule for each number.
SuperSchedule numbered(int number) {
    SuperSchedule schedule = fixed_csr(Operator::SpMM, 4);
    schedule.chunk = 64 + number;
    return schedule;
}

StoredRuntime ran(int number, double milliseconds, std::optional<double> spread = 0.01) {
    return {{}, numbered(number), MeasurementStatus::Measured, milliseconds, spread};
}
StoredRuntime gave_up(int number, double after) {
    return {{}, numbered(number), MeasurementStatus::GaveUp, after, 0.0};
}
StoredRuntime failed(int number, MeasurementStatus status = MeasurementStatus::Failed) {
    return {{}, numbered(number), status, {}, {}};
}

class RuntimeRulesTest : public ::testing::Test {
protected:
    MatrixRuntimes apply(const std::vector<StoredRuntime>& stored) {
        return apply_rules(stored, rules_, counts_);
    }

    RuntimeRules rules_;
    RuntimeCounts counts_;
};

TEST_F(RuntimeRulesTest, TakeTimesInTheOrderOfTheirRecording) {
    const auto taken = apply({ran(2, 3), ran(1, 5, 0.5)});
    EXPECT_THAT(taken.schedules, ElementsAre(numbered(2), numbered(1)));
    EXPECT_THAT(taken.milliseconds, ElementsAre(3, 5));
    EXPECT_THAT(taken.spreads, ElementsAre(0.01, 0.5));
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 2, .runtimes = 2}));
}

TEST_F(RuntimeRulesTest, TakeEveryKindOfFailureForSlowerThanAllThatRan) {
    const auto taken = apply({ran(1, 3), failed(2), failed(3, MeasurementStatus::TooLarge),
                              failed(4, MeasurementStatus::Mismatch)});
    EXPECT_THAT(taken.milliseconds, ElementsAre(3, never, never, never));
    EXPECT_THAT(taken.spreads, ElementsAre(0.01, 0, 0, 0))
        << "what did not run has no spread, but hides no other";
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 4, .runtimes = 4, .failed = 3}));
}

TEST_F(RuntimeRulesTest, DoNotOrderWhatRanLongerThanAGivenUpOneWaited) {
    const auto taken = apply({ran(1, 3), gave_up(2, 12), ran(3, 12), ran(4, 13), gave_up(5, 40)});
    EXPECT_THAT(taken.milliseconds, ElementsAre(3, never, 12, never, never));
    EXPECT_EQ(counts_,
              (RuntimeCounts{.measurements = 5, .runtimes = 5, .given_up = 2, .beyond_given_up = 1}));
}

TEST_F(RuntimeRulesTest, LeaveOutliersOutAndCountThem) {
    const auto taken = apply({ran(1, 3e-05), ran(2, 0.001), ran(3, 999.9), ran(4, 1000), ran(5, 372322)});
    EXPECT_THAT(taken.milliseconds, ElementsAre(0.001, 999.9));
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 5, .too_short = 1, .too_long = 2, .runtimes = 2}));
}

TEST_F(RuntimeRulesTest, KeepFixedCsrHoweverLongItTook) {
    const StoredRuntime baseline{{}, fixed_csr(Operator::SpMM, 4), MeasurementStatus::Measured, 5000, 1};
    const auto taken = apply({baseline, ran(1, 900), ran(2, 1500)});
    EXPECT_THAT(taken.milliseconds, ElementsAre(5000, 900));
    EXPECT_TRUE(is_fixed_csr(taken.schedules.front()));
}

TEST_F(RuntimeRulesTest, KeepTheFastestOfSchedulesThatMeanTheSame) {
    StoredRuntime other_words = ran(1, 2);
    std::swap(other_words.schedule.order[1], other_words.schedule.order[2]); // i0, which is not split
    ASSERT_NE(other_words.schedule, numbered(1));
    ASSERT_EQ(canonical(other_words.schedule), canonical(numbered(1)));
    const auto taken = apply({ran(1, 3), ran(2, 7), other_words});
    EXPECT_THAT(taken.schedules, ElementsAre(other_words.schedule, numbered(2)));
    EXPECT_THAT(taken.milliseconds, ElementsAre(2, 7));
    EXPECT_EQ(counts_.repeated, 1);
}

TEST_F(RuntimeRulesTest, KnowNoSpreadsWhereOneIsMissing) {
    EXPECT_THAT(apply({ran(1, 3), ran(2, 7, std::nullopt)}).spreads, IsEmpty());
}

TEST_F(RuntimeRulesTest, LeaveOutAMatrixWithoutTwoDifferentRuntimes) {
    for (const auto& stored :
         {std::vector<StoredRuntime>{}, std::vector{ran(1, 3)}, std::vector{ran(1, 3), ran(2, 3)},
          std::vector{failed(1), gave_up(2, 5)}, std::vector{ran(1, 3), ran(2, 2000)}})
        EXPECT_THAT(apply(stored).schedules, IsEmpty());
    EXPECT_EQ(counts_, (RuntimeCounts{.measurements = 7, .too_long = 1, .without_order = 6}));
    EXPECT_EQ(apply({ran(1, 3), failed(2)}).schedules.size(), 2U)
        << "one that ran and one that failed have an order";
}

TEST_F(RuntimeRulesTest, AccountForEveryMeasurement) {
    apply({ran(1, 3), gave_up(2, 12), ran(4, 13), ran(1, 2), failed(7), ran(8, 1e-6), ran(9, 1e6)});
    apply({ran(1, 3)});
    EXPECT_EQ(counts_.measurements, 8);
    EXPECT_EQ(counts_.too_short + counts_.too_long + counts_.repeated + counts_.without_order +
                  counts_.runtimes,
              counts_.measurements);
}

} // namespace
} // namespace sparsight
