// A configuration is one way to compute a workload. In memory it is a few bytes that only its
// ConfigurationSpace (study/configuration_space.h) understands; a workspace stores it as text.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

/// Canonical bytes: two configurations of a space are the same if and only if their bytes are equal. The
/// number of threads is not part of them, because it is a condition of a run.
class Configuration {
public:
    /// Up to this many bytes are stored inside the object. Longer configurations are stored once and shared
    /// by all copies.
    static constexpr std::size_t most_in_place = 64;

    Configuration() = default;
    explicit Configuration(std::span<const std::byte> bytes);

    /// The bytes are valid until this object is destroyed or assigned to.
    [[nodiscard]] std::span<const std::byte> bytes() const {
        return shared_ ? std::span<const std::byte>(*shared_) : std::span(in_place_).first(size_);
    }

    [[nodiscard]] bool operator==(const Configuration& other) const;
    /// Compares byte by byte, the first byte most significant; a prefix of a longer configuration comes
    /// first.
    [[nodiscard]] std::strong_ordering operator<=>(const Configuration& other) const;

private:
    std::array<std::byte, most_in_place> in_place_{};
    std::uint8_t size_ = 0; ///< of the bytes in place
    std::shared_ptr<const std::vector<std::byte>> shared_;
};

/// Equal configurations have equal hashes. The hash is the same on every machine.
[[nodiscard]] std::uint64_t hash_value(const Configuration& configuration);

} // namespace sparsight

template <>
struct std::hash<sparsight::Configuration> {
    std::size_t operator()(const sparsight::Configuration& configuration) const {
        return static_cast<std::size_t>(sparsight::hash_value(configuration));
    }
};

namespace sparsight {

/// A configuration as a workspace stores it.
struct WrittenConfiguration {
    std::string domain;
    /// The group within which the text has a meaning (sparse: the operator); may be empty.
    std::string family;
    std::string text;      ///< as it was written
    std::string canonical; ///< equal for texts that mean the same
    int threads = 1;       ///< a condition of the run; 1 in a domain without threads
    bool is_baseline = false;

    bool operator==(const WrittenConfiguration&) const = default;
};

} // namespace sparsight
