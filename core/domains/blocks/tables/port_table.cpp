#include "domains/blocks/tables/port_table.h"

#include "domains/blocks/tables/instruction_form.h"
#include "domains/blocks/tables/osaca_form.h"
#include "domains/blocks/tables/osaca_table.h"
#include "domains/blocks/tables/table_numbers.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace sparsight {
namespace {

/// The numbers in a text, whatever stands between them: 1 and 10 of "[1;<=10]", 0.5 and 0.72 of "0.50 /
/// 0.72".
std::vector<double> numbers_in(std::string_view text) {
    std::vector<double> numbers;
    while (!text.empty()) {
        const std::size_t begin = text.find_first_of("0123456789");
        if (begin == std::string_view::npos)
            break;
        const std::size_t end = std::min(text.find_first_not_of("0123456789.", begin), text.size());
        if (const auto value = number_of(text.substr(begin, end - begin)))
            numbers.push_back(*value);
        text.remove_prefix(end);
    }
    return numbers;
}

std::optional<unsigned> port_of(char sign) {
    if (sign >= '0' && sign <= '9')
        return static_cast<unsigned>(sign - '0');
    if (sign >= 'A' && sign <= 'F')
        return static_cast<unsigned>(sign - 'A' + 10);
    return std::nullopt;
}

struct Columns {
    std::size_t uarch, instruction, latency, throughput, issued, ports;
};

Result<Columns> columns_of(const CsvTable& table) {
    std::array<std::size_t, 6> places{};
    constexpr std::array<std::string_view, 6> names{
        "uarch", "instruction", "latency", "throughput_cycles", "uops_retired_issued", "ports"};
    for (std::size_t at = 0; at < names.size(); ++at) {
        const auto column = table.column(names[at]);
        if (!column)
            return fail_in_file(Fault::Input, table.file(), 1,
                                fmt::format("the column {} is missing", names[at]));
        places[at] = *column;
    }
    return Columns{places[0], places[1], places[2], places[3], places[4], places[5]};
}

} // namespace

std::optional<std::vector<PortUse>> parse_ports(std::string_view text) {
    std::vector<PortUse> uses;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('+'), text.size());
        const std::string_view part = text.substr(0, end);
        const std::size_t star = std::min(part.find("*"), part.size());
        const std::string_view ports = part.substr(std::min(star + 1, part.size()));
        const std::string_view signs = ports.starts_with("p")    ? ports.substr(1)
                                       : ports.starts_with("FP") ? ports.substr(2)
                                                                 : std::string_view();
        const auto count = number_of(part.substr(0, star));
        PortUse use{0, count.value_or(0)};
        for (const char sign : signs) {
            const auto port = port_of(sign);
            const unsigned place = port.value_or(0) + (ports.starts_with("FP") ? 8 : 0);
            if (!port || place >= data_part)
                return std::nullopt;
            use.ports |= 1U << place;
        }
        if (use.ports == 0)
            return std::nullopt;
        if (!count || !(*count > 0))
            return std::nullopt;
        uses.push_back(use);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return uses;
}

Result<std::optional<PortTable>> PortTable::find_uarch(CsvTable table, std::string_view uarch) {
    const bool is_osaca = is_osaca_table(table);
    auto costs =
        is_osaca ? read_osaca_table(std::move(table), uarch) : read_uops_info(std::move(table), uarch);
    if (!costs)
        return std::unexpected(std::move(costs).error());
    if (costs->empty())
        return std::nullopt;
    return PortTable(*std::move(costs), is_osaca);
}

Result<InstructionCosts> PortTable::read_uops_info(CsvTable table, std::string_view uarch) {
    const auto columns = columns_of(table);
    if (!columns)
        return std::unexpected(columns.error());
    InstructionCosts costs;
    for (;;) {
        const auto has_line = table.next();
        if (!has_line)
            return std::unexpected(has_line.error());
        if (!*has_line)
            break;
        if (table.defect())
            return std::unexpected(*table.defect());
        if (table.field(columns->uarch) != uarch)
            continue;
        InstructionCost cost;
        auto ports = parse_ports(table.field(columns->ports));
        if (!ports)
            return std::unexpected(table.unexpected_field(columns->ports, "ports such as 1*p0156+1*p23"));
        cost.ports = *std::move(ports);
        if (const auto latency = numbers_in(table.field(columns->latency)); !latency.empty()) {
            cost.latency = latency.front();
            cost.longest_latency = latency.back();
        }
        if (const auto issued = numbers_in(table.field(columns->issued)); !issued.empty())
            cost.issued = cost.decoded = issued.front();
        if (const auto throughput = numbers_in(table.field(columns->throughput)); !throughput.empty())
            cost.throughput = throughput.back();
        if (!costs.emplace(std::string(table.field(columns->instruction)), std::move(cost)).second)
            return std::unexpected(
                table.unexpected_field(columns->instruction, "an instruction that the table has once"));
    }
    return costs;
}

Result<PortTable> PortTable::read(CsvTable table, std::string_view uarch) {
    const std::string file = table.file();
    auto found = find_uarch(std::move(table), uarch);
    if (!found)
        return std::unexpected(std::move(found).error());
    if (!*found)
        return fail_in_file(Fault::Input, file, 0,
                            fmt::format("no line is of the microarchitecture {}", uarch));
    return **std::move(found);
}

const InstructionCost* PortTable::find(const Instruction& instruction,
                                       std::span<const std::uint8_t> code) const {
    for (const std::string& name : is_osaca_ ? osaca_form_names(instruction) : form_names(instruction, code))
        if (const auto known = costs_.find(name); known != costs_.end())
            return &known->second;
    return nullptr;
}

} // namespace sparsight
