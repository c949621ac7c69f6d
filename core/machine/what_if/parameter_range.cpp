#include "machine/what_if/parameter_range.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace sparsight {

namespace {

using P = MachineParameter;

constexpr double kibibyte = 1024;
constexpr double mebibyte = 1024 * kibibyte;

/// Of parameters about which nothing is said below.
ParameterRange about_typical(const ParameterInfo& info) {
    constexpr double span = 16;
    const double middle = std::max(info.typical, 1e-3);
    return {std::clamp(middle / span, std::max(info.lowest, 1e-4), info.highest),
            std::clamp(middle * span, info.lowest, info.highest)};
}

ParameterRange drawn(P parameter) {
    switch (parameter) {
    case P::Sockets:
        return {1, 4};
    case P::Cores:
        return {1, 128};
    case P::Threads:
        return {1, 256};
    case P::SmtGain:
        return {1, 2};
    case P::LoneGain:
        return {1, 16};
    case P::L3Caches:
        return {1, 32};
    case P::TeamStart:
        return {0.5, 500};
    case P::ClockRate:
        return {1, 5};
    case P::Lanes:
        return {1, 16};
    case P::Accumulators:
        return {1, 32};
    case P::UnrolledExtent:
        return {1, 64};
    case P::L1Bytes:
        return {8 * kibibyte, 256 * kibibyte};
    case P::L2Bytes:
        return {64 * kibibyte, 8 * mebibyte};
    case P::L3Bytes:
        return {0.25 * mebibyte, 1024 * mebibyte};
    case P::CoreBandwidth:
        return {1, 100};
    case P::SocketBandwidth:
        return {5, 400};
    case P::MemoryLatency:
        return {30, 500};
    case P::RegionCost:
        return {0.1, 100};
    case P::ChunkCost:
        return {0.02, 2};
    default:
        return about_typical(parameter_info(parameter));
    }
}

} // namespace

ParameterRange usual_range(MachineParameter parameter, double value) {
    ParameterRange range = drawn(parameter);
    if (value > 0) {
        range.lowest = std::min(range.lowest, value);
        range.highest = std::max(range.highest, value);
    }
    return range;
}

std::vector<double> steps_over(MachineParameter parameter, const ParameterRange& range, int steps) {
    const ParameterInfo& info = parameter_info(parameter);
    std::vector<double> values;
    const int last = std::max(1, steps - 1);
    for (int step = 0; step <= last; ++step) {
        const double part = static_cast<double>(step) / last;
        double value =
            step == last ? range.highest : range.lowest * std::pow(range.highest / range.lowest, part);
        if (parameter == P::Lanes)
            value = static_cast<double>(std::bit_floor(static_cast<std::uint64_t>(std::max(1.0, value))));
        else if (is_count(info))
            value = std::round(value);
        if (values.empty() || value > values.back())
            values.push_back(value);
    }
    return values;
}

} // namespace sparsight
