// Ports and latencies as tables of OSACA write them, brought into what port tables hold (osaca_form.h says
// where OSACA is described).
#pragma once

#include "base/error.h"
#include "base/reading/csv_table.h"
#include "domains/blocks/tables/instruction_cost.h"

#include <optional>
#include <string_view>

namespace sparsight {

/// "1*p015+1*p23+1*p2D|3D", "1*p0+14*p0DV".
struct OsacaPressure {
    std::vector<PortUse> ports;
    double divider =
        0; ///< cycles of the divider, a part of port 0 that other micro-operations don't wait for

    bool operator==(const OsacaPressure&) const = default;
};
/// Absent for another text.
[[nodiscard]] std::optional<OsacaPressure> parse_osaca_pressure(std::string_view text);

/// Whether the columns are those of a table of OSACA.
[[nodiscard]] bool is_osaca_table(const CsvTable& table);

/// Columns uarch, mnemonic, operands_att_order, latency and port_pressure, of which the lines of one
/// microarchitecture are taken ("ivb"); completed with the forms that follow from others, and with those of
/// osaca_defaults.h. Empty where no line is of this microarchitecture. Errors (Input), with file and line: a
/// column that is missing, a pressure that can't be read.
[[nodiscard]] Result<InstructionCosts> read_osaca_table(CsvTable table, std::string_view uarch);

} // namespace sparsight
