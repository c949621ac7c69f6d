#include "evaluation/model_reasons/machine_facts_read.h"

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

std::span<const MachineParameter> told_parameters() {
    return told;
}

std::string title(MachineParameter parameter) {
    const auto found = std::ranges::find(titles, parameter, &std::pair<P, std::string_view>::first);
    return std::string(found == titles.end() ? parameter_info(parameter).key : found->second);
}

std::string told_unit(MachineParameter parameter) {
    const std::string_view unit = parameter_info(parameter).unit;
    return std::string(unit == "B" ? "KiB" : unit);
}

double told_value(MachineParameter parameter, double value) {
    return parameter_info(parameter).unit == "B" ? value / 1024 : value;
}

std::string short_number(double value) {
    if (value == std::round(value) && std::abs(value) < 1e15)
        return fmt::format("{:.0f}", value);
    return fmt::format("{:.4g}", value);
}

} // namespace sparsight
