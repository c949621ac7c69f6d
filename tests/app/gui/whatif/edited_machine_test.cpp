#include "gui/whatif/edited_machine.h"

#include "machine/machine_presets.h"

#include <gtest/gtest.h>

namespace sparsight {
namespace {

using P = MachineParameter;

TEST(EditedMachine, MovingThereAndBackLeavesNoTrace) {
    const MachineDescription given = find_machine_preset("epyc-7543")->machine;
    ASSERT_GT(resolve_parameters(given).values[P::Sockets], 1);
    EditedMachine machine(given);
    machine.set(P::Cores, 1); // of several sockets, one is left
    EXPECT_EQ(resolve_parameters(machine.now()).values[P::Sockets], 1);
    machine.set(P::Cores, resolve_parameters(given).values[P::Cores]);
    EXPECT_FALSE(machine.is_changed());
    EXPECT_EQ(machine.now(), given);
}

TEST(EditedMachine, CanBeSeenWithoutSomeOfItsChanges) {
    EditedMachine machine(report_machine_a());
    machine.set(P::Cores, 32);
    machine.set(P::L2Bytes, 1 << 18);
    const MachineParameters without = resolve_parameters(machine.without({P::Cores})).values;
    EXPECT_EQ(without[P::Cores], 8);
    EXPECT_EQ(without[P::L2Bytes], 1 << 18);
    machine.reset();
    EXPECT_EQ(machine.now(), report_machine_a());
}

} // namespace
} // namespace sparsight
