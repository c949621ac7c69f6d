// The parameters of the mechanistic simulator, by name; what each means and its units: machine_parameters.h.
#pragma once

#include <cstddef>
#include <cstdint>

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

} // namespace sparsight
