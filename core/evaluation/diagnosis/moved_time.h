// Whether a computer took another time for a schedule than when the same was measured before.
#pragma once

#include "evaluation/diagnosis/hybrid_evaluator.h"
#include "evaluation/known_times.h"

#include <optional>
#include <string>

namespace sparsight {

/// A time of now that contradicts a stored one of the same schedule.
struct MovedTime {
    double stored_ms = 0;
    double measured_ms = 0;
    [[nodiscard]] bool is_slower() const { return measured_ms > stored_ms; }
    bool operator==(const MovedTime&) const = default;
};

/// By more than a quarter and by more than twice both errors: the computer was busy then or is now, and times
/// of both moments can't be compared. Absent where they agree, where either was cut off, or where `now` was
/// stored itself.
[[nodiscard]] std::optional<MovedTime> moved_time(const ResultRow* stored, const HybridTime& now);

/// "the computer was slower than when the schedule was measured before: 0.168 against 0.09 ms"; `what` is
/// that schedule.
[[nodiscard]] std::string to_text(const MovedTime& moved, std::string_view what);

} // namespace sparsight
