#include "core/domains/sparse/kernel/kernel_cases.h"

#include "domains/sparse/clock/compiled_kernel.h"
#include "domains/sparse/kernel/lowering/interpreter.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/schedule/text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

namespace sparsight {
namespace {

using testing::ExpectedResult;
using testing::NamedPattern;

/// Runs one schedule through the interpreter and the compiled kernel and compares both with Eigen.
class KernelCheck {
public:
    explicit KernelCheck(int threads)
        : team_(threads) {
        auto compiler = KernelCompiler::make();
        if (compiler)
            compiler_ = std::make_unique<KernelCompiler>(std::move(*compiler));
    }

    /// Empty when both agree; otherwise what went wrong.
    std::string check(const SuperSchedule& schedule, const CsrPattern& pattern, std::int64_t dense,
                      Random& random, const KernelTarget& target) {
        if (!compiler_)
            return "no compiler";
        const Extents extents = sparsight::extents(schedule.op, pattern.rows, pattern.cols, dense);
        const ExpectedResult expected = testing::expected_by_eigen(schedule.op, pattern, dense, random);
        PackingOptions options;
        options.keep_entry_positions = true;
        const auto packed = pack(pattern, storage_format(schedule, pattern.rows, pattern.cols), options);
        if (!packed)
            return packed.error().text();
        const auto size =
            static_cast<std::size_t>(operand_sizes(schedule.op, extents, std::ssize(packed->values)).c);
        const LoopNest nest = lower(schedule, extents, target);

        FloatBuffer c(size, std::numeric_limits<float>::quiet_NaN());
        if (const auto ran = interpret(nest, {*packed, expected.b, expected.d, c}); !ran)
            return "interpreter: " + ran.error().text();
        if (auto difference =
                testing::first_difference(testing::in_expected_order(schedule.op, *packed, c), expected);
            !difference.empty())
            return "interpreter: " + difference;

        const auto kernel = compiler_->compile(nest);
        if (!kernel)
            return kernel.error().text();
        std::ranges::fill(c, std::numeric_limits<float>::quiet_NaN());
        const KernelOperands operands{*packed, expected.b, expected.d, c};
        KernelRunner runner(*kernel, operands, schedule.chunk, team_);
        for (int run = 0; run < 2; ++run) { // twice: a second run must not add to the first
            runner.run();
            if (auto difference =
                    testing::first_difference(testing::in_expected_order(schedule.op, *packed, c), expected);
                !difference.empty())
                return "compiled: " + difference;
        }
        return {};
    }

    [[nodiscard]] KernelTarget target() const { return compiler_->target(); }

private:
    std::unique_ptr<KernelCompiler> compiler_;
    Team team_;
};

class EveryOperator : public ::testing::TestWithParam<Operator> {};
INSTANTIATE_TEST_SUITE_P(Kernels, EveryOperator, ::testing::ValuesIn(all_operators),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(EveryOperator, FixedCsrEqualsEigenOnAwkwardMatrices) {
    KernelCheck kernels(2);
    Random random(1);
    for (const NamedPattern& named : testing::awkward_patterns())
        for (const std::int64_t dense : {1, 7, 64, 256, 300})
            EXPECT_EQ(kernels.check(fixed_csr(GetParam(), 2), named.pattern, dense, random, kernels.target()),
                      "")
                << named.name << ", dense extent " << dense;
}

TEST_P(EveryOperator, TwoThousandRandomSchedulesEqualEigenOnAwkwardMatrices) {
    KernelCheck kernels(2);
    const auto patterns = testing::awkward_patterns();
    static constexpr std::array<std::int64_t, 8> dense_extents{1, 2, 5, 16, 33, 64, 100, 256};
    for (int round = 0; round < 2000; ++round) {
        Random random(static_cast<std::uint64_t>(round) * 3 + static_cast<std::uint64_t>(GetParam()));
        const SuperSchedule schedule = testing::random_schedule(GetParam(), random);
        const NamedPattern& named = random.pick(std::span<const NamedPattern>(patterns));
        const std::int64_t dense = random.pick(std::span<const std::int64_t>(dense_extents));
        const std::string difference =
            kernels.check(schedule, named.pattern, dense, random, kernels.target());
        ASSERT_EQ(difference, "") << "seed " << round << ": " << to_text(schedule) << " on " << named.name
                                  << ", dense extent " << dense;
    }
}

TEST_P(EveryOperator, EveryKernelTargetGivesTheSameResult) {
    KernelCheck kernels(1);
    const auto patterns = testing::awkward_patterns();
    for (const KernelTarget target : {KernelTarget{4, 8}, KernelTarget{4, 12}, KernelTarget{8, 12},
                                      KernelTarget{16, 24}, KernelTarget{16, 24, 64}}) {
        for (int round = 0; round < 60; ++round) {
            Random random(static_cast<std::uint64_t>(round));
            const SuperSchedule schedule = testing::random_schedule(GetParam(), random);
            const NamedPattern& named = random.pick(std::span<const NamedPattern>(patterns));
            ASSERT_EQ(kernels.check(schedule, named.pattern, 96, random, target), "")
                << target.lanes << " lanes, seed " << round << ": " << to_text(schedule) << " on "
                << named.name;
        }
    }
}

TEST(CompiledKernel, StaysUsableAfterItsCompilerIsGone) {
    CompiledKernel kernel;
    const SuperSchedule schedule = fixed_csr(Operator::SpMV, 1);
    Random random(3);
    const CsrPattern pattern = testing::random_pattern(20, 20, 0.3, random);
    const Extents extents = sparsight::extents(Operator::SpMV, 20, 20, 1);
    {
        auto compiler = KernelCompiler::make();
        ASSERT_TRUE(compiler.has_value());
        auto compiled = compiler->compile(lower(schedule, extents, compiler->target()));
        ASSERT_TRUE(compiled.has_value());
        kernel = *compiled;
    }
    const ExpectedResult expected = testing::expected_by_eigen(Operator::SpMV, pattern, 1, random);
    const auto packed = pack(pattern, storage_format(schedule, 20, 20), {});
    ASSERT_TRUE(packed.has_value());
    FloatBuffer c(20, 0.0F);
    Team team(1);
    KernelRunner(kernel, {*packed, expected.b, expected.d, c}, 32, team).run();
    EXPECT_EQ(testing::first_difference({c.begin(), c.end()}, expected), "");
}

} // namespace
} // namespace sparsight
