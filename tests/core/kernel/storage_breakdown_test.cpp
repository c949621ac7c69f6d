#include "kernel/storage_breakdown.h"

#include "base/random.h"
#include "kernel/packing.h"
#include "schedule/sampler.h"
#include "storage_format_builder.h"

#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using testing::build_format;
using testing::build_pattern;

CsrPattern example() {
    return build_pattern(4, 6, {{0, 0, 1}, {0, 1, 1}, {0, 5, 1}, {2, 2, 1}, {3, 2, 1}, {3, 3, 1}});
}

TEST(StorageBreakdown, OfCsrIsItsRowPointersColumnsAndValues) {
    const StorageBreakdown csr = csr_breakdown(example(), Operator::SpMM);
    ASSERT_EQ(csr.levels.size(), 2U);
    EXPECT_EQ(name(csr.levels[0].level.loop), "i1");
    EXPECT_EQ(csr.levels[0].pos + csr.levels[0].crd, 0U);
    EXPECT_EQ(name(csr.levels[1].level.loop), "k1");
    EXPECT_EQ(csr.levels[1].pos, 4U * 5);
    EXPECT_EQ(csr.levels[1].crd, 4U * 6);
    EXPECT_EQ(csr.values, 4U * 6);
    EXPECT_EQ(csr.padding, 0U);
    EXPECT_EQ(csr.bytes(), csr_bytes(example()));
    EXPECT_EQ(name(csr_breakdown(example(), Operator::SDDMM).levels[1].level.loop), "j1");
}

TEST(StorageBreakdown, CountsTheExplicitZerosOfDenseBlocks) {
    const auto blocks = storage_breakdown(example(), build_format(4, 6, "i1:U k1:C i0:U k0:U", 2, 3), 1);
    ASSERT_TRUE(blocks);
    EXPECT_EQ(blocks->levels[1].pos, 4U * 3);
    EXPECT_EQ(blocks->levels[1].crd, 4U * 4);
    EXPECT_EQ(blocks->values, 4U * 24);
    EXPECT_EQ(blocks->padding, 4U * 18);
}

TEST(StorageBreakdown, AddsUpToWhatPackingReallyTakes) {
    Random random(11);
    for (const Operator op : all_operators) {
        const CsrPattern pattern = example();
        for (const SuperSchedule& schedule :
             sample_waco(op, extents(op, pattern.rows, pattern.cols, 8), 60, 2, random)) {
            const StorageFormat format = storage_format(schedule, pattern.rows, pattern.cols);
            const auto breakdown = storage_breakdown(pattern, format, 1);
            const auto packed = pack(pattern, format, {});
            ASSERT_TRUE(breakdown && packed);
            EXPECT_EQ(breakdown->bytes(), packed->bytes()) << describe(format);
            EXPECT_EQ(breakdown->padding, packed->values.size() * 4 - 4 * 6) << describe(format);
            for (std::size_t l = 0; l < format.levels.size(); ++l) {
                EXPECT_EQ(breakdown->levels[l].pos, packed->levels[l].pos.size() * 4);
                EXPECT_EQ(breakdown->levels[l].crd, packed->levels[l].crd.size() * 4);
            }
        }
    }
}

TEST(StorageBreakdown, OfAFormatThatExplodesIsTheLargestNumberInsteadOfNonsense) {
    const StorageFormat format =
        build_format(max_extent, max_extent, "i1:U k1:U i0:U k0:U", 1 << 30, 1 << 30);
    const std::array<std::int64_t, 4> prefixes{1, 1, 2, 2};
    const StorageBreakdown breakdown = storage_breakdown(format, storage_size(format, prefixes), 2);
    EXPECT_EQ(breakdown.values, std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(breakdown.bytes(), std::numeric_limits<std::uint64_t>::max());
}

TEST(StorageBreakdown, RefusesAFormatOfAnotherMatrix) {
    EXPECT_FALSE(storage_breakdown(example(), build_format(5, 6, "i1:U k1:C"), 1));
}

} // namespace
} // namespace sparsight
