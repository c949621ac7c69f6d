#include "workflow/machines/data_sheets.h"

#include "base/files.h"
#include "base/names.h"
#include "base/quantity.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

Result<DataSheet> read_sheet(const std::string& file) {
    const auto text = read_whole_file(file);
    if (!text)
        return std::unexpected(text.error());
    return parse_data_sheet(*text, file);
}

} // namespace

Result<DataSheet> requested_data_sheet(const std::string& file_or_preset) {
    if (names_file(file_or_preset))
        return read_sheet(file_or_preset);
    if (auto preset = find_data_sheet_preset(file_or_preset))
        return *std::move(preset);
    std::vector<std::string> known;
    for (const DataSheet& sheet : data_sheet_presets())
        known.push_back(sheet.name);
    return fail(Fault::Input,
                fmt::format("there is neither a file nor a preset of a data sheet '{}'; presets: {}",
                            file_or_preset, list_known(std::move(known), file_or_preset)));
}

Result<SheetMachine> add_machine_by_sheet(Workspace& workspace, const std::string& name,
                                          const DataSheet& sheet) {
    const std::string& own = name.empty() ? sheet.name : name;
    if (own.empty())
        return fail(Fault::Input, "the machine has no name: give one, or add name = … to its data sheet");
    SheetMachine added;
    added.facts = facts_of(sheet);
    auto stored = in_one_transaction(workspace, [&]() -> Result<void> {
        const auto known = find_machine(workspace, own);
        if (!known)
            return std::unexpected(known.error());
        added.is_new = !known->has_value();
        if (*known && !is_recording((*known)->fingerprint))
            return fail(Fault::Input,
                        fmt::format("{} is not known by recorded times: give the machine of the "
                                    "data sheet another name",
                                    own));
        const auto id = recorded_machine(workspace, own);
        if (!id)
            return std::unexpected(id.error());
        const auto before = machine_facts(workspace, *id);
        const auto times = count_measurements_on(workspace, *id);
        if (!before || !times)
            return std::unexpected(!before ? before.error() : times.error());
        added.had_facts = !before->empty() && *before != added.facts.dump();
        added.measurements = *times;
        return set_machine_facts(workspace, *id, added.facts.dump());
    });
    if (!stored)
        return std::unexpected(std::move(stored).error());
    auto record = require_machine(workspace, own);
    if (!record)
        return std::unexpected(std::move(record).error());
    added.record = *std::move(record);
    return added;
}

std::string shown_fact(std::string_view key, const Json& value) {
    const DataSheetField* const field = find_data_sheet_field(key);
    if (!value.is_number())
        return value.is_string() ? value.get<std::string>() : value.dump();
    if (field != nullptr && field->quantity == SheetQuantity::Bytes && value.get<double>() >= 1024)
        return format_bytes(static_cast<std::uint64_t>(value.get<double>()));
    const std::string unit = field == nullptr || field->unit.empty() ? "" : fmt::format(" {}", field->unit);
    return value.dump() + unit;
}

std::vector<std::string> unknown_facts(const Json& facts) {
    std::vector<std::string> unknown;
    for (const DataSheetField& field : data_sheet_fields())
        if (!facts.contains(std::string(field.key)))
            unknown.emplace_back(field.key);
    return unknown;
}

} // namespace sparsight
