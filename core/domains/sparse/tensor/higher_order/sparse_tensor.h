// A sparse tensor of order 3 or 4: where its non-zeros are, and optionally what they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sparsight {

inline constexpr std::size_t least_tensor_order = 3;
inline constexpr std::size_t most_tensor_order = 4;

/// Coordinates of the entries, mode by mode: coordinates[mode][entry] is in [0, sizes[mode]). Entries are in
/// lexicographical order, and no two have the same coordinates. A size is at most max_extent (pattern.h).
/// `values` has nnz() entries or none, and none means that every value is 1.
struct SparseTensor {
    std::vector<std::int64_t> sizes;
    std::vector<std::vector<std::int32_t>> coordinates;
    std::vector<float> values;

    [[nodiscard]] std::size_t order() const { return sizes.size(); }
    [[nodiscard]] std::int64_t nnz() const {
        return coordinates.empty() ? 0 : static_cast<std::int64_t>(coordinates.front().size());
    }
    [[nodiscard]] bool has_values() const { return !values.empty(); }
    bool operator==(const SparseTensor&) const = default;
};

/// Brings entries that are in any order, or repeated, into the order above; values of equal coordinates are
/// added in the order given (where there are none, they stay 1). Returns how many entries were merged into
/// others. Linear in nnz, with one pass for every 11 bits of a size; entries in order cost one look.
std::int64_t sort_entries(SparseTensor& tensor);

/// The tensor whose mode m is this one's mode modes[m]; `modes` has each mode once.
[[nodiscard]] SparseTensor permuted(const SparseTensor& tensor, std::span<const std::size_t> modes);

/// Whether every invariant above holds.
[[nodiscard]] bool is_well_formed(const SparseTensor& tensor);

} // namespace sparsight
