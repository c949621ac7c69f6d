#include "machine/probe/probe.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"
#include "machine/probe/processor_facts.h"
#include "machine/probe/system_files.h"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstring>
#include <exception>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <new>
#include <numeric>
#include <sched.h>
#include <sys/utsname.h>
#include <thread>
#include <utility>

namespace sparsight {

namespace {

using Clock = std::chrono::steady_clock;

/// Without it the scheduler may move a thread away from the memory that it touched first. Where it is refused
/// the thread stays free, which costs accuracy and nothing else.
void bind_this_thread(int processor) {
    const auto index = static_cast<std::size_t>(processor);
    std::vector<cpu_set_t> mask(index / (8 * sizeof(cpu_set_t)) + 1);
    CPU_SET_S(index, mask.size() * sizeof(cpu_set_t), mask.data());
    static_cast<void>(sched_setaffinity(0, mask.size() * sizeof(cpu_set_t), mask.data()));
}

class TimedTeam {
public:
    TimedTeam(const TeamWork& work, std::size_t threads, Seconds budget, std::stop_token stop)
        : work_(work)
        , budget_(budget)
        , stop_(std::move(stop))
        , barrier_(static_cast<std::ptrdiff_t>(threads)) {}

    void run_thread(int thread, int processor) {
        bind_this_thread(processor);
        try {
            work_.prepare(thread);
        } catch (...) {
            failed_ = true;
        }
        barrier_.arrive_and_wait(); // nobody works before all know whether all are prepared
        while (true) {
            if (thread == 0)
                decide();
            barrier_.arrive_and_wait();
            if (done_)
                return;
            const Clock::time_point begin = Clock::now();
            try {
                work_.round(thread);
            } catch (...) {
                failed_ = true;
            }
            barrier_.arrive_and_wait();
            if (thread == 0)
                rounds_.push_back(Clock::now() - begin);
        }
    }

    /// Stands in for threads that could not be started, so that the started ones don't wait for them.
    void give_up(std::size_t missing) {
        failed_ = true;
        for (; missing > 0; --missing)
            barrier_.arrive_and_drop();
    }

    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] Seconds median() {
        rounds_.erase(rounds_.begin()); // the warm-up
        const auto middle = rounds_.begin() + static_cast<std::ptrdiff_t>(rounds_.size() / 2);
        std::ranges::nth_element(rounds_, middle);
        return *middle;
    }

private:
    void decide() {
        const bool enough = rounds_.size() >= 4 && Clock::now() - start_ + longest() > budget_;
        done_ = enough || rounds_.size() >= 10'000 || failed_ || stop_.stop_requested();
    }
    [[nodiscard]] Seconds longest() const { return *std::ranges::max_element(rounds_); }

    const TeamWork& work_;
    Seconds budget_;
    std::stop_token stop_;
    std::barrier<> barrier_;
    Clock::time_point start_ = Clock::now();
    std::atomic<bool> failed_ = false;
    bool done_ = false;           ///< written by thread 0 before the barrier, read by all after it
    std::vector<Seconds> rounds_; ///< thread 0's only
};

} // namespace

Result<Seconds> median_round(const std::vector<int>& processors, Seconds budget, const std::stop_token& stop,
                             const TeamWork& work) {
    try {
        TimedTeam team(work, processors.size(), budget, stop);
        {
            std::vector<std::jthread> threads;
            threads.reserve(processors.size());
            try {
                for (const int processor : processors)
                    threads.emplace_back(&TimedTeam::run_thread, &team, static_cast<int>(threads.size()),
                                         processor);
            } catch (const std::exception&) { // no more threads, or no memory for one
                team.give_up(processors.size() - threads.size());
            }
        }
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "the measurement of the machine was stopped");
        if (team.failed())
            return fail(Fault::Environment, "there are not enough threads or memory to measure the machine");
        return team.median();
    } catch (const std::bad_alloc&) {
        return fail(Fault::Environment, "there is not enough memory to measure the machine");
    }
}

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

namespace {

/// Latency 4 to 5 cycles times two units a core makes 8 to 10 chains at least; more are no slower as long as
/// they fit the registers.
constexpr int chains = 12;
constexpr std::int64_t steps_per_round = 200'000;

/// Each chain tends to 2, so that no step meets a denormal or an infinity, whose speed may differ.
constexpr float factor = 0.5F;
constexpr float summand = 1.0F;

template <std::size_t Lanes>
struct Vectors;
template <>
struct Vectors<4> {
    using Vector [[gnu::vector_size(16)]] = float;
};
template <>
struct Vectors<8> {
    using Vector [[gnu::vector_size(32)]] = float;
};
template <>
struct Vectors<16> {
    using Vector [[gnu::vector_size(64)]] = float;
};

/// Inlined into functions for different instruction sets: the compiler fuses multiply and add where they can.
/// The chains are written out by a fold, because GCC keeps an array that a loop walks over in memory.
template <std::size_t Lanes, std::size_t... Chain>
[[gnu::always_inline]] inline float run_chains(std::int64_t steps, std::index_sequence<Chain...>) {
    using Vector = typename Vectors<Lanes>::Vector;
    // Different starts, or they would be merged into one chain; none is 2, which each step leaves as it is.
    Vector sums[] = {(Vector{} - static_cast<float>(Chain))...};
    const Vector m = Vector{} + factor;
    const Vector a = Vector{} + summand;
    for (std::int64_t step = 0; step < steps; ++step)
        ((sums[Chain] = sums[Chain] * m + a), ...);
    const Vector total = (sums[Chain] + ...);
    return total[0];
}

constexpr auto all_chains = std::make_index_sequence<chains>();

#if defined(__x86_64__)
[[gnu::target("avx512f")]] float run_avx512(std::int64_t steps) {
    return run_chains<16>(steps, all_chains);
}
[[gnu::target("avx2,fma")]] float run_avx2(std::int64_t steps) {
    return run_chains<8>(steps, all_chains);
}
#endif
/// Four lanes are what every x86-64 and 64-bit ARM has.
float run_portable(std::int64_t steps) {
    return run_chains<4>(steps, all_chains);
}

struct Variant {
    float (*run)(std::int64_t steps) = nullptr; ///< returns a number that depends on every step
    int lanes = 1;
};

Variant widest_variant() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return {run_avx512, 16};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {run_avx2, 8};
#endif
    return {run_portable, 4};
}

} // namespace

Result<GigaflopsPerSecond> measure_peak_fma(const std::vector<int>& processors, Seconds budget,
                                            const std::stop_token& stop) {
    const Variant variant = widest_variant();
    std::atomic<float> used = 0; // so that no compiler drops the work
    const auto round = median_round(
        processors, budget, stop,
        {.prepare = [](int) {},
         .round = [&](int) { used.store(variant.run(steps_per_round), std::memory_order_relaxed); }});
    if (!round)
        return std::unexpected(round.error());
    const double operations = 2.0 * chains * variant.lanes * static_cast<double>(steps_per_round) *
                              static_cast<double>(processors.size());
    return GigaflopsPerSecond{operations / round->count() / 1e9};
}

namespace {

std::string utc_now() {
    const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

std::string default_name(const MachineDescription& machine) {
    const std::string model = machine.cpu_model.value_or("unknown processor");
    return machine.threads ? fmt::format("{}, {}", model, counted(*machine.threads, "thread", "threads"))
                           : model;
}

/// What the running processor and the C library know, where /proc and /sys keep silent.
void fill_gaps(MachineDescription& machine, const std::vector<int>& processors) {
    if (machine.caches.empty())
        machine.caches = host_caches();
    if (machine.instruction_sets.empty()) {
        machine.instruction_sets = host_instruction_sets();
        machine.float_lanes = float_lanes(machine.instruction_sets);
    }
    if (!machine.threads)
        machine.threads = static_cast<int>(processors.size());
    utsname system{};
    if (uname(&system) == 0)
        machine.architecture = system.machine;
}

/// Stores a measured value; what could not be measured stays unknown. False when the user stopped it.
template <typename T>
bool keep(const Result<T>& measured, std::optional<T>& value) {
    if (measured)
        value = *measured;
    return measured || measured.error().fault != Fault::Cancelled;
}

} // namespace

MachineDescription read_machine(const std::filesystem::path& root, const std::vector<int>& processors) {
    const SystemFiles files(root);
    MachineDescription machine;
    machine.source = MachineSource::Probed;
    read_processor_facts(files, processors.empty() ? online_processors(files) : processors, machine);
    machine.memory_bytes = usable_memory_bytes(files);
    machine.name = default_name(machine);
    return machine;
}

Result<MachineDescription> probe_this_computer(const ProbeOptions& options) {
    std::vector<int> processors = allowed_processors();
    if (processors.empty())
        processors.push_back(0);
    MachineDescription machine = read_machine("/", processors);
    fill_gaps(machine, processors);
    machine.name = default_name(machine);
    machine.date = utc_now();
    if (!options.measure)
        return machine;

    MemoryBenchmarkOptions memory;
    memory.one_cache_bytes = machine.last_cache_bytes().value_or(memory.one_cache_bytes);
    memory.all_caches_bytes = machine.all_last_caches_bytes().value_or(2 * memory.one_cache_bytes);
    memory.memory_bytes = machine.memory_bytes;
    memory.budget = options.budget;
    memory.stop = options.stop;
    std::uint64_t done = 0;
    const auto announce = [&](std::string_view stage) {
        if (options.progress)
            options.progress({.stage = stage, .done = done++, .total = 5});
    };
    const std::vector<int> first{processors.front()};
    bool going = true;
    announce("measuring the copy bandwidth of one thread");
    going = going && keep(measure_copy_bandwidth(first, memory), machine.copy_bandwidth.one_thread);
    announce("measuring the copy bandwidth of all threads");
    going = going && keep(measure_copy_bandwidth(processors, memory), machine.copy_bandwidth.all_threads);
    announce("measuring the memory latency");
    going = going && keep(measure_memory_latency(processors.front(), memory), machine.memory_latency);
    announce("measuring the peak FMA rate of one thread");
    going = going && keep(measure_peak_fma(first, options.budget, options.stop), machine.peak_fma.one_thread);
    announce("measuring the peak FMA rate of all threads");
    going = going &&
            keep(measure_peak_fma(processors, options.budget, options.stop), machine.peak_fma.all_threads);
    if (!going)
        return fail(Fault::Cancelled, "the probe of this computer was stopped");
    if (options.progress)
        options.progress({.stage = "measured", .done = 5, .total = 5});
    return machine;
}

} // namespace sparsight
