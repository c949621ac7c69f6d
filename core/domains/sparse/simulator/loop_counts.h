// How often the loops of a SuperSchedule run on a pattern, how irregularly, and which instructions the
// generated code executes in them.
#pragma once

#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/kernel/lowering/loop_shape.h"
#include "domains/sparse/kernel/storage/storage_format.h"
#include "domains/sparse/tensor/pattern.h"
#include "machine/machine_description.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

/// About this many entries give the share within some hundredths.
inline constexpr std::int64_t entries_for_irregularity = 8192;

/// Whether the loops over compressed levels run as often as the ones before them: for each level the share of
/// its loops, 0 to 1, whose number of iterations differs from that of the loop entered before; an empty loop
/// runs 0 times. 0 for uncompressed levels, and for the outermost one, whose loop is entered once. In a
/// pattern with more than about `most_entries` only a few stretches of the outermost loop are read, and of
/// the next loop where a single iteration has too many entries; loops that are too long even for that count
/// as regular. Takes time in proportion to what is read, and one look at each row or column id.
///
/// A branch predictor that saw a short loop end after n iterations predicts that the next one does, too.
/// Where it ends after another number the exit is mispredicted, and the work begun beyond it is thrown away:
/// 15 to 20 cycles (A. Fog, "The microarchitecture of Intel, AMD and VIA CPUs", on branch prediction in loops
/// and misprediction penalties; Intel 64 and IA-32 Architectures Optimization Reference Manual, on branches).
/// That is why a graph whose rows all differ in length is slower than a mesh with as many entries.
[[nodiscard]] std::vector<double> loop_irregularity(const StorageFormat& format, const CsrPattern& pattern,
                                                    std::int64_t most_entries = entries_for_irregularity);

/// How often the loops of a SuperSchedule run on a pattern; numbers are of the whole nest, not of one entry.
///
/// The loops and their shape (which of them runs along lanes, and the block of C held in registers) come from
/// the lowering of core/domains/sparse/kernel, so the counts follow what is really compiled. With no
/// registers for C they follow TACO's code, which updates C in memory but for a scalar that only reductions
/// add to (Kjolstad et al., OOPSLA 2017).
struct LoopCounts {
    Operator op = Operator::SpMM;
    LoopOrder order;
    std::vector<double> iterations; ///< of each loop of the order
    /// Of each loop of the order the share of its starts, 0 to 1, that end after another number of iterations
    /// than the start before; 0 where the level is uncompressed.
    std::vector<double> irregularity;
    std::int64_t innermost_extent =
        1;              ///< of the schedule's last loop, which ours may fuse with the one outside
    double fill_in = 0; ///< share of the innermost iterations that work on explicit zeros, 0 to 1
    MeanFill fill{};    ///< of A's levels
};

/// `irregularity` and `fill` are those of the storage's levels.
[[nodiscard]] LoopCounts count_loops(const SuperSchedule& schedule, const Extents& extents,
                                     const StorageFormat& storage, const StorageSize& size, std::int64_t nnz,
                                     std::span<const double> irregularity, MeanFill fill);

/// Each costs the cycles of an instruction_kinds entry.
struct InstructionCounts {
    double compressed_starts = 0;
    double mispredicted_exits = 0; ///< of compressed loops whose number of iterations changed
    double compressed_iterations = 0;
    double dense_starts = 0;
    double dense_iterations = 0;
    double vector_starts = 0;
    /// Multiply-adds; those of a tile of several rows, which are multiplied by the same vector, count for
    /// less, as it is loaded once.
    double tiled_vectors = 0;
    double updated_vectors = 0;
    double tiled_scalars = 0;
    double updated_scalars = 0;
    double tile_vectors = 0;
    bool fills_output_lines = false; ///< C is overwritten in whole cache lines, so stores may pass the caches
    bool clears_output = true;       ///< C is zeroed before the loops, as not all of it is overwritten
    bool sinks = false;              ///< dense loops run inside those that the schedule has inside them
    double regions = 0;              ///< times that the parallel loop is entered
};

struct InstructionKind {
    MachineParameter cycles{};
    double InstructionCounts::* count = nullptr;
};
inline constexpr std::array instruction_kinds{
    InstructionKind{MachineParameter::CompressedStart, &InstructionCounts::compressed_starts},
    InstructionKind{MachineParameter::MispredictedExit, &InstructionCounts::mispredicted_exits},
    InstructionKind{MachineParameter::CompressedIteration, &InstructionCounts::compressed_iterations},
    InstructionKind{MachineParameter::DenseStart, &InstructionCounts::dense_starts},
    InstructionKind{MachineParameter::DenseIteration, &InstructionCounts::dense_iterations},
    InstructionKind{MachineParameter::VectorStart, &InstructionCounts::vector_starts},
    InstructionKind{MachineParameter::TiledVector, &InstructionCounts::tiled_vectors},
    InstructionKind{MachineParameter::UpdatedVector, &InstructionCounts::updated_vectors},
    InstructionKind{MachineParameter::TiledScalar, &InstructionCounts::tiled_scalars},
    InstructionKind{MachineParameter::UpdatedScalar, &InstructionCounts::updated_scalars},
    InstructionKind{MachineParameter::TileVector, &InstructionCounts::tile_vectors}};

/// `target.accumulator_limit` 0: C is updated in memory. Dense innermost loops of up to `unrolled_extent`
/// iterations are scalar code without a loop.
[[nodiscard]] InstructionCounts count_instructions(const LoopCounts& loops, const KernelTarget& target,
                                                   std::int64_t unrolled_extent = 0);

/// The same by the part of the nest that executes them.
struct PlacedInstructions {
    LoopOrder order;                      ///< as it is compiled
    std::vector<double> iterations;       ///< of each loop of it
    std::vector<InstructionCounts> loops; ///< starts, iterations and exits of each
    InstructionCounts update;             ///< multiply-adds
    InstructionCounts tile;               ///< writing tiles back
    InstructionCounts total;              ///< what is no count is set here alone
};
[[nodiscard]] PlacedInstructions place_instructions(const LoopCounts& loops, const KernelTarget& target,
                                                    std::int64_t unrolled_extent = 0);

} // namespace sparsight
