#include "domains/sparse/kernel/storage/coordinate_order.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "kernel_cases.h"

#include <algorithm>
#include <bit>
#include <gmock/gmock.h>
#include <limits>

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

/// The place in the tree that a walk has reached.
struct Walk {
    const PackedMatrix& matrix;
    CooPattern& result;

    void visit(std::size_t level, std::int64_t position, std::int64_t row, std::int64_t column) const {
        if (level == matrix.levels.size()) {
            store(position, row, column);
            return;
        }
        const StorageLevel& shape = matrix.format.levels[level];
        const PackedLevel& packed = matrix.levels[level];
        if (shape.format == LevelFormat::Uncompressed) {
            for (std::int64_t coordinate = 0; coordinate < shape.extent; ++coordinate)
                descend(level, position * shape.extent + coordinate, coordinate, row, column);
            return;
        }
        const auto parent = static_cast<std::size_t>(position);
        for (std::int64_t child = packed.pos[parent]; child < packed.pos[parent + 1]; ++child)
            descend(level, child, packed.crd[static_cast<std::size_t>(child)], row, column);
    }

    void descend(std::size_t level, std::int64_t position, std::int64_t coordinate, std::int64_t row,
                 std::int64_t column) const {
        const StorageLevel& shape = matrix.format.levels[level];
        const std::int64_t step = shape.loop.part == Part::Outer ? coordinate * shape.split : coordinate;
        visit(level + 1, position, row + (shape.is_row() ? step : 0), column + (shape.is_row() ? 0 : step));
    }

    void store(std::int64_t position, std::int64_t row, std::int64_t column) const {
        // The last blocks of a split that does not divide the extent reach beyond the matrix.
        if (row >= result.rows || column >= result.cols)
            return;
        result.row_ids.push_back(static_cast<std::int32_t>(row));
        result.column_ids.push_back(static_cast<std::int32_t>(column));
        result.values.push_back(matrix.values[static_cast<std::size_t>(position)]);
    }
};

/// Lists everything that the tree stores, padding included, in the tree's order, by a simple walk.
CooPattern to_coordinates(const PackedMatrix& matrix) {
    CooPattern result{matrix.format.rows(), matrix.format.cols(), {}, {}, {}};
    Walk{matrix, result}.visit(0, 0, 0, 0);
    return result;
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
    EXPECT_EQ(packed.error().message, "a storage format for 4 x 7 is used on 4 x 6");
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

// What a format will take is known, and may be refused, before anything of that size exists.
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

CsrPattern diagonal(std::int64_t side) {
    CsrPattern pattern{side, side, {0}, {}, {}};
    for (std::int64_t r = 0; r < side; ++r) {
        pattern.row_pointers.push_back(r + 1);
        pattern.column_ids.push_back(static_cast<std::int32_t>(r));
    }
    return pattern;
}

TEST(PackingLimits, AreSixtyFourTimesCsrWithinSixteenMebibytesAndTwoGibibytes) {
    const PackingLimits limits;
    EXPECT_EQ(limits.bytes_for(8), 16 * mebibyte);
    EXPECT_EQ(limits.bytes_for(mebibyte / 4), 16 * mebibyte);
    EXPECT_EQ(limits.bytes_for(mebibyte), 64 * mebibyte);
    EXPECT_EQ(limits.bytes_for(32 * mebibyte), 2048 * mebibyte);
    EXPECT_EQ(limits.bytes_for(40 * mebibyte), 2048 * mebibyte);
}

TEST(PackingLimits, MaximumIsStrongerThanTheFloor) {
    const PackingLimits limits{.max_bytes = 1000};
    EXPECT_EQ(limits.bytes_for(8), 1000U);
    EXPECT_EQ(limits.bytes_for(mebibyte), 1000U);
}

TEST(StorageSize, CountsDistinctCoordinatesOnCompressedLevelsAndProductsOnOthers) {
    const CsrPattern pattern = build_pattern(4, 6, {{0, 0, 1}, {0, 1, 1}, {0, 5, 1}, {2, 2, 1}, {3, 2, 1}});
    const auto size = predict_storage(pattern, build_format(4, 6, "i1:C k1:C i0:U k0:U", 2, 3), 1);
    ASSERT_TRUE(size);
    // Blocks (0,0), (0,1), (1,0) of 2 × 3.
    EXPECT_THAT(size->positions, ElementsAre(2, 3, 6, 18));
    EXPECT_EQ(size->bytes, 4U * (2 + 2 + 3 + 3 + 18));
}

TEST(StorageSize, SaturatesInsteadOfWrapping) {
    const CsrPattern one = build_pattern(3, 5, {{1, 1, 1}});
    const std::int64_t huge = std::int64_t{1} << 62;
    const auto size = predict_storage(one, build_format(3, 5, "i1:U i0:U k1:U k0:U", huge, huge), 1);
    ASSERT_TRUE(size);
    EXPECT_THAT(size->positions, ElementsAre(1, huge, huge, std::numeric_limits<std::int64_t>::max()));
    EXPECT_EQ(size->bytes, std::numeric_limits<std::uint64_t>::max());
    EXPECT_FALSE(pack(one, build_format(3, 5, "i1:C i0:U k1:C k0:U", huge, huge), {}));
}

TEST(StorageSize, LeastIsExactWhereItDoesNotDependOnTheCoordinates) {
    const CsrPattern pattern = diagonal(100);
    for (const char* levels : {"i1:U k1:C", "k1:U i1:C", "i1:U k1:U", "i1:U k1:U k0:U i0:C"}) {
        const std::int64_t split = std::string_view(levels).contains('0') ? 8 : 1;
        const StorageFormat format = build_format(100, 100, levels, split, split);
        EXPECT_EQ(storage_lower_bound(format, pattern.nnz()), predict_storage(pattern, format, 1).value());
    }
}

TEST(PackingRefusal, NamesTheFormatItsSizeAndTheLimit) {
    const CsrPattern pattern = diagonal(1024);
    const auto packed =
        pack(pattern, build_format(1024, 1024, "i1:C k1:U"), {.limits = {.max_bytes = mebibyte}});
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().fault, Fault::Limit);
    EXPECT_EQ(packed.error().message,
              "storing A as i1:C(1024) k1:U(1024) takes 4.00 MiB, more than the limit of "
              "1.00 MiB (fixed CSR takes 12.0 KiB)");
}

TEST(PackingRefusal, ComesBeforePlanningWhereTheExtentsAloneRuleItOut) {
    const CsrPattern pattern = diagonal(100'000);
    const auto packed = pack(pattern, build_format(100'000, 100'000, "i1:U k1:U"), {});
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().fault, Fault::Limit);
    EXPECT_EQ(
        packed.error().message,
        "storing A as i1:U(100000) k1:U(100000) takes at least 37.3 GiB, more than the limit of 73.2 MiB "
        "(fixed CSR takes 1.14 MiB)");
}

TEST(PackingRefusal, LeavesTheExactSizeInThePlan) {
    const CsrPattern pattern = diagonal(1024);
    const auto plan = PackingPlan::make(pattern, build_format(1024, 1024, "i1:C k1:U"), 1);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->size().bytes, 4U * (2 + 1024 + 1024 * 1024));
    EXPECT_FALSE(plan->pack({.limits = {.max_bytes = mebibyte}}));
    EXPECT_EQ(plan->pack({}).value().bytes(), plan->size().bytes);
}

TEST(PackingRefusal, ComesWhenPositionsDoNotFitIn31Bits) {
    const CsrPattern one = build_pattern(1, 1, {{0, 0, 1}});
    const auto packed = pack(
        one, build_format(1, 1, "i1:U i0:U k1:C", std::int64_t{1} << 31),
        {.limits = {.max_bytes = std::numeric_limits<std::uint64_t>::max(), .max_ratio_to_fixed = 1e30}});
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().fault, Fault::Limit);
    EXPECT_EQ(packed.error().message,
              "storing A as i1:U(1) i0:U(2147483648) k1:C(1) needs at least 2147483648 "
              "positions on one level, more than the limit of 2147483647");
}

} // namespace

// Thousands of random formats over awkward matrices: reading the tree gives the matrix back.
namespace {

using testing::random_format;
using testing::Triple;

CsrPattern random_pattern(Random& random, std::int64_t rows, std::int64_t cols, std::int64_t entries) {
    std::vector<Triple> triples;
    triples.reserve(static_cast<std::size_t>(entries));
    for (std::int64_t e = 0; e < entries; ++e)
        triples.push_back({static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(rows))),
                           static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(cols))),
                           static_cast<float>(random.between(1, 1000))});
    return build_pattern(rows, cols, triples);
}

constexpr std::array<std::int64_t, 12> splits{1, 1, 1, 2, 3, 4, 5, 7, 8, 16, 33, 64};

/// The matrix that the tree stores; the values are not 0, so that what is 0 is padding.
CsrPattern read_back(const PackedMatrix& packed) {
    const CooPattern stored = to_coordinates(packed);
    std::vector<Triple> entries;
    for (std::size_t e = 0; e < stored.values.size(); ++e)
        if (stored.values[e] != 0)
            entries.push_back({stored.row_ids[e], stored.column_ids[e], stored.values[e]});
    return build_pattern(stored.rows, stored.cols, entries);
}

bool ascends_below_each_parent(const PackedLevel& level) {
    for (std::size_t p = 0; p + 1 < level.pos.size(); ++p)
        for (std::int32_t child = level.pos[p] + 1; child < level.pos[p + 1]; ++child)
            if (level.crd[static_cast<std::size_t>(child)] <= level.crd[static_cast<std::size_t>(child) - 1])
                return false;
    return true;
}

void expect_stores(const PackedMatrix& packed, const CsrPattern& pattern, const StorageSize& predicted) {
    EXPECT_EQ(storage_size(packed.format, DistinctCoordinates(pattern)), predicted)
        << describe(packed.format);
    const std::string format = describe(packed.format);
    EXPECT_EQ(packed.nnz, pattern.nnz()) << format;
    EXPECT_EQ(read_back(packed), pattern) << format;
    EXPECT_EQ(packed.bytes(), predicted.bytes) << format;
    for (std::size_t l = 0; l < packed.levels.size(); ++l) {
        EXPECT_EQ(packed.levels[l].positions, predicted.positions[l]) << format;
        EXPECT_TRUE(ascends_below_each_parent(packed.levels[l])) << format;
    }
    ASSERT_EQ(packed.entry_positions.size(), pattern.column_ids.size()) << format;
    for (std::size_t e = 0; e < pattern.column_ids.size(); ++e)
        ASSERT_EQ(packed.values[static_cast<std::size_t>(packed.entry_positions[e])], pattern.values[e])
            << format;
}

std::vector<CsrPattern> awkward_matrices(Random& random) {
    return {build_pattern(0, 0, {}),
            build_pattern(0, 5, {}),
            build_pattern(5, 0, {}),
            build_pattern(7, 9, {}),
            build_pattern(1, 1, {{0, 0, 3}}),
            random_pattern(random, 1, 70, 20),
            random_pattern(random, 70, 1, 20),
            random_pattern(random, 13, 17, 221),
            random_pattern(random, 64, 64, 300),
            random_pattern(random, 37, 101, 60),
            random_pattern(random, 200, 3, 90),
            random_pattern(random, 150, 150, 5),
            build_pattern(90, 90, {{89, 89, 1}}),
            build_pattern(90, 90, {{40, 0, 1}, {41, 89, 2}})};
}

TEST(PackingRandomFormats, ReadingTheTreeGivesTheMatrixBack) {
    Random random(20240);
    const std::vector<CsrPattern> matrices = awkward_matrices(random);
    for (int repeat = 0; repeat < 300; ++repeat) {
        for (const CsrPattern& pattern : matrices) {
            const StorageFormat format = random_format(random, pattern, splits);
            const auto plan = PackingPlan::make(pattern, format, 1);
            ASSERT_TRUE(plan) << plan.error().text();
            const auto packed = plan->pack({.keep_entry_positions = true});
            ASSERT_TRUE(packed) << packed.error().text();
            expect_stores(*packed, pattern, plan->size());
            const StorageSize least = storage_lower_bound(format, pattern.nnz());
            EXPECT_LE(least.bytes, plan->size().bytes) << describe(format);
        }
    }
}

TEST(PackingRandomFormats, AreTheSameOnAnyNumberOfThreads) {
    Random random(7);
    const std::vector<CsrPattern> matrices{random_pattern(random, 3000, 2000, 40'000),
                                           random_pattern(random, 5, 20'000, 30'000),
                                           random_pattern(random, 200'000, 300, 30'000)};
    for (int repeat = 0; repeat < 40; ++repeat) {
        for (const CsrPattern& pattern : matrices) {
            const StorageFormat format = random_format(random, pattern, splits);
            PackingOptions options{.keep_entry_positions = true};
            const auto alone = pack(pattern, format, options);
            if (!alone) {
                EXPECT_EQ(alone.error().fault, Fault::Limit) << alone.error().text();
                continue;
            }
            for (const int threads : {2, 3}) {
                options.threads = threads;
                const auto together = pack(pattern, format, options);
                ASSERT_TRUE(together) << describe(format);
                EXPECT_EQ(together->levels, alone->levels) << describe(format);
                EXPECT_EQ(together->values, alone->values) << describe(format);
                EXPECT_EQ(together->entry_positions, alone->entry_positions) << describe(format);
            }
            if (repeat < 3) {
                EXPECT_EQ(read_back(*alone), pattern) << describe(format);
            }
        }
    }
}

TEST(PackingRandomFormats, HoldForExtentsWhoseKeysLeaveNoRoomBesideThem) {
    Random random(9);
    const CsrPattern pattern = random_pattern(random, 300'000, 500'000'000, 40'000);
    for (const char* levels : {"i1:C k1:C i0:C k0:C", "k0:C i1:C k1:C i0:C", "k1:C k0:U i0:C i1:C"}) {
        const StorageFormat format = testing::build_format(pattern.rows, pattern.cols, levels, 3, 5);
        ASSERT_GE(coordinate_bits(format) + std::bit_width(static_cast<std::uint64_t>(pattern.nnz())), 64);
        for (const int threads : {1, 2}) {
            const auto packed = pack(pattern, format, {.threads = threads, .keep_entry_positions = true});
            ASSERT_TRUE(packed) << packed.error().text();
            expect_stores(*packed, pattern, predict_storage(pattern, format, threads).value());
        }
    }
}

} // namespace
} // namespace sparsight
