// What is computed with a sparse tensor: an operator, and the extents of its dense indices. A is sparse,
// everything else is dense float32:
//   SpMM    C(i,j) = Σk A(i,k) · B(k,j)
//   SpMV    y(i)   = Σk A(i,k) · x(k)
//   SDDMM   C(i,j) = A(i,j) · Σk B(i,k) · D(k,j), C stored like A
//   MTTKRP  C(i,j) = Σkl A(i,k,l) · B(k,j) · D(l,j)
// Dense operands are row-major, but for D of SDDMM, which is stored by columns (its rows of k are
// contiguous), as WACO stores it.
#pragma once

#include "base/error.h"
#include "base/small_array.h"
#include "study/workload.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class Operator : std::uint8_t { SpMM, SpMV, SDDMM, MTTKRP };

/// Those on matrices.
inline constexpr std::array all_operators{Operator::SpMM, Operator::SpMV, Operator::SDDMM};
/// Those on tensors of a higher order.
inline constexpr std::array tensor_operators{Operator::MTTKRP};

enum class Index : std::uint8_t { I, J, K, L, M };
enum class Part : std::uint8_t { Outer, Inner };

inline constexpr std::size_t most_order = 4; ///< of A
inline constexpr std::size_t most_indices = most_order + 1;

/// One loop of the split nest: {I, Outer} is written i1, {I, Inner} is written i0.
struct LoopIndex {
    Index index = Index::I;
    Part part = Part::Outer;
    auto operator<=>(const LoopIndex&) const = default;
};

using IndexList = SmallArray<Index, most_indices>;
using LoopList = SmallArray<LoopIndex, 2 * most_indices>;

/// All that schedules, their texts, spaces and encodings know of an operator.
struct OperatorDescription {
    std::string_view name;    ///< "spmm"
    std::string_view title;   ///< "SpMM"
    std::string_view formula; ///< "C(i,j) = Σk A(i,k) · B(k,j)"
    std::size_t order;        ///< of A
    IndexList indices;        ///< A's, mode by mode, then the dense ones
    IndexList output;
    SmallArray<IndexList, 2> factors; ///< the dense ones, by the indices that address them
    // What follows from these:
    std::size_t index_places = 0; ///< one more than the largest index has
    LoopList loops;               ///< two for each of `indices`
    LoopList parallel;            ///< outer loops over A that the output has, too

    consteval OperatorDescription(std::string_view name_, std::string_view title_, std::string_view formula_,
                                  std::size_t order_, IndexList indices_, IndexList output_,
                                  SmallArray<IndexList, 2> factors_)
        : name(name_)
        , title(title_)
        , formula(formula_)
        , order(order_)
        , indices(indices_)
        , output(output_)
        , factors(factors_) {
        for (std::size_t place = 0; place < indices.size(); ++place) {
            const Index index = indices[place];
            index_places = std::max(index_places, static_cast<std::size_t>(index) + 1);
            loops.push_back({index, Part::Outer});
            loops.push_back({index, Part::Inner});
            if (place < order && std::ranges::find(output, index) != output.end())
                parallel.push_back({index, Part::Outer});
        }
    }
};

/// In the order of the enumerators. The order of the indices is that of WACO's text form.
inline constexpr std::array<OperatorDescription, 4> operator_descriptions = [] {
    using enum Index;
    return std::array<OperatorDescription, 4>{{
        {"spmm", "SpMM", "C(i,j) = Σk A(i,k) · B(k,j)", 2, {I, K, J}, {I, J}, {{K, J}}},
        {"spmv", "SpMV", "y(i) = Σk A(i,k) · x(k)", 2, {I, K}, {I}, {{K}}},
        {"sddmm", "SDDMM", "C(i,j) = A(i,j) · Σk B(i,k) · D(k,j)", 2, {I, J, K}, {I, J}, {{I, K}, {J, K}}},
        {"mttkrp",
         "MTTKRP",
         "C(i,j) = Σkl A(i,k,l) · B(k,j) · D(l,j)",
         3,
         {I, K, L, J},
         {I, J},
         {{K, J}, {L, J}}},
    }};
}();

[[nodiscard]] constexpr const OperatorDescription& description(Operator op) {
    return operator_descriptions[static_cast<std::size_t>(op)];
}

/// The operator's indices in the order of WACO's text form: i k j, i k, i j k. The first ones are A's.
[[nodiscard]] constexpr std::span<const Index> indices(Operator op) {
    return description(op).indices;
}
/// A's indices, mode by mode.
[[nodiscard]] constexpr std::span<const Index> sparse_indices(Operator op) {
    return indices(op).first(description(op).order);
}
/// The indices that only dense operands have: j for SpMM, k for SDDMM, none for SpMV.
[[nodiscard]] constexpr std::span<const Index> dense_indices(Operator op) {
    return indices(op).subspan(description(op).order);
}
/// How many loops a schedule of the operator names: two for each index.
[[nodiscard]] constexpr std::size_t loop_count(Operator op) {
    return description(op).loops.size();
}
/// All loops that a schedule of the operator names: i1 i0 k1 k0 j1 j0, i1 i0 k1 k0 or i1 i0 j1 j0 k1 k0.
[[nodiscard]] constexpr const LoopList& loop_names(Operator op) {
    return description(op).loops;
}
/// Those over A's indices: each has a level of A.
[[nodiscard]] constexpr std::span<const LoopIndex> level_names(Operator op) {
    return std::span(description(op).loops).first(2 * description(op).order);
}
/// Of a loop over A among level_names().
[[nodiscard]] constexpr std::size_t level_place(Operator op, LoopIndex loop) {
    const auto levels = level_names(op);
    return static_cast<std::size_t>(std::ranges::find(levels, loop) - levels.begin());
}
/// The loops that may run in parallel, because no two of their iterations write the same output: i1, and for
/// SDDMM j1 too. (WACO's spaces allow exactly these.)
[[nodiscard]] constexpr const LoopList& parallel_loops(Operator op) {
    return description(op).parallel;
}
/// The first index of A.
[[nodiscard]] constexpr Index row_index(Operator op) {
    return indices(op).front();
}
/// The last index of A: of a matrix k, or j for SDDMM.
[[nodiscard]] constexpr Index column_index(Operator op) {
    return sparse_indices(op).back();
}
/// The first of dense_indices().
[[nodiscard]] constexpr std::optional<Index> dense_index(Operator op) {
    return dense_indices(op).empty() ? std::nullopt : std::optional(dense_indices(op).front());
}
/// Whether the result is stored like A, and not dense: C of SDDMM.
[[nodiscard]] constexpr bool has_sparse_output(Operator op) {
    return std::ranges::equal(description(op).output, sparse_indices(op));
}
[[nodiscard]] constexpr bool is_summed(Operator op, Index index) {
    return std::ranges::find(description(op).output, index) == description(op).output.end();
}
[[nodiscard]] constexpr bool is_sparse_index(Operator op, Index index) {
    return std::ranges::find(sparse_indices(op), index) != sparse_indices(op).end();
}

[[nodiscard]] constexpr std::string_view name(Operator op) {
    return description(op).name;
}
/// One of all_operators, in any case.
[[nodiscard]] std::optional<Operator> parse_operator(std::string_view text);
/// Error (Input): what stands there and what was expected.
[[nodiscard]] Result<Operator> read_operator(std::string_view text);
/// 'i', 'j', 'k'.
[[nodiscard]] constexpr char letter(Index index) {
    return "ijklm"[static_cast<std::size_t>(index)];
}

/// How far each index runs.
struct Extents {
    std::array<std::int64_t, most_indices> by_index{1, 1, 1, 1, 1};
    [[nodiscard]] std::int64_t operator[](Index index) const {
        return by_index[static_cast<std::size_t>(index)];
    }
    bool operator==(const Extents&) const = default;
};

/// `sparse` has the size of each mode of A, `dense` that of each of dense_indices(); what it has beyond them
/// is ignored.
[[nodiscard]] Extents extents(Operator op, std::span<const std::int64_t> sparse,
                              std::span<const std::int64_t> dense);
/// Of an operator on a matrix. `dense` is the extent of the dense index and is ignored for SpMV.
[[nodiscard]] Extents extents(Operator op, std::int64_t rows, std::int64_t cols, std::int64_t dense);

/// Of settings and configurations: matrices, and tensors of a higher order.
inline constexpr std::string_view sparse_domain = "sparse";
inline constexpr std::string_view tensors_domain = "tensors";
[[nodiscard]] constexpr std::string_view domain_of(Operator op) {
    return description(op).order > 2 ? tensors_domain : sparse_domain;
}

struct SparseSetting {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256; ///< 1 for an operator without a dense index
    int mode =
        1; ///< of a tensor, from 1: it is the operator's first mode, and the others follow in their order

    bool operator==(const SparseSetting&) const = default;
};

/// "spmm dense=256", "spmv", "mttkrp mode=2 dense=32"; `dense` is ignored where the operator has no dense
/// index, and `mode` for a matrix.
[[nodiscard]] Setting setting_of(const SparseSetting& setting);
[[nodiscard]] Setting setting_of(Operator op, std::int64_t dense);

/// Which mode of the tensor, from 0, each mode of the operator is.
[[nodiscard]] std::vector<std::size_t> modes_of(const SparseSetting& setting);

/// Nothing for a setting of another domain, or one that a newer program has written.
[[nodiscard]] std::optional<SparseSetting> parse_sparse_setting(const Setting& setting);

/// Of a setting that setting_of() or parse_sparse_setting() has let through.
[[nodiscard]] SparseSetting sparse_setting(const Setting& setting);

/// The facts of a workload that say how large its modes are: "rows" and "cols", of a tensor "size_1",
/// "size_2" …
[[nodiscard]] std::vector<std::string> size_facts(Operator op);
/// Of a workload with these facts. Errors (Fault::Input) name the fact that is missing or wrong.
[[nodiscard]] Result<Extents> extents(const SparseSetting& setting,
                                      const std::map<std::string, double, std::less<>>& facts);

} // namespace sparsight
