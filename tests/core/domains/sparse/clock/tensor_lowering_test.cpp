// Loop nests over a tensor of order 3, against the sum as one would write it.
#include "core/domains/sparse/clock/interpreter.h"
#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/schedule/sampler.h"
#include "domains/sparse/schedule/text.h"

#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vector>

namespace sparsight {
namespace {

constexpr Operator mttkrp = Operator::MTTKRP;
constexpr std::int64_t j_extent = 5; // j

class TensorLowering : public ::testing::Test {
protected:
    TensorLowering() {
        for (std::int32_t i = 0; i < shape[0]; ++i)
            for (std::int32_t k = 0; k < shape[1]; ++k)
                for (std::int32_t l = 0; l < shape[2]; ++l)
                    if (random.chance(0.2)) {
                        tensor.coordinates[0].push_back(i);
                        tensor.coordinates[1].push_back(k);
                        tensor.coordinates[2].push_back(l);
                        tensor.values.push_back(whole());
                    }
        for (std::vector<float>* operand : {&b, &c})
            for (float& value : *operand)
                value = whole();
    }

    /// Small, so that no sum is rounded.
    float whole() { return static_cast<float>(random.between(1, 9)); }

    std::array<std::int64_t, 3> shape{7, 6, 9};
    Extents sizes = extents(mttkrp, shape, std::array{j_extent});
    Random random{5};
    SparseTensor tensor{{shape.begin(), shape.end()}, std::vector<std::vector<std::int32_t>>(3), {}};
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
    for (std::size_t entry = 0; entry < tensor.values.size(); ++entry)
        for (std::int64_t j = 0; j < j_extent; ++j) {
            const auto at = [&](std::size_t mode) {
                return static_cast<std::size_t>(tensor.coordinates[mode][entry] * j_extent + j);
            };
            expected[at(0)] += tensor.values[entry] * b[at(1)] * c[at(2)];
        }
    for (SuperSchedule& schedule : sample_uniform(mttkrp, sizes, 400, 1, random)) {
        if (random.chance(0.3))
            schedule.split(random.pick(indices(mttkrp))) = 12; // more than there is
        for (const KernelTarget& target : {KernelTarget{1, 0}, KernelTarget{4, 8}, KernelTarget{16, 24}}) {
            const LoopNest nest = lower(schedule, sizes, target);
            const auto a = pack(tensor, nest.storage, {});
            ASSERT_TRUE(a) << a.error().message;
            std::vector<float> result(expected.size(), -1);
            const auto done = interpret(nest, {*a, b, c, result});
            ASSERT_TRUE(done) << to_text(schedule) << ": " << done.error().message;
            ASSERT_EQ(result, expected) << to_text(schedule);
        }
    }
}

TEST_F(TensorLowering, CompilesToKernelsWithTheExactResult) {
    auto compiler = KernelCompiler::make();
    ASSERT_TRUE(compiler) << compiler.error().message;
    Team team(2);
    for (const std::int64_t dense : {1, 5, 32, 50}) {
        auto inputs = KernelInputs::make(tensor, mttkrp, dense, 1);
        ASSERT_TRUE(inputs) << inputs.error().message;
        for (const SuperSchedule& schedule : sample_uniform(mttkrp, inputs->extents(), 40, 2, random)) {
            const LoopNest nest = lower(schedule, inputs->extents(), compiler->target());
            const auto packed = pack(inputs->tensor(), nest.storage, {});
            ASSERT_TRUE(packed) << packed.error().message;
            const auto operands = inputs->operands(*packed);
            ASSERT_TRUE(operands);
            const auto kernel = compiler->compile(nest);
            ASSERT_TRUE(kernel) << kernel.error().message;
            KernelRunner(*kernel, *operands, schedule.chunk, team).run();
            const auto verified = inputs->verify(*packed);
            EXPECT_TRUE(verified) << to_text(schedule) << ": " << verified.error().message;
            operands->c[0] += 1;
            EXPECT_FALSE(inputs->verify(*packed)) << "one element is wrong";
        }
    }
}

} // namespace
} // namespace sparsight
