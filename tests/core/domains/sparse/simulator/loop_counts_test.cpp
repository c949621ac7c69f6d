// What the simulator counts: runs of loops, and the coordinates that they visit.
#include "base/random.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/loop_counts.h"
#include "domains/sparse/simulator/memory_scopes.h"
#include "domains/sparse/tensor/generators/generator.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>

namespace sparsight {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

constexpr std::int64_t all_entries = std::numeric_limits<std::int64_t>::max();

CsrPattern with_row_lengths(const std::vector<std::int64_t>& lengths, std::int64_t cols) {
    CsrPattern pattern;
    pattern.rows = static_cast<std::int64_t>(lengths.size());
    pattern.cols = cols;
    for (const std::int64_t length : lengths) {
        for (std::int64_t column = 0; column < length; ++column)
            pattern.column_ids.push_back(static_cast<std::int32_t>(column));
        pattern.row_pointers.push_back(pattern.nnz());
    }
    return pattern;
}

StorageFormat stored_as(const std::string& spmv, const CsrPattern& pattern) {
    const auto schedule = parse_schedule(Operator::SpMV, spmv);
    EXPECT_TRUE(schedule) << spmv;
    return storage_format(*schedule, pattern.rows, pattern.cols);
}

const std::string csr_text = "1 1 i1 i0 k1 k0 1 1 0 1 i1 4 8";

TEST(LoopIrregularity, OfCsrIsTheShareOfRowsThatAreNotAsLongAsTheRowBefore) {
    const CsrPattern pattern = with_row_lengths({3, 3, 5, 0, 0, 0, 2, 2}, 8);
    EXPECT_THAT(loop_irregularity(stored_as(csr_text, pattern), pattern), ElementsAre(0, 3.0 / 8));
    const CsrPattern empty_at_the_ends = with_row_lengths({0, 0, 4, 4, 0}, 8);
    EXPECT_THAT(loop_irregularity(stored_as(csr_text, empty_at_the_ends), empty_at_the_ends),
                ElementsAre(0, 2.0 / 5));
}

TEST(LoopIrregularity, OfAMeshIsLowAndOfAGraphHigh) {
    const CsrPattern regular = with_row_lengths(std::vector<std::int64_t>(200, 5), 8);
    EXPECT_THAT(loop_irregularity(stored_as(csr_text, regular), regular), ElementsAre(0, 0));
    const CsrPattern skewed =
        *generate_matrix("row-skewed", {{"rows", 500}, {"cols", 500}, {"mean-length", 8}}, 1);
    EXPECT_GT(loop_irregularity(stored_as(csr_text, skewed), skewed).back(), 0.7);
}

/// By walking the nest: every loop over a compressed level as it is entered.
std::vector<double> walked(const CsrPattern& pattern, const StorageFormat& format) {
    std::set<std::vector<std::int64_t>> stored; // every prefix of every entry
    for (std::int64_t row = 0; row < pattern.rows; ++row)
        for (auto at = pattern.row_pointers[static_cast<std::size_t>(row)];
             at < pattern.row_pointers[static_cast<std::size_t>(row) + 1]; ++at) {
            std::vector<std::int64_t> path;
            for (const StorageLevel& level : format.levels) {
                const std::int64_t id =
                    level.is_row() ? row : pattern.column_ids[static_cast<std::size_t>(at)];
                path.push_back(level.loop.part == Part::Outer ? id / level.split : id % level.split);
                stored.insert(path);
            }
        }
    std::vector<std::vector<std::int64_t>> iterations(format.levels.size());
    std::vector<std::int64_t> path;
    const std::function<void()> enter = [&] {
        const std::size_t l = path.size();
        if (l == format.levels.size())
            return;
        std::int64_t ran = 0;
        for (std::int64_t x = 0; x < format.levels[l].extent; ++x) {
            path.push_back(x);
            if (format.levels[l].format == LevelFormat::Uncompressed || stored.contains(path)) {
                ++ran;
                enter();
            }
            path.pop_back();
        }
        iterations[l].push_back(ran);
    };
    enter();
    std::vector<double> shares;
    for (const std::vector<std::int64_t>& of_level : iterations) {
        double unlike = 0;
        for (std::size_t at = 1; at < of_level.size(); ++at)
            unlike += of_level[at] != of_level[at - 1] ? 1 : 0;
        shares.push_back(unlike / static_cast<double>(of_level.size()));
    }
    return shares;
}

TEST(LoopIrregularity, IsThatOfTheLoopsAsTheyAreWalkedInEveryFormat) {
    Random random(4);
    const CsrPattern pattern =
        *generate_matrix("row-skewed", {{"rows", 37}, {"cols", 29}, {"mean-length", 3}}, 2);
    const Extents extents = sparsight::extents(Operator::SpMV, pattern.rows, pattern.cols, 1);
    for (const SuperSchedule& schedule : sample_waco(Operator::SpMV, extents, 300, 4, random)) {
        const StorageFormat format = storage_format(schedule, pattern.rows, pattern.cols);
        const std::vector<double> expected = walked(pattern, format);
        const std::vector<double> counted = loop_irregularity(format, pattern, all_entries);
        ASSERT_EQ(counted.size(), expected.size());
        for (std::size_t l = 0; l < expected.size(); ++l)
            EXPECT_NEAR(counted[l], expected[l], 1e-12) << describe(format) << ", level " << l;
    }
}

TEST(LoopIrregularity, OfALargePatternIsToldBySomeOfItsEntries) {
    const CsrPattern pattern =
        *generate_matrix("row-skewed", {{"rows", 20000}, {"cols", 20000}, {"mean-length", 8}}, 3);
    for (const char* text : {
             "1 1 i1 i0 k1 k0 1 1 0 1 i1 4 8",       // by rows
             "1 1 k1 k0 i1 i0 0 1 1 1 i1 4 8",       // by columns
             "4 4 i1 k1 i0 k0 1 0 1 0 i1 4 8",       // rows of blocks
             "16 8 k1 i1 k0 i0 1 0 0 0 i1 4 8",      // a block after the other, all stored
             "8192 1 i1 k1 i0 k0 1 1 0 1 i1 4 1",    // few iterations outside, each with very many inside
             "4096 4096 k1 i1 k0 i0 1 0 0 1 i1 4 1", // large blocks
         }) {
        const StorageFormat format = stored_as(text, pattern);
        const std::vector<double> of_all = loop_irregularity(format, pattern, all_entries);
        const std::vector<double> of_some = loop_irregularity(format, pattern);
        for (std::size_t l = 2; l < of_all.size(); ++l)
            EXPECT_NEAR(of_some[l], of_all[l], 0.06) << describe(format) << ", level " << l;
    }
}

TEST(LoopIrregularity, OfAnEmptyPatternIsNone) {
    const CsrPattern pattern = with_row_lengths({0, 0, 0}, 4);
    EXPECT_THAT(loop_irregularity(stored_as(csr_text, pattern), pattern), ElementsAre(0, 0));
}

using Coordinates = std::array<std::int64_t, 4>;

CsrPattern random_pattern(std::int64_t rows, std::int64_t cols, double density, Random& random) {
    CsrPattern pattern;
    pattern.rows = rows;
    pattern.cols = cols;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t col = 0; col < cols; ++col)
            if (random.chance(density))
                pattern.column_ids.push_back(static_cast<std::int32_t>(col));
        pattern.row_pointers.push_back(pattern.nnz());
    }
    return pattern;
}

/// The leaves of a format by the definition: level by level, all coordinates of an uncompressed one, those
/// that entries have of a compressed one.
std::set<Coordinates> leaves(const CsrPattern& pattern, const StorageFormat& format) {
    std::set<Coordinates> entries;
    for (std::size_t row = 0; row + 1 < pattern.row_pointers.size(); ++row)
        for (auto at = pattern.row_pointers[row]; at < pattern.row_pointers[row + 1]; ++at) {
            Coordinates of_entry{};
            for (std::size_t l = 0; l < format.levels.size(); ++l) {
                const StorageLevel& level = format.levels[l];
                const std::int64_t id = level.is_row() ? static_cast<std::int64_t>(row)
                                                       : pattern.column_ids[static_cast<std::size_t>(at)];
                of_entry[l] = level.loop.part == Part::Outer ? id / level.split : id % level.split;
            }
            entries.insert(of_entry);
        }
    std::set<Coordinates> prefixes{Coordinates{}};
    for (std::size_t l = 0; l < format.levels.size(); ++l) {
        std::set<Coordinates> longer;
        for (const Coordinates& prefix : prefixes)
            for (std::int64_t x = 0; x < format.levels[l].extent; ++x) {
                Coordinates next = prefix;
                next[l] = x;
                const bool occurs = std::ranges::any_of(entries, [&](const Coordinates& entry) {
                    return std::equal(next.begin(), next.begin() + static_cast<std::ptrdiff_t>(l) + 1,
                                      entry.begin());
                });
                if (format.levels[l].format == LevelFormat::Uncompressed || occurs)
                    longer.insert(next);
            }
        prefixes = std::move(longer);
    }
    return prefixes;
}

double count_by_definition(const std::set<Coordinates>& leaves, const LevelWindows& windows) {
    std::set<Coordinates> different;
    for (Coordinates leaf : leaves) {
        for (std::size_t l = 0; l < windows.size(); ++l)
            leaf[l] = windows[l] == 0 ? 0 : leaf[l] / windows[l];
        different.insert(leaf);
    }
    return static_cast<double>(different.size());
}

TEST(VisitedCoordinates, AreThoseOfTheLeavesForEveryFormatAndChoiceOfLevels) {
    Random random(3);
    const CsrPattern pattern = random_pattern(16, 8, 0.12, random);
    const DistinctCoordinates distinct(pattern);
    const Extents extents = sparsight::extents(Operator::SpMV, 16, 8, 1);
    for (const SuperSchedule& schedule : sample_uniform(Operator::SpMV, extents, 60, 2, random)) {
        const StorageFormat format = storage_format(schedule, 16, 8);
        const VisitedCoordinates visited(format, distinct);
        const auto all = leaves(pattern, format);
        for (unsigned chosen = 0; chosen < 16; ++chosen) {
            LevelWindows levels{};
            for (std::size_t l = 0; l < format.levels.size(); ++l)
                levels[l] = (chosen >> l) & 1U;
            EXPECT_EQ(visited.count(levels), count_by_definition(all, levels)) << describe(format) << chosen;
        }
    }
}

TEST(VisitedCoordinates, AWindowOfAnOuterLevelCountsNeighboursAsOne) {
    Random random(4);
    const CsrPattern pattern = random_pattern(32, 16, 0.08, random);
    const DistinctCoordinates distinct(pattern);
    const Extents extents = sparsight::extents(Operator::SpMV, 32, 16, 1);
    for (const SuperSchedule& schedule : sample_uniform(Operator::SpMV, extents, 40, 2, random)) {
        const StorageFormat format = storage_format(schedule, 32, 16);
        const VisitedCoordinates visited(format, distinct);
        const auto all = leaves(pattern, format);
        for (std::size_t l = 0; l < format.levels.size(); ++l) {
            if (format.levels[l].loop.part != Part::Outer)
                continue;
            LevelWindows windows{};
            windows[l] = 4;
            EXPECT_EQ(visited.count(windows), count_by_definition(all, windows)) << describe(format) << l;
        }
    }
}

TEST(VisitedCoordinates, IdsInWindowsAreLinesOfNeighbours) {
    Random random(5);
    const CsrPattern pattern = random_pattern(8, 64, 0.1, random);
    const DistinctCoordinates distinct(pattern);
    SuperSchedule schedule = fixed_csr(Operator::SpMV, 1);
    const StorageFormat format = storage_format(schedule, 8, 64);
    const VisitedCoordinates visited(format, distinct);
    std::set<std::int64_t> lines;
    for (const auto column : pattern.column_ids)
        lines.insert(column / 16);
    EXPECT_EQ(visited.count(visited.ids(false, 16)), static_cast<double>(lines.size()));
}

} // namespace
} // namespace sparsight
