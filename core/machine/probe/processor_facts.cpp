#include "machine/probe/processor_facts.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <sched.h>
#include <set>
#include <utility>

namespace sparsight {

namespace {

/// Narrow before wide, x86 before ARM; the number is that of float32 lanes, 0 for what has no registers of
/// its own.
constexpr std::array known_sets{
    std::pair{std::string_view("sse2"), 4},         std::pair{std::string_view("sse4_2"), 4},
    std::pair{std::string_view("popcnt"), 0},       std::pair{std::string_view("bmi2"), 0},
    std::pair{std::string_view("f16c"), 0},         std::pair{std::string_view("avx"), 8},
    std::pair{std::string_view("fma"), 0},          std::pair{std::string_view("avx2"), 8},
    std::pair{std::string_view("avx_vnni"), 0},     std::pair{std::string_view("avx512f"), 16},
    std::pair{std::string_view("avx512dq"), 16},    std::pair{std::string_view("avx512bw"), 16},
    std::pair{std::string_view("avx512vl"), 16},    std::pair{std::string_view("avx512_vnni"), 16},
    std::pair{std::string_view("avx512_bf16"), 16}, std::pair{std::string_view("avx512_fp16"), 16},
    std::pair{std::string_view("amx_tile"), 0},     std::pair{std::string_view("asimd"), 4},
    std::pair{std::string_view("asimddp"), 4},      std::pair{std::string_view("asimdhp"), 4},
    std::pair{std::string_view("sve"), 0},          std::pair{std::string_view("sve2"), 0}};

} // namespace

std::vector<std::string> instruction_sets_among(std::string_view flags) {
    std::vector<std::string_view> words;
    while (!flags.empty()) {
        const std::size_t end = std::min(flags.find(' '), flags.size());
        words.push_back(flags.substr(0, end));
        flags.remove_prefix(std::min(end + 1, flags.size()));
    }
    std::vector<std::string> found;
    for (const auto& [set, lanes] : known_sets)
        if (std::ranges::find(words, set) != words.end())
            found.emplace_back(set);
    return found;
}

std::vector<std::string> host_instruction_sets() {
    std::string flags;
#if defined(__x86_64__)
    // The builtin takes literals only, so this is a list and not a loop over known_sets.
    if (__builtin_cpu_supports("sse2"))
        flags += "sse2 ";
    if (__builtin_cpu_supports("sse4.2"))
        flags += "sse4_2 ";
    if (__builtin_cpu_supports("popcnt"))
        flags += "popcnt ";
    if (__builtin_cpu_supports("bmi2"))
        flags += "bmi2 ";
    if (__builtin_cpu_supports("avx"))
        flags += "avx ";
    if (__builtin_cpu_supports("fma"))
        flags += "fma ";
    if (__builtin_cpu_supports("avx2"))
        flags += "avx2 ";
    if (__builtin_cpu_supports("avx512f"))
        flags += "avx512f ";
    if (__builtin_cpu_supports("avx512dq"))
        flags += "avx512dq ";
    if (__builtin_cpu_supports("avx512bw"))
        flags += "avx512bw ";
    if (__builtin_cpu_supports("avx512vl"))
        flags += "avx512vl ";
#elif defined(__aarch64__)
    flags = "asimd";
#endif
    return instruction_sets_among(flags);
}

int float_lanes(const std::vector<std::string>& instruction_sets) {
    int lanes = 1;
    for (const auto& [set, set_lanes] : known_sets)
        if (std::ranges::find(instruction_sets, set) != instruction_sets.end())
            lanes = std::max(lanes, set_lanes);
    return lanes;
}

namespace {

using Entry = std::map<std::string, std::string, std::less<>>; ///< the lines "key : value" of one processor

std::optional<double> decimal(std::string_view text) {
    double number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    return code == std::errc{} && end == text.data() + text.size() && number > 0 ? std::optional(number)
                                                                                 : std::nullopt;
}

/// /proc/cpuinfo by the number of the processor.
std::map<int, Entry> read_cpuinfo(const SystemFiles& files) {
    std::map<int, Entry> processors;
    const std::string text = files.text("proc/cpuinfo").value_or("");
    std::string_view rest = text;
    Entry* current = nullptr;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos)
            continue;
        const std::string_view key = trimmed(line.substr(0, colon));
        const std::string_view value = trimmed(line.substr(colon + 1));
        if (key == "processor") {
            const auto number = parse_processor_list(value);
            current = number && number->size() == 1 ? &processors[number->front()] : nullptr;
        } else if (current != nullptr) {
            current->emplace(key, value);
        }
    }
    return processors;
}

std::string_view value_of(const Entry& entry, std::string_view key) {
    const auto found = entry.find(key);
    return found == entry.end() ? std::string_view() : std::string_view(found->second);
}

/// ARM processors state numbers; these are the names that Arm Ltd. gives to the ones servers and boards have
/// (MIDR_EL1, "CPU part").
std::string arm_model(std::string_view implementer, std::string_view part) {
    static constexpr std::array known_parts{std::pair{std::string_view("0xd03"), "Cortex-A53"},
                                            std::pair{std::string_view("0xd05"), "Cortex-A55"},
                                            std::pair{std::string_view("0xd07"), "Cortex-A57"},
                                            std::pair{std::string_view("0xd08"), "Cortex-A72"},
                                            std::pair{std::string_view("0xd0b"), "Cortex-A76"},
                                            std::pair{std::string_view("0xd0c"), "Neoverse-N1"},
                                            std::pair{std::string_view("0xd40"), "Neoverse-V1"},
                                            std::pair{std::string_view("0xd49"), "Neoverse-N2"},
                                            std::pair{std::string_view("0xd4f"), "Neoverse-V2"}};
    if (implementer == "0x41")
        for (const auto& [number, model] : known_parts)
            if (number == part)
                return fmt::format("ARM {}", model);
    return fmt::format("ARM implementer {} part {}", implementer, part);
}

/// The model's name; a hybrid processor's are joined.
std::optional<std::string> read_model(const std::map<int, Entry>& cpuinfo,
                                      const std::vector<int>& processors) {
    std::vector<std::string> models;
    for (const int processor : processors) {
        const auto entry = cpuinfo.find(processor);
        if (entry == cpuinfo.end())
            continue;
        std::string model(value_of(entry->second, "model name"));
        if (model.empty() && !value_of(entry->second, "CPU part").empty())
            model =
                arm_model(value_of(entry->second, "CPU implementer"), value_of(entry->second, "CPU part"));
        if (!model.empty() && std::ranges::find(models, model) == models.end())
            models.push_back(std::move(model));
    }
    if (models.empty())
        return std::nullopt;
    return fmt::format("{}", fmt::join(models, " + "));
}

/// The highest of the processors: the limit that the frequency driver states, else the frequency right now,
/// else the one in the model's name ("… @ 2.40GHz").
std::optional<Gigahertz> read_clock(const SystemFiles& files, const std::map<int, Entry>& cpuinfo,
                                    const std::vector<int>& processors, std::string_view model) {
    double limit = 0;
    double now = 0;
    for (const int processor : processors) {
        const auto kilohertz =
            files.number(fmt::format("sys/devices/system/cpu/cpu{}/cpufreq/cpuinfo_max_freq", processor));
        limit = std::max(limit, static_cast<double>(kilohertz.value_or(0)) / 1e6);
        if (const auto entry = cpuinfo.find(processor); entry != cpuinfo.end())
            now = std::max(now, decimal(value_of(entry->second, "cpu MHz")).value_or(0) / 1e3);
    }
    if (limit > 0 || now > 0)
        return Gigahertz{std::round((limit > 0 ? limit : now) * 1e6) / 1e6}; // to the kHz
    const std::size_t at = model.find("@ ");
    if (at != std::string_view::npos && model.ends_with("GHz"))
        if (const auto stated = decimal(model.substr(at + 2, model.size() - at - 5)))
            return Gigahertz{*stated};
    return std::nullopt;
}

struct Topology {
    std::optional<int> sockets;
    std::optional<int> cores;
};

/// From /sys where each processor tells its place there, else from the "physical id" and "core id" of
/// cpuinfo.
Topology read_topology(const SystemFiles& files, const std::map<int, Entry>& cpuinfo,
                       const std::vector<int>& processors) {
    std::set<std::int64_t> sockets;
    std::set<std::vector<int>> cores;
    std::set<std::string, std::less<>> stated_sockets;
    std::set<std::string, std::less<>> stated_cores;
    std::size_t placed = 0;
    std::size_t stated = 0;
    for (const int processor : processors) {
        const std::filesystem::path folder = fmt::format("sys/devices/system/cpu/cpu{}/topology", processor);
        const auto socket = files.number(folder / "physical_package_id");
        const auto siblings = files.processors(folder / "thread_siblings_list");
        if (socket && siblings) {
            ++placed;
            sockets.insert(*socket); // -1 where the firmware does not say: that makes one socket
            cores.insert(*siblings);
        }
        const auto entry = cpuinfo.find(processor);
        if (entry != cpuinfo.end() && entry->second.contains("physical id") &&
            entry->second.contains("core id")) {
            ++stated;
            const std::string_view package = value_of(entry->second, "physical id");
            stated_sockets.emplace(package);
            stated_cores.insert(fmt::format("{}/{}", package, value_of(entry->second, "core id")));
        }
    }
    const auto count = [](std::size_t size) { return std::optional(static_cast<int>(size)); };
    if (placed == processors.size() && placed > 0)
        return {count(sockets.size()), count(cores.size())};
    if (stated == processors.size() && stated > 0)
        return {count(stated_sockets.size()), count(stated_cores.size())};
    return {};
}

std::optional<int> read_numa_nodes(const SystemFiles& files, const std::vector<int>& processors) {
    int nodes = 0;
    for (const std::string& node : files.names("sys/devices/system/node")) {
        const auto local =
            files.processors(std::filesystem::path("sys/devices/system/node") / node / "cpulist");
        if (local && std::ranges::any_of(*local, [&](int processor) {
                return std::ranges::binary_search(processors, processor);
            }))
            ++nodes;
    }
    return nodes > 0 ? std::optional(nodes) : std::nullopt;
}

} // namespace

std::vector<int> online_processors(const SystemFiles& files) {
    if (const auto online = files.processors("sys/devices/system/cpu/online"); online && !online->empty())
        return *online;
    std::vector<int> processors;
    for (const auto& [processor, entry] : read_cpuinfo(files))
        processors.push_back(processor);
    return processors;
}

std::vector<int> allowed_processors() {
    std::vector<int> processors;
    for (std::size_t capacity = 1024; capacity <= 65536; capacity *= 2) {
        // The kernel refuses a mask that is too small for all of its processors.
        std::vector<cpu_set_t> mask(capacity / (8 * sizeof(cpu_set_t)));
        const std::size_t bytes = mask.size() * sizeof(cpu_set_t);
        if (sched_getaffinity(0, bytes, mask.data()) != 0)
            continue;
        for (std::size_t processor = 0; processor < capacity; ++processor)
            if (CPU_ISSET_S(processor, bytes, mask.data()))
                processors.push_back(static_cast<int>(processor));
        break;
    }
    return processors;
}

void read_processor_facts(const SystemFiles& files, const std::vector<int>& processors,
                          MachineDescription& machine) {
    const std::map<int, Entry> cpuinfo = read_cpuinfo(files);
    machine.cpu_model = read_model(cpuinfo, processors);
    machine.clock = read_clock(files, cpuinfo, processors, machine.cpu_model.value_or(""));
    const Topology topology = read_topology(files, cpuinfo, processors);
    machine.sockets = topology.sockets;
    machine.cores = topology.cores;
    if (!processors.empty())
        machine.threads = static_cast<int>(processors.size());
    machine.numa_nodes = read_numa_nodes(files, processors);
    machine.caches = read_caches(files, processors);
    machine.instruction_sets.clear();
    for (const auto& [processor, entry] : cpuinfo) {
        const std::string_view flags = value_of(entry, entry.contains("flags") ? "flags" : "Features");
        if (!std::ranges::binary_search(processors, processor) || flags.empty())
            continue;
        machine.instruction_sets =
            instruction_sets_among(flags); // the same on all: Linux needs that to move a thread
        break;
    }
    if (!machine.instruction_sets.empty())
        machine.float_lanes = float_lanes(machine.instruction_sets);
}

} // namespace sparsight
