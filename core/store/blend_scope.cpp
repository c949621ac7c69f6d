#include "store/blend_scope.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace sparsight {

namespace {

/// What is needed of a description (model/checkpoints/checkpoint.h, whose library only one of the programs
/// has).
struct Home {
    std::string machine; ///< empty: not told
    std::optional<std::int64_t> dense;
    std::optional<double> simulator_share;
};

/// Nothing where the simulator has no share.
std::optional<Home> home_of(const ModelRecord& model) {
    const auto json = nlohmann::json::parse(model.description, nullptr, /*allow_exceptions=*/false);
    try {
        if (!json.contains("blend") || json.at("blend").value("simulator", 0.0) == 0)
            return std::nullopt;
        const auto& blend = json.at("blend");
        Home home;
        const auto machines = json.at("training").at("machines").get<std::vector<std::string>>();
        if (!machines.empty())
            home.machine = machines.front();
        if (json.at("input").value("operator", "") != "spmv")
            home.dense = blend.at("dense").get<std::int64_t>();
        if (const auto share = blend.find("network_share"); share != blend.end() && share->is_number())
            home.simulator_share = 1 - share->get<double>();
        return home;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt; // whoever reads the model tells what is wrong with it
    }
}

} // namespace

std::optional<std::string> blend_scope_remark(const ModelRecord& model, const std::string& machine,
                                              std::optional<std::int64_t> dense) {
    const auto home = home_of(model);
    if (!home)
        return std::nullopt;
    const bool is_other_machine = !home->machine.empty() && home->machine != machine;
    const bool is_other_dense = home->dense && dense && *home->dense != *dense;
    if (!is_other_machine && !is_other_dense)
        return std::nullopt;
    std::string own = is_other_machine ? home->machine : std::string();
    if (is_other_dense)
        own += fmt::format("{}a dense extent of {}", own.empty() ? "" : " and ", *home->dense);
    std::string asked;
    if (is_other_machine)
        asked = machine.empty() ? "this computer" : machine;
    if (is_other_dense)
        asked += fmt::format("{}{}", asked.empty() ? "" : " with ", *dense);
    return fmt::format(
        "the simulator's share in {}{} was calibrated to {}, and tells nothing of {}: `finetune` it "
        "there, which calibrates it anew",
        model.name, home->simulator_share ? fmt::format(" ({:.0f} %)", *home->simulator_share * 100) : "",
        own, asked);
}

} // namespace sparsight
