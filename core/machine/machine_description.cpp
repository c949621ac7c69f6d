#include "machine/machine_description.h"

#include "base/digest.h"
#include "base/names.h"
#include "machine/machine_parameters.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

constexpr std::array source_names{std::pair{MachineSource::Probed, std::string_view("probed")},
                                  std::pair{MachineSource::Simulated, std::string_view("simulated")},
                                  std::pair{MachineSource::Recorded, std::string_view("recorded")}};

/// Collects the first complaint of a row of checks.
class Checks {
public:
    void require(bool holds, std::string_view what, const auto& value, std::string_view expected) {
        if (!holds && first_.empty())
            first_ = fmt::format("{} is {}: expected {}", what, value, expected);
    }

    void count(std::string_view what, const std::optional<int>& value) {
        if (value)
            require(*value >= 1 && *value <= 1'000'000, what, *value, "1 to 1000000");
    }

    /// What a simulation asks for has the range of its parameter.
    void parameter(std::string_view what, MachineParameter parameter, double value) {
        const ParameterInfo& info = parameter_info(parameter);
        require(value >= info.lowest && value <= info.highest, what, value, "a number " + range_text(info));
    }

    void positive(std::string_view what, double value, double limit) {
        require(std::isfinite(value) && value > 0 && value <= limit, what, value,
                fmt::format("a number above 0 and at most {}", limit));
    }

    [[nodiscard]] Result<void> result() const {
        if (first_.empty())
            return {};
        return fail(Fault::Input, first_);
    }

private:
    std::string first_;
};

void check_cache(Checks& checks, const CacheLevel& cache) {
    const std::string what = fmt::format("the size of a level {} cache", cache.level);
    checks.require(cache.level >= 1 && cache.level <= 8, "the level of a cache", cache.level, "1 to 8");
    checks.require(cache.bytes >= 1 && cache.bytes <= std::uint64_t{1} << 48, what, cache.bytes,
                   "1 byte to 256 TiB");
    if (cache.line_bytes)
        checks.require(*cache.line_bytes > 0 && std::has_single_bit(static_cast<unsigned>(*cache.line_bytes)),
                       "the line size of a cache", *cache.line_bytes, "a power of two");
    checks.count("the number of threads that share a cache", cache.shared_by_threads);
    checks.count("the number of caches of a kind", cache.instances);
}

void check_coefficients(Checks& checks, const std::map<MachineParameter, double>& coefficients) {
    for (const auto& [parameter, value] : coefficients) {
        const ParameterInfo& info = parameter_info(parameter);
        const std::string what = fmt::format("the coefficient {}", info.key);
        checks.parameter(what, parameter, value);
        if (is_count(info))
            checks.require(value == std::round(value), what, value, "a whole number");
    }
}

void check_simulation(Checks& checks, const MachineDescription& machine) {
    using P = MachineParameter;
    const auto number = [&](std::string_view what, P parameter, const std::optional<double>& value) {
        if (value)
            checks.parameter(what, parameter, *value);
    };
    const auto microseconds = [&](std::string_view what, P parameter,
                                  const std::optional<Nanoseconds>& value) {
        if (value)
            checks.parameter(what, parameter, value->count() / 1e3);
    };
    number("smt_gain", P::SmtGain, machine.smt_gain);
    if (machine.l3_bandwidth)
        checks.parameter("the level 3 bandwidth in GB/s", P::L3Bandwidth, machine.l3_bandwidth->value);
    number("outstanding_misses", P::OutstandingMisses, machine.outstanding_misses);
    number("remote_penalty", P::RemotePenalty, machine.remote_penalty);
    microseconds("the cost of a parallel region in µs", P::RegionCost, machine.region_cost);
    microseconds("the cost of a chunk in µs", P::ChunkCost, machine.chunk_cost);
    number("noise", P::Noise, machine.noise);
    check_coefficients(checks, machine.coefficients);
    for (const auto& [parameter, doubt] : machine.calibration.doubt_left)
        checks.require(doubt >= 0 && doubt <= 1,
                       fmt::format("the doubt that is left about {}", parameter_info(parameter).key), doubt,
                       "a number from 0 to 1");

    // A coefficient goes before the fact, so the two are compared as the simulation takes them.
    const auto taken = [&](P parameter, const std::optional<int>& fact) -> std::optional<double> {
        const auto found = machine.coefficients.find(parameter);
        return found != machine.coefficients.end() ? std::optional(found->second)
                                                   : std::optional<double>(fact);
    };
    const auto sockets = taken(P::Sockets, machine.sockets);
    const auto cores = taken(P::Cores, machine.cores);
    const auto threads = taken(P::Threads, machine.threads);
    if (sockets && cores)
        checks.require(*cores >= *sockets, "the coefficient cores", *cores,
                       fmt::format("at least one for each of the {} sockets", *sockets));
    if (cores && threads)
        checks.require(*threads >= *cores, "the coefficient threads", *threads,
                       fmt::format("at least one for each of the {} cores", *cores));
}

std::string known(const auto& value) {
    return value ? fmt::to_string(*value) : std::string("?");
}

/// The numbers that were chosen for a simulated machine; missing numbers are left out, so that a new kind of
/// number changes no machine that lacks it.
std::string chosen_numbers(const MachineDescription& machine) {
    std::string text;
    const auto add = [&](std::string_view key, const auto& value) {
        if (!value)
            return;
        if constexpr (requires { value->value; })
            text += fmt::format("|{} {}", key, value->value);
        else if constexpr (requires { value->count(); })
            text += fmt::format("|{} {}", key, value->count());
        else
            text += fmt::format("|{} {}", key, *value);
    };
    add("clock", machine.clock);
    add("memory", machine.memory_bytes);
    add("copy", machine.copy_bandwidth.one_thread);
    add("copy all", machine.copy_bandwidth.all_threads);
    add("latency", machine.memory_latency);
    add("fma", machine.peak_fma.one_thread);
    add("fma all", machine.peak_fma.all_threads);
    add("smt gain", machine.smt_gain);
    add("l3", machine.l3_bandwidth);
    add("misses", machine.outstanding_misses);
    add("remote", machine.remote_penalty);
    add("region", machine.region_cost);
    add("chunk", machine.chunk_cost);
    add("noise", machine.noise);
    for (const auto& [parameter, value] : machine.coefficients)
        text += fmt::format("|{}={}", parameter_info(parameter).key, value);
    return text;
}

} // namespace

std::string_view name(MachineSource source) {
    return name_in(source_names, source);
}

std::optional<MachineSource> parse_machine_source(std::string_view text) {
    return value_in(source_names, text);
}

std::optional<std::uint64_t> MachineDescription::last_cache_bytes() const {
    const auto last = std::ranges::max_element(caches, [](const CacheLevel& a, const CacheLevel& b) {
        return std::pair(a.level, a.bytes) < std::pair(b.level, b.bytes);
    });
    if (last == caches.end())
        return std::nullopt;
    return last->bytes;
}

std::optional<std::uint64_t> MachineDescription::all_last_caches_bytes() const {
    std::uint64_t sum = 0;
    for (const CacheLevel& cache : caches) {
        if (cache.level != caches.back().level)
            continue;
        if (!cache.instances)
            return std::nullopt;
        sum += cache.bytes * static_cast<std::uint64_t>(*cache.instances);
    }
    return sum > 0 ? std::optional(sum) : std::nullopt;
}

std::string MachineDescription::fingerprint() const {
    std::string identity = fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|", sparsight::name(source), known(cpu_model),
                                       known(architecture), known(sockets), known(cores), known(threads),
                                       known(numa_nodes), known(float_lanes));
    for (const std::string& set : instruction_sets)
        identity += set + " ";
    for (const CacheLevel& cache : caches)
        fmt::format_to(std::back_inserter(identity), "|{} {} {} {} {}", cache.level, cache.bytes,
                       known(cache.line_bytes), known(cache.shared_by_threads), known(cache.instances));
    if (source != MachineSource::Probed)
        identity += "|" + name; // it has nothing built in that could tell it from another
    if (source == MachineSource::Simulated)
        identity += chosen_numbers(*this);
    return fmt::format("{:016x}", digest_of(identity));
}

double simulation_error(const MachineDescription& machine) {
    const auto& validated = machine.calibration.cross_validation;
    return validated ? std::max(0.0, validated->quality.median_error - 1) : usual_simulation_error;
}

Result<void> validate(const MachineDescription& machine) {
    Checks checks;
    checks.require(!machine.name.empty(), "the name of the machine", "empty", "a name");
    checks.count("sockets", machine.sockets);
    checks.count("cores", machine.cores);
    checks.count("threads", machine.threads);
    checks.count("numa_nodes", machine.numa_nodes);
    checks.count("float_lanes", machine.float_lanes);
    if (machine.sockets && machine.cores)
        checks.require(*machine.cores >= *machine.sockets, "cores", *machine.cores,
                       fmt::format("at least one for each of the {} sockets", *machine.sockets));
    if (machine.cores && machine.threads)
        checks.require(*machine.threads >= *machine.cores, "threads", *machine.threads,
                       fmt::format("at least one for each of the {} cores", *machine.cores));
    if (machine.float_lanes)
        checks.require(*machine.float_lanes <= 1024, "float_lanes", *machine.float_lanes, "at most 1024");
    if (machine.clock)
        checks.positive("the clock in GHz", machine.clock->value, 100);

    for (const CacheLevel& cache : machine.caches)
        check_cache(checks, cache);
    const auto farther_first =
        std::ranges::adjacent_find(machine.caches, std::ranges::greater{}, &CacheLevel::level);
    if (farther_first != machine.caches.end())
        checks.require(false, "the level of the cache after a level " + std::to_string(farther_first->level),
                       std::next(farther_first)->level, "the levels in ascending order");
    if (machine.memory_bytes)
        checks.require(*machine.memory_bytes > 0, "memory_bytes", *machine.memory_bytes, "more than 0");

    const auto rates = [&](std::string_view what, const auto& scaling) {
        for (const auto& rate : {scaling.one_thread, scaling.all_threads})
            if (rate)
                checks.positive(what, rate->value, 1e9);
    };
    rates("the copy bandwidth in GB/s", machine.copy_bandwidth);
    rates("the peak FMA rate in GFLOP/s", machine.peak_fma);
    if (machine.memory_latency)
        checks.positive("the memory latency in ns", machine.memory_latency->count(), 1e9);
    check_simulation(checks, machine);
    return checks.result();
}

} // namespace sparsight
