#include "domains/sparse/simulator/memory_scopes.h"

#include "base/random.h"
#include "domains/sparse/schedule/sampler.h"

#include <gtest/gtest.h>
#include <set>

namespace sparsight {
namespace {

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
                const std::int64_t id = level.is_row ? static_cast<std::int64_t>(row)
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
