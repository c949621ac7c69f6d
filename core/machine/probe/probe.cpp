#include "machine/probe/probe.h"

#include "base/text.h"
#include "machine/probe/benchmarks.h"
#include "machine/probe/memory_facts.h"
#include "machine/probe/processor_facts.h"

#include <chrono>
#include <fmt/chrono.h>
#include <sys/utsname.h>

namespace sparsight {

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
