// What the plots of decisions show, on times that are counted by hand.
#include "gui/decisions/decision_pictures.h"
#include "gui/page/domain_words.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const Noun& noun() {
    static const Noun configuration{"configuration", "configurations"};
    return configuration;
}

void add(TimeSet& set, const char* text, QStringList values, std::optional<double> milliseconds) {
    ConfigurationTime time;
    time.result.configuration = text;
    time.result.median_ms = milliseconds;
    time.values = std::move(values);
    if (milliseconds) {
        time.rank = static_cast<int>(set.times.size()) + 1;
        time.ratio = *milliseconds / set.times.front().result.median_ms.value_or(*milliseconds);
    }
    set.times.push_back(std::move(time));
}

/// Tile, unrolling, and a decision that is always the same.
TimeSet small_set() {
    TimeSet set;
    set.decisions = {{"tile", QStringLiteral("tile")},
                     {"unroll", QStringLiteral("unroll")},
                     {"copies", QStringLiteral("copies")}};
    ConfigurationTime best;
    best.rank = 1;
    best.ratio = 1;
    best.result.configuration = "a";
    best.result.median_ms = 2;
    best.values = {QStringLiteral("16"), QStringLiteral("on"), QStringLiteral("1")};
    set.times = {best};
    add(set, "b", {QStringLiteral("16"), QString(), QStringLiteral("1")}, 4);
    add(set, "c", {QStringLiteral("8"), QStringLiteral("on"), QStringLiteral("1")}, 6);
    add(set, "d", {QStringLiteral("8"), QStringLiteral("off"), QStringLiteral("1")}, std::nullopt);
    return set;
}

TEST(DecisionPicturesTest, EveryConfigurationWithATimeIsALine) {
    const ParallelPicture picture = lines_picture(decision_space(small_set()), noun());
    ASSERT_THAT(picture.axes, SizeIs(2)) << "a decision with one value tells nothing";
    EXPECT_THAT(picture.axes[0].values, ElementsAre(QStringLiteral("8"), QStringLiteral("16")));
    EXPECT_THAT(picture.axes[1].values,
                ElementsAre(QStringLiteral("off"), QStringLiteral("on"), QStringLiteral("none")));
    ASSERT_THAT(picture.lines, SizeIs(3));
    EXPECT_EQ(picture.lines[2].measure, 6);
    EXPECT_THAT(picture.places, ElementsAre(1, 1, 1, 2, 0, 1));
    EXPECT_TRUE(picture.measure.logarithmic);
    EXPECT_THAT(picture.note.toStdString(), HasSubstr("Left out, as they have no time: 1 configuration."));
    EXPECT_THAT(picture.note.toStdString(), HasSubstr("Decisions with one value, left out: 1."));
}

TEST(DecisionPicturesTest, APairOfValuesIsAsFastAsItsFastestConfiguration) {
    const DecisionSpace space = decision_space(small_set());
    const auto pair = telling_pair(space);
    ASSERT_TRUE(pair.has_value());
    EXPECT_EQ(*pair, (DecisionPair{0, 1}));
    const HeatPicture picture = pair_picture(space, space.all_rows(), *pair, noun());
    ASSERT_THAT(picture.values, SizeIs(6));
    EXPECT_EQ(picture.value({1, 1}), 1) << "16 and on";
    EXPECT_EQ(picture.value({1, 2}), 2) << "16 without the decision";
    EXPECT_EQ(picture.value({0, 1}), 3);
    EXPECT_TRUE(std::isinf(picture.value({0, 0}))) << "tried, and without a time";
    EXPECT_TRUE(std::isnan(picture.value({1, 0})));
    EXPECT_EQ(picture.notes[picture.place({1, 0})].toStdString(), "never tried");
    EXPECT_EQ(picture.bad, 3);
    EXPECT_EQ(fastest_of(space, space.all_rows(), *pair, {0, 1}).toStdString(), "c");
    EXPECT_EQ(fastest_of(space, space.all_rows(), *pair, {0, 0}).toStdString(), "");
    EXPECT_EQ(cell_of(space, *pair, QStringLiteral("b")), (MapCell{1, 2}));
    EXPECT_EQ(cell_of(space, *pair, QStringLiteral("z")), std::nullopt);
}

TEST(DecisionPicturesTest, TheDistributionMarksTheFastestAndTheSelected) {
    const DecisionSpace space = decision_space(small_set());
    const auto series = time_distribution(space, space.all_rows(), QStringLiteral("c"), noun());
    ASSERT_THAT(series, SizeIs(3));
    double counted = 0;
    for (const double count : std::get<Histogram>(series[0]).counts)
        counted += count;
    EXPECT_EQ(counted, 3);
    EXPECT_EQ(std::get<ScatterSeries>(series[1]).points[0].x, 2);
    EXPECT_EQ(std::get<ScatterSeries>(series[2]).points[0].x, 6);
    EXPECT_EQ(std::get<ScatterSeries>(series[2]).points[0].key.toString(), QStringLiteral("c"));
    EXPECT_THAT(time_distribution(space, space.all_rows(), QStringLiteral("d"), noun()), SizeIs(2))
        << "d has no time";
    EXPECT_THAT(time_distribution(decision_space({}), {}, {}, noun()), SizeIs(0));
}

} // namespace
} // namespace sparsight
