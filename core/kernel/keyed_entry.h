// An entry of A on its way into a coordinate tree: its key (kernel/coordinate_key.h) and its place in CSR
// order.
#pragma once

#include <cstdint>

namespace sparsight {

/// The place lies in the key's free low bits: half the memory traffic of a WideEntry.
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

} // namespace sparsight
