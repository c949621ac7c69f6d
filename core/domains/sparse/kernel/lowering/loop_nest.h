// The loop nest that a SuperSchedule lowers to: small, typed, and the only thing that the interpreter, the C
// printer and the LLVM printer read. Every address is an affine function of loop variables, which keeps each
// of them short.
#pragma once

#include "domains/sparse/kernel/storage/storage_format.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sparsight {

/// The processor that a loop nest is shaped for.
struct KernelTarget {
    int lanes = 4;             ///< float32 elements of one vector register
    int accumulator_limit = 8; ///< vector registers that a tile may fill; the rest hold operands
    /// Size of the last cache. A C that would fill more than half of it is stored past it, so that it does
    /// not drive out B and no line of it is read before it is overwritten. 0: not known, never stored past
    /// it.
    std::int64_t cache_bytes = 0;

    /// 16 lanes and 24 accumulators with AVX-512, 8 and 12 with AVX2, 4 and 12 otherwise.
    [[nodiscard]] static KernelTarget of_this_computer();
};

/// Names a 64-bit integer: the coordinate of a loop, or the position of a compressed level. Indexes
/// LoopNest::variables.
using Variable = int;

/// Σ factor · variable + constant.
struct Affine {
    struct Term {
        Variable variable = 0;
        std::int64_t factor = 1;
        bool operator==(const Term&) const = default;
    };
    std::vector<Term> terms;
    std::int64_t constant = 0;

    [[nodiscard]] static Affine of(Variable variable) { return {{{variable, 1}}, 0}; }
    [[nodiscard]] std::int64_t factor_of(Variable variable) const;
    bool operator==(const Affine&) const = default;
};
[[nodiscard]] Affine operator+(Affine left, const Affine& right);
[[nodiscard]] Affine operator*(Affine affine, std::int64_t factor);

/// The float arrays of an operator. A holds the packed values; B is x for SpMV; D exists for SDDMM only; C is
/// y for SpMV and for SDDMM has the positions of A.
enum class Operand : std::uint8_t { A, B, D, C };

struct Access {
    Operand operand = Operand::A;
    Affine offset;
    bool operator==(const Access&) const = default;
};

struct KernelStatement;
using Body = std::vector<KernelStatement>;

/// C[0 … size of C) = 0.
struct ZeroOutput {};

enum class LoopKind : std::uint8_t {
    Dense,        ///< over an index, or a part of one, that A does not have
    Uncompressed, ///< over an uncompressed level of A
    Compressed,   ///< over the positions of a compressed level below `parent`, its coordinate read from crd
};

/// An inner part ends early in the last iteration of its outer part when the split does not divide the
/// extent: it then runs `remainder` times.
struct Clip {
    Variable outer = 0;
    std::int64_t last = 0; ///< the last value of outer
    std::int64_t remainder = 0;
};

struct Loop {
    LoopKind kind = LoopKind::Dense;
    Variable coordinate = 0;
    std::int64_t extent = 0;  ///< iterations, unless compressed or clipped
    std::optional<Clip> clip; ///< never for a compressed loop
    std::size_t level = 0;    ///< of A; not for a dense loop
    Variable position = -1;   ///< compressed only
    Affine parent;            ///< compressed only: the position in the level above
    bool parallel = false;    ///< iterations are handed to threads in chunks
    bool vectorised = false;  ///< innermost, and every access has stride 0 or 1 in it
    bool tile_axis = false;   ///< addresses the register tile: unrolled
    bool unrolled = false;    ///< few steps of straight code, which are written out
    std::int64_t strip = 0;   ///< > 0: not a loop of the schedule; it counts the tiles of so many iterations
                              ///< into which the innermost loop is cut
    bool sunk = false;        ///< innermost here and further out in the schedule
    Body body;
};

/// target += product of factors; in a tile the target is the tile element of the current axis values.
struct Accumulate {
    bool into_tile = false;
    Access target; ///< not used when into_tile
    std::vector<Access> factors;
};

/// A block of C held in registers during its body, which adds into it, and then written back:
/// target (+)= scale factors · tile element, for every combination of axis values. Where it begins with what
/// C holds it is only written back.
struct Tile {
    struct Axis {
        Variable variable = 0;
        std::int64_t extent = 0;
        bool vectorised = false; ///< the innermost axis, contiguous in the target
    };
    std::vector<Axis> axes; ///< outermost first; none: a single element
    Body body;
    Access target;
    std::vector<Access> scale; ///< factors that no loop of the body changes
    bool overwrites = false;   ///< each element of C is written exactly once, so it is stored and not added
    bool begins_with_output = false; ///< with C's elements and not with zeros; there is no scale then
    bool streams = false;            ///< C is larger than the caches and only written: it is stored past them
};

/// if (variable != last) full else remainder: two versions with constant extents instead of one with a
/// variable extent.
struct Branch {
    Variable variable = 0;
    std::int64_t last = 0;
    Body full;
    Body remainder;
};

/// Runs the body if A stores anything below a position: if (pos[parent] < pos[parent + 1]).
struct IfStored {
    std::size_t level = 0; ///< compressed
    Affine parent;
    Body body;
};

struct KernelStatement {
    std::variant<ZeroOutput, Loop, Accumulate, Tile, Branch, IfStored> node;
};

struct LoopNest {
    Operator op = Operator::SpMM;
    Extents extents;
    StorageFormat storage;
    MeanFill fill;                      ///< of the matrix that it is for; empty: none
    std::vector<std::string> variables; ///< their names, for printing
    int chunk = 1;                      ///< of the parallel loop
    Body body;
};

/// The schedule must be valid; the extents positive or zero (a zero extent gives loops that do not run).
/// `fill` is that of the matrix that the nest is for.
[[nodiscard]] LoopNest lower(const SuperSchedule& schedule, const Extents& extents,
                             const KernelTarget& target, const MeanFill& fill = {});

/// A C99 function named after the operator, for instance
///   void spmm(const int32_t* k_pos, const int32_t* k_crd, const float* A, const float* B, float* C)
/// with one pos/crd pair for each compressed level (outermost first), then A, B, D (SDDMM only), C. OpenMP
/// pragmas say what runs in parallel.
[[nodiscard]] std::string print_c(const LoopNest& nest);

/// What a line of that function does.
enum class LineRole : std::uint8_t {
    Text,
    Clear,      ///< C[…] = 0
    Parallel,   ///< the directive of the parallel loop
    Loop,       ///< the head of a loop; of a compressed one it reads pos
    Coordinate, ///< reads crd
    Update,     ///< multiplies and adds
    Store,      ///< writes a tile back
};

struct NestLine {
    std::string text;
    LineRole role = LineRole::Text;
    Variable variable = -1; ///< the loop's coordinate: Parallel, Loop, Coordinate
    double visits = 1; ///< of all executions of this code, 0 to 1: a branch has it twice, for whole blocks
                       ///< and for the last one
    std::int64_t tile_elements = 1; ///< of C, in the tile that it belongs to
    std::vector<Operand> touches{}; ///< Update, Store: the arrays that it reads and writes
};

/// The lines of print_c().
[[nodiscard]] std::vector<NestLine> print_lines(const LoopNest& nest);

} // namespace sparsight
