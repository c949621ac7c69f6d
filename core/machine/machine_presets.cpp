#include "machine/machine_presets.h"

#include "machine/paper_formula.h"
#include "machine/preset_facts.h"

#include <algorithm>
#include <ranges>
#include <string>

namespace sparsight {

namespace {

constexpr int cache_line = 64;

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
                              .line_bytes = cache_line,
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

} // namespace sparsight
