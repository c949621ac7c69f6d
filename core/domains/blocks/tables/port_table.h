// Which units of a processor each form of an instruction needs, and how long its result takes: tables of
// uops.info (Abel, Reineke: uops.info: characterizing latency, throughput, and port usage of instructions on
// Intel microarchitectures, ASPLOS 2019) and of OSACA (osaca_table.h).
#pragma once

#include "base/error.h"
#include "base/reading/csv_table.h"
#include "domains/blocks/code/instruction.h"
#include "domains/blocks/tables/instruction_cost.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

/// "1*p0156+1*p23"; ports are digits and the letters from A on. AMD's ports of floating point ("1*FP23") are
/// those behind them: FP0 is port 8. Absent for another text.
[[nodiscard]] std::optional<std::vector<PortUse>> parse_ports(std::string_view text);

class PortTable {
public:
    /// `is_osaca`: forms have the names of OSACA's tables.
    PortTable(InstructionCosts costs, bool is_osaca)
        : costs_(std::move(costs))
        , is_osaca_(is_osaca) {}

    /// Columns uarch, instruction, latency, throughput_cycles, uops_retired_issued and ports, of which the
    /// lines of one microarchitecture are taken ("haswell"), or those of a table of OSACA, which its header
    /// tells. Errors (Input), with file and line: a column that is missing, ports that can't be read, a form
    /// that uops.info has twice, no line of this microarchitecture.
    [[nodiscard]] static Result<PortTable> read(CsvTable table, std::string_view uarch);
    /// The same; absent where no line is of this microarchitecture.
    [[nodiscard]] static Result<std::optional<PortTable>> find_uarch(CsvTable table, std::string_view uarch);

    [[nodiscard]] const InstructionCosts& costs() const { return costs_; }
    [[nodiscard]] bool is_osaca() const { return is_osaca_; }
    /// nullptr: the table lacks the form. `code` is the instruction's bytes.
    [[nodiscard]] const InstructionCost* find(const Instruction& instruction,
                                              std::span<const std::uint8_t> code) const;

private:
    static Result<InstructionCosts> read_uops_info(CsvTable table, std::string_view uarch);

    InstructionCosts costs_;
    bool is_osaca_; ///< its forms have other names
};

} // namespace sparsight
