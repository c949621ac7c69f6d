#include "kernel_cases.h"

#include "kernel/interpreter.h"
#include "kernel/lowering.h"
#include "kernel/packing.h"
#include "kernel/workload.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

struct Ran {
    PackedMatrix packed;
    KernelOperands operands;
};

class WorkloadOf : public ::testing::TestWithParam<Operator> {
protected:
    Workload workload_ = [] {
        Random random(2);
        return *Workload::make(testing::random_pattern(23, 31, 0.2, random), GetParam(), 20, 2);
    }();
    PackedMatrix packed_ = [this] {
        PackingOptions options;
        options.keep_entry_positions = true;
        return *pack(workload_.pattern(), storage_format(fixed_csr(GetParam(), 1), 23, 31), options);
    }();
};
INSTANTIATE_TEST_SUITE_P(Operators, WorkloadOf, ::testing::ValuesIn(all_operators),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(WorkloadOf, AcceptsTheRightResult) {
    const auto operands = workload_.operands(packed_);
    ASSERT_TRUE(operands.has_value());
    const LoopNest nest = lower(fixed_csr(GetParam(), 1), workload_.extents(), {4, 8});
    ASSERT_TRUE(interpret(nest, *operands).has_value());
    EXPECT_TRUE(workload_.verify(packed_).has_value());
}

TEST_P(WorkloadOf, RefusesAResultThatWasNeverWritten) {
    ASSERT_TRUE(workload_.operands(packed_).has_value());
    EXPECT_FALSE(workload_.verify(packed_).has_value());
}

TEST_P(WorkloadOf, RefusesOneWrongElementAndNamesItsRow) {
    const auto operands = workload_.operands(packed_);
    const LoopNest nest = lower(fixed_csr(GetParam(), 1), workload_.extents(), {4, 8});
    ASSERT_TRUE(interpret(nest, *operands).has_value());
    operands->c[operands->c.size() - 1] *= 1.5F;
    const auto verified = workload_.verify(packed_);
    ASSERT_FALSE(verified.has_value());
    EXPECT_NE(verified.error().message.find("row 23 "), std::string::npos) << verified.error().message;
}

TEST(Workload, RefusesADenseExtentOfZero) {
    EXPECT_EQ(Workload::make({}, Operator::SpMM, 0, 1).error().fault, Fault::Input);
}

TEST(Workload, RefusesOperandsOverItsLimitAndSaysHowLargeTheyAre) {
    CsrPattern pattern;
    pattern.rows = 1000;
    pattern.cols = 1000;
    pattern.row_pointers.assign(1001, 0);
    const auto workload = Workload::make(pattern, Operator::SpMM, 1 << 20, 1, 1 << 20);
    ASSERT_FALSE(workload.has_value());
    EXPECT_EQ(workload.error().fault, Fault::Limit);
    EXPECT_NE(workload.error().message.find("7.81 GiB"), std::string::npos) << workload.error().message;
}

} // namespace
} // namespace sparsight
