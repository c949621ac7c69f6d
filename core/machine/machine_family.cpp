#include "machine/machine_family.h"

#include "base/random.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

using P = MachineParameter;

constexpr double kib = 1 << 10;
constexpr double mib = 1 << 20;

/// Labels of the streams of random numbers: another fact more changes none of the others.
enum class Stream : std::uint64_t { Processor = 1, Caches, Memory, Threads, Code, Part };

/// Draws one machine. Real ones vary along few lines: big servers have many sockets, channels and slow
/// clocks, and what costs an in-order core many cycles costs it many cycles everywhere.
class MachineSampler {
public:
    explicit MachineSampler(const Random& random)
        : random_(random) {}

    MachineDescription run() {
        machine_.source = MachineSource::Simulated;
        draw_processor();
        draw_caches();
        draw_memory();
        draw_threads();
        draw_code();
        return std::move(machine_);
    }

private:
    [[nodiscard]] Random stream(Stream label) const {
        return random_.fork(static_cast<std::uint64_t>(label));
    }
    /// To four digits: more would say nothing, and files are read by people.
    static double readable(double value) {
        constexpr int digits = 4;
        const double unit = std::pow(10, std::floor(std::log10(value)) + 1 - digits);
        // Divided by a whole power of ten, so that it is the nearest number to those digits.
        return unit < 1 ? std::round(value / unit) / std::round(1 / unit) : std::round(value / unit) * unit;
    }
    static double log_uniform(Random& random, double lowest, double highest) {
        return readable(lowest * std::pow(highest / lowest, random.uniform()));
    }
    /// Within the limits; about two of three within the factor `spread`.
    static double log_normal(Random& random, double centre, double spread, double lowest, double highest) {
        return std::clamp(readable(centre * std::pow(spread, random.normal())), lowest, highest);
    }

    void draw_processor() {
        Random random = stream(Stream::Processor);
        const double cores = std::round(log_uniform(random, 1, 128.49));
        const int most_sockets = cores >= 64 ? 4 : cores >= 8 ? 2 : 1;
        int sockets = 1;
        while (2 * sockets <= most_sockets && random.chance(sockets == 1 ? 0.5 : 0.2))
            sockets *= 2;
        const int threads_per_core = random.chance(0.6) ? 2 : 1;
        machine_.sockets = machine_.numa_nodes = sockets;
        machine_.cores = std::max(1, static_cast<int>(cores) / sockets) * sockets;
        machine_.threads = *machine_.cores * threads_per_core;
        if (threads_per_core > 1)
            machine_.smt_gain = readable(1 + 0.4 * random.uniform());
        // Many cores share their power; cores with long vectors are large ones.
        machine_.clock = Gigahertz{log_normal(random, 3.4 * std::pow(cores, -0.07), 1.3, 1, 5)};
        constexpr std::array lanes{2, 4, 4, 8, 8, 8, 16, 16};
        machine_.float_lanes = random.pick(std::span<const int>(lanes));
        // A lone core has the power of all.
        if (cores > 1)
            machine_.coefficients[P::LoneGain] = log_normal(random, 1.05 * std::pow(cores, 0.06), 1.15, 1, 3);
    }

    void add_cache(int level, double bytes, int shared_by_cores) {
        const int instances = *machine_.cores / shared_by_cores;
        machine_.caches.push_back({.level = level,
                                   .bytes = static_cast<std::uint64_t>(bytes / kib) * 1024,
                                   .line_bytes = usual_cache_line,
                                   .shared_by_threads = *machine_.threads / instances,
                                   .instances = instances});
    }

    /// The number of cores that share a cache; a divisor of the cores of a socket, so that all caches are
    /// shared equally.
    static int sharing_cores(Random& random, int cores) {
        int sharing = cores;
        while (sharing % 2 == 0 && sharing > 4 && random.chance(0.35))
            sharing /= 2;
        return sharing;
    }

    void draw_caches() {
        Random random = stream(Stream::Caches);
        constexpr std::array first_level{32 * kib, 32 * kib, 48 * kib, 64 * kib};
        constexpr double most_together = 1152 * mib; // as much as has been built
        const int cores = *machine_.cores;
        const int of_socket = cores / *machine_.sockets;
        add_cache(1, random.pick(std::span<const double>(first_level)), 1);
        const double last = std::min(log_uniform(random, 0.25 * mib, 32 * mib), most_together / cores);
        const bool has_third = last > 1 * mib || cores > 8 || random.chance(0.3);
        const double second = log_uniform(random, 128 * kib, 2 * mib);
        const int sharing = sharing_cores(random, of_socket);
        if (has_third) {
            add_cache(2, std::min(second, 2 * last), 1);
            add_cache(3, last * sharing, sharing);
        } else { // small machines share their second level
            add_cache(2, last * of_socket, of_socket);
        }
    }

    void draw_memory() {
        Random random = stream(Stream::Memory);
        const double cores = *machine_.cores;
        const double one = log_normal(random, 12, 1.5, 3, 40);
        // Channels grow slower than cores.
        const double all = log_normal(random, 10 * std::pow(cores, 0.6), 1.7, 5, 400);
        machine_.copy_bandwidth = {GigabytesPerSecond{std::min(one, all)}, GigabytesPerSecond{all}};
        // A large mesh is slow.
        const double latency = log_normal(random, 80 * std::pow(cores, 0.06), 1.3, 60, 200);
        machine_.memory_latency = Nanoseconds(latency);
        machine_.outstanding_misses = log_normal(random, 11, 1.5, 3, 40);
        if (*machine_.sockets > 1)
            machine_.remote_penalty = log_normal(random, 1.8, 1.25, 1.1, 4);
        if (machine_.caches.back().level == 3) {
            machine_.l3_bandwidth = GigabytesPerSecond{
                log_normal(random, 1.3 + one * 1.7, 1.5, one, 150)}; // never below memory's
            machine_.coefficients[P::L3Latency] =
                readable(std::min(log_normal(random, 20, 1.5, 8, 80), latency / 1.5));
        }
        for (const P parameter : {P::L2Bandwidth, P::Overlap})
            machine_.coefficients[parameter] = about_typical(random, parameter, 1);
    }

    void draw_threads() {
        Random random = stream(Stream::Threads);
        const double meeting = 1000 * (1 + std::log2(*machine_.threads)); // a barrier is a tree
        machine_.region_cost = Nanoseconds(log_normal(random, meeting, 1.8, 200, 100'000));
        // A counter that many cores take chunks from is contended.
        const double contended = 100 * std::pow(*machine_.cores, 0.35);
        machine_.chunk_cost = Nanoseconds(log_normal(random, contended, 2.2, 50, 2000));
        // Measured twice, recorded machines agree on 75 to 90 % of the pairs of schedules.
        machine_.noise = log_uniform(random, 0.15, 0.6);
        machine_.coefficients[P::TeamStart] = log_normal(random, 3 * meeting / 1000, 2.5, 0.5, 500);
    }

    /// Log-normal about `factor` times the typical value, within the doubt of the parameter.
    static double about_typical(Random& random, P parameter, double factor) {
        const ParameterInfo& info = parameter_info(parameter);
        const double drawn =
            log_normal(random, factor, std::pow(info.doubt, 1 / 1.5), 1 / info.doubt, info.doubt);
        return std::clamp(readable(info.typical * drawn), info.lowest, info.highest);
    }

    void draw_code() {
        Random random = stream(Stream::Code);
        const double slowness = std::pow(1.3, random.normal()); // of the core, whatever it does
        for (const ParameterInfo& info : all_parameters())
            if (info.group == ParameterGroup::Code)
                machine_.coefficients[info.parameter] = about_typical(random, info.parameter, slowness);
        const double registers = *machine_.float_lanes >= 16 ? 24 : 12; // AVX-512 has twice as many
        machine_.coefficients[P::Accumulators] = random.chance(0.5) ? registers : 0;
        machine_.coefficients[P::UnrolledExtent] =
            machine_.coefficients[P::Accumulators] == 0 && random.chance(0.5) ? unrolled_by_gcc : 0;
    }

    Random random_;
    MachineDescription machine_;
};

} // namespace

MachineDescription sampled_machine(std::uint64_t seed, std::uint64_t index) {
    MachineDescription machine = MachineSampler(Random(seed).fork(index)).run();
    machine.name = fmt::format("sampled-{}-{:04}", seed, index);
    return machine;
}

std::vector<MachineDescription> sample_machines(std::uint64_t seed, std::size_t count) {
    std::vector<MachineDescription> machines;
    machines.reserve(count);
    for (std::size_t index = 0; index < count; ++index)
        machines.push_back(sampled_machine(seed, index));
    return machines;
}

std::string_view name(FamilyPart part) {
    switch (part) {
    case FamilyPart::Train:
        return "train";
    case FamilyPart::Validation:
        return "validation";
    case FamilyPart::Test:
        break;
    }
    return "test";
}

FamilyPart family_part(std::uint64_t seed, std::uint64_t index, const FamilyShares& shares) {
    const double place = Random(seed).fork(index).fork(static_cast<std::uint64_t>(Stream::Part)).uniform();
    if (place < shares.train)
        return FamilyPart::Train;
    return place < shares.train + shares.validation ? FamilyPart::Validation : FamilyPart::Test;
}

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
