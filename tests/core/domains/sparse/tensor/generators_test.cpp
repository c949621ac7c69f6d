#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/generators/row_builder.h"

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace sparsight {

// What holds for all families: parameters, errors, reproducibility.
namespace {

using ::testing::HasSubstr;

std::string error_of(std::string_view family, const ParameterValues& values) {
    const auto pattern = generate_matrix(family, values, 1);
    return pattern ? "no error" : pattern.error().text();
}

TEST(Generators, NamesAreUniqueAndFoundAgain) {
    std::set<std::string_view> names;
    for (const Generator& generator : generators()) {
        EXPECT_TRUE(names.insert(generator.name).second) << generator.name;
        EXPECT_EQ(find_generator(generator.name), &generator);
    }
    EXPECT_EQ(names.size(), 20U);
    EXPECT_EQ(find_generator("no such family"), nullptr);
}

TEST(Generators, EveryFamilyAndParameterIsDocumentedAndItsDefaultAllowed) {
    for (const Generator& generator : generators()) {
        EXPECT_FALSE(generator.title.empty() || generator.description.empty() || generator.source.empty())
            << generator.name;
        std::set<std::string_view> names;
        ParameterValues defaults;
        for (const Parameter& parameter : generator.parameters) {
            EXPECT_TRUE(names.insert(parameter.name).second) << generator.name << " " << parameter.name;
            EXPECT_FALSE(parameter.description.empty()) << generator.name << " " << parameter.name;
            defaults[std::string(parameter.name)] = parameter.default_value;
        }
        EXPECT_TRUE(complete_settings(generator.name, generator.parameters, defaults).has_value())
            << generator.name;
    }
}

TEST(Generators, DefaultsGiveAWellFormedPatternThatTheSeedRepeats) {
    for (const Generator& generator : generators()) {
        const auto pattern = generate_matrix(generator.name, {}, 7);
        ASSERT_TRUE(pattern.has_value()) << pattern.error().text();
        EXPECT_TRUE(is_well_formed(*pattern)) << generator.name;
        EXPECT_GT(pattern->nnz(), 0) << generator.name;
        EXPECT_FALSE(pattern->has_values()) << generator.name;
        EXPECT_EQ(*pattern, generate_matrix(generator.name, {}, 7)) << generator.name;
    }
}

TEST(Generators, AnotherSeedGivesAnotherPatternWhereThereIsChance) {
    const std::set<std::string_view> without_chance{
        "banded",           "stencil-2d",        "stencil-3d",        "arrow",
        "attention-window", "attention-dilated", "attention-strided", "attention-longformer"};
    for (const Generator& generator : generators())
        EXPECT_EQ(*generate_matrix(generator.name, {}, 1) == *generate_matrix(generator.name, {}, 2),
                  without_chance.contains(generator.name))
            << generator.name;
}

TEST(Generators, EveryParameterAtItsSmallestIsAPatternOrARefusalInWords) {
    for (const Generator& generator : generators()) {
        ParameterValues smallest;
        for (const Parameter& parameter : generator.parameters)
            smallest[std::string(parameter.name)] = parameter.minimum;
        const auto pattern = generate_matrix(generator.name, smallest, 1);
        if (pattern)
            EXPECT_TRUE(is_well_formed(*pattern)) << generator.name;
        else
            EXPECT_THAT(pattern.error().text(), HasSubstr(generator.name));
    }
}

TEST(Generators, EveryFamilyRefusesMoreEntriesThanTheLimit) {
    for (const Generator& generator : generators()) {
        ParameterValues largest;
        for (const Parameter& parameter : generator.parameters)
            largest[std::string(parameter.name)] = parameter.maximum;
        // Largest alone would ask for an empty matrix, or for what cannot be.
        for (const auto& [name, value] : ParameterValues{{"sparsity", 0},
                                                         {"b", 0},
                                                         {"c", 0},
                                                         {"reach", 1e6},
                                                         {"aligned", 0},
                                                         {"deterministic", 0},
                                                         {"dilation", 1}})
            if (largest.contains(name))
                largest[name] = value;
        const auto pattern = generate_matrix(generator.name, largest, 1);
        ASSERT_FALSE(pattern.has_value()) << generator.name;
        EXPECT_EQ(pattern.error().fault, Fault::Limit) << pattern.error().text();
        EXPECT_THAT(pattern.error().text(), HasSubstr("the limit is")) << generator.name;
    }
}

TEST(Generators, EveryFamilyEndsAtOnceWhenItIsStopped) {
    std::stop_source stop;
    stop.request_stop();
    for (const Generator& generator : generators()) {
        const auto pattern = generate_matrix(generator.name, {}, 1, stop.get_token());
        ASSERT_FALSE(pattern.has_value()) << generator.name;
        EXPECT_EQ(pattern.error().fault, Fault::Cancelled) << generator.name;
    }
    const auto collection = simulate_matrices({}, 1, stop.get_token());
    ASSERT_FALSE(collection.has_value());
    EXPECT_EQ(collection.error().fault, Fault::Cancelled);
}

TEST(Generators, WhatAMatrixWasMadeFromIsOneLine) {
    EXPECT_EQ(generated_source("banded", {{"size", 20000}, {"lower", 8}}, 7),
              "generated: banded lower=8 size=20000 seed=7");
}

TEST(Generators, AnUnknownFamilyListsTheKnownOnes) {
    EXPECT_THAT(error_of("unifrom", {}),
                HasSubstr("there is no generator 'unifrom'; there are uniform, banded, multi-diagonal"));
}

TEST(Generators, AnUnknownParameterListsTheKnownOnes) {
    EXPECT_EQ(error_of("uniform", {{"columns", 5}}),
              "uniform has no parameter 'columns'; it takes rows, cols, density");
}

TEST(Generators, AValueOutsideItsRangeIsNamedWithTheRange) {
    EXPECT_EQ(error_of("uniform", {{"density", 1.5}}),
              "uniform: density is 1.5; it must be a number from 0 to 1");
    EXPECT_EQ(error_of("uniform", {{"rows", 2.5}}),
              "uniform: rows is 2.5; it must be a whole number from 1 to 100000000");
    EXPECT_EQ(error_of("uniform", {{"density", std::numeric_limits<double>::quiet_NaN()}}),
              "uniform: density is nan; it must be a number from 0 to 1");
    EXPECT_EQ(error_of("stencil-2d", {{"points", 7}}), "stencil-2d: points is 7; it must be one of 5, 9");
}

TEST(Generators, CombinationsThatCannotBeAreRefusedWithTheirNumbers) {
    EXPECT_EQ(error_of("pruned-n-m", {{"n", 5}, {"m", 4}}),
              "pruned-n-m: n is 5 but a group has only m = 4 weights");
    EXPECT_EQ(error_of("power-law", {{"a", 0.5}, {"b", 0.5}, {"c", 0.5}}),
              "power-law: a + b + c is 1.5; it must not exceed 1");
    EXPECT_EQ(error_of("block-diagonal", {{"smallest-block", 9}, {"largest-block", 8}}),
              "block-diagonal: smallest-block is 9 but largest-block is 8");
    EXPECT_EQ(error_of("multi-diagonal", {{"diagonals", 4}, {"reach", 1}}),
              "multi-diagonal: 4 diagonals do not fit within 1 of the main diagonal, where there are 3");
    EXPECT_EQ(error_of("scattered-blocks", {{"block", 16}, {"rows", 8}}),
              "scattered-blocks: a block of 16 rows and columns does not fit a matrix of 8 × 4096");
    EXPECT_EQ(error_of("scattered-blocks", {{"block", 4}, {"rows", 8}, {"cols", 8}, {"blocks", 5}}),
              "scattered-blocks: 5 aligned blocks do not fit; there are 4 places");
    EXPECT_EQ(error_of("row-skewed", {{"cols", 4}, {"mean-length", 5}}),
              "row-skewed: mean-length is 5 but a row has only 4 places");
}

TEST(Generators, TooManyEntriesAreRefusedWithTheLimit) {
    EXPECT_EQ(error_of("uniform", {{"rows", 1e8}, {"cols", 1e9}, {"density", 1}}),
              "uniform: it would have about 100000000000000000 entries; the limit is 268435456");
    EXPECT_EQ(error_of("stencil-3d", {{"x", 1e4}, {"y", 1e4}, {"z", 1e4}}),
              "stencil-3d: it would have 1000000000000 rows; the limit is 100000000");
}

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
