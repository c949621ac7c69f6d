#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/workflow/learning/transfer/transfer_request.h"
#include "workflow/learning/training/training_request.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace sparsight::testing {

/// Of two schedules.
inline WorkloadRuntimes two_runtimes(std::size_t workload) {
    std::vector schedules(2, fixed_csr(Operator::SpMM, 1));
    schedules[1].chunk = 2;
    return schedule_runtimes(workload, schedules, {2, 1});
}

/// Four matrices, each with two schedules.
class IdentityOfData : public ::testing::Test {
protected:
    IdentityOfData() {
        Task task{"machine", {}, {}};
        for (std::size_t matrix = 0; matrix < 4; ++matrix) {
            set_.workloads.push_back({fmt::format("matrix {}", matrix)});
            task.runtimes.push_back(two_runtimes(matrix));
        }
        set_.tasks.push_back(std::move(task));
    }
    [[nodiscard]] Json identity(bool reads_machine = false) const {
        return identity_of(set_, {{0, 1}, {2}}, reads_machine);
    }
    WorkloadRuntimes& runtimes(std::size_t matrix) { return set_.tasks[0].runtimes[matrix]; }

    TaskSet set_;
};

TEST_F(IdentityOfData, IsAnotherWhereATimeOrItsSpreadHasChanged) {
    const Json before = identity();
    EXPECT_EQ(before["machine"]["runtimes"], 6);
    runtimes(1).milliseconds.front() *= 2;
    const Json of_time = identity();
    EXPECT_NE(of_time, before);
    runtimes(2).spreads.assign(runtimes(2).configurations.size(), 0.1);
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

/// Two real machines over one matrix, and one imagined with the schedules of the second.
class IdentityOfTransferData : public ::testing::Test {
protected:
    IdentityOfTransferData() {
        data_.real.workloads.push_back({"matrix"});
        data_.real.tasks = {task("first"), task("second")};
        data_.targets.push_back({.task = 0, .donor = 1});
        data_.imagined[1] = {.paper = {task("A")}, .family = {task("sampled-1-0000")}};
    }
    static Task task(const std::string& machine) { return {machine, {}, {two_runtimes(0)}}; }

    TransferData data_;
};

TEST_F(IdentityOfTransferData, IsAnotherWhereAnImaginedTimeHasChanged) {
    const Json before = identity_of(data_);
    data_.imagined[1].family[0].runtimes[0].milliseconds[0] = 3;
    const Json of_family = identity_of(data_);
    EXPECT_NE(of_family, before) << "another simulator";
    data_.imagined[1].paper[0].runtimes[0].milliseconds[0] = 3;
    EXPECT_NE(identity_of(data_), of_family) << "another formula";
}

TEST_F(IdentityOfTransferData, IsAnotherWhereAnotherFamilyWasSampled) {
    const Json before = identity_of(data_);
    data_.imagined[1].family.push_back(task("sampled-1-0001"));
    EXPECT_NE(identity_of(data_), before);
}

TEST_F(IdentityOfTransferData, KnowsAnImaginedMachineForEachOfItsDonors) {
    data_.imagined[0] = data_.imagined[1];
    data_.imagined[0].family[0].runtimes[0].milliseconds[0] = 3;
    const Json identity = identity_of(data_);
    ASSERT_EQ(identity.size(), 2U + 2U * 2U);
    EXPECT_NE(identity["sampled-1-0000 with the schedules of first"],
              identity["sampled-1-0000 with the schedules of second"]);
    EXPECT_EQ(identity["first"]["runtimes"], 2);
}

} // namespace sparsight::testing
