// Finds out what the computer that runs this is, and measures how fast it is: the copy bandwidth and the
// latency of its memory, and the rate of its multiply-adds. The memory benchmarks use far more bytes than the
// last cache holds.
#pragma once

#include "base/error.h"
#include "base/observer.h"
#include "base/quantity.h"
#include "machine/machine_description.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace sparsight {

struct TeamWork {
    /// Called once on each thread before the clock runs: allocates memory and touches it first there.
    std::function<void(int thread)> prepare;
    /// One round on one thread; all start together, and the slowest ends the round.
    std::function<void(int thread)> round;
};

/// Runs the work on threads that are bound to the given processors, one each, and returns the median duration
/// of a round. The first round is a warm-up; at least 3 rounds follow, more while the budget lasts (preparing
/// counts). Errors: Cancelled; Environment when threads or memory can't be had.
[[nodiscard]] Result<Seconds> median_round(const std::vector<int>& processors, Seconds budget,
                                           const std::stop_token& stop, const TeamWork& work);

struct MemoryBenchmarkOptions {
    std::uint64_t one_cache_bytes = std::uint64_t{32} << 20;  ///< the last cache that one thread can fill
    std::uint64_t all_caches_bytes = std::uint64_t{64} << 20; ///< what all threads can fill together
    std::optional<std::uint64_t> memory_bytes; ///< a quarter of it is used at most; 2 GiB assumed
    Seconds budget{1.5};                       ///< for one measurement
    std::stop_token stop;
};

/// Bytes of the array (all threads together) that a measurement works on: four times the caches, at least 64
/// MiB; for one thread no more than 512 MiB, unless twice the cache is more. At most a quarter of the memory,
/// 2 GiB for one thread and 16 GiB for several. Environment error when that is less than twice the caches,
/// since the cache would be measured.
[[nodiscard]] Result<std::uint64_t> memory_benchmark_bytes(const MemoryBenchmarkOptions& options,
                                                           int threads);

/// One thread bound to each of the processors copies its part of an array by memcpy, over and over. Counts
/// bytes read plus bytes written (STREAM's convention, McCalpin 1995), without the lines that a cache reads
/// before they are overwritten.
[[nodiscard]] Result<GigabytesPerSecond> measure_copy_bandwidth(const std::vector<int>& processors,
                                                                const MemoryBenchmarkOptions& options);

/// The time of one load whose address comes from the load before it: one thread walks a random cycle over all
/// cache lines of an array. Address translation is part of it.
[[nodiscard]] Result<Nanoseconds> measure_memory_latency(int processor,
                                                         const MemoryBenchmarkOptions& options);

/// One thread bound to each of the processors runs independent chains of float32 multiply-adds in the widest
/// vectors that the processor has (chosen at run time) and touches no memory. Each multiply-add counts two
/// operations. Where there is no fused instruction, separate ones are used.
[[nodiscard]] Result<GigaflopsPerSecond> measure_peak_fma(const std::vector<int>& processors, Seconds budget,
                                                          const std::stop_token& stop);

struct ProbeOptions {
    bool measure = true; ///< without it only what Linux tells is there
    Seconds budget{
        1.5}; ///< for each of the five measurements; one takes two seconds at most with the default
    std::stop_token stop;
    ProgressSink progress;
};

/// The computer as this process may use it: its affinity mask and the memory limit of its control group
/// count. What can't be found out or measured stays unknown. Errors: Cancelled only.
[[nodiscard]] Result<MachineDescription> probe_this_computer(const ProbeOptions& options = {});

/// The facts alone, from the /proc and /sys below a root, for the given processors (all that are online when
/// the list is empty).
[[nodiscard]] MachineDescription read_machine(const std::filesystem::path& root,
                                              const std::vector<int>& processors = {});

} // namespace sparsight
