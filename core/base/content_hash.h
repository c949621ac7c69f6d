// A hash of data of any size, by which a workspace tells equal content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <string>

namespace sparsight {

/// FNV-1a, 128 bits (Fowler, Noll, Vo and Eastlake, draft-eastlake-fnv).
class Fnv1a128 {
public:
    template <typename T>
    void add(std::span<const T> values) {
        for (const std::byte byte : std::as_bytes(values))
            hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * prime;
    }
    [[nodiscard]] std::string text() const {
        return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(hash_ >> 64),
                           static_cast<std::uint64_t>(hash_));
    }

private:
    using Number = unsigned __int128;
    static constexpr Number prime = (Number{1} << 88) + 0x13b;
    Number hash_ = Number{0x6c62272e07bb0142} << 64 | 0x62b821756295c58d;
};

} // namespace sparsight
