// What is computed with a sparse matrix: an operator, and the extent of its dense index. A is sparse,
// everything else is dense float32:
//   SpMM   C(i,j) = Σk A(i,k) · B(k,j)
//   SpMV   y(i)   = Σk A(i,k) · x(k)
//   SDDMM  C(i,j) = A(i,j) · Σk B(i,k) · D(k,j), C stored like A
// Dense operands are row-major, but for D, which is stored by columns (its rows of k are contiguous), as WACO
// stores it.
#pragma once

#include "base/error.h"
#include "study/workload.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sparsight {

enum class Operator : std::uint8_t { SpMM, SpMV, SDDMM };
enum class Index : std::uint8_t { I, J, K };

inline constexpr std::size_t index_count = 3;
inline constexpr std::array all_operators{Operator::SpMM, Operator::SpMV, Operator::SDDMM};

/// The operator's indices in the order of WACO's text form: i k j, i k, i j k. The first two are A's.
[[nodiscard]] std::span<const Index> indices(Operator op);
/// How many loops a schedule of the operator names: two for each index.
[[nodiscard]] inline std::size_t loop_count(Operator op) {
    return 2 * indices(op).size();
}
[[nodiscard]] inline Index row_index(Operator) {
    return Index::I;
}
/// A's column index: k, or j for SDDMM.
[[nodiscard]] inline Index column_index(Operator op) {
    return op == Operator::SDDMM ? Index::J : Index::K;
}
/// The index that only dense operands have: j for SpMM, k for SDDMM, none for SpMV.
[[nodiscard]] std::optional<Index> dense_index(Operator op);
[[nodiscard]] inline bool is_sparse_index(Operator op, Index index) {
    return index == row_index(op) || index == column_index(op);
}

/// "spmm", "spmv", "sddmm".
[[nodiscard]] std::string_view name(Operator op);
/// Any case.
[[nodiscard]] std::optional<Operator> parse_operator(std::string_view text);
/// Error (Input): what stands there and what was expected.
[[nodiscard]] Result<Operator> read_operator(std::string_view text);
/// 'i', 'j', 'k'.
[[nodiscard]] char letter(Index index);

/// How far each index runs.
struct Extents {
    std::array<std::int64_t, index_count> by_index{1, 1, 1};
    [[nodiscard]] std::int64_t operator[](Index index) const {
        return by_index[static_cast<std::size_t>(index)];
    }
    bool operator==(const Extents&) const = default;
};

/// `dense` is the extent of the dense index and is ignored for SpMV.
[[nodiscard]] Extents extents(Operator op, std::int64_t rows, std::int64_t cols, std::int64_t dense);

/// Of settings and configurations.
inline constexpr std::string_view sparse_domain = "sparse";

struct SparseSetting {
    Operator op = Operator::SpMM;
    std::int64_t dense = 256; ///< 1 for an operator without a dense index

    bool operator==(const SparseSetting&) const = default;
};

/// "spmm dense=256", "spmv"; `dense` is ignored where the operator has no dense index.
[[nodiscard]] Setting setting_of(Operator op, std::int64_t dense);

/// Nothing for a setting of another domain, or one that a newer program has written.
[[nodiscard]] std::optional<SparseSetting> parse_sparse_setting(const Setting& setting);

/// Of a setting that setting_of() or parse_sparse_setting() has let through.
[[nodiscard]] SparseSetting sparse_setting(const Setting& setting);

} // namespace sparsight
