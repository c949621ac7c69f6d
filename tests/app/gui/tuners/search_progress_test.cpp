// What is said of tuners that were compared, from events as the worker tells them.
#include "gui/tuners/search_progress.h"

#include <QJsonObject>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

QString point(const char* rule, int measurements, int seed, double regret) {
    return QStringLiteral(R"({"event":"point","rule":"%1","measurements":%2,"seed":%3,"regret":%4})")
        .arg(QLatin1String(rule))
        .arg(measurements)
        .arg(seed)
        .arg(regret);
}

TEST(SearchProgressTest, ALineHasTheMeanOfTheDrawsAndTheirExtremes) {
    const auto progress = SearchProgress::of(
        {QStringLiteral(R"({"event":"start"})"), point("scratch", 1, 1, 2), point("scratch", 1, 2, 1),
         point("scratch", 10, 1, 0.5), point("random", 1, 1, 3), QStringLiteral("damaged")});
    const auto lines = progress.lines();
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_THAT(lines[0].x, ElementsAre(1, 10));
    EXPECT_THAT(lines[0].y, ElementsAre(2.5, 1.5)) << "times over the fastest";
    EXPECT_THAT(lines[0].low, ElementsAre(2, 1.5));
    EXPECT_THAT(lines[0].high, ElementsAre(3, 1.5));
    EXPECT_EQ(progress.unmeasured(), std::nullopt);
}

TEST(SearchProgressTest, APointThatIsToldAgainCountsOnce) {
    SearchProgress progress = SearchProgress::of({point("random", 1, 1, 3)});
    EXPECT_FALSE(progress.add({{QStringLiteral("event"), QStringLiteral("point")},
                               {QStringLiteral("rule"), QStringLiteral("random")},
                               {QStringLiteral("measurements"), 1},
                               {QStringLiteral("seed"), 1},
                               {QStringLiteral("regret"), 3}}));
    EXPECT_EQ(progress.regret(QStringLiteral("random"), 1), 3);
}

TEST(SearchProgressTest, PointsThatWereKnownBeforeTheJobCount) {
    const auto progress = SearchProgress::of(
        {QStringLiteral(
             R"({"event":"start","known":[{"rule":"random","measurements":1,"seed":1,"regret":3}]})"),
         point("random", 10, 1, 1)});
    ASSERT_THAT(progress.lines(), SizeIs(1));
    EXPECT_THAT(progress.lines()[0].y, ElementsAre(4, 2));
}

TEST(SearchProgressTest, TheSentenceTellsWhatTransferSavesOverRandomSearch) {
    QStringList events{point("corrected", 10, 1, 0.04), point("random", 10, 1, 0.87)};
    EXPECT_EQ(SearchProgress::of({events.front()}).sentence(), QString()) << "nothing to compare with";
    EXPECT_THAT(
        SearchProgress::of(events).sentence().toStdString(),
        HasSubstr("Transfer takes 1.04× of the fastest time after 10 measurements, and random search 1.87×. "
                  "Random search is not that good after 10."));
    events << point("random", 70, 1, 0.03) << point("copy", 0, 1, 0.3);
    EXPECT_THAT(SearchProgress::of(events).sentence().toStdString(),
                HasSubstr("Random search needs up to 70 for the same."));
    EXPECT_EQ(SearchProgress::of(events).unmeasured(), 1.3);
    EXPECT_THAT(SearchProgress::of({point("corrected", 10, 1, 1), point("random", 10, 1, 0.5)})
                    .sentence()
                    .toStdString(),
                ::testing::Not(HasSubstr("needs")));
}

} // namespace
} // namespace sparsight
