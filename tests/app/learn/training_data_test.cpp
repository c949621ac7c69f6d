#include "learn/training_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace sparsight::testing {

/// Four matrices, each with two schedules.
class IdentityOfData : public ::testing::Test {
protected:
    IdentityOfData() {
        Task task{"machine", {}, {}};
        for (std::size_t matrix = 0; matrix < 4; ++matrix) {
            set_.matrices.push_back({fmt::format("matrix {}", matrix), {}, {}});
            task.runtimes.push_back(
                {matrix, {fixed_csr(Operator::SpMM, 1), fixed_csr(Operator::SpMM, 2)}, {2, 1}, {}});
        }
        set_.tasks.push_back(std::move(task));
    }
    [[nodiscard]] Json identity(bool reads_machine = false) const {
        return identity_of(set_, {{0, 1}, {2}}, reads_machine);
    }
    MatrixRuntimes& runtimes(std::size_t matrix) { return set_.tasks[0].runtimes[matrix]; }

    TaskSet set_;
};

TEST_F(IdentityOfData, IsAnotherWhereATimeOrItsSpreadHasChanged) {
    const Json before = identity();
    EXPECT_EQ(before["machine"]["runtimes"], 6);
    runtimes(1).milliseconds.front() *= 2;
    const Json of_time = identity();
    EXPECT_NE(of_time, before);
    runtimes(2).spreads.assign(runtimes(2).schedules.size(), 0.1);
    const Json of_spreads = identity();
    EXPECT_NE(of_spreads, of_time);
    runtimes(2).spreads.back() = 0.2;
    EXPECT_NE(identity(), of_spreads);
}

TEST_F(IdentityOfData, IsTheSameWhereOnlyATestHasChanged) {
    const Json before = identity();
    runtimes(3).milliseconds.front() *= 2;
    EXPECT_EQ(identity(), before);
}

TEST_F(IdentityOfData, KnowsTheMachineWhereItIsReadAlone) {
    const Json before = identity(true);
    const Json unread = identity(false);
    set_.tasks[0].description.date = "2025-01-31T12:34:56Z";
    EXPECT_EQ(identity(true), before) << "probed again, and found the same";
    set_.tasks[0].description.cores = 8;
    EXPECT_NE(identity(true), before);
    EXPECT_EQ(identity(false), unread);
}

} // namespace sparsight::testing
