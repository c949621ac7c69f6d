// Which units of a processor each form of an instruction needs, and how long its result takes: tables of
// uops.info (Abel, Reineke: uops.info: characterizing latency, throughput, and port usage of instructions on
// Intel microarchitectures, ASPLOS 2019).
#pragma once

#include "base/error.h"
#include "base/reading/csv_table.h"
#include "domains/blocks/code/instruction.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sparsight {

/// Some micro-operations, each of which takes any one of these ports for a cycle.
struct PortUse {
    std::uint32_t ports = 0; ///< bit i is port i
    double count = 0;

    bool operator==(const PortUse&) const = default;
};

struct InstructionCost {
    double issued = 1;          ///< fused micro-operations, which the front end hands on
    std::vector<PortUse> ports; ///< none: it needs no port (no-ops, eliminated moves)
    double latency = 1;         ///< cycles from its registers to its result, the least of all pairs
    double longest_latency = 1; ///< … the most, which is that from the registers of an address
    double throughput = 0;      ///< measured cycles between two of them; 0: not known

    bool operator==(const InstructionCost&) const = default;
};

/// "1*p0156+1*p23"; ports are digits and the letters from A on. Absent for another text.
[[nodiscard]] std::optional<std::vector<PortUse>> parse_ports(std::string_view text);
[[nodiscard]] std::string ports_text(std::span<const PortUse> uses);

class PortTable {
public:
    using Costs = std::unordered_map<std::string, InstructionCost>; ///< by the name of the form

    explicit PortTable(Costs costs)
        : costs_(std::move(costs)) {}
    [[nodiscard]] const Costs& costs() const { return costs_; }

    /// Columns uarch, instruction, latency, throughput_cycles, uops_retired_issued and ports, of which the
    /// lines of one microarchitecture are taken ("haswell"). Errors (Input), with file and line: a column
    /// that is missing, ports that can't be read, a form that occurs twice, no line of this
    /// microarchitecture.
    [[nodiscard]] static Result<PortTable> read(CsvTable table, std::string_view uarch);
    /// The same; absent where no line is of this microarchitecture.
    [[nodiscard]] static Result<std::optional<PortTable>> find_uarch(CsvTable table, std::string_view uarch);

    /// nullptr: the table lacks the form. `code` is the instruction's bytes.
    [[nodiscard]] const InstructionCost* find(const Instruction& instruction,
                                              std::span<const std::uint8_t> code) const;

private:
    PortTable() = default;
    Costs costs_;
};

} // namespace sparsight
