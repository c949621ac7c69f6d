#include "matrix/distinct_coordinates.h"

#include "ascii_pattern.h"
#include "base/random.h"

#include <array>
#include <gmock/gmock.h>
#include <set>
#include <thread>

namespace sparsight {
namespace {

using testing::pattern_from;

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
