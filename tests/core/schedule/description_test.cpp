#include "schedule/description.h"
#include "schedule/text.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

std::string words(Operator op, std::string_view text) {
    const Result<SuperSchedule> schedule = parse_schedule(op, text);
    return schedule ? describe(*schedule) : schedule.error().text();
}

TEST(Description, CallsFixedCsrByItsName) {
    EXPECT_EQ(
        describe(fixed_csr(Operator::SpMV, 8)),
        "A is stored as CSR: rows (dense), then columns (compressed). 8 threads take 32 rows at a time.");
}

TEST(Description, NamesBlocksTheirLevelsAndTheStripsOfC) {
    EXPECT_EQ(words(Operator::SpMM, "4 1 64 i1 j1 k1 i0 k0 j0 1 1 0 0 i1 8 16"),
              "A is stored by row blocks of 4 (dense), then columns (compressed), then rows in a block "
              "(dense). 8 threads take 16 row blocks at a time; the columns of C run in strips of 64.");
}

TEST(Description, SaysWhenASplitOfADenseIndexChangesNothing) {
    EXPECT_THAT(words(Operator::SpMM, "1 1 4 i1 i0 k1 k0 j1 j0 1 1 0 0 i1 8 16"),
                ::testing::EndsWith(
                    "; in this schedule splitting j by 4 changes nothing, because j0 follows j1 directly."));
    EXPECT_THAT(words(Operator::SpMM, "1 1 4 i1 i0 j1 k1 k0 j0 1 1 0 0 i1 8 16"),
                ::testing::EndsWith("; the columns of C run in strips of 4."));
}

TEST(Description, SpeaksOfOneThreadAndOneRowInTheSingular) {
    EXPECT_EQ(words(Operator::SpMV, "1 1 k1 k0 i1 i0 0 0 1 0 i1 1 1"),
              "A is stored as CSC: columns (dense), then rows (compressed). 1 thread takes 1 row at a time.");
}

TEST(Description, FollowsTheColumnIndexAndTheParallelLoopOfSddmm) {
    EXPECT_EQ(words(Operator::SDDMM, "2 8 32 j1 i1 k1 i0 j0 k0 0 1 1 1 j1 4 2"),
              "A is stored by column blocks of 8 (dense), then row blocks of 2 (compressed), then rows in a "
              "block (dense), then columns in a block (dense). 4 threads take 2 column blocks at a time; the "
              "sum over k runs in strips of 32.");
}

TEST(Description, KnowsBlockCompressedRows) {
    EXPECT_THAT(
        words(Operator::SpMM, "4 4 1 i1 k1 i0 k0 j1 j0 1 1 0 1 i1 8 16"),
        ::testing::StartsWith("A is stored as BCSR: row blocks of 4 (dense), then column blocks of 4"));
}

} // namespace
} // namespace sparsight
