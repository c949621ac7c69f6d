#include "domains/blocks/tuning/parameter_verdicts.h"

#include "domains/blocks/tuning/block_errors.h"
#include "domains/blocks/tuning/table_search.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

namespace sparsight {

std::string_view name(Determination determination) {
    switch (determination) {
    case Determination::Determined:
        return "determined";
    case Determination::Bounded:
        return "bounded on one side";
    case Determination::Undetermined:
        return "undetermined";
    case Determination::FewBlocks:
        return "too few blocks";
    }
    std::unreachable();
}

Result<std::vector<JudgedParameter>>
judge_parameters(const SimulatorTable& table, std::size_t place, const TuningBlocks& blocks,
                 std::span<const std::size_t> places, BlockSimulator& simulator,
                 const VerdictOptions& options, const std::stop_token& stop) {
    const SimulatorTable& original = simulator.original();
    places = places.first(std::min(places.size(), options.blocks_a_parameter));
    std::vector<JudgedParameter> judged;
    for (const ParameterPlace& each : tried_parameters(original, table, place))
        judged.push_back({.place = each, .blocks = places.size()});
    std::set<std::size_t> groups;
    for (const std::size_t at : places)
        groups.insert(blocks.blocks[at].group);
    if (groups.size() < options.fewest_groups)
        return judged;
    const auto before = simulate_blocks(simulator, table, blocks.blocks, places, stop);
    if (!before)
        return std::unexpected(before.error());
    for (JudgedParameter& each : judged) {
        int worse = 0;
        for (const int step : {-1, 1}) {
            const int value = value_of(table, each.place) + step;
            if (!parameter_bounds(original, each.place).contain(value)) {
                ++worse; // there is no such value
                continue;
            }
            SimulatorTable changed = table;
            set_value(changed, each.place, value);
            if (place != ParameterPlace::of_processor)
                repair(original, place, changed.classes[place].values);
            const auto after = simulate_blocks(simulator, changed, blocks.blocks, places, stop);
            if (!after)
                return std::unexpected(after.error());
            std::vector<double> rises;
            for (std::size_t at = 0; at < places.size(); ++at)
                rises.push_back(block_error((*after)[at], blocks.blocks[places[at]]) -
                                block_error((*before)[at], blocks.blocks[places[at]]));
            const MeanDifference rise = mean_difference(rises, blocks.blocks, places);
            worse += rise.is_above_zero(options.standard_errors) ? 1 : 0;
            each.rise = std::min(each.rise.value_or(rise.mean), rise.mean);
        }
        each.determination = worse == 2   ? Determination::Determined
                             : worse == 1 ? Determination::Bounded
                                          : Determination::Undetermined;
        // A value at its lowest is not told from its only neighbour.
        if (worse == 1 && value_of(table, each.place) == parameter_bounds(original, each.place).lower)
            each.determination = Determination::Undetermined;
    }
    return judged;
}

} // namespace sparsight
