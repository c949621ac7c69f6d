#include "workflow/learning/experiments/experiment_data.h"

#include "base/observer.h"
#include "machine/data_sheet.h"
#include "store/machines.h"
#include "store/measurements.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

/// By which machines are alike or not, where their sheets state any of them: facts that say how fast kernels
/// are. Others, such as limits that all machines of a generation share, would hide these.
constexpr std::array<std::string_view, 10> telling_facts{
    "launch_year", "cores", "fp32_lanes", "boost_clock_mhz", "peak_fp32_gflops",
    "mem_bw_gbs",  "l1_kb", "l2_kb",      "mem_gb",          "warp_size"};

bool is_telling(const std::pair<const std::string, double>& fact) {
    return std::ranges::find(telling_facts, fact.first) != telling_facts.end();
}

/// What the sheets are compared by. How far apart machines can be is known of the presets: those of one
/// workspace are often much alike.
SheetScale scale_of(std::vector<MachineSheet>& sheets) {
    const auto tells = [](const MachineSheet& sheet) {
        return std::ranges::any_of(sheet.numbers, is_telling);
    };
    if (std::ranges::none_of(sheets, tells))
        return SheetScale::over(sheets);
    std::vector<MachineSheet> all;
    for (const DataSheet& preset : data_sheet_presets())
        all.push_back({preset.numbers, preset.texts});
    for (std::vector<MachineSheet>* const some : {&sheets, &all})
        for (MachineSheet& sheet : *some)
            std::erase_if(sheet.numbers, [](const auto& fact) { return !is_telling(fact); });
    std::ranges::copy(sheets, std::back_inserter(all));
    return SheetScale::over(all);
}

Result<MachineSheet> sheet_of(Workspace& workspace, const MachineRecord& machine) {
    const auto facts = machine_facts(workspace, machine.id);
    if (!facts)
        return std::unexpected(facts.error());
    MachineSheet sheet;
    const auto json = Json::parse(*facts, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        return sheet;
    for (const auto& [name, value] : json.items()) {
        if (value.is_number())
            sheet.numbers.emplace(name, value.get<double>());
        else if (value.is_string())
            sheet.texts.emplace(name, value.get<std::string>());
    }
    return sheet;
}

} // namespace

Result<KnownSheets> known_sheets(Workspace& workspace) {
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    KnownSheets sheets;
    std::vector<MachineSheet> all;
    for (const MachineRecord& machine : *machines) {
        auto sheet = sheet_of(workspace, machine);
        if (!sheet)
            return std::unexpected(std::move(sheet).error());
        all.push_back(*std::move(sheet));
    }
    sheets.scale = scale_of(all);
    for (std::size_t at = 0; at < all.size(); ++at)
        sheets.by_machine.emplace((*machines)[at].name, std::move(all[at]));
    return sheets;
}

Result<std::vector<Setting>> settings_with_times(Workspace& workspace, const Domain& domain,
                                                 std::span<const std::string> texts) {
    std::vector<Setting> settings;
    for (const std::string& text : texts) {
        auto setting = domain.parse_setting(text);
        if (!setting)
            return std::unexpected(std::move(setting).error());
        settings.push_back(*std::move(setting));
    }
    if (!settings.empty())
        return settings;
    const auto counted = count_settings(workspace);
    if (!counted)
        return std::unexpected(counted.error());
    for (const CountedSettings& each : *counted)
        if (each.setting.domain == domain.name())
            settings.push_back(each.setting);
    std::ranges::sort(settings, {}, &Setting::text);
    return settings;
}

} // namespace sparsight
