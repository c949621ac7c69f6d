#include "search/portfolio.h"

#include "domains/sparse/schedule/schedule_space.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>

namespace sparsight {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Not;
using ::testing::SizeIs;

const ScheduleSpace spmm_space(Operator::SpMM, extents(Operator::SpMM, 500, 500, 64));

std::vector<std::uint32_t> portfolio(std::span<const SuperSchedule> schedules, std::span<const float> scores,
                                     const PortfolioSettings& settings = {}) {
    return choose_portfolio(spmm_space, configurations_of(schedules), scores, settings);
}

std::vector<ChosenPlace> hedged_portfolio(std::span<const SuperSchedule> schedules,
                                          std::span<const float> scores, std::span<const float> second,
                                          const PortfolioSettings& settings = {}) {
    return choose_hedged_portfolio(spmm_space, configurations_of(schedules), scores, second, settings);
}

std::vector<SuperSchedule> some_schedules(std::size_t count, Random& random) {
    return schedules_of(spmm_space.sample(count, random), 2);
}

/// Chunks that differ little, and one schedule that is altogether different.
std::vector<SuperSchedule> crowd_and_stranger() {
    std::vector<SuperSchedule> schedules;
    for (const int chunk : {32, 33, 34, 35, 36, 37}) {
        schedules.push_back(canonical(fixed_csr(Operator::SpMM, 2)));
        schedules.back().chunk = chunk;
    }
    SuperSchedule stranger = schedules.front();
    stranger.splits = {8, 4, 32};
    stranger.formats = {LevelFormat::Compressed, LevelFormat::Uncompressed, LevelFormat::Compressed,
                        LevelFormat::Uncompressed};
    schedules.push_back(canonical(stranger));
    return schedules;
}

TEST(Portfolio, TakesAStrangerBeforeTheThirdOfACrowd) {
    const std::vector<float> scores{1.0F, 1.01F, 1.02F, 1.03F, 1.04F, 1.05F, 1.3F};
    EXPECT_THAT(portfolio(crowd_and_stranger(), scores, {.k = 2}), ElementsAre(0, 6))
        << "where the first disappoints, so does the second";
    EXPECT_THAT(portfolio(crowd_and_stranger(), scores, {.k = 2, .error = 0.01}), ElementsAre(0, 1))
        << "unless scores can be relied on";
}

TEST(Portfolio, LeavesOutWhatIsHopelesslySlow) {
    const std::vector<float> scores{1.0F, 1.01F, 1.02F, 1.03F, 1.04F, 1.05F, 30.0F};
    EXPECT_THAT(portfolio(crowd_and_stranger(), scores, {.k = 4}), Not(Contains(6)));
}

TEST(Portfolio, TakesNothingHopelessHoweverFewOfTheGoodOnesItMayTake) {
    Random random(11);
    const auto schedules = some_schedules(300, random);
    std::vector<float> scores;
    for (std::size_t at = 0; at < schedules.size(); ++at)
        scores.push_back(static_cast<float>(at % 2 == 0 ? -17 + 0.5 * random.uniform() : -10));
    for (const std::size_t k : {2U, 3U, 20U})
        for (const std::uint32_t place : portfolio(schedules, scores, {.k = k}))
            EXPECT_LT(scores[place], -15) << "of " << k;
}

TEST(Portfolio, IsChosenAmongTheOthersWhereAScoreIsNoNumber) {
    auto schedules = crowd_and_stranger();
    schedules.push_back(schedules.back());
    schedules.back().chunk = 1;
    for (const float none :
         {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        const std::vector<float> scores{1.0F, 1.01F, 1.02F, 1.03F, 1.04F, 1.05F, 1.3F, none};
        EXPECT_THAT(portfolio(schedules, scores, {.k = 2}), ElementsAre(0, 6));
        EXPECT_EQ(portfolio(schedules, scores, {.k = 8}).back(), 7U) << "last where all are taken";
    }
}

TEST(Portfolio, BeginsWithTheBestAndIsInTheOrderOfScores) {
    Random random(5);
    const auto schedules = some_schedules(200, random);
    std::vector<float> scores;
    for (std::size_t at = 0; at < schedules.size(); ++at)
        scores.push_back(static_cast<float>(random.normal()));
    const auto chosen = portfolio(schedules, scores);
    ASSERT_EQ(chosen.size(), 20U);
    EXPECT_EQ(chosen.front(), std::ranges::min_element(scores) - scores.begin());
    EXPECT_TRUE(std::ranges::is_sorted(chosen, {}, [&](std::uint32_t place) { return scores[place]; }));
    EXPECT_EQ(portfolio(schedules, scores), chosen);
    EXPECT_THAT(portfolio(std::span(schedules).first(3), std::span(scores).first(3)).size(), 3U);
    EXPECT_TRUE(portfolio({}, {}).empty());
}

TEST(Portfolio, IsFasterAtItsBestThanTheFirstKWhereSchedulesThatAreAlikeDisappointTogether) {
    Random random(7);
    const auto kinds = some_schedules(12, random);
    std::vector<SuperSchedule> schedules;
    for (const SuperSchedule& kind : kinds)
        for (const int chunk : {32, 34, 36, 38, 40, 42, 44, 46}) {
            schedules.push_back(kind);
            schedules.back().chunk = chunk;
        }
    const PortfolioSettings settings{.k = 5};
    double gained = 0;
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<float> scores;
        std::vector<double> truth;
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            const double score = random.normal();
            const double error = settings.error * random.normal();
            for (std::size_t member = 0; member < schedules.size() / kinds.size(); ++member) {
                scores.push_back(static_cast<float>(score + 0.05 * random.normal()));
                truth.push_back(static_cast<double>(scores.back()) + error);
            }
        }
        const auto best_of = [&](const std::vector<std::uint32_t>& places) {
            double least = truth[places.front()];
            for (const std::uint32_t place : places)
                least = std::min(least, truth[place]);
            return least;
        };
        std::vector<std::uint32_t> first(schedules.size());
        std::iota(first.begin(), first.end(), 0U);
        std::ranges::sort(first, {}, [&](std::uint32_t place) { return scores[place]; });
        first.resize(settings.k);
        gained += best_of(first) - best_of(portfolio(schedules, scores, settings));
    }
    EXPECT_GT(gained / 100, 0.1);
}

TEST(HedgedPortfolio, GivesAQuarterOfThePlacesToTheSecondScore) {
    Random random(3);
    const auto schedules = some_schedules(400, random);
    std::vector<float> second;
    for (std::size_t at = 0; at < schedules.size(); ++at)
        second.push_back(static_cast<float>(random.normal()));
    std::vector<float> scores = second;
    const auto best = static_cast<std::size_t>(std::ranges::min_element(second) - second.begin());
    scores[best] += 1000; // what the first score adds is sure, and wrong
    const auto hedged = hedged_portfolio(schedules, scores, second);
    EXPECT_EQ(hedged.size(), 20U);
    EXPECT_THAT(hedged, Contains(Field(&ChosenPlace::place, best)));
    EXPECT_THAT(portfolio(schedules, scores), Not(Contains(best)));
    EXPECT_TRUE(
        std::ranges::is_sorted(hedged, {}, [&](const ChosenPlace& each) { return scores[each.place]; }));
    EXPECT_THAT(hedged_portfolio(std::span(schedules).first(18), std::span(scores).first(18),
                                 std::span(second).first(18)),
                AllOf(SizeIs(18), Each(Field(&ChosenPlace::by, ChosenBy::Score))))
        << "where there are few, all of them, each once";
}

TEST(HedgedPortfolio, SaysWhyEachIsChosen) {
    auto schedules = crowd_and_stranger();
    for (int other = 0; other < 20; ++other) {
        schedules.push_back(schedules[6]);
        schedules.back().chunk = 64 + other;
    }
    std::vector<float> scores{1.0F, 1.001F, 1.002F, 1.003F, 1.004F, 1.005F, 1.3F};
    std::vector<float> second(schedules.size(), 5.0F);
    for (int other = 0; other < 20; ++other)
        scores.push_back(static_cast<float>(40 + other));
    second.back() = 0.0F;
    const auto chosen = hedged_portfolio(schedules, scores, second, {.k = 4});
    ASSERT_THAT(chosen, SizeIs(4));
    EXPECT_EQ(chosen.front(), (ChosenPlace{0, ChosenBy::Score}));
    EXPECT_THAT(chosen, Contains(ChosenPlace{6, ChosenBy::Difference}))
        << "others score better, and are like the first";
    EXPECT_EQ(chosen.back(),
              (ChosenPlace{static_cast<std::uint32_t>(schedules.size() - 1), ChosenBy::Second}));
    const std::size_t taken_in_any_case =
        static_cast<std::size_t>(std::ranges::count(chosen, ChosenBy::Score, &ChosenPlace::by));
    for (std::size_t at = 0; at < taken_in_any_case; ++at)
        EXPECT_LT(chosen[at].place, 3U) << "of the three places by the score";
}

TEST(HedgedPortfolio, OneThatIsLeftOutMakesNoHedgesOfThoseBehindIt) {
    auto schedules = crowd_and_stranger();
    SuperSchedule other = schedules.front();
    other.splits = {1, 8, 4};
    schedules[2] = canonical(other); // the second is like the first, the third is not
    const std::vector<float> scores{1.0F, 1.001F, 1.01F, 9.0F, 9.1F, 9.2F, 1.3F};
    const auto chosen = hedged_portfolio(schedules, scores, {}, {.k = 3});
    EXPECT_THAT(chosen, ElementsAre(ChosenPlace{0, ChosenBy::Score}, ChosenPlace{2, ChosenBy::Score},
                                    ChosenPlace{6, ChosenBy::Difference}))
        << "the third would be among three by the score alone, too; without a second score nothing is kept "
           "for it";
}

} // namespace
} // namespace sparsight
