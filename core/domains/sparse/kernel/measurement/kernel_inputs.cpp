#include "domains/sparse/kernel/measurement/kernel_inputs.h"

#include "base/parallel.h"
#include "base/quantity.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <new>
#include <numeric>

namespace sparsight {

OperandSizes operand_sizes(Operator op, const Extents& extents, std::int64_t positions) {
    const auto size = [&](const IndexList& operand) {
        return std::accumulate(operand.begin(), operand.end(), std::int64_t{1},
                               [&](std::int64_t product, Index index) { return product * extents[index]; });
    };
    const auto& factors = description(op).factors;
    return {size(factors[0]), factors.size() > 1 ? size(factors[1]) : 0,
            has_sparse_output(op) ? positions : size(description(op).output)};
}

namespace {

/// 64 bits from the index alone: the same whatever thread fills it.
std::uint64_t hash_at(std::int64_t index, std::uint64_t stream) {
    std::uint64_t z = static_cast<std::uint64_t>(index) + stream * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z;
}

/// Whole numbers in 1 … largest.
void fill_whole(std::span<float> values, std::uint64_t stream, std::uint64_t largest, int threads) {
    parallel_parts(threads, std::ssize(values), [&](int, std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end; ++at)
            values[static_cast<std::size_t>(at)] =
                static_cast<float>(1 + ((hash_at(at, stream) >> 32) * largest >> 32));
    });
}

/// In [0.5, 1.5).
void fill_real(std::span<float> values, std::uint64_t stream, int threads) {
    parallel_parts(threads, std::ssize(values), [&](int, std::int64_t begin, std::int64_t end) {
        for (std::int64_t at = begin; at < end; ++at)
            values[static_cast<std::size_t>(at)] =
                0.5F + static_cast<float>(hash_at(at, stream) >> 40) * 0x1.0p-24F;
    });
}

/// The largest n for which `summands` products of `factors` numbers in 1 … n add up to 2^24 at most; up to
/// there float32 has every whole number, so that no partial sum is rounded, whatever their order.
std::uint64_t largest_exact_value(std::int64_t summands, int factors) {
    const double room = 0x1p24 / static_cast<double>(std::max<std::int64_t>(summands, 1));
    const auto fits = [&](std::uint64_t value) {
        return std::pow(static_cast<double>(value), factors) <= room;
    };
    std::uint64_t largest = 0;
    for (std::uint64_t bit = std::uint64_t{1} << 12; bit > 0; bit /= 2)
        if (fits(largest + bit))
            largest += bit;
    return largest;
}

std::int64_t longest_row(std::span<const std::int64_t> row_pointers) {
    std::int64_t longest = 0;
    for (std::size_t row = 0; row + 1 < row_pointers.size(); ++row)
        longest = std::max(longest, row_pointers[row + 1] - row_pointers[row]);
    return longest;
}

std::vector<std::int64_t> row_pointers_of(const SparseTensor& tensor) {
    std::vector<std::int64_t> pointers(static_cast<std::size_t>(tensor.sizes.front()) + 1, 0);
    for (const std::int32_t row : tensor.coordinates.front())
        ++pointers[static_cast<std::size_t>(row) + 1];
    std::partial_sum(pointers.begin(), pointers.end(), pointers.begin());
    return pointers;
}

/// In float64, with enough sums side by side that one addition need not wait for the last.
double dot(const float* left, const float* right, std::int64_t count) {
    constexpr std::int64_t lanes = 16;
    std::array<double, lanes> sums{};
    std::int64_t at = 0;
    for (; at + lanes <= count; at += lanes)
        for (std::int64_t lane = 0; lane < lanes; ++lane)
            sums[static_cast<std::size_t>(lane)] +=
                static_cast<double>(left[at + lane]) * static_cast<double>(right[at + lane]);
    for (; at < count; ++at)
        sums[0] += static_cast<double>(left[at]) * static_cast<double>(right[at]);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// Σ left · middle · right in float64.
double dot(const float* left, const float* middle, const float* right, std::int64_t count) {
    double sum = 0;
    for (std::int64_t at = 0; at < count; ++at)
        sum +=
            static_cast<double>(left[at]) * static_cast<double>(middle[at]) * static_cast<double>(right[at]);
    return sum;
}

/// Of a sum in float32. Rounding grows with the square root of the number of summands when errors are
/// independent; the constant leaves room for one unlucky row in a million.
double rounded_tolerance(std::int64_t summands) {
    return 2e-6 * (4 + std::sqrt(static_cast<double>(summands)));
}

/// Of two sums of positive float64 numbers, added up in different orders: (n − 1) · 2^-53 each at worst
/// (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 4.2), and a few for the products.
double exact_tolerance(std::int64_t summands) {
    return 0x1p-52 * static_cast<double>(summands + 8);
}

} // namespace

Result<KernelInputs> KernelInputs::make(CsrPattern pattern, Operator op, std::int64_t dense, int threads,
                                        std::uint64_t max_bytes) {
    if (op != Operator::SpMV && dense < 1)
        return fail(Fault::Input, fmt::format("the dense extent is {}: expected 1 or more", dense));
    KernelInputs workload;
    workload.op_ = op;
    workload.extents_ = sparsight::extents(op, pattern.rows, pattern.cols, op == Operator::SpMV ? 1 : dense);
    workload.threads_ = threads;
    workload.pattern_ = std::move(pattern);
    if (auto filled = workload.fill(max_bytes); !filled)
        return std::unexpected(std::move(filled).error());
    return workload;
}

Result<KernelInputs> KernelInputs::make(SparseTensor tensor, Operator op, std::int64_t dense, int threads,
                                        std::uint64_t max_bytes) {
    if (tensor.order() != description(op).order)
        return fail(Fault::Input, fmt::format("{} is for a tensor of order {}; this one is of order {}",
                                              name(op), description(op).order, tensor.order()));
    if (dense < 1)
        return fail(Fault::Input, fmt::format("the dense extent is {}: expected 1 or more", dense));
    KernelInputs workload;
    workload.op_ = op;
    workload.extents_ = sparsight::extents(op, tensor.sizes, std::array{dense});
    workload.threads_ = threads;
    workload.tensor_ = std::move(tensor);
    if (auto filled = workload.fill(max_bytes); !filled)
        return std::unexpected(std::move(filled).error());
    return workload;
}

Result<void> KernelInputs::fill(std::uint64_t max_bytes) {
    const bool is_tensor = tensor_.order() > 0;
    const std::int64_t entries = is_tensor ? tensor_.nnz() : pattern_.nnz();
    const OperandSizes sizes = operand_sizes(op_, extents_, entries);
    const double bytes =
        4.0 * (static_cast<double>(sizes.b) + static_cast<double>(sizes.d) + static_cast<double>(sizes.c));
    if (bytes > static_cast<double>(max_bytes))
        return fail(Fault::Limit,
                    fmt::format("the dense operands of {} need {}, over the limit of {}", name(op_),
                                format_bytes(static_cast<std::uint64_t>(bytes)), format_bytes(max_bytes)));
    try {
        row_pointers_ = is_tensor ? row_pointers_of(tensor_) : pattern_.row_pointers;
        (is_tensor ? tensor_.values : pattern_.values).resize(static_cast<std::size_t>(entries));
        b_.resize(static_cast<std::size_t>(sizes.b));
        d_.resize(static_cast<std::size_t>(sizes.d));
        fill_operands();
        compute_checksums();
    } catch (const std::bad_alloc&) {
        return fail(Fault::Environment,
                    fmt::format("out of memory: the dense operands of {} need {}", name(op_),
                                format_bytes(static_cast<std::uint64_t>(bytes))));
    }
    return {};
}

std::uint64_t KernelInputs::fixed_bytes() const {
    return tensor_.order() > 0 ? csf_bytes(tensor_) : csr_bytes(pattern_);
}

Result<PackingPlan> KernelInputs::plan_packing(const StorageFormat& format, int threads,
                                               const std::stop_token& stop) const {
    return tensor_.order() > 0 ? PackingPlan::make(tensor_, format, threads, stop)
                               : PackingPlan::make(pattern_, format, threads, stop);
}

void KernelInputs::fill_operands() {
    const bool is_sddmm = op_ == Operator::SDDMM;
    const auto factors = static_cast<int>(description(op_).factors.size()) + 1;
    const std::uint64_t largest =
        largest_exact_value(is_sddmm ? extents_[Index::K] : longest_row(row_pointers_), factors);
    is_exact_ = largest > 1;
    for (std::uint64_t stream = 1; const std::span<float> operand :
                                   {std::span<float>(tensor_.order() > 0 ? tensor_.values : pattern_.values),
                                    std::span<float>(b_), std::span<float>(d_)}) {
        if (is_exact_)
            fill_whole(operand, stream++, largest, threads_);
        else
            fill_real(operand, stream++, threads_);
    }
    if (op_ == Operator::SpMM || op_ == Operator::MTTKRP)
        weights_.resize(static_cast<std::size_t>(extents_[Index::J]));
    if (is_sddmm)
        weights_.resize(pattern_.column_ids.size());
    fill_real(weights_, 4, threads_);
}

/// Row i of the exact result, weighted and summed: SpMM Σk A(i,k) · (Σj w(j) B(k,j)), SpMV Σk A(i,k) x(k),
/// SDDMM Σj w A(i,j) · (Σk B(i,k) D(k,j)), MTTKRP Σkl A(i,k,l) · (Σj w(j) B(k,j) D(l,j)); all in float64 and
/// straight from the sorted entries.
void KernelInputs::compute_checksums() {
    std::vector<double> by_column;
    if (op_ == Operator::SpMM || op_ == Operator::SpMV) {
        by_column.resize(static_cast<std::size_t>(pattern_.cols));
        const std::int64_t width = extents_[Index::J];
        parallel_parts(threads_, pattern_.cols, [&](int, std::int64_t begin, std::int64_t end) {
            for (std::int64_t k = begin; k < end; ++k)
                by_column[static_cast<std::size_t>(k)] =
                    op_ == Operator::SpMV ? static_cast<double>(b_[static_cast<std::size_t>(k)])
                                          : dot(b_.data() + k * width, weights_.data(), width);
        });
    }
    const std::int64_t rows = std::ssize(row_pointers_) - 1;
    checksums_.assign(static_cast<std::size_t>(rows), 0.0);
    parallel_parts(threads_, rows, [&](int, std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row)
            checksums_[static_cast<std::size_t>(row)] =
                op_ == Operator::MTTKRP ? tensor_row_checksum(row) : exact_row_checksum(row, by_column);
    });
}

double KernelInputs::exact_row_checksum(std::int64_t row, std::span<const double> by_column) const {
    const std::int64_t width = extents_[Index::K];
    const auto first = static_cast<std::size_t>(row_pointers_[static_cast<std::size_t>(row)]);
    const auto last = static_cast<std::size_t>(row_pointers_[static_cast<std::size_t>(row) + 1]);
    double sum = 0;
    for (std::size_t entry = first; entry < last; ++entry) {
        const std::int64_t column = pattern_.column_ids[entry];
        const auto a = static_cast<double>(pattern_.values[entry]);
        sum += op_ == Operator::SDDMM ? a * static_cast<double>(weights_[entry]) *
                                            dot(b_.data() + row * width, d_.data() + column * width, width)
                                      : a * by_column[static_cast<std::size_t>(column)];
    }
    return sum;
}

double KernelInputs::tensor_row_checksum(std::int64_t row) const {
    const std::int64_t width = extents_[Index::J];
    const auto first = static_cast<std::size_t>(row_pointers_[static_cast<std::size_t>(row)]);
    const auto last = static_cast<std::size_t>(row_pointers_[static_cast<std::size_t>(row) + 1]);
    double sum = 0;
    for (std::size_t entry = first; entry < last; ++entry)
        sum += static_cast<double>(tensor_.values[entry]) *
               dot(b_.data() + tensor_.coordinates[1][entry] * width, weights_.data(),
                   d_.data() + tensor_.coordinates[2][entry] * width, width);
    return sum;
}

Result<KernelOperands> KernelInputs::operands(const PackedMatrix& packed) {
    const auto size = static_cast<std::size_t>(operand_sizes(op_, extents_, std::ssize(packed.values)).c);
    try {
        if (c_.size() != size) {
            c_.clear();
            c_.resize(size);
        }
    } catch (const std::bad_alloc&) {
        return fail(Fault::Environment,
                    fmt::format("out of memory: the result needs {}", format_bytes(size * sizeof(float))));
    }
    parallel_parts(size > (1U << 16) ? threads_ : 1, std::ssize(c_),
                   [&](int, std::int64_t begin, std::int64_t end) {
                       std::fill(c_.begin() + begin, c_.begin() + end, std::bit_cast<float>(0x7fc00000U));
                   });
    return KernelOperands{packed, b_, d_, c_};
}

double KernelInputs::row_checksum(const PackedMatrix& packed, std::int64_t row) const {
    if (op_ == Operator::SpMV)
        return static_cast<double>(c_[static_cast<std::size_t>(row)]);
    if (op_ != Operator::SDDMM)
        return dot(c_.data() + row * extents_[Index::J], weights_.data(), extents_[Index::J]);
    const auto first = static_cast<std::size_t>(row_pointers_[static_cast<std::size_t>(row)]);
    const auto last = static_cast<std::size_t>(row_pointers_[static_cast<std::size_t>(row) + 1]);
    double sum = 0;
    for (std::size_t entry = first; entry < last; ++entry)
        sum += static_cast<double>(c_[static_cast<std::size_t>(packed.entry_positions[entry])]) *
               static_cast<double>(weights_[entry]);
    return sum;
}

Result<void> KernelInputs::verify(const PackedMatrix& packed) const {
    const auto dense_by = dense_index(op_);
    const std::int64_t dense = dense_by ? extents_[*dense_by] : 1;
    std::vector<std::int64_t> wrong(static_cast<std::size_t>(threads_), -1);
    parallel_parts(threads_, std::ssize(checksums_), [&](int part, std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) {
            const double expected = checksums_[static_cast<std::size_t>(row)];
            const std::int64_t length = row_pointers_[static_cast<std::size_t>(row) + 1] -
                                        row_pointers_[static_cast<std::size_t>(row)];
            const double tolerance =
                is_exact_ ? exact_tolerance(length + dense)
                          : rounded_tolerance(op_ == Operator::SDDMM ? length + dense : length);
            // Not "difference > tolerance": that is false for NaN.
            if (!(std::abs(row_checksum(packed, row) - expected) <= tolerance * std::abs(expected))) {
                wrong[static_cast<std::size_t>(part)] = row;
                return;
            }
        }
    });
    for (const std::int64_t row : wrong)
        if (row >= 0)
            return fail(Fault::Internal,
                        fmt::format("row {} of the result has the checksum {:.9g}, the exact one {:.9g}",
                                    row + 1, row_checksum(packed, row),
                                    checksums_[static_cast<std::size_t>(row)]));
    return {};
}

} // namespace sparsight
