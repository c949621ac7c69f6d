#include "learning/cache_span.h"

#include <array>
#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

PatternStatistics square(std::int64_t rows, std::int64_t nnz) {
    PatternStatistics matrix;
    matrix.rows = rows;
    matrix.cols = rows;
    matrix.nnz = nnz;
    return matrix;
}

MachineDescription machine(double l1, double l2, double l3) {
    MachineDescription machine;
    machine.cores = 4;
    machine.coefficients = {
        {MachineParameter::L1Bytes, l1}, {MachineParameter::L2Bytes, l2}, {MachineParameter::L3Bytes, l3}};
    return machine;
}

TEST(WorkingSets, AreTheBytesOfAllOperands) {
    const PatternStatistics matrix = square(100, 500);
    const double sparse = 101 * 4 + 500 * 8;
    const WorkingSet product = whole_working_set(Operator::SpMM, 256, matrix);
    EXPECT_EQ(product.of_all(), sparse + 2 * 100 * 256 * 4);
    EXPECT_EQ(product.of_core(4), (sparse + 100 * 256 * 4) / 4 + 100 * 256 * 4) << "B is read by every core";
    EXPECT_EQ(least_working_set(Operator::SpMM, 256, matrix).of_all(), sparse + 2 * 100 * 64)
        << "a cache line of each row at a time";
    EXPECT_EQ(whole_working_set(Operator::SpMV, 256, matrix).of_all(), sparse + 2 * 100 * 4);
    EXPECT_EQ(whole_working_set(Operator::SDDMM, 32, matrix).of_all(), sparse + 500 * 4 + 2 * 100 * 32 * 4);
}

TEST(CacheGaps, AreNoneWhereMatricesLieOnBothSidesOfEveryCache) {
    const std::array matrices{square(100, 500), square(100'000, 1'000'000)};
    const std::array machines{machine(32 << 10, 1 << 20, 16 << 20)};
    EXPECT_THAT(cache_gaps(Operator::SpMM, 256, matrices, machines), IsEmpty());
}

TEST(CacheGaps, NameTheCacheThatAllFitIntoAndTheOneThatNoneDoes) {
    const std::array matrices{square(2000, 10'000), square(4000, 20'000)};
    const std::array machines{machine(32 << 10, 1 << 20, 2 << 20), machine(32 << 10, 1 << 20, 256 << 20)};
    const auto gaps = cache_gaps(Operator::SpMM, 256, matrices, machines);
    ASSERT_EQ(gaps.size(), 2U);
    EXPECT_EQ(gaps[0], (CacheGap{1, false, 2, 2, 32 << 10}));
    EXPECT_EQ(gaps[1], (CacheGap{3, true, 1, 2, (256 << 20) + 4 * (1 << 20)}));
    EXPECT_THAT(sentence(gaps[0], Operator::SpMM, 256),
                HasSubstr("L1 cache can't be learned on 2 of 2 simulated machines: no matrix fits into it "
                          "(32.0 KiB); smaller matrices would help: `simulate uniform --param rows=128"));
    EXPECT_THAT(sentence(gaps[1], Operator::SpMM, 256),
                HasSubstr("L3 cache can't be learned on 1 of 2 simulated machines: every matrix fits"));

    // What the sentences propose closes the gaps.
    const std::array helped{matrices[0], matrices[1], square(128, 820), square(262'144, 2'000'000)};
    EXPECT_THAT(sentence(gaps[1], Operator::SpMM, 256), HasSubstr("multi-diagonal --param size=262144"));
    EXPECT_THAT(cache_gaps(Operator::SpMM, 256, helped, machines), IsEmpty());
}

} // namespace
} // namespace sparsight
