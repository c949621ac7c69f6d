#include "store/probed_machines.h"

#include "store/imagined_machines.h"
#include "store_fixture.h"

#include <gmock/gmock.h>

namespace sparsight {
namespace {

using testing::must;

class ProbedMachines : public testing::StoreTest {
protected:
    static MachineDescription computer() {
        MachineDescription machine;
        machine.name = "computer";
        machine.source = MachineSource::Probed;
        machine.cores = 4;
        return machine;
    }
};

TEST_F(ProbedMachines, KeepWhatACalibrationFoundWhenTheyAreProbedAgain) {
    Workspace workspace = create();
    MachineDescription calibrated = computer();
    calibrated.coefficients[MachineParameter::RegionCost] = 7;
    const MachineId id = must(record_probed_machine(workspace, calibrated));
    MachineDescription again = computer();
    again.memory_latency = Nanoseconds(90);
    EXPECT_EQ(must(record_probed_machine(workspace, again)), id);
    const auto known = description_of(must(list_machines(workspace)).at(0));
    ASSERT_TRUE(known);
    EXPECT_EQ(known->memory_latency, Nanoseconds(90));
    EXPECT_EQ(known->coefficients, calibrated.coefficients);
}

} // namespace
} // namespace sparsight
