#include "machine/machine_parameters.h"

#include "base/quantity.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

MachineParameters parameters_for_threads(const MachineDescription& machine, int threads) {
    MachineParameters parameters = resolve_parameters(machine).values;
    const auto ran = static_cast<double>(threads);
    const bool is_known = machine.threads || machine.cores;
    double& all = parameters[MachineParameter::Threads];
    all = is_known ? std::min(all, ran) : ran;
    if (!is_known)
        parameters[MachineParameter::Cores] = all;
    return parameters;
}

namespace {

using P = MachineParameter;
using G = ParameterGroup;

/// In the order of the enumeration. The typical values: data sheets of two-socket servers, latencies and
/// bandwidths as the literature's machine files have them; cycles as an x86 core needs them for what the
/// lowering emits (a mispredicted exit: 15 to 20, see domains/sparse/simulator/loop_counts.h).
constexpr std::array<ParameterInfo, machine_parameter_count> parameters{{
    {P::Sockets, G::Hardware, "sockets", "", 1, 1, 16, 1, true},
    {P::Cores, G::Hardware, "cores", "", 8, 1, 1024, 1, true},
    {P::Threads, G::Hardware, "threads", "", 8, 1, 4096, 1, true},
    {P::SmtGain, G::Hardware, "smt_gain", "", 1.2, 1, 2, 1.15, false},
    {P::ClockRate, G::Hardware, "clock_ghz", "GHz", 2.8, 0.1, 10, 1, false},
    {P::LoneGain, G::Hardware, "lone_gain", "", 1.1, 1, 32, 1.5, false},
    {P::Lanes, G::Hardware, "lanes", "", 8, 1, 64, 1, true},
    {P::Accumulators, G::Hardware, "accumulators", "", 12, 0, 64, 1, true},

    {P::UnrolledExtent, G::Hardware, "unrolled_extent", "", 0, 0, 256, 1, true},

    {P::L1Bytes, G::Memory, "l1_bytes", "B", 32 << 10, 1 << 10, 1 << 20, 1.5, true},
    {P::L2Bytes, G::Memory, "l2_bytes", "B", 1 << 20, 16 << 10, 64 << 20, 1.5, true},
    {P::L3Bytes, G::Memory, "l3_bytes", "B", 32 << 20, 0, 4e9, 1.7, true},
    {P::L3Caches, G::Memory, "l3_caches", "", 1, 1, 256, 1, true},
    {P::L2Bandwidth, G::Memory, "l2_bytes_per_cycle", "B/cycle", 24, 1, 256, 2, false},
    {P::L3Bandwidth, G::Memory, "l3_gb_per_s", "GB/s", 20, 0.5, 1000, 2, false},
    {P::CoreBandwidth, G::Memory, "core_gb_per_s", "GB/s", 12, 0.1, 500, 1.5, false},
    {P::SocketBandwidth, G::Memory, "socket_gb_per_s", "GB/s", 80, 0.5, 5000, 1.5, false},
    {P::L3Latency, G::Memory, "l3_latency_ns", "ns", 20, 1, 500, 1.7, false},
    {P::MemoryLatency, G::Memory, "memory_latency_ns", "ns", 95, 5, 5000, 1.5, false},
    {P::OutstandingMisses, G::Memory, "outstanding_misses", "", 10, 1, 128, 2, false},
    {P::RemotePenalty, G::Memory, "remote_penalty", "", 2, 1, 20, 1.5, false},
    {P::Overlap, G::Memory, "overlap", "", 1.6, 1, 8, 1.5, false},

    {P::TeamStart, G::Threads, "team_start_us", "µs", 5, 0.01, 20000, 4, false},
    {P::RegionCost, G::Threads, "region_us", "µs", 4, 0.01, 2000, 4, false},
    {P::ChunkCost, G::Threads, "chunk_us", "µs", 0.1, 0.001, 50, 4, false},

    {P::CompressedStart, G::Code, "compressed_start", "cycles", 8, 0.1, 500, 2.5, false},
    {P::MispredictedExit, G::Code, "mispredicted_exit", "cycles", 15, 0.1, 500, 2.5, false},
    {P::CompressedIteration, G::Code, "compressed_iteration", "cycles", 2, 0.05, 100, 2.5, false},
    {P::DenseStart, G::Code, "dense_start", "cycles", 4, 0.1, 500, 2.5, false},
    {P::DenseIteration, G::Code, "dense_iteration", "cycles", 1.5, 0.05, 100, 2.5, false},
    {P::VectorStart, G::Code, "vector_start", "cycles", 3, 0.05, 500, 2.5, false},
    {P::TiledVector, G::Code, "tiled_vector", "cycles", 0.8, 0.05, 100, 2.5, false},
    {P::UpdatedVector, G::Code, "updated_vector", "cycles", 1.5, 0.05, 100, 2.5, false},
    {P::TiledScalar, G::Code, "tiled_scalar", "cycles", 1.5, 0.05, 100, 2.5, false},
    {P::UpdatedScalar, G::Code, "updated_scalar", "cycles", 3, 0.05, 100, 2.5, false},
    {P::TileVector, G::Code, "tile_vector", "cycles", 2, 0.05, 100, 2.5, false},

    {P::Noise, G::Threads, "noise", "", 0.05, 0, 2, 1, false},
}};

/// Sets the parameters one by one and records which were not known.
class Resolver {
public:
    explicit Resolver(const MachineDescription& machine)
        : machine_(machine) {}

    ResolvedParameters run() {
        set_processor();
        set_memory();
        set_threads();
        for (const ParameterInfo& info : parameters)
            if (info.group == G::Code)
                set(info.parameter, std::nullopt);
        return std::move(resolved_);
    }

private:
    void set(P parameter, std::optional<double> fact) {
        set(parameter, fact, parameter_info(parameter).typical);
    }

    /// `otherwise` where the description is silent.
    void set(P parameter, std::optional<double> fact, double otherwise) {
        if (const auto fitted = machine_.coefficients.find(parameter); fitted != machine_.coefficients.end())
            fact = fitted->second;
        if (!fact)
            resolved_.assumed.push_back(parameter);
        const ParameterInfo& info = parameter_info(parameter);
        resolved_.values[parameter] = std::clamp(fact.value_or(otherwise), info.lowest, info.highest);
    }

    [[nodiscard]] double value(P parameter) const { return resolved_.values[parameter]; }

    void set_processor() {
        set(P::Sockets, machine_.sockets);
        // Of a machine whose threads alone are known, each is taken for a core.
        set(P::Cores, machine_.cores,
            machine_.threads.value_or(static_cast<int>(parameter_info(P::Cores).typical)));
        set(P::Threads, machine_.threads, value(P::Cores));
        set(P::SmtGain, machine_.smt_gain);
        set(P::ClockRate, machine_.clock ? std::optional(machine_.clock->value) : std::nullopt);
        set(P::LoneGain, std::nullopt);
        set(P::Lanes, machine_.float_lanes);
        // As the lowering shapes its tiles for AVX-512 and for less (KernelTarget::of_this_computer).
        // Runtimes that others recorded are of TACO's code, which updates C in memory.
        const bool has_many_registers = value(P::Lanes) >= 16 || machine_.architecture == "aarch64";
        const double of_lowering = has_many_registers ? 24 : 12;
        set(P::Accumulators, std::nullopt, machine_.source == MachineSource::Recorded ? 0 : of_lowering);
        set(P::UnrolledExtent, std::nullopt, value(P::Accumulators) > 0 ? 0 : unrolled_by_gcc);
    }

    /// Bytes of the caches of a level that one core may fill: its share of a shared cache.
    [[nodiscard]] std::optional<double> bytes_per_core(int level) const {
        const auto cache = std::ranges::find(machine_.caches, level, &CacheLevel::level);
        if (cache == machine_.caches.end())
            return std::nullopt;
        const double threads_of_core = value(P::Threads) / value(P::Cores);
        const double sharing = cache->shared_by_threads ? *cache->shared_by_threads / threads_of_core : 1.0;
        return static_cast<double>(cache->bytes) / std::max(1.0, sharing);
    }

    [[nodiscard]] std::optional<double> all_third_level_bytes() const {
        const auto cache = std::ranges::find(machine_.caches, 3, &CacheLevel::level);
        if (cache == machine_.caches.end())
            return machine_.caches.empty() ? std::nullopt : std::optional(0.0);
        const double instances = cache->instances.value_or(machine_.sockets.value_or(1));
        return static_cast<double>(cache->bytes) * instances;
    }

    [[nodiscard]] std::optional<double> third_level_caches() const {
        const auto cache = std::ranges::find(machine_.caches, 3, &CacheLevel::level);
        return cache == machine_.caches.end() ? std::nullopt : cache->instances;
    }

    template <typename Rate>
    static std::optional<double> number(const std::optional<Rate>& rate) {
        return rate ? std::optional(rate->value) : std::nullopt;
    }

    void set_memory() {
        set(P::L1Bytes, bytes_per_core(1));
        set(P::L2Bytes, bytes_per_core(2));
        set(P::L3Bytes, all_third_level_bytes(), 2e6 * value(P::Cores));
        set(P::L3Caches, third_level_caches(), value(P::Sockets));
        set(P::L2Bandwidth, std::nullopt);
        set(P::L3Bandwidth, number(machine_.l3_bandwidth));
        set(P::CoreBandwidth, number(machine_.copy_bandwidth.one_thread));
        auto of_socket = number(machine_.copy_bandwidth.all_threads);
        if (of_socket)
            *of_socket /= value(P::Sockets);
        set(P::SocketBandwidth, of_socket,
            std::min(parameter_info(P::SocketBandwidth).typical,
                     value(P::CoreBandwidth) * value(P::Cores) / value(P::Sockets)));
        set(P::L3Latency, std::nullopt);
        set(P::MemoryLatency,
            machine_.memory_latency ? std::optional(machine_.memory_latency->count()) : std::nullopt);
        set(P::OutstandingMisses, machine_.outstanding_misses);
        set(P::RemotePenalty, machine_.remote_penalty);
        set(P::Overlap, std::nullopt);
    }

    [[nodiscard]] static std::optional<double> microseconds(const std::optional<Nanoseconds>& time) {
        return time ? std::optional(time->count() / 1e3) : std::nullopt;
    }

    void set_threads() {
        // A barrier's cost grows with the logarithm of the threads that meet in it.
        set(P::RegionCost, microseconds(machine_.region_cost), 1 + std::log2(value(P::Threads)));
        set(P::TeamStart, std::nullopt);
        // Whoever takes a chunk needs the counter's cache line, which all others want, too, and which goes
        // from one to the other. So many nanoseconds a thread are what fits to the runtimes recorded on
        // machines of 32, 48 and 104 threads give: 39, 48 and 43 to 62.
        constexpr double turn_us = 0.04;
        set(P::ChunkCost, microseconds(machine_.chunk_cost),
            std::max(parameter_info(P::ChunkCost).typical, turn_us * value(P::Threads)));
        set(P::Noise, machine_.noise);
    }

    const MachineDescription& machine_;
    ResolvedParameters resolved_;
};

constexpr std::array<MachineParameter, fitted_parameter_count> fitted{MachineParameter::SmtGain,
                                                                      MachineParameter::LoneGain,
                                                                      MachineParameter::L1Bytes,
                                                                      MachineParameter::L2Bytes,
                                                                      MachineParameter::L3Bytes,
                                                                      MachineParameter::L2Bandwidth,
                                                                      MachineParameter::L3Bandwidth,
                                                                      MachineParameter::CoreBandwidth,
                                                                      MachineParameter::SocketBandwidth,
                                                                      MachineParameter::L3Latency,
                                                                      MachineParameter::MemoryLatency,
                                                                      MachineParameter::OutstandingMisses,
                                                                      MachineParameter::Overlap,
                                                                      MachineParameter::TeamStart,
                                                                      MachineParameter::RegionCost,
                                                                      MachineParameter::ChunkCost,
                                                                      MachineParameter::CompressedStart,
                                                                      MachineParameter::MispredictedExit,
                                                                      MachineParameter::CompressedIteration,
                                                                      MachineParameter::DenseStart,
                                                                      MachineParameter::DenseIteration,
                                                                      MachineParameter::VectorStart,
                                                                      MachineParameter::TiledVector,
                                                                      MachineParameter::UpdatedVector,
                                                                      MachineParameter::TiledScalar,
                                                                      MachineParameter::UpdatedScalar,
                                                                      MachineParameter::TileVector};

} // namespace

std::span<const ParameterInfo> all_parameters() {
    return parameters;
}

std::span<const MachineParameter> fitted_parameters() {
    return fitted;
}

const ParameterInfo& parameter_info(MachineParameter parameter) {
    return parameters[static_cast<std::size_t>(parameter)];
}

std::optional<MachineParameter> parse_machine_parameter(std::string_view key) {
    const auto found = std::ranges::find(parameters, key, &ParameterInfo::key);
    return found == parameters.end() ? std::nullopt : std::optional(found->parameter);
}

std::vector<std::string_view> parameter_keys() {
    std::vector<std::string_view> keys;
    for (const ParameterInfo& info : parameters)
        keys.push_back(info.key);
    return keys;
}

bool is_count(const ParameterInfo& info) {
    return info.whole && info.doubt <= 1;
}

std::string range_text(const ParameterInfo& info) {
    return fmt::format("from {} to {}{}{}", info.lowest, info.highest, info.unit.empty() ? "" : " ",
                       info.unit);
}

std::string value_text(const ParameterInfo& info, double value) {
    if (info.unit == "B")
        return format_bytes(static_cast<std::uint64_t>(std::llround(value)));
    return fmt::format("{:.4g}", value);
}

ResolvedParameters resolve_parameters(const MachineDescription& machine) {
    return Resolver(machine).run();
}

namespace {

using P = MachineParameter;

/// What a probe measures of the parameters; the rest it reads.
constexpr std::array probed{P::CoreBandwidth, P::SocketBandwidth, P::MemoryLatency};

bool same(double a, double b) {
    return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

ParameterOrigin origin_of_fact(const MachineDescription& machine, const ResolvedParameters& resolved,
                               MachineParameter parameter) {
    if (std::ranges::count(resolved.assumed, parameter) > 0)
        return ParameterOrigin::Typical;
    const bool was_measured =
        machine.source == MachineSource::Probed && std::ranges::count(probed, parameter) > 0;
    return was_measured ? ParameterOrigin::Measured : ParameterOrigin::Stated;
}

} // namespace

std::string_view name(ParameterOrigin origin) {
    switch (origin) {
    case ParameterOrigin::Stated:
        return "stated";
    case ParameterOrigin::Measured:
        return "measured";
    case ParameterOrigin::Fitted:
        return "fitted";
    case ParameterOrigin::Typical:
        break;
    }
    return "typical";
}

ParameterOrigin origin_of(const MachineDescription& machine, MachineParameter parameter) {
    if (!machine.coefficients.contains(parameter))
        return origin_of_fact(machine, resolve_parameters(machine), parameter);
    if (machine.source == MachineSource::Simulated)
        return ParameterOrigin::Stated;
    MachineDescription without = machine;
    without.coefficients.erase(parameter);
    const ResolvedParameters before = resolve_parameters(without);
    return same(before.values[parameter], resolve_parameters(machine).values[parameter])
               ? origin_of_fact(without, before, parameter)
               : ParameterOrigin::Fitted;
}

std::optional<double> doubt_left(const MachineDescription& machine, MachineParameter parameter) {
    const auto known = machine.calibration.doubt_left.find(parameter);
    const bool is_fitted = machine.source != MachineSource::Simulated &&
                           machine.coefficients.contains(parameter) &&
                           known != machine.calibration.doubt_left.end();
    return is_fitted ? std::optional(known->second) : std::nullopt;
}

bool is_calibrated(const MachineDescription& machine) {
    return machine.source != MachineSource::Simulated &&
           std::ranges::any_of(fitted_parameters(), [&](MachineParameter parameter) {
               return machine.coefficients.contains(parameter);
           });
}

MachineDescription without_calibration(MachineDescription machine) {
    if (machine.source == MachineSource::Simulated)
        return machine;
    for (const MachineParameter parameter : fitted_parameters())
        machine.coefficients.erase(parameter);
    for (const MachineParameter found :
         {MachineParameter::UnrolledExtent, MachineParameter::Cores, MachineParameter::Threads})
        machine.coefficients.erase(found);
    machine.calibration = {};
    return machine;
}

} // namespace sparsight
