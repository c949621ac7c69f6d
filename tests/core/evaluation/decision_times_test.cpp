// What a table of decisions says, on times that are counted by hand.
#include "evaluation/decision_times.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Tile and unrolling decide, "copies" is always 1, and the last one has no time.
DecisionTimes small_table() {
    const std::vector<std::vector<std::string>> values{
        {"16", "on", "1"}, {"16", "off", "1"}, {"8", "on", "1"}, {"128", "on", "1"}, {"8", "", "1"}};
    return decision_times(values, std::vector<double>{1, 2, 8, 16});
}

TEST(DecisionTimesTest, ValuesAreSortedAsNumbersThenTextsThenNone) {
    const DecisionTimes times = small_table();
    ASSERT_THAT(times.scales, SizeIs(2));
    EXPECT_THAT(times.scales[0].values, ElementsAre("8", "16", "128"));
    EXPECT_THAT(times.scales[1].values, ElementsAre("off", "on", "")) << "the last one lacks the decision";
    EXPECT_EQ(times.constant, 1) << "one value everywhere tells nothing";
    EXPECT_EQ(times.rows, 5);
    EXPECT_EQ(times.timed, 4);
    EXPECT_EQ(times.place(3, 0), 2);
    EXPECT_EQ(times.place(4, 1), 2);
}

TEST(DecisionTimesTest, RowsMayEndEarly) {
    const std::vector<std::vector<std::string>> values{{"a", "1"}, {"b"}};
    const DecisionTimes times = decision_times(values, std::vector<double>{1, 2});
    ASSERT_THAT(times.scales, SizeIs(2));
    EXPECT_THAT(times.scales[1].values, ElementsAre("1", ""));
}

TEST(DecisionTimesTest, WithoutConfigurationsThereIsNothing) {
    const DecisionTimes times = decision_times({}, {});
    EXPECT_THAT(times.scales, IsEmpty());
    EXPECT_THAT(telling_scales(times, 3), IsEmpty());
    EXPECT_THAT(time_histogram({}).edges, IsEmpty());
}

/// The first decision makes all the difference, the second none, and the third names each configuration.
TEST(DecisionTimesTest, ADecisionExplainsWhatItsValueTellsOfTheTime) {
    std::vector<std::vector<std::string>> values;
    std::vector<double> milliseconds;
    for (int i = 0; i < 16; ++i) {
        values.push_back({i < 8 ? "fast" : "slow", std::to_string(i % 2), std::to_string(i)});
        milliseconds.push_back(i < 8 ? 1 : 10);
    }
    const DecisionTimes times = decision_times(values, milliseconds);
    EXPECT_NEAR(times.scales[0].explained, 1, 1e-12);
    EXPECT_NEAR(times.scales[1].explained, 0, 1e-12);
    EXPECT_EQ(times.scales[2].explained, 0) << "as many values as times explain nothing";
    EXPECT_THAT(telling_scales(times, 1), ElementsAre(0));
    EXPECT_THAT(telling_scales(times, 2), ElementsAre(0, 1));
    EXPECT_THAT(telling_scales(times, 9), ElementsAre(0, 1, 2)) << "in the order of the decisions";
}

TEST(DecisionTimesTest, APairOfValuesIsAsFastAsItsBestConfiguration) {
    const DecisionTimes times = small_table();
    std::vector<std::size_t> all(times.rows);
    std::iota(all.begin(), all.end(), std::size_t{0});
    const auto pairs = paired_times(times, 0, 1, all); // 8, 16, 128 across; off, on, none down
    ASSERT_THAT(pairs, SizeIs(9));
    EXPECT_EQ(pairs[1].fastest, 1) << "off and 16";
    EXPECT_EQ(pairs[3].fastest, 2) << "on and 8";
    EXPECT_EQ(pairs[4].fastest, 0);
    EXPECT_EQ(pairs[0].tried, 0) << "off and 8";
    EXPECT_EQ(pairs[6].tried, 1);
    EXPECT_EQ(pairs[6].fastest, std::nullopt) << "it was tried, and has no time";
    const auto some = paired_times(times, 0, 1, std::vector<std::size_t>{1, 2});
    EXPECT_EQ(some[4].tried, 0) << "the fastest is not among these rows";
    EXPECT_EQ(some[1].fastest, 1);
}

TEST(TimeHistogramTest, EdgesAreEqualFactorsApartAndEveryTimeIsCounted) {
    const std::vector<double> milliseconds{1, 1.5, 3, 10, 99, 100};
    const TimeHistogram histogram = time_histogram(milliseconds);
    ASSERT_THAT(histogram.counts, SizeIs(5));
    EXPECT_THAT(histogram.edges.back(), DoubleNear(100, 1e-9));
    EXPECT_THAT(histogram.edges[1] / histogram.edges[0], DoubleNear(std::pow(100, 0.2), 1e-9));
    EXPECT_THAT(histogram.counts, ElementsAre(2, 1, 1, 0, 2)) << "the longest is in the last one";
    EXPECT_EQ(histogram.bin_of(0.1), 0);
    EXPECT_EQ(histogram.bin_of(1e6), 4);
}

TEST(TimeHistogramTest, EqualTimesHaveOneBin) {
    const TimeHistogram histogram = time_histogram(std::vector<double>(9, 2.0));
    EXPECT_THAT(histogram.counts.front(), 9);
    EXPECT_GT(histogram.edges.back(), histogram.edges.front());
}

} // namespace
} // namespace sparsight
