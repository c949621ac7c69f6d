#include "domains/blocks/tables/osaca_table.h"

#include "domains/blocks/tables/osaca_defaults.h"
#include "domains/blocks/tables/osaca_form.h"
#include "domains/blocks/tables/table_numbers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

// Of Sandy Bridge and Ivy Bridge.
constexpr std::uint32_t address_ports = 0b1100;
constexpr std::uint32_t store_port = 0b10000;
constexpr std::uint32_t load_data = address_ports << data_part;

struct OsacaLine {
    OsacaPressure pressure;
    std::optional<double> latency;
    double throughput = 0;
    bool is_measured = false;
};
using OsacaLines = std::map<std::string, OsacaLine>;

struct OsacaColumns {
    std::size_t uarch, mnemonic, operands, latency, throughput, pressure;
};

constexpr std::array<std::string_view, 6> osaca_column_names{
    "uarch", "mnemonic", "operands_att_order", "latency", "throughput_cycles", "port_pressure"};

Result<OsacaColumns> osaca_columns(const CsvTable& table) {
    std::array<std::size_t, osaca_column_names.size()> places{};
    for (std::size_t at = 0; at < osaca_column_names.size(); ++at) {
        const auto column = table.column(osaca_column_names[at]);
        if (!column)
            return fail_in_file(Fault::Input, table.file(), 1,
                                fmt::format("the column {} is missing", osaca_column_names[at]));
        places[at] = *column;
    }
    return OsacaColumns{places[0], places[1], places[2], places[3], places[4], places[5]};
}

/// "015", "2D|3D"; 0 for another text.
std::uint32_t port_set(std::string_view text) {
    if (text == "2D|3D")
        return load_data;
    std::uint32_t ports = 0;
    for (const char sign : text) {
        if (std::isdigit(static_cast<unsigned char>(sign)) == 0)
            return 0;
        ports |= 1U << static_cast<unsigned>(sign - '0');
    }
    return ports;
}

std::string_view mnemonic_in(std::string_view form) {
    return form.substr(0, form.find(' '));
}

std::vector<std::string_view> classes_in(std::string_view form) {
    std::vector<std::string_view> classes;
    std::size_t at = form.find(' ');
    while (at < form.size()) {
        const std::size_t begin = at + 1;
        at = form.find(',', begin);
        classes.push_back(form.substr(begin, at == std::string_view::npos ? at : at - begin));
        at = at == std::string_view::npos ? at : at + 1;
    }
    return classes;
}

bool has_memory(std::string_view form) {
    const auto classes = classes_in(form);
    return std::ranges::find(classes, "mem") != classes.end();
}

bool writes_memory(std::string_view form) {
    const auto classes = classes_in(form);
    return !classes.empty() && classes.back() == "mem";
}

/// With `to` as the class at one place.
std::string with_class(std::string_view form, std::size_t place, std::string_view to) {
    std::string changed(mnemonic_in(form));
    const auto classes = classes_in(form);
    for (std::size_t at = 0; at < classes.size(); ++at)
        changed += fmt::format("{}{}", at == 0 ? " " : ", ", at == place ? to : classes[at]);
    return changed;
}

double count_on(std::span<const PortUse> uses, std::uint32_t ports) {
    double count = 0;
    for (const PortUse& use : uses)
        count += use.ports == ports ? use.count : 0;
    return count;
}

void erase_use(std::vector<PortUse>& uses, std::uint32_t ports) {
    std::erase_if(uses, [&](const PortUse& use) { return use.ports == ports; });
}

void add_load(std::vector<PortUse>& uses, bool is_wide) {
    uses.push_back({address_ports, 1});
    uses.push_back({load_data, is_wide ? 2.0 : 1.0});
}

/// Where the table's ports are not those of the instruction.
void correct_ports(const std::string& form, std::vector<PortUse>& uses) {
    if (form == "MOV imm, mem") // a store needs no port but its own
        erase_use(uses, 0b100011);
    // It only reads what stands where others have a result.
    if (mnemonic_in(form) == "TEST" && writes_memory(form)) {
        erase_use(uses, store_port);
        erase_use(uses, address_ports);
        erase_use(uses, load_data);
        add_load(uses, false);
    }
}

/// Of these a load is not fused with the operation where the result is stored again. uops.info measured it on
/// Haswell; tables of OSACA do not tell it.
bool keeps_load_apart(std::string_view mnemonic) {
    constexpr std::array<std::string_view, 13> mnemonics{"SHL", "SHR", "SAR", "ROL", "ROR", "RCL", "RCR",
                                                         "INC", "DEC", "NOT", "BTS", "BTR", "BTC"};
    return std::ranges::find(mnemonics, mnemonic) != mnemonics.end();
}

struct MicroOperations {
    double fused = 1;
    double split = 1;
};

/// A load is fused with the operation that needs it, the address of a store with its data (Intel's
/// optimization manual, "micro-fusion"). A store of 32 bytes has port 4 for two cycles, with one
/// micro-operation.
MicroOperations micro_operations(std::string_view form, std::span<const PortUse> uses) {
    double others = 0;
    for (const PortUse& use : uses)
        if (use.ports != address_ports && use.ports != store_port && use.ports != load_data)
            others += use.count;
    const double addresses = count_on(uses, address_ports);
    const double stores = std::min(count_on(uses, store_port), addresses);
    const double loads = addresses - stores;
    const bool is_apart = !has_memory(form) || (stores > 0 && keeps_load_apart(mnemonic_in(form)));
    const double fused = others + loads - (is_apart ? 0 : std::min(loads, others)) + stores;
    return {std::max(fused, 1.0), std::max(others + loads + 2 * stores, 1.0)};
}

/// From an address to what is loaded (Intel's optimization manual, Sandy Bridge: "L1 data cache", load
/// latencies with a distance of more than 2047 bytes or an index).
double load_latency(std::string_view form) {
    const auto classes = classes_in(form);
    const auto has = [&](std::string_view name) { return std::ranges::find(classes, name) != classes.end(); };
    return has("ymm") || has("st") ? 7 : has("xmm") || has("mm") ? 6 : 5;
}

bool reads_memory(std::string_view form, std::span<const PortUse> uses) {
    return has_memory(form) && !writes_memory(form) && count_on(uses, address_ports) > 0;
}

/// From registers. Measured lines lack it for many forms with memory: then their twin with a register tells.
double register_latency(const std::string& form, const OsacaLine& line, const OsacaLines& lines) {
    if (has_memory(form) && writes_memory(form))
        return 1; // the flags: who waits for what is stored waits for the load of it
    if (mnemonic_in(form) == "ADC" || mnemonic_in(form) == "SBB")
        return 2; // of two micro-operations, one after the other; the table has that from the flags
    const bool reads = reads_memory(form, line.pressure.ports);
    if (line.latency && reads && !line.is_measured)
        return std::max(*line.latency - 4, 0.0); // lines written by hand have the load's 4 cycles in it
    if (line.latency)
        return line.pressure.ports.empty() ? *line.latency : std::max(*line.latency, 1.0);
    const auto classes = classes_in(form);
    const auto place = std::ranges::find(classes, "mem") - classes.begin();
    for (const std::string_view twin : {"xmm", "ymm", "gpr", "mm"})
        if (const auto known = lines.find(with_class(form, static_cast<std::size_t>(place), twin));
            reads && known != lines.end() && known->second.latency)
            return std::max(*known->second.latency, 1.0);
    return 1;
}

InstructionCost cost_of(const std::string& form, const OsacaLine& line, const OsacaLines& lines) {
    const MicroOperations operations = micro_operations(form, line.pressure.ports);
    InstructionCost cost{.issued = operations.fused,
                         .decoded = operations.fused,
                         .ports = line.pressure.ports,
                         .latency = register_latency(form, line, lines),
                         .throughput = std::max(line.throughput, line.pressure.divider)};
    cost.longest_latency = cost.latency;
    if (reads_memory(form, cost.ports)) {
        cost.latency = operations.split == 1 ? 0 : cost.latency; // a load alone
        cost.longest_latency = cost.latency + load_latency(form);
    }
    return cost;
}

/// What stores the result where it read: "ADD gpr, gpr" with memory behind.
bool stores_again(std::string_view mnemonic) {
    constexpr std::array<std::string_view, 16> mnemonics{"ADD", "SUB", "AND", "OR",  "XOR", "ADC",
                                                         "SBB", "INC", "DEC", "NEG", "NOT", "SHL",
                                                         "SHR", "SAR", "ROL", "ROR"};
    return std::ranges::find(mnemonics, mnemonic) != mnemonics.end();
}

/// The line for a form with memory in place of a register, if there is such a form.
std::optional<OsacaLine> line_with_memory(std::string_view form, std::size_t place, const OsacaLine& line) {
    const auto classes = classes_in(form);
    const std::string_view mnemonic = mnemonic_in(form);
    const bool is_result = place + 1 == classes.size() && mnemonic != "CMP" && mnemonic != "TEST";
    const bool is_stored = is_result && (stores_again(mnemonic) || mnemonic.starts_with("SET"));
    const bool is_register = classes[place] != "imm" && classes[place] != "identifier";
    if (!is_register || (is_result && !is_stored && classes.size() > 1))
        return std::nullopt;
    OsacaLine changed = line;
    changed.is_measured = true; // the load is not in its latency
    std::vector<PortUse>& uses = changed.pressure.ports;
    if (!mnemonic.starts_with("SET"))
        add_load(uses, classes[place] == "ymm");
    if (is_stored)
        uses.insert(uses.end(), {{address_ports, 1}, {store_port, 1}});
    return changed;
}

/// Tables of Sandy Bridge have hardly a form with memory: the form with a register and a load make it.
void add_forms_with_memory(OsacaLines& lines) {
    const OsacaLines known = lines;
    for (const auto& [form, line] : known)
        for (std::size_t place = 0; !has_memory(form) && place < classes_in(form).size(); ++place)
            if (auto changed = line_with_memory(form, place, line))
                lines.try_emplace(with_class(form, place, "mem"), *std::move(changed));
}

/// Lines in upper case were measured, the others written by hand for moves and conditions. The move of
/// general registers in upper case is that of control registers, and is left out.
void keep_line(const std::string& form, OsacaLine line, OsacaLines& lines) {
    if (form == "MOV gpr, gpr" && line.is_measured)
        return;
    const auto known = lines.find(form);
    if (known == lines.end() || (line.is_measured && !known->second.is_measured))
        lines.insert_or_assign(form, std::move(line));
}

Result<OsacaLines> read_lines(CsvTable& table, std::string_view uarch) {
    const auto columns = osaca_columns(table);
    if (!columns)
        return std::unexpected(columns.error());
    OsacaLines lines;
    for (;;) {
        const auto has_line = table.next();
        if (!has_line)
            return std::unexpected(has_line.error());
        if (!*has_line)
            return lines;
        if (table.defect())
            return std::unexpected(*table.defect());
        if (table.field(columns->uarch) != uarch)
            continue;
        const std::string_view mnemonic = table.field(columns->mnemonic);
        auto pressure = parse_osaca_pressure(table.field(columns->pressure));
        if (!pressure)
            return std::unexpected(
                table.unexpected_field(columns->pressure, "ports such as 1*p015+1*p23+1*p2D|3D"));
        const std::string form = osaca_form(mnemonic, table.field(columns->operands));
        correct_ports(form, pressure->ports);
        keep_line(form,
                  {*std::move(pressure), number_of(table.field(columns->latency)),
                   number_of(table.field(columns->throughput)).value_or(0),
                   std::ranges::none_of(mnemonic, [](unsigned char c) { return std::islower(c) != 0; })},
                  lines);
    }
}

/// Where an address has an index, Sandy Bridge and Ivy Bridge split what is fused before they hand it on
/// (Intel's optimization manual, Sandy Bridge: "micro-op queue").
void add_split_forms(InstructionCosts& costs) {
    InstructionCosts split;
    for (const auto& [form, cost] : costs) {
        if (!has_memory(form))
            continue;
        const auto classes = classes_in(form);
        const auto place = std::ranges::find(classes, "mem") - classes.begin();
        InstructionCost indexed = cost;
        indexed.issued = micro_operations(form, cost.ports).split;
        split.emplace(with_class(form, static_cast<std::size_t>(place), unfused_memory), std::move(indexed));
    }
    costs.merge(split);
}

} // namespace

std::optional<OsacaPressure> parse_osaca_pressure(std::string_view text) {
    OsacaPressure pressure;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('+'), text.size());
        const std::string_view part = text.substr(0, end);
        const std::size_t star = part.find("*p");
        const auto count = positive_number(part.substr(0, star));
        if (star == std::string_view::npos || !count)
            return std::nullopt;
        const std::string_view ports = part.substr(star + 2);
        if (ports.ends_with("DV") || ports == "DIV")
            pressure.divider += *count;
        else if (const std::uint32_t set = port_set(ports); set != 0)
            pressure.ports.push_back({set, *count});
        else
            return std::nullopt;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return pressure;
}

bool is_osaca_table(const CsvTable& table) {
    return table.column("operands_att_order").has_value() || table.column("port_pressure").has_value();
}

Result<InstructionCosts> read_osaca_table(CsvTable table, std::string_view uarch) {
    auto lines = read_lines(table, uarch);
    if (!lines)
        return std::unexpected(std::move(lines).error());
    if (lines->empty())
        return InstructionCosts();
    add_forms_with_memory(*lines);
    InstructionCosts costs = osaca_defaults();
    for (const auto& [form, line] : *lines)
        costs.try_emplace(form, cost_of(form, line, *lines));
    add_split_forms(costs);
    return costs;
}

} // namespace sparsight
