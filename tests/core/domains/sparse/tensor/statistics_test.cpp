#include "base/random.h"
#include "core/domains/sparse/tensor/pattern_pictures.h"
#include "domains/sparse/tensor/distinct_coordinates.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/statistics.h"
#include "pattern_pictures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <thread>

namespace sparsight {
namespace {

using testing::pattern_from;

using Place = std::pair<std::int64_t, std::int64_t>;

std::set<Place> places(const CsrPattern& pattern) {
    std::set<Place> result;
    for (std::int64_t row = 0; row < pattern.rows; ++row)
        for (auto e = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
             e < static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]); ++e)
            result.insert({row, pattern.column_ids[e]});
    return result;
}

/// The definition in its other form: the mean difference of all pairs over twice the mean.
double gini_by_pairs(const std::vector<std::int64_t>& lengths) {
    double differences = 0;
    double sum = 0;
    for (const std::int64_t a : lengths) {
        sum += static_cast<double>(a);
        for (const std::int64_t b : lengths)
            differences += std::abs(static_cast<double>(a - b));
    }
    return sum > 0 ? differences / (2 * static_cast<double>(lengths.size()) * sum) : 0;
}

void expect_lengths(const LengthStatistics& actual, const std::vector<std::int64_t>& lengths) {
    if (lengths.empty())
        return;
    const auto n = static_cast<double>(lengths.size());
    double mean = 0;
    for (const std::int64_t length : lengths)
        mean += static_cast<double>(length) / n;
    double variance = 0;
    for (const std::int64_t length : lengths)
        variance += (static_cast<double>(length) - mean) * (static_cast<double>(length) - mean) / n;
    EXPECT_NEAR(actual.mean, mean, 1e-9);
    EXPECT_EQ(actual.max, std::ranges::max(lengths));
    EXPECT_NEAR(actual.coefficient_of_variation, mean > 0 ? std::sqrt(variance) / mean : 0, 1e-6);
    EXPECT_NEAR(actual.gini, gini_by_pairs(lengths), 1e-9);
    EXPECT_EQ(actual.empty, std::ranges::count(lengths, 0));
}

/// Every definition of the header, taken literally.
void expect_as_defined(const CsrPattern& pattern, int threads) {
    const PatternStatistics s = compute_statistics(pattern, threads);
    const std::set<Place> entries = places(pattern);
    const auto nnz = static_cast<double>(entries.size());
    EXPECT_EQ(s.rows, pattern.rows);
    EXPECT_EQ(s.cols, pattern.cols);
    EXPECT_EQ(s.nnz, std::ssize(entries));
    EXPECT_DOUBLE_EQ(s.density, nnz / static_cast<double>(pattern.rows * pattern.cols));

    std::vector<std::int64_t> row_lengths(static_cast<std::size_t>(pattern.rows));
    std::vector<std::int64_t> column_lengths(static_cast<std::size_t>(pattern.cols));
    std::vector<std::int64_t> first(static_cast<std::size_t>(pattern.rows), pattern.rows); // adds 0
    std::set<std::int64_t> diagonals;
    std::int64_t bandwidth = 0;
    double on_diagonal = 0;
    double mirrored = 0;
    for (const auto& [row, col] : entries) {
        ++row_lengths[static_cast<std::size_t>(row)];
        ++column_lengths[static_cast<std::size_t>(col)];
        first[static_cast<std::size_t>(row)] = std::min(first[static_cast<std::size_t>(row)], col);
        diagonals.insert(col - row);
        bandwidth = std::max(bandwidth, std::abs(col - row));
        on_diagonal += row == col ? 1 : 0;
        mirrored += row != col && entries.contains({col, row}) ? 1 : 0;
    }
    expect_lengths(s.row_length, row_lengths);
    expect_lengths(s.column_length, column_lengths);
    std::int64_t profile = 0;
    for (std::int64_t row = 0; row < pattern.rows; ++row)
        profile += std::max<std::int64_t>(0, row - first[static_cast<std::size_t>(row)]);
    EXPECT_EQ(s.profile, profile);
    EXPECT_EQ(s.bandwidth, bandwidth);
    EXPECT_EQ(s.occupied_diagonals, std::ssize(diagonals));
    EXPECT_DOUBLE_EQ(s.diagonal_occupancy,
                     on_diagonal / static_cast<double>(std::min(pattern.rows, pattern.cols)));
    EXPECT_DOUBLE_EQ(s.symmetry, nnz > on_diagonal ? mirrored / (nnz - on_diagonal) : 1);

    for (std::size_t i = 0; i < block_sizes.size(); ++i) {
        std::set<Place> blocks;
        for (const auto& [row, col] : entries)
            blocks.insert({row / block_sizes[i], col / block_sizes[i]});
        const double area = static_cast<double>(blocks.size()) * block_sizes[i] * block_sizes[i];
        EXPECT_DOUBLE_EQ(s.block_fill[i], nnz > 0 ? nnz / area : 0) << block_sizes[i];
    }
    for (std::size_t i = 0; i < tile_heights.size(); ++i) {
        std::set<Place> columns;
        for (const auto& [row, col] : entries)
            columns.insert({row / tile_heights[i], col});
        const double tiles = std::ceil(static_cast<double>(pattern.rows) / tile_heights[i]);
        EXPECT_DOUBLE_EQ(s.tiles[i].distinct_columns, static_cast<double>(columns.size()) / tiles);
        EXPECT_DOUBLE_EQ(s.tiles[i].reuse, nnz > 0 ? nnz / static_cast<double>(columns.size()) : 0);
    }
}

void expect_no_surprises(const CsrPattern& pattern) {
    const PatternStatistics s = compute_statistics(pattern, 2);
    for (const Statistic& statistic : statistics())
        EXPECT_TRUE(std::isfinite(statistic.of(s))) << statistic.name;
}

TEST(Statistics, AreAsDefinedOnRandomPatternsOfManyShapes) {
    for (const auto& [rows, cols] : std::vector<std::pair<double, double>>{
             {1, 1}, {1, 40}, {40, 1}, {33, 33}, {31, 100}, {100, 31}, {1500, 70}, {70, 1500}, {1030, 1030}})
        for (const double density : {0.0, 0.002, 0.05, 0.6, 1.0})
            for (const int threads : {1, 3}) {
                SCOPED_TRACE(::testing::Message() << rows << " × " << cols << ", density " << density);
                if (rows * cols * density > 60'000)
                    continue;
                expect_as_defined(
                    *generate_matrix("uniform", {{"rows", rows}, {"cols", cols}, {"density", density}}, 3),
                    threads);
            }
}

TEST(Statistics, AreAsDefinedOnStructuredPatterns) {
    for (const auto& [family, values] : std::vector<std::pair<std::string, ParameterValues>>{
             {"stencil-2d", {{"x", 20}, {"y", 30}}},
             {"banded", {{"size", 300}, {"lower", 5}, {"upper", 1}, {"fill", 0.6}}},
             {"power-law", {{"scale", 8}}},
             {"arrow", {{"size", 200}}},
             {"hyper-sparse", {{"rows", 2000}, {"cols", 900}}},
             {"pruned-block", {{"rows", 100}, {"cols", 130}}}}) {
        SCOPED_TRACE(family);
        expect_as_defined(*generate_matrix(family, values, 1), 2);
    }
}

TEST(Statistics, AreAsDefinedWhereColumnsAreFarMoreThanEntries) {
    // The same entries, spread over columns far apart: blocks keep their neighbours.
    CsrPattern pattern;
    pattern.rows = 4;
    pattern.cols = max_extent;
    pattern.row_pointers = {0, 3, 5, 5, 7};
    pattern.column_ids = {0, 1, 2'000'000'001, 1, 2'000'000'000, 70, max_extent - 1};
    const PatternStatistics s = compute_statistics(pattern, 2);
    EXPECT_EQ(s.column_length.empty, pattern.cols - 6);
    EXPECT_EQ(s.column_length.max, 2);
    EXPECT_EQ(s.occupied_diagonals, 6); // (0, 0) and (1, 1) share one
    EXPECT_EQ(s.bandwidth, max_extent - 1 - 3);
    EXPECT_DOUBLE_EQ(s.block_fill[0], 7.0 / (4 * 4)); // (0,0), (0,1e9), (1,35), (1,last)
    EXPECT_DOUBLE_EQ(s.block_fill[4], 7.0 / (4 * 1024));
    EXPECT_DOUBLE_EQ(s.tiles[0].distinct_columns, 6);
}

TEST(Statistics, AHandMadeCase) {
    const PatternStatistics s = compute_statistics(pattern_from({
                                                       "##..",
                                                       "#...",
                                                       "....",
                                                       "#..#",
                                                   }),
                                                   1);
    EXPECT_EQ(s.nnz, 5);
    EXPECT_DOUBLE_EQ(s.density, 5.0 / 16);
    EXPECT_DOUBLE_EQ(s.row_length.mean, 1.25);
    EXPECT_EQ(s.row_length.empty, 1);
    EXPECT_EQ(s.column_length.max, 3);
    EXPECT_EQ(s.bandwidth, 3);
    EXPECT_EQ(s.profile, 1 + 3);
    EXPECT_DOUBLE_EQ(s.diagonal_occupancy, 0.5);
    EXPECT_EQ(s.occupied_diagonals, 4);
    EXPECT_DOUBLE_EQ(s.symmetry, 2.0 / 3);
    EXPECT_DOUBLE_EQ(s.block_fill[0], 5.0 / 12);
    EXPECT_DOUBLE_EQ(s.tiles[0].distinct_columns, 3);
    EXPECT_DOUBLE_EQ(s.tiles[0].reuse, 5.0 / 3);
}

TEST(Statistics, WithoutRowsColumnsOrEntriesAreDefined) {
    CsrPattern no_rows;
    no_rows.cols = 5;
    CsrPattern no_columns;
    no_columns.rows = 3;
    no_columns.row_pointers.assign(4, 0);
    for (const CsrPattern& pattern : {CsrPattern{}, no_rows, no_columns, pattern_from({"..", "..", ".."})}) {
        expect_no_surprises(pattern);
        const PatternStatistics s = compute_statistics(pattern, 2);
        EXPECT_EQ(s.density, 0);
        EXPECT_EQ(s.symmetry, 1);
        EXPECT_EQ(s.row_length.empty, pattern.rows);
        EXPECT_EQ(s.column_length.empty, pattern.cols);
        EXPECT_EQ(s.row_length.gini, 0);
        EXPECT_EQ(s.block_fill[0], 0);
        EXPECT_EQ(s.tiles[0].reuse, 0);
    }
}

TEST(Statistics, DoNotDependOnThreads) {
    const CsrPattern pattern = *generate_matrix("power-law", {{"scale", 13}}, 1);
    const PatternStatistics one = compute_statistics(pattern, 1);
    const PatternStatistics four = compute_statistics(pattern, 4);
    for (const Statistic& statistic : statistics())
        EXPECT_EQ(statistic.of(one), statistic.of(four)) << statistic.name;
}

TEST(Statistics, TheTableNamesEachOnceWithItsDefinition) {
    std::map<std::string, const Statistic*> table;
    for (const Statistic& statistic : statistics()) {
        EXPECT_TRUE(table.emplace(statistic.name, &statistic).second) << statistic.name;
        EXPECT_FALSE(statistic.title.empty() || statistic.definition.empty()) << statistic.name;
    }
    const PatternStatistics s = compute_statistics(pattern_from({"##", ".#"}), 1);
    EXPECT_EQ(table.at("nnz")->of(s), 3);
    EXPECT_EQ(table.at("row_length_max")->of(s), 2);
    EXPECT_EQ(table.at("empty_columns")->of(s), 0);
    EXPECT_EQ(table.at("block_fill_2")->of(s), 0.75);
    EXPECT_EQ(table.at("tile_columns_64")->of(s), 2);
    EXPECT_EQ(table.at("tile_reuse_512")->of(s), 1.5);
    EXPECT_EQ(table.at("symmetry")->of(s), 0);
}

constexpr std::array parts{IdPart::None, IdPart::Outer, IdPart::Inner, IdPart::Whole};

std::int64_t part_of(std::int64_t id, IdPart part, std::int64_t split) {
    switch (part) {
    case IdPart::None:
        return 0;
    case IdPart::Outer:
        return id / split;
    case IdPart::Inner:
        return id % split;
    case IdPart::Whole:
        break;
    }
    return id;
}

/// By the definition.
std::int64_t counted_one_by_one(const CsrPattern& pattern, const CoordinateParts& of) {
    std::set<std::pair<std::int64_t, std::int64_t>> different;
    for (std::size_t row = 0; row + 1 < pattern.row_pointers.size(); ++row)
        for (auto at = pattern.row_pointers[row]; at < pattern.row_pointers[row + 1]; ++at)
            different.emplace(
                part_of(static_cast<std::int64_t>(row), of.row, of.row_split),
                part_of(pattern.column_ids[static_cast<std::size_t>(at)], of.column, of.column_split));
    return static_cast<std::int64_t>(different.size());
}

TEST(DistinctCoordinates, OfBlocksAreTheBlocksThatHoldAnEntry) {
    const CsrPattern pattern = pattern_from({"##....", //
                                             "#.....", //
                                             "...#..", //
                                             "..#..#"});
    EXPECT_EQ(count_distinct(pattern, {IdPart::Outer, IdPart::Outer, 2, 2}), 3);
    EXPECT_EQ(count_distinct(pattern, {IdPart::Whole, IdPart::Outer, 1, 2}), 5);
    EXPECT_EQ(count_distinct(pattern, {IdPart::Outer, IdPart::Whole, 2, 1}), 5);
    EXPECT_EQ(count_distinct(pattern, {IdPart::None, IdPart::Whole}), 5);
    EXPECT_EQ(count_distinct(pattern, {IdPart::Whole, IdPart::Whole}), 6);
}

TEST(DistinctCoordinates, AreThoseOfTheDefinitionForEveryPartAndSplit) {
    Random random(5);
    const auto drawn = [&](std::int64_t rows, std::int64_t cols, double density) {
        CsrPattern pattern;
        pattern.rows = rows;
        pattern.cols = cols;
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int32_t col = 0; col < cols; ++col)
                if (random.chance(density))
                    pattern.column_ids.push_back(col);
            pattern.row_pointers.push_back(pattern.nnz());
        }
        return pattern;
    };
    const std::array<std::int64_t, 6> splits{1, 2, 3, 8, 17, 1000};
    for (const CsrPattern& pattern :
         {drawn(23, 31, 0.1), drawn(1, 40, 0.5), drawn(40, 1, 0.5), drawn(16, 16, 1.0), drawn(12, 9, 0.0),
          drawn(0, 0, 0.0), drawn(0, 7, 0.0), drawn(7, 0, 0.0)})
        for (const IdPart row : parts)
            for (const IdPart column : parts)
                for (const std::int64_t row_split : splits)
                    for (const std::int64_t column_split : splits) {
                        const CoordinateParts of{row, column, row_split, column_split};
                        ASSERT_EQ(count_distinct(pattern, of), counted_one_by_one(pattern, of))
                            << pattern.rows << " x " << pattern.cols << ", part " << static_cast<int>(row)
                            << " of " << row_split << ", part " << static_cast<int>(column) << " of "
                            << column_split;
                        ASSERT_EQ(count_distinct(pattern, canonical(of)), count_distinct(pattern, of));
                    }
}

TEST(DistinctCoordinates, InGroupsAreThoseOfEachGroupAlone) {
    const CsrPattern pattern = pattern_from({"##....", //
                                             "#.....", //
                                             "...#..", //
                                             "..#..#"});
    const CoordinateParts blocks{IdPart::Outer, IdPart::Outer, 2, 2};
    EXPECT_THAT(count_distinct_in_groups(pattern, blocks, {true, 2}), ::testing::ElementsAre(1, 2));
    EXPECT_THAT(count_distinct_in_groups(pattern, blocks, {true, 4}), ::testing::ElementsAre(3));
    EXPECT_THAT(count_distinct_in_groups(pattern, blocks, {false, 2}), ::testing::ElementsAre(1, 1, 1));
    EXPECT_THAT(count_distinct_in_groups(pattern, {IdPart::Whole, IdPart::None}, {true, 3}),
                ::testing::ElementsAre(3, 1));
    EXPECT_THAT(count_distinct_in_groups(pattern, {IdPart::None, IdPart::Whole}, {false, 4}),
                ::testing::ElementsAre(4, 1));
    EXPECT_THAT(count_distinct_in_groups(pattern, {IdPart::Whole, IdPart::Whole}, {true, 1}),
                ::testing::ElementsAre(2, 1, 1, 2));
}

TEST(DistinctCoordinates, OfASplitBeyondTheLargestIdAreThoseOfTheIds) {
    const CsrPattern pattern = pattern_from({"#.#", "..#"});
    const std::int64_t beyond = std::int64_t{1} << 40;
    EXPECT_EQ(count_distinct(pattern, {IdPart::Inner, IdPart::Inner, beyond, beyond}), 3);
    EXPECT_EQ(count_distinct(pattern, {IdPart::Outer, IdPart::Outer, beyond, beyond}), 1);
}

TEST(DistinctCoordinates, AreSharedByThreads) {
    const CsrPattern pattern = pattern_from({"#.#.", "..##", "####"});
    const DistinctCoordinates distinct(pattern);
    std::array<std::int64_t, 4> counts{};
    {
        std::vector<std::jthread> threads;
        for (std::int64_t& count : counts)
            threads.emplace_back([&] { count = distinct({IdPart::Outer, IdPart::Outer, 2, 2}); });
    }
    EXPECT_THAT(counts, ::testing::Each(4));
    EXPECT_EQ(distinct({IdPart::Outer, IdPart::Outer, 2, 2}), 4);
}

} // namespace
} // namespace sparsight
