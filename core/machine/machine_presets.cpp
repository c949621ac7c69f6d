#include "machine/machine_presets.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <string>

namespace sparsight {

namespace {

MachineDescription report_machine(std::string name, int cores, double bandwidth, double latency) {
    MachineDescription machine;
    machine.name = std::move(name);
    machine.source = MachineSource::Simulated;
    machine.cores = cores;
    machine.copy_bandwidth.all_threads = GigabytesPerSecond{bandwidth};
    machine.memory_latency = latency * latency_unit;
    return machine;
}

std::optional<std::string> if_any(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional(std::string(text));
}

void add_cache(MachineDescription& machine, const PresetFacts& facts, int level, const PresetCache& cache) {
    if (cache.bytes == 0)
        return;
    machine.caches.push_back({.level = level,
                              .bytes = cache.bytes,
                              .line_bytes = usual_cache_line,
                              .shared_by_threads = cache.cores * facts.threads_per_core,
                              .instances = facts.sockets * facts.cores / cache.cores});
}

MachineDescription described(const PresetFacts& facts) {
    MachineDescription machine;
    machine.name = facts.name;
    machine.source = MachineSource::Simulated;
    machine.cpu_model = if_any(facts.cpu_model);
    machine.architecture = facts.architecture;
    machine.sockets = facts.sockets;
    machine.cores = facts.sockets * facts.cores;
    machine.threads = *machine.cores * facts.threads_per_core;
    machine.numa_nodes = facts.sockets;
    machine.clock = Gigahertz{facts.clock_ghz};
    machine.float_lanes = facts.lanes;
    for (const auto word : std::views::split(facts.instruction_sets, ' '))
        machine.instruction_sets.emplace_back(std::string_view(word));
    add_cache(machine, facts, 1, facts.l1);
    add_cache(machine, facts, 2, facts.l2);
    add_cache(machine, facts, 3, facts.l3);

    const double peak = facts.memory_bits / 8.0 * facts.mega_transfers / 1e3; // GB/s of a socket
    machine.copy_bandwidth = {GigabytesPerSecond{facts.core_gb_per_s},
                              GigabytesPerSecond{peak * facts.sustained_share * facts.sockets}};
    machine.memory_latency = Nanoseconds(facts.latency_ns);
    if (facts.l3_gb_per_s > 0)
        machine.l3_bandwidth = GigabytesPerSecond{facts.l3_gb_per_s};
    if (facts.updates_memory)
        machine.coefficients[MachineParameter::Accumulators] = 0;
    return machine;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(a, b, {}, lower, lower);
}

} // namespace

MachineDescription report_machine_a() {
    return report_machine("A", 8, 50, 1.2);
}

MachineDescription report_machine_b() {
    return report_machine("B", 16, 80, 1.0);
}

std::vector<MachinePreset> machine_presets() {
    constexpr std::string_view report = "The meta-learning report's example of a task";
    constexpr std::string_view little = "Only cores, bandwidth and latency are said; all else is assumed.";
    std::vector<MachinePreset> presets{{"report-a", report, little, report_machine_a()},
                                       {"report-b", report, little, report_machine_b()}};
    for (const PresetFacts& facts : preset_facts())
        presets.push_back({facts.key, facts.source, facts.note, described(facts)});
    return presets;
}

std::optional<MachinePreset> find_machine_preset(std::string_view name) {
    for (MachinePreset& preset : machine_presets())
        if (same_ignoring_case(preset.key, name) || same_ignoring_case(preset.machine.name, name))
            return std::move(preset);
    return std::nullopt;
}

namespace {

constexpr std::uint64_t kib = 1 << 10;
constexpr std::uint64_t mib = 1 << 20;

constexpr std::string_view avx2 = "sse2 avx fma avx2";
constexpr std::string_view avx512 = "sse2 avx fma avx2 avx512f avx512dq avx512bw avx512vl";
constexpr std::string_view neon = "asimd";
constexpr std::string_view estimates = "Bandwidth and latency are estimates.";

constexpr std::array presets{
    PresetFacts{.key = "xeon-silver-4210r",
                .name = "Xeon Silver 4210R",
                .cpu_model = "Intel(R) Xeon(R) Silver 4210R CPU @ 2.40GHz",
                .architecture = "x86_64",
                .instruction_sets = avx512,
                .sockets = 2,
                .cores = 10,
                .threads_per_core = 2,
                .clock_ghz = 3.2,
                .lanes = 16,
                .l1 = {32 * kib, 1},
                .l2 = {1 * mib, 1},
                .l3 = {13 * mib + 768 * kib, 10},
                .memory_bits = 6 * 64,
                .mega_transfers = 2400,
                .core_gb_per_s = 12,
                .l3_gb_per_s = 16,
                .latency_ns = 88,
                .source = "The report's school server (its Table 1); Intel's data sheet: 10 cores, 2.4 to "
                          "3.2 GHz, 13.75 MB, six channels of DDR4-2400",
                .note = "The report does not say how many sockets: two are a guess. Bandwidth and latency "
                        "are estimates."},
    PresetFacts{.key = "core-i3-1000ng4",
                .name = "Core i3-1000NG4",
                .cpu_model = "Intel(R) Core(TM) i3-1000NG4 CPU @ 1.10GHz",
                .architecture = "x86_64",
                .instruction_sets = avx512,
                .cores = 2,
                .threads_per_core = 2,
                .clock_ghz = 3.2,
                .lanes = 16,
                .l1 = {48 * kib, 1},
                .l2 = {512 * kib, 1},
                .l3 = {4 * mib, 2},
                .memory_bits = 128,
                .mega_transfers = 3733,
                .sustained_share = 0.6,
                .core_gb_per_s = 17,
                .l3_gb_per_s = 30,
                .latency_ns = 105,
                .source = "The report's local computer (its Table 1); Intel's data sheet of the i3-1000 "
                          "family: 2 cores, 1.1 to 3.2 GHz, 4 MB, 128 bits of LPDDR4X-3733",
                .note = estimates},
    PresetFacts{.key = "xeon-e5-2680-v3",
                .name = "Xeon E5-2680 v3",
                .cpu_model = "Intel(R) Xeon(R) CPU E5-2680 v3 @ 2.50GHz",
                .architecture = "x86_64",
                .instruction_sets = avx2,
                .sockets = 2,
                .cores = 12,
                .threads_per_core = 2,
                .clock_ghz = 3.3,
                .lanes = 8,
                .l1 = {32 * kib, 1},
                .l2 = {256 * kib, 1},
                .l3 = {30 * mib, 12},
                .memory_bits = 4 * 64,
                .mega_transfers = 2133,
                .core_gb_per_s = 13,
                .l3_gb_per_s = 18,
                .latency_ns = 90,
                .updates_memory = true,
                .source = "WACO's machine (24 cores, 48 threads); Intel's data sheet: 12 cores, 2.5 to "
                          "3.3 GHz, 30 MB, four channels of DDR4-2133",
                .note = estimates},
    PresetFacts{.key = "xeon-platinum-8272cl",
                .name = "Xeon Platinum 8272CL",
                .cpu_model = "Intel(R) Xeon(R) Platinum 8272CL CPU @ 2.60GHz",
                .architecture = "x86_64",
                .instruction_sets = avx512,
                .sockets = 2,
                .cores = 26,
                .threads_per_core = 2,
                .clock_ghz = 3.7,
                .lanes = 16,
                .l1 = {32 * kib, 1},
                .l2 = {1 * mib, 1},
                .l3 = {35 * mib + 768 * kib, 26},
                .memory_bits = 6 * 64,
                .mega_transfers = 2933,
                .core_gb_per_s = 12,
                .l3_gb_per_s = 15,
                .latency_ns = 90,
                .updates_memory = true,
                .source = "Made for Microsoft's cloud, which says 2.6 to 3.7 GHz; Cascade Lake of 26 cores, "
                          "35.75 MB, six channels of DDR4-2933",
                .note = "There is no data sheet. A virtual machine may have been given less than the two "
                        "sockets that are assumed. Bandwidth and latency are estimates."},
    PresetFacts{.key = "epyc-7543",
                .name = "EPYC 7543",
                .cpu_model = "AMD EPYC 7543 32-Core Processor",
                .architecture = "x86_64",
                .instruction_sets = avx2,
                .sockets = 2,
                .cores = 32,
                .threads_per_core = 2,
                .clock_ghz = 3.7,
                .lanes = 8,
                .l1 = {32 * kib, 1},
                .l2 = {512 * kib, 1},
                .l3 = {32 * mib, 4},
                .memory_bits = 8 * 64,
                .mega_transfers = 3200,
                .core_gb_per_s = 24,
                .l3_gb_per_s = 60,
                .latency_ns = 105,
                .updates_memory = true,
                .source = "AMD's data sheet: 32 cores, 2.8 to 3.7 GHz, 256 MB in eight caches, eight "
                          "channels of DDR4-3200",
                .note = "Two sockets are assumed. Bandwidth and latency are estimates."},
    PresetFacts{.key = "epyc-7452",
                .name = "EPYC 7452",
                .cpu_model = "AMD EPYC 7452 32-Core Processor",
                .architecture = "x86_64",
                .instruction_sets = avx2,
                .sockets = 2,
                .cores = 32,
                .threads_per_core = 2,
                .clock_ghz = 3.35,
                .lanes = 8,
                .l1 = {32 * kib, 1},
                .l2 = {512 * kib, 1},
                .l3 = {16 * mib, 4},
                .memory_bits = 8 * 64,
                .mega_transfers = 3200,
                .core_gb_per_s = 20,
                .l3_gb_per_s = 45,
                .latency_ns = 110,
                .source = "AMD's data sheet: 32 cores, 2.35 to 3.35 GHz, 128 MB in eight caches, eight "
                          "channels of DDR4-3200",
                .note = "Two sockets are assumed. Bandwidth and latency are estimates."},
    PresetFacts{.key = "graviton2",
                .name = "Graviton2",
                .cpu_model = "ARM Neoverse-N1",
                .architecture = "aarch64",
                .instruction_sets = neon,
                .cores = 64,
                .clock_ghz = 2.5,
                .lanes = 4,
                .l1 = {64 * kib, 1},
                .l2 = {1 * mib, 1},
                .l3 = {32 * mib, 64},
                .memory_bits = 8 * 64,
                .mega_transfers = 3200,
                .core_gb_per_s = 20,
                .l3_gb_per_s = 25,
                .latency_ns = 95,
                .source = "Amazon: 64 Neoverse N1 at 2.5 GHz, one thread each, 1 MB a core and 32 MB "
                          "shared, eight channels of DDR4-3200",
                .note = estimates},
    PresetFacts{.key = "laptop",
                .name = "Laptop",
                .cpu_model = "",
                .architecture = "x86_64",
                .instruction_sets = avx2,
                .cores = 4,
                .threads_per_core = 2,
                .clock_ghz = 3.4,
                .lanes = 8,
                .l1 = {32 * kib, 1},
                .l2 = {256 * kib, 1},
                .l3 = {8 * mib, 4},
                .memory_bits = 2 * 64,
                .mega_transfers = 2400,
                .core_gb_per_s = 14,
                .l3_gb_per_s = 28,
                .latency_ns = 80,
                .source = "No product: a quad-core of about 2018, two channels of DDR4-2400",
                .note = "All of it is an estimate."},
    PresetFacts{.key = "embedded-quad-core",
                .name = "Embedded quad-core",
                .cpu_model = "ARM Cortex-A72",
                .architecture = "aarch64",
                .instruction_sets = neon,
                .cores = 4,
                .clock_ghz = 1.5,
                .lanes = 4,
                .l1 = {32 * kib, 1},
                .l2 = {1 * mib, 4},
                .memory_bits = 32,
                .mega_transfers = 3200,
                .sustained_share = 0.4,
                .core_gb_per_s = 4,
                .latency_ns = 150,
                .source = "As a Raspberry Pi 4 (Broadcom BCM2711): four Cortex-A72 at 1.5 GHz, 1 MB shared, "
                          "32 bits of LPDDR4-3200",
                .note = estimates},
    PresetFacts{.key = "collected-32-threads",
                .name = "CPU with 32 threads",
                .cpu_model = "",
                .architecture = "x86_64",
                .instruction_sets = avx512,
                .sockets = 2,
                .cores = 8,
                .threads_per_core = 2,
                .clock_ghz = 3.2,
                .lanes = 16,
                .l1 = {32 * kib, 1},
                .l2 = {1 * mib, 1},
                .l3 = {13 * mib + 768 * kib, 8},
                .memory_bits = 6 * 64,
                .mega_transfers = 2400,
                .core_gb_per_s = 12,
                .l3_gb_per_s = 16,
                .latency_ns = 88,
                .updates_memory = true,
                .source = "The logs of the runtimes collected by the report's authors say 32 threads and "
                          "name no processor",
                .note =
                    "A guess: a server like the Xeon Silver 4210R that the report names, with 16 cores in "
                    "two sockets."},
};

} // namespace

std::span<const PresetFacts> preset_facts() {
    return presets;
}

} // namespace sparsight
