#include "app/cli/cli_fixture.h"

namespace sparsight::testing {

class Machine : public CliTest {};

TEST_F(Machine, IsProbedAndRememberedWhereThereIsAWorkspace) {
    const Json probed = answer({"machine", "probe", "--facts-only"});
    EXPECT_EQ(keys(probed), (Words{"fingerprint", "format", "name", "source", "date", "cpu", "caches",
                                   "memory", "measured"}));
    EXPECT_EQ(probed["source"], "probed");
    EXPECT_TRUE(std::filesystem::is_empty(folder())) << "no workspace is made for it";

    ASSERT_EQ(run({"new"}).exit_code, 0);
    ASSERT_EQ(run({"machine", "probe", "--facts-only"}).exit_code, 0);
    const Json machines = answer({"machine", "list"});
    ASSERT_EQ(machines.size(), 1);
    EXPECT_EQ(keys(machines[0]), (Words{"name", "fingerprint", "probed", "description"}));
    EXPECT_EQ(machines[0]["fingerprint"], probed["fingerprint"]);
    EXPECT_EQ(machines[0]["description"]["cpu"], probed["cpu"]);
}

TEST_F(Machine, KeepsWhatWasMeasuredWhenOnlyFactsAreAskedForLater) {
    ASSERT_EQ(run({"new"}).exit_code, 0);
    const Json measured = answer({"machine", "probe"})["measured"];
    EXPECT_TRUE(measured["copy_gb_per_s_one_thread"].is_number());
    ASSERT_EQ(run({"machine", "probe", "--facts-only"}).exit_code, 0);
    EXPECT_EQ(answer({"machine", "list"})[0]["description"]["measured"], measured);
}

} // namespace sparsight::testing
