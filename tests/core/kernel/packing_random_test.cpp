// Thousands of random formats over awkward matrices: reading the tree gives the matrix back.
#include "kernel/packing.h"

#include "kernel/coordinate_key.h"
#include "random_format.h"

#include <algorithm>
#include <bit>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::build_pattern;
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
    EXPECT_EQ(storage_size(packed.format, DistinctCoordinates(pattern)), predicted) << describe(packed.format);
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
            const StorageSize least = least_storage(format, pattern.nnz());
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
