// A short number for texts and numbers, the same on every machine and in every build, which std::hash is not.
#pragma once

#include <cstdint>
#include <string_view>

namespace sparsight {

/// FNV-1a, 64 bit (Fowler, Noll and Vo).
class Digest {
public:
    void add_bytes(std::string_view bytes) {
        for (const char each : bytes)
            add_byte(static_cast<std::uint8_t>(each));
    }
    void add(std::uint64_t number) {
        for (int shift = 0; shift < 64; shift += 8)
            add_byte(static_cast<std::uint8_t>(number >> shift));
    }
    /// With its length, so that "a", "bc" is not "ab", "c".
    void add(std::string_view text) {
        add(std::uint64_t{text.size()});
        add_bytes(text);
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    void add_byte(std::uint8_t byte) {
        constexpr std::uint64_t prime = 0x100000001b3;
        value_ = (value_ ^ byte) * prime;
    }

    std::uint64_t value_ = 0xcbf29ce484222325;
};

[[nodiscard]] inline std::uint64_t digest_of(std::string_view bytes) {
    Digest digest;
    digest.add_bytes(bytes);
    return digest.value();
}

} // namespace sparsight
