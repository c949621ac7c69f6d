#include "domains/sparse/workflow/explanation/hot_loops.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {
namespace {

std::string hex_of(const std::vector<std::uint8_t>& code) {
    std::string hex;
    for (const std::uint8_t byte : code)
        hex += fmt::format("{:02x}", byte);
    return hex;
}

} // namespace

double HotLoopCosts::cycles() const {
    return analysis.bound ? analysis.bound->cycles : analysis.simulated_cycles;
}

Result<HotLoopCosts> hot_loop_costs(const SuperSchedule& schedule, const Extents& extents,
                                    const LoopProcessor& processor, const LoopAnalyst& analyst) {
    auto loop = hot_loop_code(schedule, extents, processor.llvm);
    if (!loop)
        return std::unexpected(std::move(loop).error());
    auto analysis = analyst.analyse(loop->code, processor.name);
    if (!analysis)
        return std::unexpected(std::move(analysis).error());
    return HotLoopCosts{processor, *std::move(loop), *std::move(analysis)};
}

std::string hot_loop_phrase(const HotLoopCosts& costs) {
    return fmt::format(fmt::runtime(costs.analysis.bound
                                        ? "{:.2f} cycles a stored entry: it waits for {}"
                                        : "{:.2f} cycles a stored entry (LLVM's analyser: {})"),
                       costs.cycles_an_entry(), costs.analysis.binds);
}

std::string compare_hot_loops(const HotLoopCosts& one, const std::string& name_of_one,
                              const HotLoopCosts& other, const std::string& name_of_other) {
    return fmt::format("On {} the hot loop of {} needs {}. That of {} needs {}.", one.processor.title,
                       name_of_one, hot_loop_phrase(one), name_of_other, hot_loop_phrase(other));
}

nlohmann::ordered_json to_json(const HotLoopCosts& costs) {
    using Json = nlohmann::ordered_json;
    Json bound;
    if (const auto& known = costs.analysis.bound)
        bound = {{"dependencies", known->dependencies},
                 {"ports", known->ports},
                 {"front_end", known->front_end},
                 {"divider", known->divider},
                 {"cycles", known->cycles},
                 {"chain", known->chain},
                 {"unknown", known->unknown}};
    return {{"processor", costs.processor.name},
            {"loop", costs.loop.loop},
            {"depth", costs.loop.depth},
            {"hex", hex_of(costs.loop.code)},
            {"entries", costs.loop.entries},
            {"cycles", costs.cycles()},
            {"cycles_per_entry", costs.cycles_an_entry()},
            {"simulated_cycles", costs.analysis.simulated_cycles},
            {"bound", std::move(bound)},
            {"binds", costs.analysis.binds},
            {"listing", costs.analysis.listing}};
}

} // namespace sparsight
