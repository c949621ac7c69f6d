// Parameters of a simulator as a file of comma-separated values, which is read strictly: one parameter a
// line.
#pragma once

#include "base/error.h"
#include "domains/blocks/simulator/simulator_table.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace sparsight {

/// The columns machine, parameter and value: "skl,WriteALU.latency,1".
[[nodiscard]] std::string table_text(const SimulatorTable& table);

/// `original` with the values of the file. Columns that tune-simulator writes besides may stand there.
/// Errors (Input), with file and line: another column, or one of the three is missing; another machine; no
/// such parameter; one that stands there twice; a value out of parameter_bounds().
[[nodiscard]] Result<SimulatorTable> read_table_file(const std::filesystem::path& path,
                                                     const SimulatorTable& original);
/// The same of text; `name` stands in messages where the file would.
[[nodiscard]] Result<SimulatorTable> parse_table(const std::string& name, std::string_view text,
                                                 const SimulatorTable& original);

/// A whole table as bytes, for another program of Sparsight of the same version.
[[nodiscard]] std::string table_bytes(const SimulatorTable& table);
/// Error (Internal): it is none.
[[nodiscard]] Result<SimulatorTable> parse_table_bytes(std::string_view bytes);

} // namespace sparsight
