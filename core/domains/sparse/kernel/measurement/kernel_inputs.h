// What schedules are measured on: a matrix, an operator and a dense extent, with operands filled and the
// right result known.
#pragma once

#include "base/error.h"
#include "domains/sparse/kernel/storage/packing.h"
#include "domains/sparse/kernel/storage/storage_format.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/tensor/pattern.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

/// What a kernel reads and writes. Shapes, row-major float32:
///   SpMM   B: cols × dense, C: rows × dense.   SpMV   B (x): cols, C (y): rows.
///   SDDMM  B: rows × dense, D: cols × dense (that is D(k,j) stored by columns), C: one value
///          for each position of A.
///   MTTKRP B: second mode × dense, D: third mode × dense, C: first mode × dense.
/// C must begin at a multiple of 64 bytes, as a FloatBuffer does.
struct KernelOperands {
    const PackedMatrix& a;
    std::span<const float> b;
    std::span<const float> d; ///< empty but for SDDMM and MTTKRP
    std::span<float> c;
};

struct OperandSizes {
    std::int64_t b = 0;
    std::int64_t d = 0;
    std::int64_t c = 0;
};

/// In floats; `positions` is the number of values that A stores (used by SDDMM only).
[[nodiscard]] OperandSizes operand_sizes(Operator op, const Extents& extents, std::int64_t positions);

/// A matrix or tensor, an operator and a dense extent, with operands. Times do not depend on the values (but
/// for overflow and denormal numbers, which are not of interest), so the values are made here: whole numbers,
/// positive and so small that no sum is rounded in float32, whatever its order. A result is then right or
/// wrong to the last bit. Only where more than four million products are added up are they real numbers near
/// 1, and sums are compared within their rounding.
class KernelInputs {
public:
    /// `dense` ≥ 1 is ignored for SpMV. Takes the pattern over and replaces its values. Fails (Fault::Limit)
    /// when the dense operands need more than `max_bytes`; the text says how much they need.
    [[nodiscard]] static Result<KernelInputs> make(CsrPattern pattern, Operator op, std::int64_t dense,
                                                   int threads,
                                                   std::uint64_t max_bytes = std::uint64_t{8} << 30);

    /// The same for a tensor, of as many modes as the operator's A has.
    [[nodiscard]] static Result<KernelInputs> make(SparseTensor tensor, Operator op, std::int64_t dense,
                                                   int threads,
                                                   std::uint64_t max_bytes = std::uint64_t{8} << 30);

    [[nodiscard]] Operator op() const { return op_; }
    [[nodiscard]] const Extents& extents() const { return extents_; }
    /// Empty for a tensor.
    [[nodiscard]] const CsrPattern& pattern() const { return pattern_; }
    /// Empty for a matrix.
    [[nodiscard]] const SparseTensor& tensor() const { return tensor_; }

    [[nodiscard]] std::int64_t nnz() const { return row_pointers_.back(); }
    /// csr_bytes() or csf_bytes().
    [[nodiscard]] std::uint64_t fixed_bytes() const;
    /// PackingPlan::make() of the matrix or tensor.
    [[nodiscard]] Result<PackingPlan> plan_packing(const StorageFormat& format, int threads,
                                                   const std::stop_token& stop = {}) const;

    /// Operands for a kernel over this packed form of the pattern, C filled with NaN: an element that the
    /// kernel leaves out can't pass the check.
    [[nodiscard]] Result<KernelOperands> operands(const PackedMatrix& packed);

    /// Compares C, as the last kernel left it, with the exact result by one weighted checksum a row, in
    /// float64. The packed matrix must be that of operands() (with entry_positions, for SDDMM).
    /// Fault::Internal, saying where, when it differs.
    [[nodiscard]] Result<void> verify(const PackedMatrix& packed) const;

private:
    KernelInputs() = default;
    [[nodiscard]] Result<void> fill(std::uint64_t max_bytes);
    void fill_operands();
    void compute_checksums();
    [[nodiscard]] double exact_row_checksum(std::int64_t row, std::span<const double> by_column) const;
    [[nodiscard]] double tensor_row_checksum(std::int64_t row) const;
    [[nodiscard]] double row_checksum(const PackedMatrix& packed, std::int64_t row) const;

    Operator op_ = Operator::SpMM;
    Extents extents_;
    int threads_ = 1;
    bool is_exact_ = false; ///< no float32 sum is rounded
    CsrPattern pattern_;
    SparseTensor tensor_;
    std::vector<std::int64_t> row_pointers_; ///< of the entries with each coordinate of the first mode
    FloatBuffer b_;
    FloatBuffer d_;
    FloatBuffer c_;
    FloatBuffer weights_;           ///< of the checksum, by dense column (SpMM, MTTKRP) or entry (SDDMM)
    std::vector<double> checksums_; ///< by row
};

} // namespace sparsight
