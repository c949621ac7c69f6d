#include "collection/rematch.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace sparsight {

namespace {

std::string why_without_time(const Measurement& measurement) {
    if (measurement.reason.empty())
        return std::string(name(measurement.status));
    return fmt::format("{}: {}", name(measurement.status), measurement.reason);
}

Result<void> measure(WorkloadMeasurer& measurer, ConfigurationTurns& player) {
    if (!player.error.empty())
        return {}; // what has missed a turn is compared with nothing
    const auto measurement = measurer.measure(player.configuration);
    if (!measurement && measurement.error().fault == Fault::Cancelled)
        return std::unexpected(measurement.error());
    if (measurement && measurement->status == MeasurementStatus::Measured) {
        player.turns_ms.push_back(measurement->median.count());
        return {};
    }
    // Memory that was short for one configuration, as in a collection, is no reason to give up the others.
    player.error = measurement ? why_without_time(*measurement) : measurement.error().text();
    player.turns_ms.clear();
    return {};
}

} // namespace

Result<std::vector<ConfigurationTurns>> measure_in_turns(WorkloadMeasurer& measurer,
                                                         std::span<const WrittenConfiguration> configurations,
                                                         int turns, const std::stop_token& stop,
                                                         const ProgressSink& progress) {
    if (turns < 1)
        return fail(Fault::Input, fmt::format("{} turns: expected 1 or more", turns));
    std::vector<ConfigurationTurns> players;
    for (const WrittenConfiguration& configuration : configurations)
        players.push_back({configuration, {}, {}});
    std::uint64_t done = 0;
    const std::uint64_t total = players.size() * static_cast<std::uint64_t>(turns);
    for (int turn = 0; turn < turns; ++turn) {
        for (ConfigurationTurns& player : players) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped while configurations were measured in turns");
            if (progress)
                progress({"measuring in turns", done++, total});
            if (auto measured = measure(measurer, player); !measured)
                return std::unexpected(std::move(measured).error());
        }
        std::ranges::reverse(players); // none is always the one behind another
    }
    if (turns % 2 == 1)
        std::ranges::reverse(players);
    return players;
}

} // namespace sparsight
