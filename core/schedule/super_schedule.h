// A SuperSchedule: the storage format of A and the loop schedule of the operator together (WACO, ASPLOS
// 2023).
#pragma once

#include "schedule/operator.h"

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>

namespace sparsight {

enum class Part : std::uint8_t { Outer, Inner };

/// One loop of the split nest: {I, Outer} is written i1, {I, Inner} is written i0.
struct LoopIndex {
    Index index = Index::I;
    Part part = Part::Outer;
    auto operator<=>(const LoopIndex&) const = default;
};

/// "i1", "k0".
[[nodiscard]] std::string name(LoopIndex loop);

/// The numbers are WACO's text form.
enum class LevelFormat : std::uint8_t {
    Compressed = 0,   ///< pos/crd arrays, coordinates unique under their parent
    Uncompressed = 1, ///< dense: position = parent · extent + coordinate
};

/// A plain value. Every index x of extent n is split once, x = x1 · split + x0: x1 runs to ⌈n / split⌉, x0 to
/// split. A split of 1 means "not split": the inner loop and its level are gone, wherever the order names
/// them.
struct SuperSchedule {
    Operator op = Operator::SpMM;
    std::array<std::int64_t, index_count> splits{1, 1, 1}; ///< by Index; 1 for an index the operator lacks
    std::array<LoopIndex, 2 * index_count> order{};        ///< first loop_count(op) entries, outermost first
    std::array<LevelFormat, 4> formats{}; ///< row outer, row inner, column outer, column inner
    LoopIndex parallel{};
    int threads = 1;
    int chunk = 1; ///< iterations of the parallel loop that a thread takes at a time

    [[nodiscard]] std::int64_t split(Index index) const { return splits[static_cast<std::size_t>(index)]; }
    [[nodiscard]] bool is_split(Index index) const { return split(index) != 1; }
    /// Whether the loop is there at all: the inner loop of an unsplit index is not.
    [[nodiscard]] bool has(LoopIndex loop) const { return loop.part == Part::Outer || is_split(loop.index); }
    /// The loops as written, inner loops of unsplit indices included.
    [[nodiscard]] std::span<const LoopIndex> loops() const;
    /// The format of the level of A that this loop traverses; only for loops over A's indices.
    [[nodiscard]] LevelFormat format(LoopIndex loop) const;

    /// As written: two schedules that differ only in an unsplit index's inner name differ here. See
    /// canonical(). The order means nothing but that schedules can be sorted.
    auto operator<=>(const SuperSchedule&) const = default;
};

/// The same schedule written in one way: the inner loop of an unsplit index directly after its outer one and
/// uncompressed. Two schedules mean the same iff their canonical forms are equal.
[[nodiscard]] SuperSchedule canonical(SuperSchedule schedule);

/// Fixed CSR, the baseline of every speedup: i uncompressed, the column index compressed, order i k j (SpMM),
/// i k (SpMV) or i j k (SDDMM), parallel over i in dynamic chunks of 32.
[[nodiscard]] SuperSchedule fixed_csr(Operator op, int threads);
/// Whether it means fixed CSR with its own number of threads, however it is written.
[[nodiscard]] bool is_fixed_csr(const SuperSchedule& schedule);

} // namespace sparsight
