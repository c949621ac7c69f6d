// Machines to start from: real processors by their data sheets, typical machines, and the two simulated
// machines of the report. This computer is not a preset: it is probed.
#pragma once

#include "machine/machine_description.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sparsight {

struct MachinePreset {
    std::string_view key;    ///< "epyc-7543"
    std::string_view source; ///< of its facts, one line
    std::string_view note;   ///< names the estimates and guesses; may be empty
    MachineDescription machine;
};

/// A latency of 1 in the report, which gives no unit; this makes its machines plausible.
inline constexpr Nanoseconds latency_unit{100};
/// 8 cores, 50 GB/s, latency 1.2.
[[nodiscard]] MachineDescription report_machine_a();
/// 16 cores, 80 GB/s, latency 1.0.
[[nodiscard]] MachineDescription report_machine_b();

/// All presets, as simulated machines. Those whose recorded runtimes come from TACO's code update C in
/// memory: their coefficient `accumulators` is 0.
[[nodiscard]] std::vector<MachinePreset> machine_presets();

/// The preset of a key or of the name of its machine, ignoring case.
[[nodiscard]] std::optional<MachinePreset> find_machine_preset(std::string_view name);

/// A cache on the data sheet of a processor.
struct PresetCache {
    std::uint64_t bytes = 0; ///< of one cache; 0: no cache of this level
    int cores = 1;           ///< that share it
};

struct PresetFacts {
    std::string_view key;
    std::string_view name;
    std::string_view cpu_model; ///< as Linux names it; empty for a machine that is not a product
    std::string_view architecture;
    std::string_view instruction_sets; ///< separated by blanks
    int sockets = 1;
    int cores = 1; ///< of a socket
    int threads_per_core = 1;
    double clock_ghz = 1; ///< the highest turbo
    int lanes = 1;
    PresetCache l1{}, l2{}, l3{};

    int memory_bits = 64;          ///< of all channels of a socket
    double mega_transfers = 0;     ///< DDR4-3200: 3200 million a second
    double sustained_share = 0.78; ///< of the peak that a copy reaches; ECC servers stay at 75 to 80 %
    // Estimates: they depend on more than the processor.
    double core_gb_per_s = 0;
    double l3_gb_per_s = 0; ///< of one core; 0 where there is no third level
    double latency_ns = 0;
    bool updates_memory = false; ///< the recorded kernels are TACO's, which updates C in memory

    std::string_view source; ///< of the facts
    std::string_view note;   ///< names the guesses
};

[[nodiscard]] std::span<const PresetFacts> preset_facts();

} // namespace sparsight
