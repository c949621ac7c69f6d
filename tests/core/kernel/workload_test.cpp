#include "kernel_cases.h"

#include "kernel/interpreter.h"
#include "kernel/lowering.h"
#include "kernel/packing.h"
#include "kernel/workload.h"

#include <gtest/gtest.h>
#include <numeric>
#include <span>

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

/// One row with every column, and its result.
class LongRow {
public:
    LongRow(Operator op, std::int64_t length)
        : workload_(*Workload::make(full_row(length), op, 4, 2))
        , packed_(*pack(workload_.pattern(), storage_format(fixed_csr(op, 1), 1, length),
                        {.limits = {}, .threads = 1, .keep_entry_positions = true, .stop = {}}))
        , operands_(*workload_.operands(packed_)) {
        EXPECT_TRUE(interpret(lower(fixed_csr(op, 1), workload_.extents(), {4, 8}), operands_).has_value());
    }

    [[nodiscard]] std::span<float> result() const { return operands_.c; }
    [[nodiscard]] bool is_right() const { return workload_.verify(packed_).has_value(); }

private:
    static CsrPattern full_row(std::int64_t length) {
        CsrPattern pattern;
        pattern.rows = 1;
        pattern.cols = length;
        pattern.row_pointers = {0, length};
        pattern.column_ids.resize(static_cast<std::size_t>(length));
        std::iota(pattern.column_ids.begin(), pattern.column_ids.end(), 0);
        return pattern;
    }

    Workload workload_;
    PackedMatrix packed_;
    KernelOperands operands_;
};

TEST(Workload, RefusesOneMissingProductInAVeryLongRow) {
    for (const Operator op : {Operator::SpMM, Operator::SpMV}) {
        const LongRow row(op, 300'000);
        EXPECT_TRUE(row.is_right()) << name(op);
        row.result()[0] -= 1; // the smallest product there is
        EXPECT_FALSE(row.is_right()) << name(op);
    }
}

TEST(Workload, AcceptsRoundingWhereARowIsTooLongForExactSums) {
    const LongRow row(Operator::SpMV, 5'000'000);
    EXPECT_TRUE(row.is_right());
    row.result()[0] *= 1.01F;
    EXPECT_FALSE(row.is_right());
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
