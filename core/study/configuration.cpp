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

constexpr std::size_t word_size = sizeof(std::uint64_t);

/// Little-endian.
std::uint64_t word(std::span<const std::byte, word_size> bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data(), word_size);
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
    if (!shared_ && !other.shared_) // behind the bytes there are zeros
        return size_ == other.size_ && in_place_ == other.in_place_;
    return std::ranges::equal(bytes(), other.bytes());
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
    for (; rest.size() >= word_size; rest = rest.subspan(word_size))
        hash = mix(hash, word(rest.first<word_size>()));
    if (rest.empty())
        return hash;
    std::array<std::byte, word_size> last{};
    std::ranges::copy(rest, last.begin());
    return mix(hash, word(last));
}

} // namespace sparsight
