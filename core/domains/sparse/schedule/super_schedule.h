// A SuperSchedule: the storage format of A and the loop schedule of the operator together (WACO, ASPLOS
// 2023). Here are the value itself, its validity, its canonical form, its hash and the distance between two
// schedules.
#pragma once

#include "base/error.h"
#include "domains/sparse/schedule/operator.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace sparsight {

/// "i1", "k0".
[[nodiscard]] std::string name(LoopIndex loop);

/// The numbers are WACO's text form.
enum class LevelFormat : std::uint8_t {
    Compressed = 0,   ///< pos/crd arrays, coordinates unique under their parent
    Uncompressed = 1, ///< dense: position = parent · extent + coordinate
};

/// A plain value, as long as the operator's description says. Every index x of extent n is split once,
/// x = x1 · split + x0: x1 runs to ⌈n / split⌉, x0 to split. A split of 1 means "not split": the inner loop
/// and its level are gone, wherever the order names them.
struct SuperSchedule {
    Operator op = Operator::SpMM;
    SmallArray<std::int64_t, most_indices> splits; ///< by Index; 1 for an index the operator lacks
    LoopList order;                                ///< outermost first
    /// By level_names(): of a matrix row outer, row inner, column outer, column inner.
    SmallArray<LevelFormat, 2 * most_order> formats;
    LoopIndex parallel{};
    int threads = 1;
    int chunk = 1; ///< iterations of the parallel loop that a thread takes at a time

    SuperSchedule()
        : SuperSchedule(Operator::SpMM) {}
    /// Nothing is split, all of A compressed.
    explicit SuperSchedule(Operator of)
        : op(of)
        , splits(description(of).index_places, 1)
        , order(loop_names(of))
        , formats(level_names(of).size(), LevelFormat::Compressed) {}

    [[nodiscard]] std::int64_t split(Index index) const { return splits[static_cast<std::size_t>(index)]; }
    [[nodiscard]] std::int64_t& split(Index index) { return splits[static_cast<std::size_t>(index)]; }
    [[nodiscard]] bool is_split(Index index) const { return split(index) != 1; }
    /// Whether the loop exists: the inner loop of an unsplit index does not.
    [[nodiscard]] bool has(LoopIndex loop) const { return loop.part == Part::Outer || is_split(loop.index); }
    /// The loops as written, inner loops of unsplit indices included.
    [[nodiscard]] std::span<const LoopIndex> loops() const { return order; }
    /// The format of the level of A that this loop traverses; only for loops over A's indices.
    [[nodiscard]] LevelFormat format(LoopIndex loop) const { return formats[level_place(op, loop)]; }
    [[nodiscard]] LevelFormat& format(LoopIndex loop) { return formats[level_place(op, loop)]; }

    /// As written: two schedules that differ only in an unsplit index's inner name differ here. See
    /// canonical(). The order means nothing but that schedules can be sorted.
    auto operator<=>(const SuperSchedule&) const = default;
    bool operator==(const SuperSchedule&) const = default;
};

/// The same schedule written in one way: the inner loop of an unsplit index directly after its outer one and
/// uncompressed. Two schedules mean the same iff their canonical forms are equal.
[[nodiscard]] SuperSchedule canonical(SuperSchedule schedule);

/// Fixed CSR, the baseline of every speedup: i uncompressed, A's other indices compressed, order i k j
/// (SpMM), i k (SpMV) or i j k (SDDMM), parallel over i in dynamic chunks of 32.
[[nodiscard]] SuperSchedule fixed_csr(Operator op, int threads);
/// Whether it means fixed CSR with its own number of threads, however it is written.
[[nodiscard]] bool is_fixed_csr(const SuperSchedule& schedule);

/// The loops that a schedule really has, apart from the names it keeps for the inner loops of unsplit
/// indices; outermost first.
[[nodiscard]] LoopList existing_loops(const SuperSchedule& schedule);
/// Those over A's indices.
[[nodiscard]] LoopList existing_levels(const SuperSchedule& schedule);

/// Puts the loops that the schedule has into this order, which holds each of them once; the other names
/// follow their outer loops, as in the canonical form.
void set_existing_loops(SuperSchedule& schedule, std::span<const LoopIndex> loops);

// Bounds of valid schedules, see check().

inline constexpr std::int64_t maximum_split = std::int64_t{1} << 30;
inline constexpr int maximum_threads = 1024;
inline constexpr int maximum_chunk = 1 << 20;

/// Nothing, or the reason (Fault::Input) as a sentence for the user. Valid means:
/// - splits, loops and formats are as many as the operator has;
/// - splits are 1..maximum_split; they need not divide the extents and may exceed them (the outer loop then
///   runs once, as in many published measurements), so validity does not depend on the matrix;
/// - the order names every loop of the operator once, the inner loop of a split index inside its outer loop;
/// - the parallel loop is one of parallel_loops();
/// - threads are 1..maximum_threads, the chunk is 1..maximum_chunk.
[[nodiscard]] Result<void> check(const SuperSchedule& schedule);

/// A hash that follows ==, so schedules that are only written differently have different hashes: put
/// canonical() schedules into a set. The same on every machine.
[[nodiscard]] std::uint64_t hash_value(const SuperSchedule& schedule);

} // namespace sparsight

template <>
struct std::hash<sparsight::SuperSchedule> {
    std::size_t operator()(const sparsight::SuperSchedule& schedule) const {
        return static_cast<std::size_t>(sparsight::hash_value(schedule));
    }
};

namespace sparsight {

/// The form in which tried schedules are compared: canonical, with one thread, since the number of threads
/// at run time is the machine's.
[[nodiscard]] SuperSchedule canonical_without_threads(SuperSchedule schedule);

/// How differently two schedules decide: the number of decisions in which two canonical schedules of one
/// operator differ. The decisions are each split, each level's format, which loop runs in parallel, the
/// chunk, and each pair of loops in another order, of which at most two count. A split or chunk that differs
/// by less than a factor of 16 counts in part, by its logarithm. It is a metric, except that the order of
/// loops that only one schedule has does not count.
[[nodiscard]] double decision_distance(const SuperSchedule& one, const SuperSchedule& other);

} // namespace sparsight
