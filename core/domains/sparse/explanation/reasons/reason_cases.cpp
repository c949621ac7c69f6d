#include "domains/sparse/explanation/reasons/reason_cases.h"

#include "domains/sparse/simulator/mechanistic_simulator.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

using P = MachineParameter;

constexpr std::array told{P::Sockets,       P::Cores,           P::Threads,      P::ClockRate,
                          P::Lanes,         P::L1Bytes,         P::L2Bytes,      P::L3Bytes,
                          P::CoreBandwidth, P::SocketBandwidth, P::MemoryLatency};
constexpr std::array<std::pair<P, std::string_view>, told.size()> titles{{
    {P::Sockets, "sockets"},
    {P::Cores, "cores"},
    {P::Threads, "threads"},
    {P::ClockRate, "clock"},
    {P::Lanes, "float lanes"},
    {P::L1Bytes, "L1 cache"},
    {P::L2Bytes, "L2 cache"},
    {P::L3Bytes, "last-level caches"},
    {P::CoreBandwidth, "bandwidth of a core"},
    {P::SocketBandwidth, "bandwidth of a socket"},
    {P::MemoryLatency, "memory latency"},
}};

} // namespace

std::span<const MachineParameter> reported_parameters() {
    return told;
}

std::string title(MachineParameter parameter) {
    const auto found = std::ranges::find(titles, parameter, &std::pair<P, std::string_view>::first);
    return std::string(found == titles.end() ? parameter_info(parameter).key : found->second);
}

std::string reported_unit(MachineParameter parameter) {
    const std::string_view unit = parameter_info(parameter).unit;
    return std::string(unit == "B" ? "KiB" : unit);
}

double reported_value(MachineParameter parameter, double value) {
    return parameter_info(parameter).unit == "B" ? value / 1024 : value;
}

std::string short_number(double value) {
    if (value == std::round(value) && std::abs(value) < 1e15)
        return fmt::format("{:.0f}", value);
    return fmt::format("{:.4g}", value);
}

Result<SimulatedPairs::Counted*> SimulatedPairs::counted(std::size_t place) {
    if (const auto known = counted_.find(place); known != counted_.end())
        return &known->second;
    auto pattern = patterns_(place);
    if (!pattern)
        return std::unexpected(std::move(pattern).error());
    std::erase_if(counted_, [](const auto& each) { return each.first != 0; });
    Counted fresh;
    fresh.pattern = *std::move(pattern);
    fresh.counts = std::make_unique<ProfiledPattern>(*fresh.pattern);
    return &counted_.emplace(place, std::move(fresh)).first->second;
}

Result<std::optional<double>> SimulatedPairs::time(Counted& counted, const SuperSchedule& schedule,
                                                   const MachineParameters& machine) const {
    auto known = counted.profiles.find(schedule);
    if (known == counted.profiles.end()) {
        auto profile = counted.counts->profile(schedule, dense_);
        if (!profile)
            return std::unexpected(std::move(profile).error());
        const StorageFormat format = storage_format(schedule, counted.pattern->rows, counted.pattern->cols);
        const bool is_too_large =
            refusal(format, profile->storage, Certainty::Exact, *counted.pattern, PackingLimits())
                .has_value();
        known = counted.profiles
                    .emplace(schedule, is_too_large ? std::nullopt : std::optional(*std::move(profile)))
                    .first;
    }
    if (!known->second)
        return std::nullopt;
    return simulate(machine, *known->second).total();
}

Result<PairTimes> SimulatedPairs::times(const ReasonCase& of) {
    const auto at = counted(of.pattern);
    if (!at)
        return std::unexpected(at.error());
    const MachineParameters machine = resolve_parameters(of.machine).values;
    const auto schedule = time(**at, of.schedule, machine);
    const auto against = time(**at, of.against, machine);
    if (!schedule || !against)
        return std::unexpected((schedule ? against : schedule).error());
    return PairTimes{*schedule, *against, TimeOrigin::Simulated};
}

} // namespace sparsight
