#include "evaluation/diagnosis/mechanism_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

namespace {

std::string spoken(MachineParameter parameter) {
    switch (parameter) {
    case MachineParameter::Cores:
        return "cores";
    case MachineParameter::ClockRate:
        return "clock";
    case MachineParameter::Lanes:
        return "floats in a vector";
    case MachineParameter::L2Bytes:
        return "level 2 cache of a core";
    case MachineParameter::L3Bytes:
        return "level 3 caches together";
    case MachineParameter::CoreBandwidth:
        return "bandwidth of memory to a core";
    case MachineParameter::SocketBandwidth:
        return "bandwidth of memory to a socket";
    case MachineParameter::MemoryLatency:
        return "latency of memory";
    case MachineParameter::RegionCost:
        return "cost of opening a parallel region";
    case MachineParameter::ChunkCost:
        return "cost of handing out a chunk";
    default: // what is never changed (machine_changes()) has no words of its own
        std::string key(parameter_info(parameter).key);
        std::ranges::replace(key, '_', ' ');
        return key;
    }
}

} // namespace

std::string_view title(TimeTerm term) {
    switch (term) {
    case TimeTerm::Compute:
        return "instructions for entries";
    case TimeTerm::FillIn:
        return "instructions for explicit zeros";
    case TimeTerm::L2Traffic:
        return "traffic: second level cache";
    case TimeTerm::L3Traffic:
        return "traffic: last level cache";
    case TimeTerm::MemoryTraffic:
        return "traffic: memory";
    case TimeTerm::Latency:
        return "latency";
    case TimeTerm::Imbalance:
        return "imbalance between cores";
    case TimeTerm::Regions:
        return "opening parallel regions";
    case TimeTerm::Chunks:
        return "handing out chunks";
    }
    return name(term);
}

std::string_view title(HardwareEvent event) {
    switch (event) {
    case HardwareEvent::Cycles:
        return "cycles";
    case HardwareEvent::Instructions:
        return "instructions";
    case HardwareEvent::CacheMisses:
        return "misses of the last level cache";
    }
    return name(event);
}

std::string to_text(const MachineChange& change) {
    const ParameterInfo& info = parameter_info(change.parameter);
    const bool is_said = info.unit.empty() || info.unit == "B"; // value_text() says bytes itself
    return fmt::format("{} {} → {}{}{}", spoken(change.parameter), value_text(info, change.before),
                       value_text(info, change.after), is_said ? "" : " ", is_said ? "" : info.unit);
}

} // namespace sparsight
