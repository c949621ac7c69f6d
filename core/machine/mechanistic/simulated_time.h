// A simulated runtime with its parts: what the what-if page stacks and the diagnosis compares.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sparsight {

enum class TimeTerm : std::uint8_t {
    Compute,       ///< instructions for entries that are there
    FillIn,        ///< instructions for explicit zeros
    L2Traffic,     ///< lines that come from the second level cache
    L3Traffic,     ///< … from the last level cache
    MemoryTraffic, ///< … from memory
    Latency,       ///< waiting for lines that no prefetcher foresaw
    Imbalance,     ///< cores that wait for the last one
    Regions,       ///< opening parallel regions
    Chunks,        ///< handing out chunks
};
inline constexpr std::size_t time_term_count = static_cast<std::size_t>(TimeTerm::Chunks) + 1;

[[nodiscard]] std::span<const TimeTerm> all_time_terms();
/// In files: "fill_in", "l2_traffic".
[[nodiscard]] std::string_view name(TimeTerm term);

/// Milliseconds; the parts add up to the total.
template <typename Scalar>
struct BasicSimulatedTime {
    std::array<Scalar, time_term_count> parts{};

    [[nodiscard]] const Scalar& operator[](TimeTerm term) const {
        return parts[static_cast<std::size_t>(term)];
    }
    [[nodiscard]] Scalar& operator[](TimeTerm term) { return parts[static_cast<std::size_t>(term)]; }
    [[nodiscard]] Scalar total() const {
        Scalar sum = parts[0];
        for (std::size_t t = 1; t < parts.size(); ++t)
            sum += parts[t];
        return sum;
    }
};
using SimulatedTime = BasicSimulatedTime<double>;

} // namespace sparsight
