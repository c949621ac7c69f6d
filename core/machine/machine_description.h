// The description of a machine: the known facts of its processors, what was measured on it, and its
// coefficients of the mechanistic simulator. Probed computers, simulated machines and machines with recorded
// runtimes share it.
#pragma once

#include "base/error.h"
#include "base/quantity.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// The parameters of the mechanistic simulator, by name; their meanings and units are in
/// machine_parameters.h.
enum class MachineParameter : std::uint8_t {
    Sockets,
    Cores,          ///< physical ones, over all sockets
    Threads,        ///< hardware threads, over all cores
    SmtGain,        ///< throughput of a core with all its threads busy over that with one
    ClockRate,      ///< of a core while all are busy
    LoneGain,       ///< throughput of a core alone over that while all are busy: clock, shared resources
    Lanes,          ///< float32 numbers in one vector register
    Accumulators,   ///< vector registers that hold a block of C; 0: the generated code updates C in memory
    UnrolledExtent, ///< the most iterations of innermost loops that the compiler makes scalar code of; 0:
                    ///< none

    L1Bytes,  ///< of one core
    L2Bytes,  ///< of one core
    L3Bytes,  ///< of all last-level caches together; 0: there is none
    L3Caches, ///< how many there are, each for as many cores
    L2Bandwidth,
    L3Bandwidth,
    CoreBandwidth,   ///< between memory and one core
    SocketBandwidth, ///< between memory and all cores of a socket
    L3Latency,
    MemoryLatency,
    OutstandingMisses, ///< misses that one core has in flight when it gathers
    RemotePenalty,     ///< factor by which the bandwidth of another socket's memory is lower
    Overlap, ///< exponent by which compute and transfers combine: 1 one after the other, large: at once

    TeamStart,  ///< waking the threads for the first region of a run
    RegionCost, ///< opening and closing a parallel region
    ChunkCost,  ///< handing out a chunk of iterations

    CompressedStart,     ///< entering a loop over a compressed level: pos is read
    MispredictedExit,    ///< leaving such a loop after a different number of iterations than before
    CompressedIteration, ///< crd is read
    DenseStart,
    DenseIteration,
    VectorStart,   ///< entering a vectorised innermost loop
    TiledVector,   ///< multiply-add of one vector into a register
    UpdatedVector, ///< the same into C in memory
    TiledScalar,
    UpdatedScalar,
    TileVector, ///< one vector of a tile: cleared, and written back at the end

    Noise, ///< σ of the logarithm of a runtime, measured twice
};
inline constexpr std::size_t machine_parameter_count = static_cast<std::size_t>(MachineParameter::Noise) + 1;

/// How well a simulation serves a search for schedules, on one matrix or as the mean over matrices; regrets
/// and errors are means of logarithms, so factors.
struct SimulationQuality {
    double kendall_tau = 0;
    double ordered_pair_accuracy = 0;
    double best_quarter_tau = 0; ///< among the quarter of the schedules that was measured fastest
    double best_quarter_accuracy = 0;
    double top_1_regret = 1; ///< the best of the simulator's first k over the best: 1 is none
    double top_5_regret = 1;
    double top_20_regret = 1;
    double median_error = 1; ///< factor within which half of the simulated times lie

    bool operator==(const SimulationQuality&) const = default;
};

enum class MachineSource {
    Probed,    ///< a computer that this program ran on
    Simulated, ///< not real: its numbers were chosen
    Recorded,  ///< a real computer, described by others together with their runtimes
};

/// "probed", "simulated", "recorded".
[[nodiscard]] std::string_view name(MachineSource source);
[[nodiscard]] std::optional<MachineSource> parse_machine_source(std::string_view text);

/// The cache line of nearly every processor, in bytes, used where it is not known.
inline constexpr int usual_cache_line = 64;

/// All caches of one level and size; instruction caches are left out. A hybrid processor has several of a
/// level.
struct CacheLevel {
    int level = 1;                        ///< 1 is nearest to the core
    std::uint64_t bytes = 0;              ///< of one such cache
    std::optional<int> line_bytes;        ///< a power of two
    std::optional<int> shared_by_threads; ///< hardware threads that share one such cache
    std::optional<int> instances;         ///< number of such caches in the machine

    bool operator==(const CacheLevel&) const = default;
};

/// A figure measured with one thread and with all.
template <typename Rate>
struct ThreadScaling {
    std::optional<Rate> one_thread;
    std::optional<Rate> all_threads;

    bool operator==(const ThreadScaling&) const = default;
};

/// The quality of calibrations to all matrices but one on the one left out, as the mean over matrices.
struct CrossValidation {
    std::string op; ///< that was measured: "spmm", "spmv", "sddmm"
    int dense = 0;  ///< the extent of the dense operands
    SimulationQuality quality;

    bool operator==(const CrossValidation&) const = default;
};

/// Facts of the last calibration about the coefficients that it found; empty without one.
struct CalibrationRecord {
    /// The remaining uncertainty of each coefficient, 0 to 1: near 1 the measurements say nothing about it.
    std::map<MachineParameter, double> doubt_left;
    /// The fitted matrices, by the stems of their names (name_stem()), where too few
    /// were measured to keep some back.
    std::vector<std::string> fitted_matrices;
    /// The quality on other matrices, where the calibration was fitted to all matrices.
    std::optional<CrossValidation> cross_validation{};

    bool operator==(const CalibrationRecord&) const = default;
};

/// An empty optional says that the fact is unknown, never that it is zero.
struct MachineDescription {
    std::string name;
    MachineSource source = MachineSource::Simulated;
    std::optional<std::string> date; ///< of the measurements, UTC: "2025-01-31T12:34:56Z"

    std::optional<std::string> cpu_model;
    std::optional<std::string> architecture; ///< "x86_64", "aarch64"
    std::optional<int> sockets;
    std::optional<int> cores;   ///< physical ones, over all sockets
    std::optional<int> threads; ///< hardware threads, over all cores: cores × SMT
    std::optional<int> numa_nodes;
    std::optional<Gigahertz> clock; ///< the highest nominal clock of a core
    std::optional<int> float_lanes; ///< float32 numbers in one vector register
    std::vector<std::string>
        instruction_sets;           ///< of vector and arithmetic units, as in machine/probe/processor_facts.h
    std::vector<CacheLevel> caches; ///< nearest to the core first
    std::optional<std::uint64_t> memory_bytes;

    /// Bytes read plus bytes written by a copy from memory to memory, the convention of STREAM's copy.
    ThreadScaling<GigabytesPerSecond> copy_bandwidth;
    std::optional<Nanoseconds> memory_latency; ///< one dependent load from a random place in memory
    ThreadScaling<GigaflopsPerSecond> peak_fma;

    // Further facts for a simulation:
    std::optional<double> smt_gain; ///< of a core with all its threads busy over the same with one, 1 to 2
    std::optional<GigabytesPerSecond> l3_bandwidth; ///< of one core from the last cache
    std::optional<double> outstanding_misses;       ///< cache lines that one core waits for at once
    std::optional<double> remote_penalty;   ///< local over remote bandwidth between sockets, 1 or more
    std::optional<Nanoseconds> region_cost; ///< opening and closing a parallel region
    std::optional<Nanoseconds> chunk_cost;  ///< handing a chunk of a parallel loop to a thread
    std::optional<double> noise;            ///< σ of the logarithm of a runtime that is measured again
    /// Values that a calibration found or a sampler drew; they override everything above. Units:
    /// machine_parameters.h.
    std::map<MachineParameter, double> coefficients;
    CalibrationRecord calibration;
    /// Numbers that a sheet has of it, by name, as of a GPU. They are stored apart from the description
    /// (store/machines.h), and are no part of its JSON.
    std::map<std::string, double, std::less<>> facts;

    bool operator==(const MachineDescription&) const = default;

    /// The size of one cache of the last level, where it is known; the largest where there are several.
    [[nodiscard]] std::optional<std::uint64_t> last_cache_bytes() const;
    /// All caches of the last level together; unknown where their number is.
    [[nodiscard]] std::optional<std::uint64_t> all_last_caches_bytes() const;

    /// Recognises a computer from one run to the next: 16 hexadecimal digits over its built-in facts. They
    /// leave out the name of a probed machine, all measured values, the clock, and the memory, which a
    /// kernel or a container may report differently tomorrow. Two computers of the same build share it; a
    /// process that may use only some of the processors is on another machine. A recorded machine is
    /// identified by its name as well, a simulated one by its name and every number that was chosen for it.
    [[nodiscard]] std::string fingerprint() const;
};

/// Assumed of a machine whose calibration was not cross-validated.
inline constexpr double usual_simulation_error = 0.1;
/// How far a simulated time of this machine typically lies off, as a share of it: by the cross-validation of
/// its calibration, where there is one (half of the times lie within that).
[[nodiscard]] double simulation_error(const MachineDescription& machine);

/// Ok, or the first invalid fact, with its value and what was expected (Fault::Input).
[[nodiscard]] Result<void> validate(const MachineDescription& machine);

[[nodiscard]] nlohmann::ordered_json machine_to_json(const MachineDescription& machine);
[[nodiscard]] std::string machine_to_text(const MachineDescription& machine);

/// The errors (Fault::Input) name the field ("cpu.cores"), what stands there and what was expected; those
/// about broken JSON carry the line. The machine has passed validate().
[[nodiscard]] Result<MachineDescription> machine_from_json(const nlohmann::ordered_json& json);
[[nodiscard]] Result<MachineDescription> machine_from_text(std::string_view text);
/// The same, of a file that a user has: it may be what `machine show --json` or `machine probe --json`
/// printed, which is more than the machine ("fingerprint", "parameters" …).
[[nodiscard]] Result<MachineDescription> machine_from_printed_text(std::string_view text);

} // namespace sparsight
