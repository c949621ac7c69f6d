#include "command/model_scope.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

ModelRecord blended(const char* op, double simulator) {
    ModelRecord model;
    model.name = "tuned";
    model.description = R"({"input": {"operator": ")" + std::string(op) +
                        R"("}, "training": {"machines": ["laptop"]}, "blend": {"network": 1, "simulator": )" +
                        std::to_string(simulator) + R"(, "network_share": 0.4, "dense": 256}})";
    return model;
}

TEST(BlendedElsewhere, IsSaidOfAnotherMachineAndOfAnotherDenseExtent) {
    EXPECT_EQ(blended_elsewhere(blended("spmm", 2), "laptop", 256), std::nullopt) << "at home";
    const std::string machine = blended_elsewhere(blended("spmm", 2), "server", 256).value();
    EXPECT_THAT(machine,
                HasSubstr("the simulator's share in tuned (60 %) was calibrated to laptop, and tells nothing "
                          "of server"));
    EXPECT_THAT(machine, Not(HasSubstr("dense")));
    EXPECT_THAT(blended_elsewhere(blended("spmm", 2), "laptop", 32).value(),
                HasSubstr("calibrated to a dense extent of 256, and tells nothing of 32"));
    EXPECT_THAT(blended_elsewhere(blended("spmm", 2), "", 32).value(),
                HasSubstr("to laptop and a dense extent of 256, and tells nothing of this computer with 32"));
}

TEST(BlendedElsewhere, IsNothingWhereNoSimulatorHasAShare) {
    EXPECT_EQ(blended_elsewhere(blended("spmm", 0), "server", 32), std::nullopt);
    EXPECT_EQ(blended_elsewhere(blended("spmv", 2), "laptop", 1), std::nullopt) << "SpMV has no dense extent";
    ModelRecord plain;
    plain.description = R"({"input": {"operator": "spmm"}, "training": {"machines": ["laptop"]}})";
    EXPECT_EQ(blended_elsewhere(plain, "server", 32), std::nullopt);
    plain.description = "no JSON";
    EXPECT_EQ(blended_elsewhere(plain, "server", 32), std::nullopt);
}

} // namespace
} // namespace sparsight
