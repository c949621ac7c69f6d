#include "domains/blocks/tuning/table_search.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sparsight {
namespace {

/// Errors of the blocks of one class, with the table as it is and as it might be.
class ClassTrials {
public:
    ClassTrials(TableSearch& search, const TuningBlocks& blocks, std::span<const std::size_t> places,
                BlockSimulator& simulator, const std::stop_token& stop)
        : search_(search)
        , blocks_(blocks)
        , places_(places)
        , simulator_(simulator)
        , stop_(stop) {}

    Result<void> begin() {
        auto errors = errors_of(search_.table);
        if (!errors)
            return std::unexpected(std::move(errors).error());
        errors_ = *std::move(errors);
        return {};
    }

    /// Takes the value where it is better beyond noise; says whether.
    Result<bool> take(const ParameterPlace& place, int value, double standard_errors) {
        const ParameterBounds bounds = parameter_bounds(simulator_.original(), place);
        if (!bounds.contain(value))
            return false;
        SimulatorTable changed = search_.table;
        set_value(changed, place, value);
        if (place.scheduling_class != ParameterPlace::of_processor)
            repair(simulator_.original(), place.scheduling_class,
                   changed.classes[place.scheduling_class].values);
        if (changed == search_.table)
            return false;
        auto errors = errors_of(changed);
        if (!errors)
            return std::unexpected(std::move(errors).error());
        std::vector<double> differences(errors->size());
        std::ranges::transform(*errors, errors_, differences.begin(), std::minus());
        if (!mean_difference(differences, blocks_.blocks, places_).is_below_zero(standard_errors))
            return false;
        search_.table = std::move(changed);
        errors_ = *std::move(errors);
        ++search_.changes;
        return true;
    }

private:
    Result<std::vector<double>> errors_of(const SimulatorTable& table) {
        auto cycles = simulate_blocks(simulator_, table, blocks_.blocks, places_, stop_);
        if (!cycles)
            return std::unexpected(std::move(cycles).error());
        search_.simulations += places_.size();
        for (std::size_t at = 0; at < places_.size(); ++at)
            (*cycles)[at] = block_error((*cycles)[at], blocks_.blocks[places_[at]]);
        return cycles;
    }

    TableSearch& search_;
    const TuningBlocks& blocks_;
    std::span<const std::size_t> places_;
    BlockSimulator& simulator_;
    const std::stop_token& stop_;
    std::vector<double> errors_;
};

} // namespace

std::vector<std::size_t> searchable_classes(const TuningBlocks& blocks, std::size_t classes,
                                            const TableSearchOptions& options) {
    const auto of_class = blocks_by_class(blocks.blocks, classes, TuningPart::Training);
    std::vector<std::size_t> found;
    for (std::size_t each = 0; each < classes; ++each) {
        std::set<std::size_t> groups;
        for (const std::size_t place : of_class[each])
            groups.insert(blocks.blocks[place].group);
        if (groups.size() >= options.fewest_groups)
            found.push_back(each);
    }
    std::ranges::stable_sort(found, std::greater(), [&](std::size_t each) { return of_class[each].size(); });
    return found;
}

std::vector<ParameterPlace> tried_parameters(const SimulatorTable& original, const SimulatorTable& table,
                                             std::size_t place) {
    std::vector<ParameterPlace> tried;
    if (place == ParameterPlace::of_processor) {
        for (std::size_t value = 0; value < processor_parameters; ++value)
            tried.push_back({place, value});
        return tried;
    }
    for (const std::size_t value : {std::size_t{Latency}, std::size_t{MicroOps}})
        tried.push_back({place, value});
    for (std::size_t value = FirstAdvance; value < table.values_a_class(); ++value)
        if (original.classes[place].values[value] != 0 || table.classes[place].values[value] != 0)
            tried.push_back({place, value});
    return tried;
}

Result<void> search_class(TableSearch& search, std::size_t place, const TuningBlocks& blocks,
                          std::span<const std::size_t> places, BlockSimulator& simulator,
                          const TableSearchOptions& options, const std::stop_token& stop) {
    ClassTrials trials(search, blocks, places.first(std::min(places.size(), options.blocks_a_trial)),
                       simulator, stop);
    if (auto begun = trials.begin(); !begun)
        return begun;
    for (const ParameterPlace& each : tried_parameters(simulator.original(), search.table, place))
        for (const int direction : {-1, 1}) // the second one makes up for a step that was too long
            for (int step = 1; step > 0;) {
                const auto taken = trials.take(each, value_of(search.table, each) + direction * step,
                                               options.standard_errors);
                if (!taken)
                    return std::unexpected(taken.error());
                step = *taken ? 2 * step : step > 1 ? 1 : 0;
            }
    return {};
}

} // namespace sparsight
