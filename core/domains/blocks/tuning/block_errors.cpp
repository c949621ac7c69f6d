#include "domains/blocks/tuning/block_errors.h"

#include <cmath>
#include <map>
#include <set>

namespace sparsight {

Result<std::vector<double>> simulate_blocks(BlockSimulator& simulator, const SimulatorTable& table,
                                            std::span<const TuningBlock> blocks,
                                            std::span<const std::size_t> places,
                                            const std::stop_token& stop) {
    std::vector<SimulationQuery> queries;
    queries.reserve(places.size());
    for (const std::size_t place : places)
        queries.push_back(query_of(blocks[place].code, blocks[place].classes, table));
    auto simulated = simulator.cycles(queries, usual_iterations, stop);
    if (!simulated)
        return std::unexpected(std::move(simulated).error());
    std::vector<double> cycles;
    for (auto& each : *simulated) {
        if (!each)
            return std::unexpected(std::move(each).error());
        cycles.push_back(*each);
    }
    return cycles;
}

double block_error(double simulated, const TuningBlock& block) {
    return std::abs(simulated - block.cycles) / block.cycles;
}

MeanDifference mean_difference(std::span<const double> differences, std::span<const TuningBlock> blocks,
                               std::span<const std::size_t> places) {
    const auto count = static_cast<double>(differences.size());
    MeanDifference found;
    for (const double each : differences)
        found.mean += each / count;
    std::map<std::size_t, double> groups; // sums of deviations, as of clusters
    for (std::size_t at = 0; at < differences.size(); ++at)
        groups[blocks[places[at]].group] += differences[at] - found.mean;
    found.groups = groups.size();
    double squares = 0;
    for (const auto& [group, sum] : groups)
        squares += sum * sum;
    const auto clusters = static_cast<double>(groups.size());
    if (groups.size() > 1)
        found.error = std::sqrt(squares * clusters / (clusters - 1)) / count;
    else
        found.error = std::abs(found.mean);
    return found;
}

std::vector<std::vector<std::size_t>> blocks_by_class(std::span<const TuningBlock> blocks,
                                                      std::size_t classes, TuningPart part) {
    std::vector<std::vector<std::size_t>> found(classes);
    for (std::size_t at = 0; at < blocks.size(); ++at) {
        if (blocks[at].part != part)
            continue;
        for (const std::size_t each : std::set(blocks[at].classes.begin(), blocks[at].classes.end()))
            found[each].push_back(at);
    }
    return found;
}

} // namespace sparsight
