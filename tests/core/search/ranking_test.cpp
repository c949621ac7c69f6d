#include "search/ranking.h"

#include <gmock/gmock.h>
#include <limits>
#include <span>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Ranked> best_of_all(std::size_t limit, std::span<const float> scores) {
    BestRanked best(limit);
    for (std::uint32_t at = 0; at < scores.size(); ++at)
        (void)best.offer({at, comparable(scores[at])});
    return best.take();
}

TEST(Ranking, KeepsTheLowestScoresInTheirOrder) {
    const std::vector<float> scores{5, 1, 4, 2, 3};
    EXPECT_THAT(best_of_all(3, scores), ElementsAre(Ranked{1, 1}, Ranked{3, 2}, Ranked{4, 3}));
}

TEST(Ranking, PrefersTheEarlierOfEqualScoresWhereverTheyComeFrom) {
    const std::vector<float> scores{2, 1, 2, 1, 2, 2};
    EXPECT_THAT(best_of_all(3, scores), ElementsAre(Ranked{1, 1}, Ranked{3, 1}, Ranked{0, 2}));
    BestRanked backwards(2);
    for (std::uint32_t at = 6; at-- > 0;)
        (void)backwards.offer({at, 7});
    EXPECT_THAT(backwards.take(), ElementsAre(Ranked{0, 7}, Ranked{1, 7}));
}

TEST(Ranking, GivesAllWhereThereAreFewerThanAskedFor) {
    EXPECT_THAT(best_of_all(9, std::vector<float>{2, 1}), ElementsAre(Ranked{1, 1}, Ranked{0, 2}));
    EXPECT_THAT(best_of_all(9, {}), IsEmpty());
    EXPECT_THAT(best_of_all(0, std::vector<float>{2, 1}), IsEmpty());
}

TEST(Ranking, PutsAScoreThatIsNoNumberLast) {
    const float no_number = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Ranked> best = best_of_all(2, std::vector<float>{no_number, 3, no_number, 9});
    EXPECT_THAT(best, ElementsAre(Ranked{1, 3}, Ranked{3, 9}));
}

TEST(Ranking, SaysWhatIsStillAmongTheBest) {
    BestRanked best(2);
    EXPECT_FALSE(best.holds({0, 1}));
    EXPECT_TRUE(best.offer({0, 5}));
    EXPECT_TRUE(best.offer({1, 4}));
    EXPECT_TRUE(best.holds({0, 5}));
    EXPECT_TRUE(best.offer({2, 3}));
    EXPECT_FALSE(best.holds({0, 5}));
    EXPECT_FALSE(best.offer({3, 6}));
}

TEST(Recall, CountsWhatIsAsGoodAsTheTrueBest) {
    const std::vector<Ranked> exact{{4, 1}, {7, 2}, {8, 2}, {9, 2}};
    EXPECT_EQ(recall(exact, exact), 1);
    EXPECT_EQ(recall({{4, 1}, {7, 2}, {8, 2}, {50, 2}}, exact), 1) << "an equal score is as good";
    EXPECT_EQ(recall({{4, 1}, {7, 2}, {60, 3}, {61, 4}}, exact), 0.5);
    EXPECT_EQ(recall({}, exact), 0);
    EXPECT_EQ(recall({}, {}), 1);
}

} // namespace
} // namespace sparsight
