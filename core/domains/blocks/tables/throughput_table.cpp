#include "domains/blocks/tables/throughput_table.h"

#include "domains/blocks/tables/instruction_form.h"
#include "domains/blocks/tables/table_numbers.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

Result<std::size_t> throughput_column(const CsvTable& table) {
    constexpr std::string_view ending = "throughput_cycles";
    for (std::size_t column = 0; column < table.columns().size(); ++column)
        if (table.columns()[column].ends_with(ending))
            return column;
    return fail_in_file(Fault::Input, table.file(), 1,
                        fmt::format("no column ends in {}, expected one with cycles", ending));
}

} // namespace

Result<ThroughputTable> ThroughputTable::read(CsvTable table) {
    const auto form = table.column("instruction");
    if (!form)
        return fail_in_file(Fault::Input, table.file(), 1, "the column instruction is missing");
    const auto cycles = throughput_column(table);
    if (!cycles)
        return std::unexpected(cycles.error());
    ThroughputTable read;
    for (;;) {
        const auto has_line = table.next();
        if (!has_line)
            return std::unexpected(has_line.error());
        if (!*has_line && read.cycles_.empty())
            return fail_in_file(Fault::Input, table.file(), table.line(), "found no instruction");
        if (!*has_line)
            return read;
        if (table.defect())
            return std::unexpected(*table.defect());
        const auto number = positive_number(table.field(*cycles));
        if (!number)
            return std::unexpected(table.unexpected_field(*cycles, "a number above 0"));
        if (!read.cycles_.emplace(std::string(table.field(*form)), *number).second)
            return std::unexpected(table.unexpected_field(*form, "an instruction that the table has once"));
    }
}

std::optional<double> ThroughputTable::find(const Instruction& instruction,
                                            std::span<const std::uint8_t> code) const {
    for (const std::string& name : form_names(instruction, code))
        if (const auto known = cycles_.find(name); known != cycles_.end())
            return known->second;
    return std::nullopt;
}

} // namespace sparsight
