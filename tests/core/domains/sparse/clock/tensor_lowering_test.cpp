// Loop nests over a tensor of order 3, against the sum as one would write it.
#include "core/domains/sparse/clock/interpreter.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <vector>

namespace sparsight {
namespace {

constexpr Operator mttkrp = Operator::MTTKRP;
constexpr std::int64_t j_extent = 5; // j

struct TensorEntry {
    std::array<std::int64_t, 3> at; ///< i, k, l
    float value;
};

/// Level by level, as storage_format.h says.
PackedMatrix pack_entries(const StorageFormat& format, const std::vector<TensorEntry>& entries) {
    PackedMatrix packed;
    packed.format = format;
    packed.nnz = std::ssize(entries);
    std::vector<std::vector<TensorEntry>> nodes{entries};
    for (const StorageLevel& level : format.levels) {
        PackedLevel& stored = packed.levels.emplace_back();
        const bool is_compressed = level.format == LevelFormat::Compressed;
        std::vector<std::vector<TensorEntry>> children;
        if (is_compressed)
            stored.pos.push_back(0);
        for (const auto& node : nodes) {
            std::map<std::int64_t, std::vector<TensorEntry>> below;
            for (std::int64_t coordinate = 0; !is_compressed && coordinate < level.extent; ++coordinate)
                below[coordinate];
            for (const TensorEntry& entry : node) {
                const std::int64_t x = entry.at[level.mode];
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
    for (const auto& node : nodes)
        packed.values.push_back(node.empty() ? 0.0F : node.front().value);
    return packed;
}

class TensorLowering : public ::testing::Test {
protected:
    TensorLowering() {
        for (std::int64_t i = 0; i < shape[0]; ++i)
            for (std::int64_t k = 0; k < shape[1]; ++k)
                for (std::int64_t l = 0; l < shape[2]; ++l)
                    if (random.chance(0.2))
                        entries.push_back({{i, k, l}, whole()});
        for (std::vector<float>* operand : {&b, &c})
            for (float& value : *operand)
                value = whole();
    }

    /// Small, so that no sum is rounded.
    float whole() { return static_cast<float>(random.between(1, 9)); }

    std::array<std::int64_t, 3> shape{7, 6, 9};
    Extents sizes = extents(mttkrp, shape, std::array{j_extent});
    Random random{5};
    std::vector<TensorEntry> entries;
    std::vector<float> b = std::vector<float>(static_cast<std::size_t>(shape[1] * j_extent)); ///< B(k,j)
    std::vector<float> c = std::vector<float>(static_cast<std::size_t>(shape[2] * j_extent)); ///< C(l,j)
};

TEST_F(TensorLowering, GivesLevelsOfEveryModeToTheStorageOfATensor) {
    const auto schedule = parse_schedule(mttkrp, "1 1 4 1 l1 i1 i0 k1 k0 l0 j1 j0 1 1 0 1 0 1 i1 1 1");
    const StorageFormat format = storage_format(*schedule, sizes);
    EXPECT_EQ(describe(format), "l1:C(3) i1:U(7) k1:C(6) l0:U(4)");
    EXPECT_THAT(format.sizes, ::testing::ElementsAre(7, 6, 9));
}

TEST_F(TensorLowering, PrintsTheBaselineAsOneWouldWriteIt) {
    EXPECT_EQ(print_c(lower(fixed_csr(mttkrp, 1), sizes, {1, 0})), R"(#include <stdint.h>
#include <string.h>

void mttkrp(const int32_t* restrict k_pos, const int32_t* restrict k_crd, const int32_t* restrict l_pos, const int32_t* restrict l_crd, const float* restrict A, const float* restrict B, const float* restrict D, float* restrict C) {
  memset(C, 0, 7LL * 5 * sizeof(float));
  #pragma omp parallel for schedule(dynamic, 32)
  for (int64_t i = 0; i < 7; ++i) {
    for (int64_t pk = k_pos[i]; pk < k_pos[i + 1]; ++pk) {
      const int64_t k = k_crd[pk];
      for (int64_t pl = l_pos[pk]; pl < l_pos[pk + 1]; ++pl) {
        const int64_t l = l_crd[pl];
        for (int64_t j = 0; j < 5; ++j) {
          C[i * 5 + j] += A[pl] * B[k * 5 + j] * D[l * 5 + j];
        }
      }
    }
  }
}
)");
}

TEST_F(TensorLowering, ComputesTheSumWhateverTheScheduleAndTheRegisters) {
    std::vector<float> expected(static_cast<std::size_t>(shape[0] * j_extent));
    for (const auto& [at, value] : entries)
        for (std::int64_t j = 0; j < j_extent; ++j)
            expected[static_cast<std::size_t>(at[0] * j_extent + j)] +=
                value * b[static_cast<std::size_t>(at[1] * j_extent + j)] *
                c[static_cast<std::size_t>(at[2] * j_extent + j)];
    for (SuperSchedule& schedule : sample_uniform(mttkrp, sizes, 400, 1, random)) {
        if (random.chance(0.3))
            schedule.split(random.pick(indices(mttkrp))) = 12; // more than there is
        for (const KernelTarget& target : {KernelTarget{1, 0}, KernelTarget{4, 8}, KernelTarget{16, 24}}) {
            const LoopNest nest = lower(schedule, sizes, target);
            const PackedMatrix a = pack_entries(nest.storage, entries);
            std::vector<float> result(expected.size(), -1);
            const auto done = interpret(nest, {a, b, c, result});
            ASSERT_TRUE(done) << to_text(schedule) << ": " << done.error().message;
            ASSERT_EQ(result, expected) << to_text(schedule);
        }
    }
}

} // namespace
} // namespace sparsight
