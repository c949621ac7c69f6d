#include "store/machines.h"

#include "store_fixture.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::AllOf;
using testing::error_text;
using ::testing::HasSubstr;
using testing::must;

class MachinesTest : public testing::StoreTest {};

TEST_F(MachinesTest, KeepTheirIdWhenProbedAgain) {
    Workspace workspace = create();
    const MachineId id = must(record_machine(workspace, "laptop", "f1", R"({"cores":2})"));
    EXPECT_NE(must(record_machine(workspace, "server", "f2", "{}")), id);
    EXPECT_EQ(must(record_machine(workspace, "my laptop", "f1", R"({"cores":4})")), id);
    const auto machines = must(list_machines(workspace));
    ASSERT_EQ(machines.size(), 2U);
    EXPECT_EQ(machines[0].name, "my laptop");
    EXPECT_EQ(machines[0].description, R"({"cores":4})");
    EXPECT_EQ(machines[0].probed.back(), 'Z');
}

TEST_F(MachinesTest, AreFoundByNameOrFingerprint) {
    Workspace workspace = create();
    const MachineId one = must(record_machine(workspace, "node", "f1", "{}"));
    EXPECT_EQ(must(find_machine(workspace, "node"))->id, one);
    EXPECT_EQ(must(find_machine(workspace, "f1"))->id, one);
    EXPECT_FALSE(must(find_machine(workspace, "other")));
    const MachineId two = must(record_machine(workspace, "node", "f2", "{}"));
    EXPECT_THAT(error_text(find_machine(workspace, "node")),
                AllOf(HasSubstr("2 machines are called node"), HasSubstr("f1, f2")));
    EXPECT_EQ(must(find_machine(workspace, "f2"))->id, two);
}

TEST_F(MachinesTest, MayBeKnownByNameAlone) {
    Workspace workspace = create();
    const MachineId id = must(recorded_machine(workspace, "xeon"));
    EXPECT_EQ(must(recorded_machine(workspace, "xeon")), id);
    EXPECT_EQ(must(find_machine(workspace, "xeon"))->fingerprint, "recorded:xeon");
    EXPECT_THAT(error_text(recorded_machine(workspace, "")), HasSubstr("name of the machine"));
    must(record_machine(workspace, "laptop", "f1", "{}"));
    EXPECT_THAT(error_text(recorded_machine(workspace, "laptop")),
                HasSubstr("'laptop' is a computer that is measured in this workspace"));
    EXPECT_THAT(error_text(record_machine(workspace, "a", "", "{}")), HasSubstr("a name and a fingerprint"));
}

} // namespace
} // namespace sparsight
