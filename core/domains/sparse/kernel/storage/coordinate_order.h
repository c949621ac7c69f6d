// Sorting the entries of A into the order of a format's levels: an entry's coordinates are packed into one
// integer key, so that comparing two keys compares two paths down the coordinate tree, and the keys are
// radix-sorted.
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "domains/sparse/kernel/storage/storage_format.h"

#include <array>
#include <bit>
#include <cstdint>
#include <stop_token>

namespace sparsight {

/// Each mode is split at most once.
inline constexpr std::size_t max_storage_levels = 2 * most_order;

/// Where one level's coordinate lies in a key: (key >> shift) & mask.
struct KeyField {
    int shift = 0;
    std::uint64_t mask = 0;
    [[nodiscard]] std::int64_t coordinate(std::uint64_t key) const {
        return static_cast<std::int64_t>((key >> shift) & mask);
    }
};

/// Puts the outer and inner coordinate of a mode into their fields.
struct AxisKey {
    std::uint32_t split = 1;
    int outer_shift = 0;
    int inner_shift = 0;

    [[nodiscard]] bool is_power_of_two() const { return std::has_single_bit(split); }
    [[nodiscard]] std::uint64_t key(std::uint32_t x) const {
        return std::uint64_t{x / split} << outer_shift | std::uint64_t{x % split} << inner_shift;
    }
    /// key(), for power-of-two splits only.
    [[nodiscard]] std::uint64_t key_by_shifting(std::uint32_t x) const {
        return std::uint64_t{x >> std::countr_zero(split)} << outer_shift | std::uint64_t{x & (split - 1)}
                                                                                << inner_shift;
    }
};

/// The fields of all levels; the first level has the highest bits. The lowest `free_bits` of a key are
/// unused: a caller may keep something beside the coordinates there.
struct KeyLayout {
    std::array<KeyField, max_storage_levels> fields{};
    std::size_t levels = 0;
    std::array<AxisKey, most_order> axes{}; ///< of each mode
    int bits = 0; ///< of the coordinates; of a matrix at most 64, since a split rounds up to one bit more
                  ///< than an index
    int free_bits = 0;
    /// How many leading levels must be sorted by, stably, to bring entries from row-major order into the
    /// tree's: the levels after them already come in the right order.
    std::size_t levels_to_sort = 0;

    /// Bits [first, second) of a key are those of the levels to sort.
    [[nodiscard]] std::pair<int, int> bits_to_sort() const;
};

/// Bits that the coordinates of `format` take.
[[nodiscard]] int coordinate_bits(const StorageFormat& format);

/// `format` must be sound (see defect()), and coordinate_bits() + free_bits at most 64.
[[nodiscard]] KeyLayout key_layout(const StorageFormat& format, int free_bits);

/// Why these levels are not a storage format of these sizes; empty when they are.
[[nodiscard]] std::string defect(const StorageFormat& format);

/// An entry of A on its way into a coordinate tree is its key and its place in CSR order. The narrow form
/// keeps the place in the key's free low bits, which halves the memory traffic of a WideEntry.
using NarrowEntry = std::uint64_t;

/// For matrices so large that key and place do not fit together.
struct WideEntry {
    std::uint64_t key;
    std::uint32_t source;
    bool operator==(const WideEntry&) const = default;
};

[[nodiscard]] inline std::uint64_t key_of(NarrowEntry entry) {
    return entry;
}
[[nodiscard]] inline std::uint64_t key_of(const WideEntry& entry) {
    return entry.key;
}

[[nodiscard]] inline std::uint32_t source_of(NarrowEntry entry, int free_bits) {
    return static_cast<std::uint32_t>(entry & ((std::uint64_t{1} << free_bits) - 1));
}
[[nodiscard]] inline std::uint32_t source_of(const WideEntry& entry, int) {
    return entry.source;
}

inline void set(NarrowEntry& entry, std::uint64_t key, std::uint32_t source) {
    entry = key | source;
}
inline void set(WideEntry& entry, std::uint64_t key, std::uint32_t source) {
    entry = {key, source};
}

/// Least-significant-digit radix sort by bits [low_bit, high_bit) of the key, which skips what is in order
/// already; entries that agree on these bits keep their order. At most 2^32 − 1 entries. Needs as much
/// memory again while it runs. When stopped, the order is unspecified. Sorts by bits [low_bit, high_bit) of
/// the key; entries that agree on these keep their order. At most 2^32 − 1 entries. Needs as much memory
/// again while it runs. When stopped, the order is unspecified.
template <typename Entry>
void radix_sort(AlignedBuffer<Entry>& entries, int low_bit, int high_bit, int threads,
                const std::stop_token& stop = {});

extern template void radix_sort(AlignedBuffer<NarrowEntry>&, int, int, int, const std::stop_token&);
extern template void radix_sort(AlignedBuffer<WideEntry>&, int, int, int, const std::stop_token&);

} // namespace sparsight
