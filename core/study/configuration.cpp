#include "study/configuration.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace sparsight {
namespace {

/// The finaliser of splitmix64 (Steele, Lea and Flood 2014) over a running value.
std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
    hash += value + 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 30U)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27U)) * 0x94d049bb133111ebU;
    return hash ^ (hash >> 31U);
}

/// The first eight bytes, little-endian; missing ones are 0.
std::uint64_t word(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof(value)));
    if constexpr (std::endian::native == std::endian::big)
        value = __builtin_bswap64(value);
    return value;
}

} // namespace

Configuration::Configuration(std::span<const std::byte> bytes) {
    if (bytes.size() > most_in_place) {
        shared_ = std::make_shared<const std::vector<std::byte>>(bytes.begin(), bytes.end());
        return;
    }
    std::ranges::copy(bytes, in_place_.begin());
    size_ = static_cast<std::uint8_t>(bytes.size());
}

bool Configuration::operator==(const Configuration& other) const {
    const std::span<const std::byte> own = bytes();
    const std::span<const std::byte> others = other.bytes();
    return own.size() == others.size() && std::memcmp(own.data(), others.data(), own.size()) == 0;
}

std::strong_ordering Configuration::operator<=>(const Configuration& other) const {
    const std::span<const std::byte> own = bytes();
    const std::span<const std::byte> others = other.bytes();
    const int order = std::memcmp(own.data(), others.data(), std::min(own.size(), others.size()));
    return order != 0 ? order <=> 0 : own.size() <=> others.size();
}

std::uint64_t hash_value(const Configuration& configuration) {
    std::span<const std::byte> rest = configuration.bytes();
    std::uint64_t hash = mix(0, rest.size());
    for (; rest.size() > sizeof(std::uint64_t); rest = rest.subspan(sizeof(std::uint64_t)))
        hash = mix(hash, word(rest));
    return rest.empty() ? hash : mix(hash, word(rest));
}

} // namespace sparsight
