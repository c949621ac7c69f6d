// The parameters of a simulator of basic blocks as plain values: those of the processor, and those of each
// scheduling class, which is a set of instructions that LLVM takes to be alike. All are whole numbers.
#pragma once

#include "base/error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class ProcessorParameter : std::size_t {
    DispatchWidth, ///< micro-operations a cycle
    ReorderBuffer, ///< micro-operations in flight
};
inline constexpr std::size_t processor_parameters = 2;
using ProcessorValues = std::array<int, processor_parameters>;

/// Of one scheduling class, by the place of a value.
enum ClassParameter : std::size_t {
    MicroOps,
    Latency,       ///< of the slowest result; the other results keep their distance from it, down to 0
    FirstAdvance,  ///< by how much earlier than its result an instruction counts as done for operand 1, 2, 3
    FirstPort = 5, ///< cycles on each resource of the processor: a port, a group of ports, a divider
};
inline constexpr std::size_t read_advances = FirstPort - FirstAdvance;

struct SchedulingClass {
    std::string name; ///< LLVM's: "WriteALU"; "WriteALU#1502" of another class of that name
    std::vector<int> values;

    bool operator==(const SchedulingClass&) const = default;
};

struct SimulatorTable {
    std::string machine;                ///< "skl"
    std::vector<std::string> resources; ///< "SKLPort0", "SKLPort01"
    std::vector<std::uint64_t> units;   ///< of each resource, as bits: of a group those of its members
    ProcessorValues processor{};
    std::vector<SchedulingClass> classes; ///< a place among these means the class; names are unique

    [[nodiscard]] std::size_t values_a_class() const { return FirstPort + resources.size(); }
    bool operator==(const SimulatorTable&) const = default;
};

/// One parameter of a table.
struct ParameterPlace {
    static constexpr std::size_t of_processor = static_cast<std::size_t>(-1);
    std::size_t scheduling_class = of_processor; ///< its place, or of_processor
    std::size_t value = 0;                       ///< ProcessorParameter or ClassParameter

    auto operator<=>(const ParameterPlace&) const = default;
};

struct ParameterBounds {
    int lower = 0;
    int upper = 0;

    [[nodiscard]] bool contain(int value) const { return value >= lower && value <= upper; }
    bool operator==(const ParameterBounds&) const = default;
};

/// "dispatch_width", "reorder_buffer", "WriteALU.latency", "WriteALU.SKLPort5".
[[nodiscard]] std::string parameter_name(const SimulatorTable& table, const ParameterPlace& place);
/// Absent: the table has no parameter of this name.
[[nodiscard]] std::optional<ParameterPlace> find_parameter(const SimulatorTable& table,
                                                           std::string_view name);
/// What the simulator takes. A class without micro-operations in the original table may stay without.
[[nodiscard]] ParameterBounds parameter_bounds(const SimulatorTable& original, const ParameterPlace& place);

[[nodiscard]] int value_of(const SimulatorTable& table, const ParameterPlace& place);
void set_value(SimulatorTable& table, const ParameterPlace& place, int value);

/// Of these classes, by their places, with those of the processor first.
[[nodiscard]] std::vector<ParameterPlace> parameter_places(const SimulatorTable& table,
                                                           std::span<const std::size_t> classes);

/// LLVM-MCA refuses an instruction that uses resources but has no micro-operation: it gets one. It crashes
/// where an instruction uses two groups that share some of their members, unless the class is made for it:
/// those that the original class does not use are left out.
void repair(const SimulatorTable& original, std::size_t scheduling_class, std::span<int> values);

} // namespace sparsight
