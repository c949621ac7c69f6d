// What a format will take is known, and may be refused, before anything of that size exists.
#include "kernel/packing.h"

#include "storage_format_builder.h"

#include <gmock/gmock.h>
#include <limits>

namespace sparsight {
namespace {

using testing::build_format;
using testing::build_pattern;
using ::testing::ElementsAre;

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

CsrPattern diagonal(std::int64_t side) {
    CsrPattern pattern{side, side, {0}, {}, {}};
    for (std::int64_t r = 0; r < side; ++r) {
        pattern.row_pointers.push_back(r + 1);
        pattern.column_ids.push_back(static_cast<std::int32_t>(r));
    }
    return pattern;
}

/// Of that many bytes in CSR: 1 row, so 8 + 8 nnz.
CsrPattern row_of_bytes(std::uint64_t bytes) {
    const auto nnz = static_cast<std::size_t>(bytes / 8 - 1);
    return {1,
            static_cast<std::int64_t>(nnz),
            {0, static_cast<std::int64_t>(nnz)},
            std::vector<std::int32_t>(nnz),
            {}};
}

TEST(PackingLimits, AreSixtyFourTimesCsrWithinSixteenMebibytesAndTwoGibibytes) {
    const PackingLimits limits;
    EXPECT_EQ(limits.bytes_for(row_of_bytes(8)), 16 * mebibyte);
    EXPECT_EQ(limits.bytes_for(row_of_bytes(mebibyte / 4)), 16 * mebibyte);
    EXPECT_EQ(limits.bytes_for(row_of_bytes(mebibyte)), 64 * mebibyte);
    EXPECT_EQ(limits.bytes_for(row_of_bytes(32 * mebibyte)), 2048 * mebibyte);
    EXPECT_EQ(limits.bytes_for(row_of_bytes(40 * mebibyte)), 2048 * mebibyte);
}

TEST(PackingLimits, MaximumIsStrongerThanTheFloor) {
    const PackingLimits limits{.max_bytes = 1000};
    EXPECT_EQ(limits.bytes_for(row_of_bytes(8)), 1000U);
    EXPECT_EQ(limits.bytes_for(row_of_bytes(mebibyte)), 1000U);
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
        EXPECT_EQ(least_storage(format, pattern.nnz()), predict_storage(pattern, format, 1).value());
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
    const auto packed =
        pack(one, build_format(1, 1, "i1:U i0:U k1:C", std::int64_t{1} << 31),
             {.limits = {.max_bytes = std::numeric_limits<std::uint64_t>::max(), .max_ratio_to_csr = 1e30}});
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().fault, Fault::Limit);
    EXPECT_EQ(packed.error().message,
              "storing A as i1:U(1) i0:U(2147483648) k1:C(1) needs at least 2147483648 "
              "positions on one level, more than the limit of 2147483647");
}

} // namespace
} // namespace sparsight
