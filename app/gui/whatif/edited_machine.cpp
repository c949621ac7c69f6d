#include "gui/whatif/edited_machine.h"

#include "machine/machine_edit.h"

#include <algorithm>

namespace sparsight {

void EditedMachine::set(MachineParameter parameter, double value) {
    if (resolve_parameters(given_).values[parameter] == value)
        changes_.erase(parameter);
    else
        changes_[parameter] = value;
}

MachineDescription EditedMachine::without(std::initializer_list<MachineParameter> parameters) const {
    MachineDescription machine = given_;
    for (const auto& [parameter, value] : changes_)
        if (std::ranges::find(parameters, parameter) == parameters.end())
            machine = with_parameter(machine, parameter, value);
    return machine;
}

} // namespace sparsight
