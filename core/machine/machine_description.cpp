#include "machine/machine_description.h"

#include "base/digest.h"

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

std::string known(const auto& value) {
    return value ? fmt::to_string(*value) : std::string("?");
}

} // namespace

std::string_view name(MachineSource source) {
    for (const auto& [value, text] : source_names)
        if (value == source)
            return text;
    return "unknown";
}

std::optional<MachineSource> parse_machine_source(std::string_view text) {
    for (const auto& [value, known_text] : source_names)
        if (known_text == text)
            return value;
    return std::nullopt;
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
    std::string facts = fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|", sparsight::name(source), known(cpu_model),
                                    known(architecture), known(sockets), known(cores), known(threads),
                                    known(numa_nodes), known(float_lanes));
    for (const std::string& set : instruction_sets)
        facts += set + " ";
    for (const CacheLevel& cache : caches)
        fmt::format_to(std::back_inserter(facts), "|{} {} {} {} {}", cache.level, cache.bytes,
                       known(cache.line_bytes), known(cache.shared_by_threads), known(cache.instances));
    if (source != MachineSource::Probed)
        facts += "|" + name; // an imagined machine has nothing built in that could tell it from another
    return fmt::format("{:016x}", digest_of(facts));
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
    return checks.result();
}

} // namespace sparsight
