// The parameters of the mechanistic simulator, by name; what each means and its units: machine_parameters.h.
#pragma once

#include "base/error.h"
#include "base/quantity.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class MachineParameter : std::uint8_t {
    Sockets,
    Cores,          ///< physical ones, over all sockets
    Threads,        ///< hardware threads, over all cores
    SmtGain,        ///< what a core does with all its threads busy, over what it does with one
    ClockRate,      ///< of a core while all are busy
    LoneGain,       ///< what a core does alone over what it does while all are busy: clock, what is shared
    Lanes,          ///< float32 numbers in one vector register
    Accumulators,   ///< vector registers that hold a block of C; 0: the generated code updates C in memory
    UnrolledExtent, ///< innermost loops of no more iterations the compiler makes scalar code of; 0: none

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
    RemotePenalty,     ///< what bandwidth of another socket's memory is worse by
    Overlap, ///< exponent by which compute and transfers combine: 1 one after the other, large: at once

    TeamStart,  ///< waking the threads for the first region of a run
    RegionCost, ///< opening and closing a parallel region
    ChunkCost,  ///< handing out a chunk of iterations

    CompressedStart,     ///< entering a loop over a compressed level: pos is read
    MispredictedExit,    ///< leaving one after another number of iterations than the time before
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

// What a searcher of schedules needs of a simulation, in figures.

/// Of one matrix, or the mean over matrices; regrets and errors are means of logarithms, so factors.
struct SimulationQuality {
    double kendall_tau = 0;
    double ordered_pair_accuracy = 0;
    double best_quarter_tau = 0; ///< among the quarter of the schedules that was measured fastest
    double best_quarter_accuracy = 0;
    double top_1_regret = 1; ///< the best of the simulator's first k over the best: 1 is none
    double top_5_regret = 1;
    double top_20_regret = 1;
    double median_error = 1; ///< factor by which half of the simulated times are off at most

    bool operator==(const SimulationQuality&) const = default;
};

// What a machine is, as far as it is known: the facts of its processors and what was measured on it.
// Computers that were probed, machines that are simulated and machines whose runtimes were recorded elsewhere
// share it.

enum class MachineSource {
    Probed,    ///< a computer that this program ran on
    Simulated, ///< imagined: its numbers were chosen
    Recorded,  ///< a real computer, described by others together with their runtimes
};

/// "probed", "simulated", "recorded".
[[nodiscard]] std::string_view name(MachineSource source);
[[nodiscard]] std::optional<MachineSource> parse_machine_source(std::string_view text);

/// Of nearly every processor, where none is known.
inline constexpr int usual_cache_line = 64;

/// All caches of one level and size; instruction caches are left out. A hybrid processor has several of a
/// level.
struct CacheLevel {
    int level = 1;                        ///< 1 is nearest to the core
    std::uint64_t bytes = 0;              ///< of one such cache
    std::optional<int> line_bytes;        ///< a power of two
    std::optional<int> shared_by_threads; ///< hardware threads that share one such cache
    std::optional<int> instances;         ///< how many of them the machine has

    bool operator==(const CacheLevel&) const = default;
};

/// A figure measured with one thread and with all.
template <typename Rate>
struct ThreadScaling {
    std::optional<Rate> one_thread;
    std::optional<Rate> all_threads;

    bool operator==(const ThreadScaling&) const = default;
};

/// What calibrations to all matrices but one are worth on that one, the mean over matrices.
struct CrossValidation {
    std::string op; ///< that was measured: "spmm", "spmv", "sddmm"
    int dense = 0;  ///< the extent of the dense operands
    SimulationQuality quality;

    bool operator==(const CrossValidation&) const = default;
};

/// What the last calibration tells of the coefficients that it found; empty without one.
struct CalibrationRecord {
    /// What is left of the doubt about each, 0 to 1: near 1 the measurements say nothing about it.
    std::map<MachineParameter, double> doubt_left;
    /// Where too few matrices were measured to keep some back, those that were fitted, by the stems of their
    /// names (domains/sparse/tensor/name_stem.h).
    std::vector<std::string> fitted_matrices;
    /// What it is worth on other matrices, where it was fitted to all that there were.
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
    std::optional<Gigahertz> clock; ///< the highest that a core is said to run at
    std::optional<int> float_lanes; ///< float32 numbers in one vector register
    std::vector<std::string>
        instruction_sets;           ///< of vector and arithmetic units, as in machine/probe/processor_facts.h
    std::vector<CacheLevel> caches; ///< nearest to the core first
    std::optional<std::uint64_t> memory_bytes;

    /// Bytes read plus bytes written by a copy from memory to memory, the convention of STREAM's copy.
    ThreadScaling<GigabytesPerSecond> copy_bandwidth;
    std::optional<Nanoseconds> memory_latency; ///< one dependent load from a random place in memory
    ThreadScaling<GigaflopsPerSecond> peak_fma;

    // What a simulation asks for besides.
    std::optional<double> smt_gain; ///< of a core with all its threads busy over the same with one, 1 to 2
    std::optional<GigabytesPerSecond> l3_bandwidth; ///< of one core from the last cache
    std::optional<double> outstanding_misses;       ///< cache lines that one core waits for at once
    std::optional<double> remote_penalty;   ///< local over remote bandwidth between sockets, 1 or more
    std::optional<Nanoseconds> region_cost; ///< opening and closing a parallel region
    std::optional<Nanoseconds> chunk_cost;  ///< handing a chunk of a parallel loop to a thread
    std::optional<double> noise;            ///< σ of the logarithm of a runtime that is measured again
    /// What a calibration found or a sampler drew; goes before everything above. Units: machine_parameters.h.
    std::map<MachineParameter, double> coefficients;
    CalibrationRecord calibration;

    bool operator==(const MachineDescription&) const = default;

    /// The size of one cache of the last level, where it is known; the largest where there are several.
    [[nodiscard]] std::optional<std::uint64_t> last_cache_bytes() const;
    /// All caches of the last level together; unknown where their number is.
    [[nodiscard]] std::optional<std::uint64_t> all_last_caches_bytes() const;

    /// Recognises a computer from one run to the next: 16 hexadecimal digits over what is built into it. Left
    /// out are the name of a probed machine, everything measured, the clock, and the memory, which a kernel
    /// or a container may report differently tomorrow. Two computers of the same build share it; a process
    /// that may use only some of the processors is on another machine. A recorded machine is told by its
    /// name as well, a simulated one by its name and every number that was chosen for it.
    [[nodiscard]] std::string fingerprint() const;
};

/// The first thing about it that can't be, with the value and what was expected (Fault::Input).
[[nodiscard]] Result<void> validate(const MachineDescription& machine);

} // namespace sparsight
