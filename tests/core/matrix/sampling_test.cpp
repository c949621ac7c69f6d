#include "matrix/generators/sampling.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>

namespace sparsight {
namespace {

std::vector<std::uint64_t> sample_of(Random& random, std::uint64_t population, std::uint64_t count) {
    std::vector<std::uint64_t> sample{99}; // what was in it before must not matter
    sample_sorted(random, population, count, sample);
    return sample;
}

TEST(Sampling, GivesTheAskedNumberOfDifferentAscendingPlaces) {
    Random random(1);
    for (const std::uint64_t population : {1ULL, 2ULL, 7ULL, 1000ULL, 1ULL << 60})
        for (const std::uint64_t count : {0ULL, 1ULL, 2ULL, 5ULL, 300ULL, 999ULL}) {
            const auto sample = sample_of(random, population, count);
            ASSERT_EQ(sample.size(), std::min(population, count));
            EXPECT_TRUE(std::ranges::adjacent_find(sample, std::greater_equal{}) == sample.end());
            EXPECT_TRUE(sample.empty() || sample.back() < population);
        }
}

TEST(Sampling, TakesEverythingWhenMoreIsAskedThanThereIs) {
    Random random(1);
    EXPECT_EQ(sample_of(random, 3, 1'000'000'000'000), (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST(Sampling, EveryPlaceIsEquallyLikelyOnBothSidesOfTheQuarter) {
    Random random(2);
    for (const std::uint64_t count : {2U, 6U}) {
        std::array<int, 10> hits{};
        const int rounds = 20'000;
        for (int round = 0; round < rounds; ++round)
            for (const std::uint64_t place : sample_of(random, hits.size(), count))
                ++hits[place];
        for (const int hit : hits)
            EXPECT_NEAR(hit, rounds * static_cast<double>(count) / 10, 400);
    }
}

TEST(Sampling, EveryPairIsEquallyLikely) {
    Random random(3);
    std::array<int, 100> pairs{};
    const int rounds = 45'000;
    for (int round = 0; round < rounds; ++round) {
        const auto pair = sample_of(random, 10, 2);
        ++pairs[pair[0] * 10 + pair[1]];
    }
    for (std::size_t low = 0; low < 10; ++low)
        for (std::size_t high = low + 1; high < 10; ++high)
            EXPECT_NEAR(pairs[low * 10 + high], rounds / 45, 150);
}

TEST(Sampling, ShareRoundsAndNeverExceedsThePopulation) {
    EXPECT_EQ(share_of(10, 0.25), 3U);
    EXPECT_EQ(share_of(10, 0), 0U);
    EXPECT_EQ(share_of((1ULL << 62) + 1, 1), (1ULL << 62) + 1 - 1); // as near as a double comes
    EXPECT_EQ(share_of(7, 1), 7U);
}

} // namespace
} // namespace sparsight
