#include "kernel/packing.h"

#include "storage_format_builder.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::build_format;
using testing::build_pattern;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

//     0 1 2 3 4 5
//  0  a b . . . c
//  1  . . . . . .
//  2  . . d . . .
//  3  . . e f . .
CsrPattern example() {
    return build_pattern(4, 6,
                         {{0, 0, 'a'}, {0, 1, 'b'}, {0, 5, 'c'}, {2, 2, 'd'}, {3, 2, 'e'}, {3, 3, 'f'}});
}

PackedMatrix pack_example(const StorageFormat& format, bool keep_entry_positions = false) {
    PackingOptions options;
    options.keep_entry_positions = keep_entry_positions;
    Result<PackedMatrix> packed = pack(example(), format, options);
    EXPECT_TRUE(packed) << packed.error().text();
    return packed ? *std::move(packed) : PackedMatrix{};
}

TEST(Packing, UncompressedThenCompressedIsCsr) {
    const PackedMatrix csr = pack_example(build_format(4, 6, "i1:U k1:C"));
    EXPECT_THAT(csr.levels[0].pos, IsEmpty());
    EXPECT_THAT(csr.levels[0].crd, IsEmpty());
    EXPECT_EQ(csr.levels[0].positions, 4);
    EXPECT_THAT(csr.levels[1].pos, ElementsAre(0, 3, 3, 4, 6));
    EXPECT_THAT(csr.levels[1].crd, ElementsAre(0, 1, 5, 2, 2, 3));
    EXPECT_EQ(csr.levels[1].positions, 6);
    EXPECT_THAT(csr.values, ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
    EXPECT_EQ(csr.nnz, 6);
    EXPECT_EQ(csr.bytes(), 4 * (5 + 6 + 6));
    EXPECT_EQ(csr.bytes(), csr_bytes(example()));
}

TEST(Packing, CompressedThenCompressedIsDcsr) {
    const PackedMatrix dcsr = pack_example(build_format(4, 6, "i1:C k1:C"));
    EXPECT_THAT(dcsr.levels[0].pos, ElementsAre(0, 3));
    EXPECT_THAT(dcsr.levels[0].crd, ElementsAre(0, 2, 3));
    EXPECT_THAT(dcsr.levels[1].pos, ElementsAre(0, 3, 4, 6));
    EXPECT_THAT(dcsr.levels[1].crd, ElementsAre(0, 1, 5, 2, 2, 3));
    EXPECT_THAT(dcsr.values, ElementsAre('a', 'b', 'c', 'd', 'e', 'f'));
}

TEST(Packing, ColumnsFirstIsCsc) {
    const PackedMatrix csc = pack_example(build_format(4, 6, "k1:U i1:C"));
    EXPECT_THAT(csc.levels[1].pos, ElementsAre(0, 1, 2, 4, 5, 5, 6));
    EXPECT_THAT(csc.levels[1].crd, ElementsAre(0, 0, 2, 3, 3, 0));
    EXPECT_THAT(csc.values, ElementsAre('a', 'b', 'd', 'e', 'f', 'c'));
}

TEST(Packing, DenseInnerLevelsAreBlocksWithExplicitZeros) {
    const PackedMatrix bcsr = pack_example(build_format(4, 6, "i1:U k1:C i0:U k0:U", 2, 3));
    EXPECT_THAT(bcsr.levels[1].pos, ElementsAre(0, 2, 4));
    EXPECT_THAT(bcsr.levels[1].crd, ElementsAre(0, 1, 0, 1));
    EXPECT_EQ(bcsr.levels[2].positions, 8);
    EXPECT_EQ(bcsr.levels[3].positions, 24);
    EXPECT_THAT(bcsr.values, ElementsAre('a', 'b', 0, 0, 0, 0, // rows 0–1, columns 0–2
                                         0, 0, 'c', 0, 0, 0,   // rows 0–1, columns 3–5
                                         0, 0, 'd', 0, 0, 'e', // rows 2–3, columns 0–2
                                         0, 0, 0, 'f', 0, 0)); // rows 2–3, columns 3–5
}

TEST(Packing, ACompressedLevelBelowDenseOnesHasAnEmptyRangeForEveryAbsentParent) {
    const PackedMatrix packed = pack_example(build_format(4, 6, "i1:C i0:U k1:C k0:U", 2, 3));
    EXPECT_THAT(packed.levels[0].pos, ElementsAre(0, 2));
    EXPECT_THAT(packed.levels[0].crd, ElementsAre(0, 1));
    EXPECT_EQ(packed.levels[1].positions, 4);
    EXPECT_THAT(packed.levels[2].pos, ElementsAre(0, 2, 2, 3, 5));
    EXPECT_THAT(packed.levels[2].crd, ElementsAre(0, 1, 0, 0, 1));
    EXPECT_THAT(packed.values, ElementsAre('a', 'b', 0, 0, 0, 'c', 0, 0, 'd', 0, 0, 'e', 'f', 0, 0));
}

TEST(Packing, InnerLevelsMayComeBeforeOuterOnes) {
    const PackedMatrix packed = pack_example(build_format(4, 6, "i0:U k1:C i1:C", 2, 1));
    // Even rows 0 and 2 first, then odd rows 1 and 3.
    EXPECT_THAT(packed.levels[1].pos, ElementsAre(0, 4, 6));
    EXPECT_THAT(packed.levels[1].crd, ElementsAre(0, 1, 2, 5, 2, 3));
    EXPECT_THAT(packed.levels[2].pos, ElementsAre(0, 1, 2, 3, 4, 5, 6));
    EXPECT_THAT(packed.levels[2].crd, ElementsAre(0, 0, 1, 0, 1, 1));
    EXPECT_THAT(packed.values, ElementsAre('a', 'b', 'd', 'c', 'e', 'f'));
}

TEST(Packing, SplitsThatDoNotDivideLeavePaddingBeyondTheMatrix) {
    const PackedMatrix packed = pack_example(build_format(4, 6, "i1:U k1:C i0:U k0:U", 3, 4));
    EXPECT_EQ(packed.levels[0].positions, 2);
    EXPECT_THAT(packed.levels[1].pos, ElementsAre(0, 2, 3));
    EXPECT_EQ(packed.values.size(), 3U * 12U);
    // Only what lies inside the matrix is listed: of the rows 3–5 of the last block, row 3.
    EXPECT_EQ(to_coordinates(packed).nnz(), 3 * 4 + 3 * 2 + 1 * 4);
}

TEST(Packing, ReadingTheTreeListsPaddingToo) {
    const CooPattern read = to_coordinates(pack_example(build_format(4, 6, "k1:C i1:U")));
    EXPECT_THAT(read.row_ids, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3));
    EXPECT_THAT(read.column_ids, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 5, 5, 5, 5));
    EXPECT_THAT(read.values,
                ElementsAre('a', 0, 0, 0, 'b', 0, 0, 0, 0, 0, 'd', 'e', 0, 0, 0, 'f', 'c', 0, 0, 0));
}

TEST(Packing, EntryPositionsAreInCsrOrderAndOnlyKeptWhenAskedFor) {
    const StorageFormat csc = build_format(4, 6, "k1:U i1:C");
    EXPECT_THAT(pack_example(csc).entry_positions, IsEmpty());
    const PackedMatrix packed = pack_example(csc, true);
    EXPECT_THAT(packed.entry_positions, ElementsAre(0, 1, 5, 2, 3, 4));
    EXPECT_EQ(packed.bytes(), pack_example(csc).bytes());
}

TEST(Packing, EntriesWithoutValuesAreOnes) {
    CsrPattern pattern = example();
    pattern.values.clear();
    const auto packed = pack(pattern, build_format(4, 6, "k1:C i1:U"), {});
    ASSERT_TRUE(packed);
    EXPECT_THAT(packed->values, ElementsAre(1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0));
}

TEST(Packing, AMatrixWithoutEntriesKeepsItsDenseLevels) {
    const CsrPattern empty = build_pattern(2, 3, {});
    const auto dense = pack(empty, build_format(2, 3, "i1:U k1:U"), {});
    ASSERT_TRUE(dense);
    EXPECT_THAT(dense->values, ElementsAre(0, 0, 0, 0, 0, 0));
    const auto dcsr = pack(empty, build_format(2, 3, "i1:C k1:C"), {});
    ASSERT_TRUE(dcsr);
    EXPECT_THAT(dcsr->levels[0].pos, ElementsAre(0, 0));
    EXPECT_THAT(dcsr->levels[1].pos, ElementsAre(0));
    EXPECT_THAT(dcsr->values, IsEmpty());
    const auto csr = pack(empty, build_format(2, 3, "i1:U k1:C"), {});
    ASSERT_TRUE(csr);
    EXPECT_THAT(csr->levels[1].pos, ElementsAre(0, 0, 0));
}

TEST(Packing, AMatrixWithoutRowsIsStoredInEveryFormat) {
    const CsrPattern empty = build_pattern(0, 3, {});
    for (const char* levels : {"i1:U k1:C", "i1:C k1:U", "k1:U i1:U", "k1:C i1:C"}) {
        const auto packed = pack(empty, build_format(0, 3, levels), {});
        ASSERT_TRUE(packed) << levels;
        EXPECT_THAT(packed->values, IsEmpty()) << levels;
        EXPECT_EQ(to_coordinates(*packed).nnz(), 0) << levels;
    }
}

TEST(Packing, StopsWhenAskedTo) {
    const std::stop_source source;
    PackingOptions options;
    options.stop = source.get_token();
    ASSERT_TRUE(pack(example(), build_format(4, 6, "k1:U i1:C"), options));
    source.request_stop();
    const auto packed = pack(example(), build_format(4, 6, "k1:U i1:C"), options);
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().fault, Fault::Cancelled);
    EXPECT_EQ(packed.error().message, "packing was stopped");
}

TEST(Packing, RefusesAFormatOfAnotherMatrix) {
    const auto packed = pack(example(), build_format(4, 7, "i1:U k1:C"), {});
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().fault, Fault::Internal);
    EXPECT_EQ(packed.error().message, "a storage format for 4 x 7 is used on a matrix of 4 x 6");
}

TEST(Packing, RefusesLevelsThatAreNoFormat) {
    const auto message = [](const StorageFormat& format) {
        const auto packed = pack(example(), format, {});
        return packed ? "packed" : packed.error().message;
    };
    EXPECT_EQ(message(build_format(4, 6, "i1:U")),
              "i1:U(4) is no storage format: the columns, split by 1, have 0 outer and 0 inner levels");
    EXPECT_EQ(message(build_format(4, 6, "i1:U k1:C i0:U", 1, 1)),
              "i1:U(4) k1:C(6) i0:U(1) is no storage format: the rows, split by 1, have 1 outer and 1 inner "
              "levels");
    EXPECT_EQ(message(build_format(4, 6, "i1:U i1:U k1:C")),
              "i1:U(4) i1:U(4) k1:C(6) is no storage format: the rows, split by 1, have 2 outer and 0 inner "
              "levels");
    StorageFormat wrong_extent = build_format(4, 6, "i1:U k1:C k0:C", 1, 4);
    wrong_extent.levels[1].extent = 1;
    EXPECT_EQ(message(wrong_extent),
              "i1:U(4) k1:C(1) k0:C(4) is no storage format: a level of the columns has extent 1; 6 columns "
              "split by 4 need 2");
    StorageFormat two_splits = build_format(4, 6, "i1:U k1:C k0:C", 1, 4);
    two_splits.levels[2].split = 2;
    EXPECT_EQ(message(two_splits), "i1:U(4) k1:C(2) k0:C(4) is no storage format: the levels of the columns "
                                   "are split by 4 and 2");
}

} // namespace
} // namespace sparsight
