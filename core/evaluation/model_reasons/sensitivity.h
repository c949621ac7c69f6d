// How a model's preference moves as one thing is varied, beside what the times do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class VariedKind : std::uint8_t {
    Decision,  ///< of the schedule; the other one stays
    Statistic, ///< of the pattern, set alone: there is no such matrix, so no time
    Pattern,   ///< the pattern itself, with all its statistics
    Machine,   ///< a parameter of the machine
};
/// "decision", "statistic", "pattern", "machine".
[[nodiscard]] std::string_view name(VariedKind kind);
[[nodiscard]] std::optional<VariedKind> parse_varied_kind(std::string_view text);

enum class TimeOrigin : std::uint8_t { Simulated, Measured };
/// "simulated", "measured".
[[nodiscard]] std::string_view name(TimeOrigin origin);
[[nodiscard]] std::optional<TimeOrigin> parse_time_origin(std::string_view text);

/// What two schedules take; absent: unknown, or it can't be built.
struct PairTimes {
    std::optional<double> schedule_ms{};
    std::optional<double> against_ms{};
    TimeOrigin origin{};

    bool operator==(const PairTimes&) const = default;

    /// log2(against / schedule): above 0 where the schedule is the faster one.
    [[nodiscard]] std::optional<double> log2_gain() const;
};

struct SensitivityPoint {
    std::string value{};            ///< for people: "16", "compressed"
    std::optional<double> number{}; ///< where the value is one
    bool is_present = false;        ///< as it is in the explained case
    /// Score of `against` less that of the schedule: above 0 where the model prefers the schedule.
    double margin = 0;
    PairTimes times{};
    std::string schedule{}; ///< VariedKind::Decision: the one at this point, in WACO's form

    bool operator==(const SensitivityPoint&) const = default;
};

/// Two points that the model has in the wrong order. What it rates alike is in no order.
struct PartedPair {
    std::size_t better = 0; ///< place of the point with the larger gain by the clock
    std::size_t worse = 0;  ///< place of the one that the model prefers to it
    double factor = 1;      ///< between both gains, above 1

    bool operator==(const PartedPair&) const = default;
};

struct SensitivityCurve {
    VariedKind kind{};
    std::string key{}; ///< "chunk", "row_length_gini", "thinned", "cores"
    std::string title{};
    std::string unit{};
    bool is_read = true;                    ///< whether the model reads it at all
    std::vector<SensitivityPoint> points{}; ///< numbers ascending
    /// Of margins and gains, over the points with times; absent with fewer than two different ones of each.
    std::optional<double> kendall_tau{};
    std::optional<PartedPair> widest{}; ///< where the curves part most; absent: nowhere
    std::int64_t with_times = 0;        ///< points
    std::int64_t wrong_sides = 0;       ///< of these, where the model prefers the slower one
    double swing = 0;                   ///< largest less smallest margin

    bool operator==(const SensitivityCurve&) const = default;
};

/// Fills in what follows from the points. Gains that differ by less than the factor are equally good.
void compare_curves(SensitivityCurve& curve, double equal_factor = 1.01);

struct SensitivityReason {
    std::vector<SensitivityCurve> curves{}; ///< where predicted and real ones part most first
    bool complete = true;                   ///< false: the budget was over before

    bool operator==(const SensitivityReason&) const = default;
};

} // namespace sparsight
