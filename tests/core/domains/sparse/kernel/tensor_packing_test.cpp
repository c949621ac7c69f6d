// Tensors of order 3 and 4 in coordinate trees, against packing as storage_format.h describes it.
#include "base/random.h"
#include "domains/sparse/kernel/storage/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <set>
#include <vector>

namespace sparsight {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Entries by their number, level by level.
PackedMatrix packed_by_definition(const SparseTensor& tensor, const StorageFormat& format) {
    PackedMatrix packed;
    packed.format = format;
    packed.nnz = tensor.nnz();
    std::vector<std::vector<std::size_t>> nodes(1);
    for (std::size_t entry = 0; entry < static_cast<std::size_t>(tensor.nnz()); ++entry)
        nodes.front().push_back(entry);
    for (const StorageLevel& level : format.levels) {
        PackedLevel& stored = packed.levels.emplace_back();
        const bool is_compressed = level.format == LevelFormat::Compressed;
        std::vector<std::vector<std::size_t>> children;
        if (is_compressed)
            stored.pos.push_back(0);
        for (const auto& node : nodes) {
            std::map<std::int64_t, std::vector<std::size_t>> below;
            for (std::int64_t coordinate = 0; !is_compressed && coordinate < level.extent; ++coordinate)
                below[coordinate];
            for (const std::size_t entry : node) {
                const std::int64_t x = tensor.coordinates[level.mode][entry];
                below[level.loop.part == Part::Outer ? x / level.split : x % level.split].push_back(entry);
            }
            for (const auto& [coordinate, child] : below) {
                children.push_back(child);
                if (is_compressed)
                    stored.crd.push_back(static_cast<std::int32_t>(coordinate));
            }
            if (is_compressed)
                stored.pos.push_back(static_cast<std::int32_t>(children.size()));
        }
        stored.positions = std::ssize(children);
        nodes = std::move(children);
    }
    packed.entry_positions.resize(static_cast<std::size_t>(tensor.nnz()));
    for (std::size_t position = 0; position < nodes.size(); ++position) {
        packed.values.push_back(nodes[position].empty() ? 0.0F : tensor.values[nodes[position].front()]);
        if (!nodes[position].empty())
            packed.entry_positions[nodes[position].front()] = static_cast<std::int32_t>(position);
    }
    return packed;
}

SparseTensor drawn_tensor(const std::vector<std::int64_t>& sizes, std::size_t entries, Random& random) {
    SparseTensor tensor;
    tensor.sizes = sizes;
    tensor.coordinates.resize(sizes.size());
    for (std::size_t entry = 0; entry < entries; ++entry) {
        for (std::size_t mode = 0; mode < sizes.size(); ++mode)
            tensor.coordinates[mode].push_back(
                static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(sizes[mode]))));
        tensor.values.push_back(static_cast<float>(random.between(1, 9)));
    }
    sort_entries(tensor);
    return tensor;
}

/// Levels in any order, an outer one outside its inner one.
StorageFormat drawn_format(const std::vector<std::int64_t>& sizes, Random& random) {
    constexpr std::array<Index, most_order> index_of{Index::I, Index::K, Index::L, Index::M};
    StorageFormat format;
    std::vector<StorageLevel> levels;
    for (std::size_t mode = 0; mode < sizes.size(); ++mode) {
        format.sizes.push_back(sizes[mode]);
        const std::int64_t split = random.chance(0.5) ? random.between(2, 5) : 1;
        const std::int64_t outer = (sizes[mode] + split - 1) / split;
        levels.push_back({{index_of[mode], Part::Outer}, mode, split, outer, LevelFormat::Compressed});
        if (split > 1)
            levels.push_back({{index_of[mode], Part::Inner}, mode, split, split, LevelFormat::Compressed});
    }
    for (std::size_t left = levels.size(); left > 1; --left)
        std::swap(levels[left - 1], levels[random.below(left)]);
    for (std::size_t at = 0; at < levels.size(); ++at) {
        levels[at].format = random.chance(0.4) ? LevelFormat::Uncompressed : LevelFormat::Compressed;
        for (std::size_t outer = at + 1; outer < levels.size(); ++outer)
            if (levels[outer].mode == levels[at].mode && levels[outer].loop.part == Part::Outer) {
                std::swap(levels[at].loop.part, levels[outer].loop.part);
                std::swap(levels[at].extent, levels[outer].extent);
            }
    }
    format.levels = std::move(levels);
    return format;
}

TEST(TensorPacking, IsThatOfTheDefinitionWhateverTheFormat) {
    Random random(17);
    std::set<std::size_t> level_counts;
    for (int trial = 0; trial < 300; ++trial) {
        const std::vector<std::int64_t> sizes =
            trial % 2 == 0 ? std::vector<std::int64_t>{7, 6, 9} : std::vector<std::int64_t>{4, 5, 3, 6};
        const SparseTensor tensor = drawn_tensor(sizes, random.below(60), random);
        const StorageFormat format = drawn_format(sizes, random);
        const auto packed = pack(tensor, format, {.keep_entry_positions = true});
        ASSERT_TRUE(packed) << packed.error().text();
        const PackedMatrix expected = packed_by_definition(tensor, format);
        EXPECT_EQ(packed->levels, expected.levels) << describe(format);
        EXPECT_EQ(packed->values, expected.values) << describe(format);
        EXPECT_EQ(packed->entry_positions, expected.entry_positions) << describe(format);
        const auto plan = PackingPlan::make(tensor, format, 1);
        ASSERT_TRUE(plan);
        EXPECT_EQ(plan->size().bytes, packed->bytes());
        level_counts.insert(format.levels.size());
    }
    EXPECT_THAT(level_counts, ElementsAre(3, 4, 5, 6, 7, 8));
}

TEST(TensorPacking, IsTheSameWithAnyNumberOfThreads) {
    Random random(3);
    const std::vector<std::int64_t> sizes{300, 200, 500};
    const SparseTensor tensor = drawn_tensor(sizes, 60'000, random);
    const StorageFormat format = storage_format(
        fixed_csr(Operator::MTTKRP, 1), extents(Operator::MTTKRP, sizes, std::array{std::int64_t{8}}));
    const auto one = pack(tensor, format, {.threads = 1});
    const auto several = pack(tensor, format, {.threads = 5});
    ASSERT_TRUE(one && several);
    EXPECT_EQ(one->levels, several->levels);
    EXPECT_EQ(one->values, several->values);
}

TEST(TensorPacking, OfTheBaselineIsCompressedSparseFibres) {
    const SparseTensor tensor{{3, 2, 4}, {{0, 0, 0, 2}, {0, 0, 1, 1}, {1, 3, 0, 2}}, {1, 2, 3, 4}};
    const StorageFormat format = storage_format(
        fixed_csr(Operator::MTTKRP, 1), extents(Operator::MTTKRP, tensor.sizes, std::array{std::int64_t{8}}));
    const auto csf = pack(tensor, format, {});
    ASSERT_TRUE(csf);
    EXPECT_THAT(csf->levels[0].pos, IsEmpty());
    EXPECT_THAT(csf->levels[1].pos, ElementsAre(0, 2, 2, 3));
    EXPECT_THAT(csf->levels[1].crd, ElementsAre(0, 1, 1));
    EXPECT_THAT(csf->levels[2].pos, ElementsAre(0, 2, 3, 4));
    EXPECT_THAT(csf->levels[2].crd, ElementsAre(1, 3, 0, 2));
    EXPECT_EQ(csf->bytes(), csf_bytes(tensor));
}

TEST(TensorPacking, RefusesWhatTakesFarMoreThanTheBaseline) {
    Random random(9);
    const std::vector<std::int64_t> sizes{2000, 2000, 2000};
    const SparseTensor tensor = drawn_tensor(sizes, 1000, random);
    SuperSchedule schedule(Operator::MTTKRP);
    for (LevelFormat& each : schedule.formats)
        each = LevelFormat::Uncompressed;
    const auto packed = pack(
        tensor, storage_format(schedule, extents(Operator::MTTKRP, sizes, std::array{std::int64_t{8}})), {});
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().fault, Fault::Limit);
    EXPECT_THAT(packed.error().message, HasSubstr("(fixed CSF takes"));
}

TEST(TensorPacking, RefusesCoordinatesOfMoreThanSixtyFourBits) {
    constexpr std::int64_t large = std::numeric_limits<std::int32_t>::max();
    const SparseTensor tensor{{large, large, large}, {{0}, {1}, {2}}, {1}};
    const auto packed =
        pack(tensor,
             storage_format(SuperSchedule(Operator::MTTKRP),
                            extents(Operator::MTTKRP, tensor.sizes, std::array{std::int64_t{8}})),
             {});
    ASSERT_FALSE(packed);
    EXPECT_THAT(packed.error().message, HasSubstr("the coordinates of an entry take 93 bits"));
}

} // namespace
} // namespace sparsight
