// How long each form of an instruction keeps the processor busy: a table of reciprocal throughputs.
#pragma once

#include "base/error.h"
#include "base/reading/csv_table.h"
#include "domains/blocks/code/instruction.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sparsight {

class ThroughputTable {
public:
    /// Columns `instruction` (a form of form_names()) and one that ends in `throughput_cycles`, a number
    /// above 0. Errors (Input), with file and line: a column that is missing, a value that is no such number,
    /// a form that occurs twice.
    [[nodiscard]] static Result<ThroughputTable> read(CsvTable table);

    /// Cycles; absent where the table lacks the form. `code` is the instruction's bytes.
    [[nodiscard]] std::optional<double> find(const Instruction& instruction,
                                             std::span<const std::uint8_t> code) const;
    [[nodiscard]] std::size_t size() const { return cycles_.size(); }

private:
    std::unordered_map<std::string, double> cycles_;
};

} // namespace sparsight
