// Writes the arrays of a coordinate tree from entries in its order.
#pragma once

#include "domains/sparse/kernel/storage/coordinate_order.h"
#include "domains/sparse/kernel/storage/storage_format.h"

#include <array>
#include <cstdint>
#include <span>

namespace sparsight {

/// How many different coordinates (c0 … cl) there are, for each level l.
using PrefixCounts = std::array<std::int64_t, max_storage_levels>;

/// A contiguous part of all entries: one thread's work.
struct TreePart {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    PrefixCounts before{}; ///< of the entries before begin
};

/// The prefixes that first occur in the part.
template <typename Entry>
[[nodiscard]] PrefixCounts count_prefixes(std::span<const Entry> entries, const KeyLayout& layout,
                                          std::int64_t begin, std::int64_t end);

/// Writes what the part adds to the arrays of `tree`, which have their final sizes; all parts together write
/// every element of them, in any order or at the same time. `values` are those of the entries in CSR order;
/// empty means that all are 1.
template <typename Entry>
void write_part(PackedMatrix& tree, std::span<const Entry> entries, const KeyLayout& layout,
                const TreePart& part, std::span<const float> values);

extern template PrefixCounts count_prefixes(std::span<const NarrowEntry>, const KeyLayout&, std::int64_t,
                                            std::int64_t);
extern template PrefixCounts count_prefixes(std::span<const WideEntry>, const KeyLayout&, std::int64_t,
                                            std::int64_t);
extern template void write_part(PackedMatrix&, std::span<const NarrowEntry>, const KeyLayout&,
                                const TreePart&, std::span<const float>);
extern template void write_part(PackedMatrix&, std::span<const WideEntry>, const KeyLayout&, const TreePart&,
                                std::span<const float>);

} // namespace sparsight
