#include "machine/memory_benchmark.h"

#include "base/aligned_buffer.h"
#include "base/random.h"
#include "machine/timed_team.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <numeric>

namespace sparsight {

namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

/// One cache line that holds the place of the next; 64 bytes also where lines are longer, as a pair of lines
/// is fetched together there.
struct alignas(64) Hop {
    std::uint64_t next = 0;
};

/// Links all hops into one random cycle (Sattolo's shuffle), so that no walk is caught in a short one.
void link_random_cycle(AlignedBuffer<Hop>& hops) {
    std::vector<std::uint32_t> next(hops.size());
    std::iota(next.begin(), next.end(), 0u);
    Random random(20);
    for (std::size_t i = next.size() - 1; i > 0; --i)
        std::swap(next[i], next[random.below(i)]);
    for (std::size_t i = 0; i < next.size(); ++i)
        hops[i].next = next[i];
}

} // namespace

Result<std::uint64_t> memory_benchmark_bytes(const MemoryBenchmarkOptions& options, int threads) {
    const std::uint64_t cache = threads > 1 ? options.all_caches_bytes : options.one_cache_bytes;
    const std::uint64_t limit =
        std::min(options.memory_bytes.value_or(2048 * mebibyte) / 4, (threads > 1 ? 16384 : 2048) * mebibyte);
    // One thread takes a second to fill a gigabyte: for a very large cache it does with twice its size.
    const std::uint64_t wanted = std::max(4 * cache, 64 * mebibyte);
    const std::uint64_t affordable = threads > 1 ? wanted : std::max(2 * cache, 512 * mebibyte);
    const std::uint64_t bytes = std::min({wanted, affordable, limit});
    if (bytes < 2 * cache || bytes < mebibyte)
        return fail(Fault::Environment,
                    fmt::format("memory can't be measured: {} are too few to go past caches of {}",
                                format_bytes(bytes), format_bytes(cache)));
    return bytes;
}

Result<GigabytesPerSecond> measure_copy_bandwidth(const std::vector<int>& processors,
                                                  const MemoryBenchmarkOptions& options) {
    const auto bytes = memory_benchmark_bytes(options, static_cast<int>(processors.size()));
    if (!bytes)
        return std::unexpected(bytes.error());
    // Half of the array is the source, half the target; each thread's part lies where the thread touched it.
    const std::size_t part = *bytes / 2 / processors.size() / sizeof(std::uint64_t);
    struct Arrays {
        AlignedBuffer<std::uint64_t> source;
        AlignedBuffer<std::uint64_t> target;
    };
    std::vector<Arrays> arrays(processors.size());
    const auto of = [&](int thread) -> Arrays& { return arrays[static_cast<std::size_t>(thread)]; };
    const auto round = median_round(processors, options.budget, options.stop,
                                    {.prepare =
                                         [&](int thread) {
                                             of(thread).source.assign(part, 1);
                                             of(thread).target.assign(part, 2);
                                         },
                                     .round =
                                         [&](int thread) {
                                             std::memcpy(of(thread).target.data(), of(thread).source.data(),
                                                         part * sizeof(std::uint64_t));
                                         }});
    if (!round)
        return std::unexpected(round.error());
    const auto copied = static_cast<double>(part * sizeof(std::uint64_t) * processors.size());
    return GigabytesPerSecond{2 * copied / round->count() / 1e9};
}

Result<Nanoseconds> measure_memory_latency(int processor, const MemoryBenchmarkOptions& options) {
    const auto bytes = memory_benchmark_bytes(options, 1);
    if (!bytes)
        return std::unexpected(bytes.error());
    const auto count = static_cast<std::uint32_t>(*bytes / sizeof(Hop));
    constexpr int hops_per_round = 100'000;
    AlignedBuffer<Hop> hops;
    volatile std::uint64_t place = 0; // volatile: the walk must be made, though nobody asks where it ends
    const auto round = median_round({processor}, options.budget, options.stop,
                                    {.prepare =
                                         [&](int) {
                                             hops.resize(count);
                                             link_random_cycle(hops);
                                         },
                                     .round =
                                         [&](int) {
                                             std::uint64_t here = place;
                                             for (int hop = 0; hop < hops_per_round; ++hop)
                                                 here = hops[here].next;
                                             place = here;
                                         }});
    if (!round)
        return std::unexpected(round.error());
    return Nanoseconds(*round) / hops_per_round;
}

} // namespace sparsight
