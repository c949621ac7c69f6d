// One way to compute a workload: as a value without a meaning of its own, of which a ConfigurationSpace
// (study/configuration_space.h) knows what its bytes say, and as text that a workspace keeps.
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

/// Canonical bytes: two configurations of a space are the same one if and only if their bytes are equal. The
/// number of threads is not among them: it is a condition of a run.
class Configuration {
public:
    /// As many bytes are kept in place. Longer ones are kept once and shared by all copies.
    static constexpr std::size_t most_in_place = 64;

    Configuration() = default;
    explicit Configuration(std::span<const std::byte> bytes);

    /// Valid as long as this object, and until something is assigned to it.
    [[nodiscard]] std::span<const std::byte> bytes() const {
        return shared_ ? std::span<const std::byte>(*shared_) : std::span(in_place_).first(size_);
    }

    [[nodiscard]] bool operator==(const Configuration& other) const;
    /// Byte by byte, the first one most significant; a beginning of another one comes before it.
    [[nodiscard]] std::strong_ordering operator<=>(const Configuration& other) const;

private:
    std::array<std::byte, most_in_place> in_place_{};
    std::uint8_t size_ = 0; ///< of the bytes in place
    std::shared_ptr<const std::vector<std::byte>> shared_;
};

/// Follows ==. The same on every machine.
[[nodiscard]] std::uint64_t hash_value(const Configuration& configuration);

} // namespace sparsight

template <>
struct std::hash<sparsight::Configuration> {
    std::size_t operator()(const sparsight::Configuration& configuration) const {
        return static_cast<std::size_t>(sparsight::hash_value(configuration));
    }
};

namespace sparsight {

/// A configuration as a workspace keeps it.
struct WrittenConfiguration {
    std::string domain;
    std::string family;    ///< within which the text has a meaning: of sparse the operator; may be empty
    std::string text;      ///< as it was written
    std::string canonical; ///< equal for texts that mean the same
    int threads = 1;       ///< a condition of the run; 1 where the domain has none
    bool is_baseline = false;

    bool operator==(const WrittenConfiguration&) const = default;
};

} // namespace sparsight
