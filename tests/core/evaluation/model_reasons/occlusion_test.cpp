#include "domains/sparse/explanation/reasons/reason_cases.h"

#include "base/random.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::ElementsAre;

CsrPattern full(std::int64_t rows, std::int64_t cols) {
    CsrPattern pattern;
    pattern.rows = rows;
    pattern.cols = cols;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < cols; ++column)
            pattern.column_ids.push_back(static_cast<std::int32_t>(column));
        pattern.row_pointers.push_back(pattern.nnz());
    }
    return pattern;
}

/// A model that likes entries below row 4 and right of column 6, and nothing else matters to it.
Result<double> likes_a_corner(const CsrPattern& pattern) {
    double liked = 0;
    for (std::int64_t row = 4; row < pattern.rows; ++row)
        for (auto place = pattern.row_pointers[static_cast<std::size_t>(row)];
             place < pattern.row_pointers[static_cast<std::size_t>(row) + 1]; ++place)
            liked += pattern.column_ids[static_cast<std::size_t>(place)] >= 6 ? 1 : 0;
    return liked;
}

TEST(Occlusion, FindsTheCellsThatAModelLooksAt) {
    const CsrPattern pattern = full(8, 8);
    const auto reason = find_saliency({.pattern = pattern, .cells = 4, .margin = &likes_a_corner});
    ASSERT_TRUE(reason);
    EXPECT_THAT(reason->row_edges, ElementsAre(0, 2, 4, 6, 8));
    EXPECT_THAT(reason->column_edges, ElementsAre(0, 2, 4, 6, 8));
    EXPECT_EQ(reason->margin, 8);
    ASSERT_EQ(reason->cells.size(), 16U);
    for (const SaliencyCell& cell : reason->cells) {
        ASSERT_TRUE(cell.support);
        EXPECT_EQ(*cell.support, cell.row >= 2 && cell.column == 3 ? 4 : 0);
        EXPECT_EQ(cell.entries, 4);
    }
    EXPECT_TRUE(reason->complete);
}

TEST(Occlusion, LeavesOutCellsWithoutEntries) {
    CsrPattern pattern = full(8, 8);
    pattern = without_entries(pattern, {0, 4, 0, 8});
    const auto reason = find_saliency({.pattern = pattern, .cells = 4, .margin = &likes_a_corner});
    ASSERT_TRUE(reason);
    EXPECT_EQ(reason->cells.size(), 8U);
    EXPECT_EQ(reason->cells.front().row, 2);
}

TEST(Occlusion, ThinsAPatternThatLiesInOneCell) {
    const CsrPattern pattern = full(8, 8);
    const auto reason = find_saliency({.pattern = pattern, .cells = 1, .margin = &likes_a_corner});
    ASSERT_TRUE(reason);
    EXPECT_EQ(reason->removed_share, 0.5);
    EXPECT_EQ(reason->cells.front().support, 4);
}

TEST(Occlusion, LooksAtTheFullestCellsFirstAndSaysWhereTimeWasUp) {
    const CsrPattern pattern = without_entries(full(8, 8), {0, 1, 0, 8});
    int asked = 0;
    const auto reason = find_saliency(
        {.pattern = pattern, .cells = 2, .margin = &likes_a_corner, .is_over = [&] { return ++asked > 2; }});
    ASSERT_TRUE(reason);
    EXPECT_FALSE(reason->complete);
    EXPECT_FALSE(reason->cells[0].support) << "the upper ones have fewer entries";
    EXPECT_FALSE(reason->cells[1].support);
    EXPECT_TRUE(reason->cells[2].support);
    EXPECT_TRUE(reason->cells[3].support);
}

TEST(Occlusion, RemovesJustTheEntriesOfThePart) {
    const CsrPattern left = without_entries(full(3, 3), {1, 3, 0, 2});
    EXPECT_TRUE(is_well_formed(left));
    EXPECT_THAT(left.row_pointers, ElementsAre(0, 3, 4, 5));
    EXPECT_THAT(left.column_ids, ElementsAre(0, 1, 2, 2, 2));
    EXPECT_EQ(without_entries(full(3, 3), {0, 3, 0, 3}, 2).nnz(), 4);
}

TEST(Occlusion, OfAnEmptyPatternThereIsNothingToSay) {
    CsrPattern empty;
    const auto reason = find_saliency({.pattern = empty, .margin = &likes_a_corner});
    ASSERT_FALSE(reason);
    EXPECT_EQ(reason.error().fault, Fault::Input);
}

TEST(Occlusion, StopsWhenItIsAskedTo) {
    std::stop_source source;
    source.request_stop();
    const CsrPattern pattern = full(8, 8);
    const auto reason =
        find_saliency({.pattern = pattern, .margin = &likes_a_corner, .stop = source.get_token()});
    ASSERT_FALSE(reason);
    EXPECT_EQ(reason.error().fault, Fault::Cancelled);
}

} // namespace
} // namespace sparsight
