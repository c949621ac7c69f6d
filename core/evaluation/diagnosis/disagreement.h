// Where a measurement and the simulator say different things of two schedules: by how much, and what to do.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sparsight {

struct Explanation;

/// Times of the explained schedule over those of the other one.
struct Disagreement {
    double measured_factor = 1;
    double simulated_factor = 1;

    /// By how much they are apart: the larger of both over the smaller.
    [[nodiscard]] double apart() const;
    bool operator==(const Disagreement&) const = default;
};

/// Absent where both take the same schedule for the slower one by more than a simulation can tell apart
/// (equal_times.h), or both take them for equally fast.
[[nodiscard]] std::optional<Disagreement> disagreement_of(double measured_factor, double simulated_factor);

/// Of an explanation whose times were measured.
[[nodiscard]] std::optional<Disagreement> disagreement_of(const Explanation& explanation);

/// "Measured, it takes 1.26 times as long as fixed CSR; simulated on AMD EPYC, 0.93 times: the two disagree
/// by a factor of 1.35, so simulated parts say little here. …", and what to do about it. `known` is how the
/// time is known, "Measured" or "Recorded"; `can_be_measured` where --measured would ask this computer.
[[nodiscard]] std::string to_text(const Disagreement& disagreement, std::string_view known,
                                  std::string_view against, std::string_view machine, bool can_be_measured);

} // namespace sparsight
