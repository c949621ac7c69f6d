#include "domains/blocks/simulator/table_file.h"

#include "base/reading/csv_table.h"
#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <utility>

namespace sparsight {
namespace {

constexpr std::array<std::string_view, 3> needed_columns{"machine", "parameter", "value"};
/// Of the table of a tuning, which says more of each parameter.
constexpr std::array<std::string_view, 4> further_columns{"original", "blocks", "verdict", "rise"};

std::optional<int> whole_number(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The parameters of a table by their names: a search for each line would take long.
std::unordered_map<std::string, ParameterPlace> places_by_name(const SimulatorTable& table) {
    std::vector<std::size_t> all(table.classes.size());
    for (std::size_t at = 0; at < all.size(); ++at)
        all[at] = at;
    std::unordered_map<std::string, ParameterPlace> places;
    for (const ParameterPlace& place : parameter_places(table, all))
        places.emplace(parameter_name(table, place), place);
    return places;
}

Result<void> check_columns(const CsvTable& csv) {
    for (const std::string_view each : needed_columns)
        if (!csv.column(each))
            return fail_in_file(
                Fault::Input, csv.file(), 1,
                fmt::format("the column {} is missing, expected {}", each, fmt::join(needed_columns, ", ")));
    for (const std::string& each : csv.columns())
        if (std::ranges::find(needed_columns, each) == needed_columns.end() &&
            std::ranges::find(further_columns, each) == further_columns.end())
            return fail_in_file(Fault::Input, csv.file(), 1,
                                fmt::format("unknown column {}, expected {} and perhaps {}",
                                            quoted_excerpt(each), fmt::join(needed_columns, ", "),
                                            fmt::join(further_columns, ", ")));
    return {};
}

class TableReader {
public:
    TableReader(CsvTable& csv, const SimulatorTable& original)
        : csv_(csv)
        , original_(original)
        , places_(places_by_name(original))
        , table_(original) {}

    Result<SimulatorTable> read() {
        if (auto good = check_columns(csv_); !good)
            return std::unexpected(std::move(good).error());
        for (;;) {
            const auto more = csv_.next();
            if (!more)
                return std::unexpected(more.error());
            if (!*more)
                break;
            if (csv_.defect())
                return std::unexpected(*csv_.defect());
            if (auto line = read_line(); !line)
                return std::unexpected(std::move(line).error());
        }
        return check_classes();
    }

private:
    Result<void> read_line() {
        const std::size_t machine = *csv_.column("machine");
        const std::size_t parameter = *csv_.column("parameter");
        const std::size_t value = *csv_.column("value");
        if (csv_.field(machine) != original_.machine)
            return std::unexpected(csv_.unexpected_field(machine, original_.machine));
        const std::string name(csv_.field(parameter));
        const auto place = places_.find(name);
        if (place == places_.end())
            return std::unexpected(
                csv_.unexpected_field(parameter, "a parameter of " + original_.machine + " in LLVM 19"));
        if (const auto [before, is_new] = lines_.try_emplace(place->second, csv_.line()); !is_new)
            return fail_in_file(
                Fault::Input, csv_.file(), csv_.line(),
                fmt::format("{} stands in line {}, too, expected each parameter once", name, before->second));
        const ParameterBounds bounds = parameter_bounds(original_, place->second);
        const auto number = whole_number(csv_.field(value));
        if (!number || !bounds.contain(*number))
            return std::unexpected(csv_.unexpected_field(
                value, fmt::format("a whole number from {} to {}", bounds.lower, bounds.upper)));
        set_value(table_, place->second, *number);
        return {};
    }

    Result<SimulatorTable> check_classes() {
        for (const auto& [place, line] : lines_) {
            if (place.scheduling_class == ParameterPlace::of_processor)
                continue;
            const SchedulingClass& read = table_.classes[place.scheduling_class];
            std::vector<int> repaired = read.values;
            repair(original_, place.scheduling_class, repaired);
            if (repaired != read.values)
                return fail_in_file(
                    Fault::Input, csv_.file(), line,
                    repaired[MicroOps] != read.values[MicroOps]
                        ? fmt::format("{} uses resources with 0 micro_ops, expected 1 at least", read.name)
                        : fmt::format(
                              "{} uses two groups of ports that overlap in part, expected one of them",
                              read.name));
        }
        return std::move(table_);
    }

    CsvTable& csv_;
    const SimulatorTable& original_;
    std::unordered_map<std::string, ParameterPlace> places_;
    SimulatorTable table_;
    std::map<ParameterPlace, std::int64_t> lines_;
};

} // namespace

std::string table_text(const SimulatorTable& table) {
    std::vector<std::size_t> all(table.classes.size());
    for (std::size_t at = 0; at < all.size(); ++at)
        all[at] = at;
    std::string text = fmt::format("{}\n", fmt::join(needed_columns, ","));
    for (const ParameterPlace& place : parameter_places(table, all))
        text += fmt::format("{},{},{}\n", csv_field(table.machine), csv_field(parameter_name(table, place)),
                            value_of(table, place));
    return text;
}

Result<SimulatorTable> read_table_file(const std::filesystem::path& path, const SimulatorTable& original) {
    auto csv = CsvTable::open(path);
    if (!csv)
        return std::unexpected(std::move(csv).error());
    return TableReader(*csv, original).read();
}

Result<SimulatorTable> parse_table(const std::string& name, std::string_view text,
                                   const SimulatorTable& original) {
    auto csv = CsvTable::of_text(name, text);
    if (!csv)
        return std::unexpected(std::move(csv).error());
    return TableReader(*csv, original).read();
}

std::string table_bytes(const SimulatorTable& table) {
    nlohmann::json classes = nlohmann::json::array();
    for (const SchedulingClass& each : table.classes)
        classes.push_back({each.name, each.values});
    return nlohmann::json{{"machine", table.machine},
                          {"resources", table.resources},
                          {"units", table.units},
                          {"processor", table.processor},
                          {"classes", std::move(classes)}}
        .dump();
}

Result<SimulatorTable> parse_table_bytes(std::string_view bytes) {
    try {
        const auto json = nlohmann::json::parse(bytes);
        SimulatorTable table{.machine = json.at("machine").get<std::string>(),
                             .resources = json.at("resources").get<std::vector<std::string>>(),
                             .units = json.at("units").get<std::vector<std::uint64_t>>(),
                             .processor = json.at("processor").get<ProcessorValues>(),
                             .classes = {}};
        if (table.units.size() != table.resources.size())
            return fail(Fault::Internal, "a table of a simulator has other units than resources");
        for (const auto& each : json.at("classes")) {
            table.classes.push_back({each.at(0).get<std::string>(), each.at(1).get<std::vector<int>>()});
            if (table.classes.back().values.size() != table.values_a_class())
                return fail(Fault::Internal, "a table of a simulator has a class of another size");
        }
        return table;
    } catch (const nlohmann::json::exception& defect) {
        return fail(Fault::Internal, std::string("a table of a simulator can't be read: ") + defect.what());
    }
}

} // namespace sparsight
