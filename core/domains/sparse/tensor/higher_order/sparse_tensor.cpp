#include "domains/sparse/tensor/higher_order/sparse_tensor.h"

#include "domains/sparse/tensor/pattern.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <numeric>

namespace sparsight {
namespace {

std::strong_ordering compare(const SparseTensor& tensor, std::size_t left, std::size_t right) {
    for (const std::vector<std::int32_t>& mode : tensor.coordinates)
        if (mode[left] != mode[right])
            return mode[left] <=> mode[right];
    return std::strong_ordering::equal;
}

/// Whether every entry lies behind the one before it.
bool is_in_order(const SparseTensor& tensor) {
    for (std::size_t entry = 1; entry < static_cast<std::size_t>(tensor.nnz()); ++entry)
        if (compare(tensor, entry - 1, entry) >= 0)
            return false;
    return true;
}

/// Stable, by bits [shift, shift + digit_bits) of each entry's coordinate.
constexpr int digit_bits = 11;
void sort_by_digit(std::vector<std::uint32_t>& entries, std::vector<std::uint32_t>& scratch,
                   const std::vector<std::int32_t>& coordinates, int shift) {
    constexpr std::size_t digits = std::size_t{1} << digit_bits;
    const auto digit = [&](std::uint32_t entry) {
        return (static_cast<std::uint32_t>(coordinates[entry]) >> shift) & (digits - 1);
    };
    std::vector<std::uint32_t> begins(digits + 1, 0);
    for (const std::uint32_t entry : entries)
        ++begins[digit(entry) + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    scratch.resize(entries.size());
    for (const std::uint32_t entry : entries)
        scratch[begins[digit(entry)]++] = entry;
    entries.swap(scratch);
}

std::vector<std::uint32_t> sorted_entries(const SparseTensor& tensor) {
    std::vector<std::uint32_t> entries(static_cast<std::size_t>(tensor.nnz()));
    std::iota(entries.begin(), entries.end(), 0U);
    std::vector<std::uint32_t> scratch;
    for (std::size_t mode = tensor.order(); mode-- > 0;) {
        const auto largest = static_cast<std::uint64_t>(std::max<std::int64_t>(tensor.sizes[mode] - 1, 0));
        const auto bits = static_cast<int>(std::bit_width(largest));
        for (int shift = 0; shift < bits; shift += digit_bits)
            sort_by_digit(entries, scratch, tensor.coordinates[mode], shift);
    }
    return entries;
}

template <typename Value>
void take(std::vector<Value>& values, const std::vector<std::uint32_t>& entries) {
    std::vector<Value> taken(entries.size());
    for (std::size_t at = 0; at < entries.size(); ++at)
        taken[at] = values[entries[at]];
    values = std::move(taken);
}

/// Entries with the same coordinates stand one after the other.
std::int64_t merge_equal(SparseTensor& tensor) {
    std::size_t last = 0;
    const auto count = static_cast<std::size_t>(tensor.nnz());
    for (std::size_t entry = 1; entry < count; ++entry) {
        if (compare(tensor, last, entry) == 0) {
            if (tensor.has_values())
                tensor.values[last] += tensor.values[entry];
            continue;
        }
        ++last;
        for (std::vector<std::int32_t>& mode : tensor.coordinates)
            mode[last] = mode[entry];
        if (tensor.has_values())
            tensor.values[last] = tensor.values[entry];
    }
    for (std::vector<std::int32_t>& mode : tensor.coordinates)
        mode.resize(last + 1);
    if (tensor.has_values())
        tensor.values.resize(last + 1);
    return static_cast<std::int64_t>(count - last - 1);
}

} // namespace

std::int64_t sort_entries(SparseTensor& tensor) {
    if (is_in_order(tensor))
        return 0;
    const std::vector<std::uint32_t> entries = sorted_entries(tensor);
    for (std::vector<std::int32_t>& mode : tensor.coordinates)
        take(mode, entries);
    if (tensor.has_values())
        take(tensor.values, entries);
    return merge_equal(tensor);
}

SparseTensor permuted(const SparseTensor& tensor, std::span<const std::size_t> modes) {
    SparseTensor result;
    for (const std::size_t mode : modes) {
        result.sizes.push_back(tensor.sizes[mode]);
        result.coordinates.push_back(tensor.coordinates[mode]);
    }
    result.values = tensor.values;
    sort_entries(result);
    return result;
}

bool is_well_formed(const SparseTensor& tensor) {
    if (tensor.order() < least_tensor_order || tensor.order() > most_tensor_order ||
        tensor.coordinates.size() != tensor.order())
        return false;
    const auto count = static_cast<std::size_t>(tensor.nnz());
    if (tensor.has_values() && tensor.values.size() != count)
        return false;
    for (std::size_t mode = 0; mode < tensor.order(); ++mode) {
        const std::int64_t size = tensor.sizes[mode];
        if (size < 0 || size > max_extent || tensor.coordinates[mode].size() != count ||
            std::ranges::any_of(tensor.coordinates[mode],
                                [&](std::int32_t at) { return at < 0 || at >= size; }))
            return false;
    }
    return is_in_order(tensor);
}

} // namespace sparsight
