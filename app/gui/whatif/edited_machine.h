// A machine as it was given, with the parameters that somebody has moved. It is made anew from the given one
// whenever one of them moves, so that moving there and back leaves no trace.
#pragma once

#include "machine/machine_description.h"
#include "machine/machine_parameters.h"

#include <initializer_list>
#include <map>

namespace sparsight {

class EditedMachine {
public:
    EditedMachine() = default;
    explicit EditedMachine(MachineDescription given)
        : given_(std::move(given)) {}

    [[nodiscard]] const MachineDescription& given() const { return given_; }
    [[nodiscard]] const std::map<MachineParameter, double>& changes() const { return changes_; }
    [[nodiscard]] bool is_changed() const { return !changes_.empty(); }
    /// The given value takes the change back.
    void set(MachineParameter parameter, double value);
    void reset() { changes_.clear(); }

    [[nodiscard]] MachineDescription now() const { return without({}); }
    /// As if these had not been moved.
    [[nodiscard]] MachineDescription without(std::initializer_list<MachineParameter> parameters) const;

private:
    MachineDescription given_;
    std::map<MachineParameter, double> changes_;
};

} // namespace sparsight
