// Between which times the baseline of a workload lay while a collection measured it. Far apart ones tell that
// the computer was busy.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace sparsight {

struct BaselineRange {
    double shortest_ms = 0;
    double longest_ms = 0;

    bool operator==(const BaselineRange&) const = default;
};

/// Of one workload, machine and setting. A collection ends where a pause follows: what another one measured,
/// an hour later, was measured on a computer in another state.
class BaselineRanges {
public:
    static constexpr std::chrono::minutes pause{10};

    /// The baseline's time that belongs to a measurement of this date (ISO 8601, UTC). Dates that cannot be
    /// read are left out.
    void add(std::string_view measured, double milliseconds);
    /// Once, after the last one.
    void sort();
    /// Of the collection that made the measurement of this date. Absent where no time is known of it.
    [[nodiscard]] std::optional<BaselineRange> around(std::string_view measured) const;

private:
    struct Collection {
        std::chrono::sys_seconds first{};
        std::chrono::sys_seconds last{};
        BaselineRange range;
    };

    std::vector<Collection> collections_; ///< of a single time each, until they are sorted
};

} // namespace sparsight
