#include "evaluation/diagnosis/shapley.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <numeric>

namespace sparsight {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr double rounding = 1e-12;

std::vector<bool> all_known(std::size_t players) {
    return std::vector<bool>(std::size_t{1} << players, true);
}

template <typename Value>
std::vector<double> game(std::size_t players, Value value) {
    std::vector<double> values;
    values.reserve(std::size_t{1} << players);
    for (Coalition each = 0; each < Coalition{1} << players; ++each)
        values.push_back(value(each));
    return values;
}

std::vector<double> random_game(std::size_t players, std::uint64_t seed) {
    Random random(seed);
    return game(players, [&](Coalition) { return 100 * random.uniform(); });
}

double sum(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

// Shapley's own example: a left glove is worth nothing without a right one, and there are two left ones.
TEST(Shapley, SharesTheGlovesAsItsInventorDid) {
    const auto gloves =
        game(3, [](Coalition each) { return (each & 1) != 0 && (each & 6) != 0 ? 1.0 : 0.0; });
    const auto shares = ShapleyShares::exact(3, all_known(3)).of(gloves);
    EXPECT_THAT(shares, ElementsAre(DoubleNear(4.0 / 6, rounding), DoubleNear(1.0 / 6, rounding),
                                    DoubleNear(1.0 / 6, rounding)));
}

TEST(Shapley, SharesAddUpToTheWholeWhateverTheGame) {
    for (const std::size_t players : {1U, 2U, 5U, 8U}) {
        const auto values = random_game(players, players);
        const auto shares = ShapleyShares::exact(players, all_known(players)).of(values);
        EXPECT_NEAR(sum(shares), values.back() - values.front(), 1e-10) << players << " players";
    }
}

TEST(Shapley, TreatsPlayersAlikeWhoAreAlike) {
    const auto by_size = game(6, [](Coalition each) { return std::pow(std::popcount(each), 3); });
    const auto shares = ShapleyShares::exact(6, all_known(6)).of(by_size);
    EXPECT_THAT(shares, ::testing::Each(DoubleNear(36, 1e-10)));
}

TEST(Shapley, GivesNothingToWhoChangesNothing) {
    const auto others = random_game(4, 3);
    const auto with_idler = game(5, [&](Coalition each) { return others[each & 0b1111]; });
    const auto shares = ShapleyShares::exact(5, all_known(5)).of(with_idler);
    EXPECT_NEAR(shares[4], 0, rounding);
    const auto without = ShapleyShares::exact(4, all_known(4)).of(others);
    for (std::size_t player = 0; player < 4; ++player)
        EXPECT_NEAR(shares[player], without[player], 1e-10) << "an idler changes nothing for the others";
}

TEST(Shapley, OfTwoGamesTogetherIsTheSumOfBoth) {
    const auto one = random_game(5, 1);
    const auto other = random_game(5, 2);
    const auto both = game(5, [&](Coalition each) { return 2 * one[each] - 3 * other[each]; });
    const ShapleyShares shares = ShapleyShares::exact(5, all_known(5));
    for (std::size_t player = 0; player < 5; ++player)
        EXPECT_NEAR(shares.of(both)[player], 2 * shares.of(one)[player] - 3 * shares.of(other)[player],
                    1e-10);
}

TEST(Shapley, AgreesWithTheMeanOverAllOrders) {
    const auto values = random_game(5, 7);
    std::vector<std::vector<std::uint16_t>> orders;
    std::vector<std::uint16_t> order{0, 1, 2, 3, 4};
    do
        orders.push_back(order);
    while (std::ranges::next_permutation(order).found);
    EXPECT_THAT(ShapleyShares::of_orders(5, orders, 1, all_known(5), CoalitionList::all(5)).of(values),
                Pointwise(DoubleNear(1e-10), ShapleyShares::exact(5, all_known(5)).of(values)));
}

TEST(Shapley, DrawnOrdersAddUpAndLieWithinTheirErrors) {
    constexpr std::size_t players = 9;
    const auto exact = ShapleyShares::exact(players, all_known(players));
    int beyond = 0;
    int shares_in_all = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const auto values = random_game(players, seed);
        Random random(seed);
        const auto drawn =
            ShapleyShares::of_orders(players, draw_orders(players, 60, random), orders_per_draw,
                                     all_known(players), CoalitionList::all(players));
        EXPECT_EQ(drawn.samples(), 60U);
        EXPECT_NEAR(sum(drawn.of(values)), values.back() - values.front(), 1e-9);
        const auto errors = drawn.standard_errors(values);
        for (std::size_t player = 0; player < players; ++player) {
            EXPECT_GT(errors[player], 0);
            beyond += std::abs(drawn.of(values)[player] - exact.of(values)[player]) > 2 * errors[player];
            ++shares_in_all;
        }
    }
    // Of normal errors one in twenty would be.
    EXPECT_LT(beyond, shares_in_all / 8) << "the errors that are told are too small";
}

TEST(Shapley, MoreOrdersMakeTheErrorsSmaller) {
    const auto values = random_game(9, 1);
    const auto error_of = [&](std::size_t pairs) {
        Random random(5);
        const auto shares = ShapleyShares::of_orders(9, draw_orders(9, pairs, random), orders_per_draw,
                                                     all_known(9), CoalitionList::all(9));
        return sum(shares.standard_errors(values));
    };
    EXPECT_NEAR(error_of(400) / error_of(25), 0.25, 0.1);
}

TEST(Shapley, TellsNoErrorWhereNothingWasDrawnAndNoLimitAfterOneDraw) {
    const auto values = random_game(3, 1);
    EXPECT_THAT(ShapleyShares::exact(3, all_known(3)).standard_errors(values), ElementsAre(0, 0, 0));
    Random random(1);
    const auto once = ShapleyShares::of_orders(3, draw_orders(3, 1, random), orders_per_draw, all_known(3),
                                               CoalitionList::all(3));
    EXPECT_THAT(once.standard_errors(values), ::testing::Each(std::numeric_limits<double>::infinity()));
}

TEST(Shapley, LeavesOutOrdersThroughWhatIsUnknownAndStillAddsUp) {
    auto values = random_game(4, 11);
    auto known = all_known(4);
    known[0b0010] = known[0b0101] = false;
    values[0b0010] = values[0b0101] = 1e300; // never to be looked at
    const ShapleyShares shares = ShapleyShares::exact(4, known);
    EXPECT_NEAR(sum(shares.of(values)), values.back() - values.front(), 1e-10);
    // 24 orders, of which 6 begin with player 1, and 4 begin with 0 and 2.
    EXPECT_NEAR(shares.walked(), 14.0 / 24, rounding);
}

TEST(Shapley, LeavesOutOfTwoOrdersTheOneThatCannotBeWalked) {
    // Only "0, then 1" is left: all of the change into {1} is 0's, of that into both is 1's.
    const std::vector<double> values{10, 13, 0, 20};
    const ShapleyShares shares = ShapleyShares::exact(2, {true, true, false, true});
    EXPECT_THAT(shares.of(values), ElementsAre(3, 7));
}

TEST(Shapley, PassesOverWhatIsUnknownWhereNoOrderCanBeWalked) {
    // Both decisions only go together: whoever comes second is given all, so each gets half.
    const std::vector<double> values{10, 0, 0, 20};
    const ShapleyShares shares = ShapleyShares::exact(2, {true, false, false, true});
    EXPECT_EQ(shares.walked(), 0);
    EXPECT_THAT(shares.of(values), ElementsAre(5, 5));
}

TEST(Shapley, SharesAreTheWeightedSumsThatTheirWeightsSay) {
    const std::vector<double> values{1, 4, 2, 10};
    const ShapleyShares shares = ShapleyShares::exact(2, all_known(2));
    const auto weights = shares.weights();
    for (std::size_t player = 0; player < 2; ++player) {
        double sum = 0;
        for (std::size_t coalition = 0; coalition < 4; ++coalition)
            sum += weights[player][coalition] * values[coalition];
        EXPECT_NEAR(sum, shares.of(values)[player], rounding);
    }
    EXPECT_THAT(weights[0], ElementsAre(-0.5, 0.5, -0.5, 0.5));
    EXPECT_THAT(weights[1], ElementsAre(-0.5, -0.5, 0.5, 0.5));
}

TEST(Shapley, KnowsWhoseSharesTouchACoalition) {
    const std::vector<std::vector<std::uint16_t>> order{{2, 0, 1}};
    std::vector<bool> marked(8);
    marked[0b100] = true;
    EXPECT_THAT(ShapleyShares::of_orders(3, order, 1, all_known(3), CoalitionList::all(3)).touches(marked),
                ElementsAre(true, false, true));
}

TEST(Shapley, OfDrawnOrdersIsTheSameWhereOnlyTheirCoalitionsAreListed) {
    constexpr std::size_t players = 9;
    const auto values = random_game(players, 4);
    Random random(3);
    const auto orders = draw_orders(players, 5, random);
    const CoalitionList listed = CoalitionList::on(orders);
    EXPECT_LT(listed.size(), 2 * 5 * (players - 1) + 3);
    EXPECT_FALSE(listed.place(Coalition{1} << players));
    std::vector<double> listed_values;
    for (std::size_t place = 0; place < listed.size(); ++place) {
        EXPECT_EQ(listed.place(listed.at(place)), place);
        listed_values.push_back(values[listed.at(place)]);
    }
    const auto some = ShapleyShares::of_orders(players, orders, orders_per_draw,
                                               std::vector<bool>(listed.size(), true), listed);
    const auto all = ShapleyShares::of_orders(players, orders, orders_per_draw, all_known(players),
                                              CoalitionList::all(players));
    EXPECT_EQ(some.of(listed_values), all.of(values));
    EXPECT_EQ(some.standard_errors(listed_values), all.standard_errors(values));
}

TEST(Shapley, DrawsEveryOrderWithItsReverse) {
    Random random(1);
    const auto orders = draw_orders(5, 3, random);
    ASSERT_EQ(orders.size(), 6U);
    for (std::size_t pair = 0; pair < 6; pair += 2)
        EXPECT_TRUE(std::equal(orders[pair].begin(), orders[pair].end(), orders[pair + 1].rbegin()));
}

} // namespace
} // namespace sparsight
