#include "learn/transfer_data.h"

#include <gmock/gmock.h>

namespace sparsight::testing {

/// Two real machines over one matrix, and one imagined with the schedules of the second.
class IdentityOfTransferData : public ::testing::Test {
protected:
    IdentityOfTransferData() {
        data_.real.matrices.push_back({"matrix", {}, {}});
        data_.real.tasks = {task("first"), task("second")};
        data_.targets.push_back({.task = 0, .donor = 1});
        data_.imagined[1] = {.paper = {task("A")}, .family = {task("sampled-1-0000")}};
    }
    static Task task(const std::string& machine) {
        return {machine, {}, {{0, {fixed_csr(Operator::SpMM, 1), fixed_csr(Operator::SpMM, 2)}, {2, 1}, {}}}};
    }

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
