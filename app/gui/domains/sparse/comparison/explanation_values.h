// An explanation as views show it, in plain values, wherever it comes from: computed in this process, or told
// by a worker (`sparsight-cli explain --help` has the form).
#pragma once

#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/simulator/simulator.h"

#include <QJsonObject>
#include <QString>
#include <array>
#include <optional>
#include <vector>

namespace sparsight {

struct Explanation;

/// What processors count; in the order of HardwareEvent.
inline constexpr std::size_t shown_counters = 3;

struct SideValues {
    QString schedule{}; ///< in WACO's form
    double ms = 0;
    double spread_ms = 0;
    bool is_at_least = false;
    double simulated_ms = 0;
    std::array<double, time_term_count> parts{}; ///< milliseconds, by TimeTerm
    double storage_bytes = 0;
    double positions = 0; ///< values that are stored
    double fill_in = 0;   ///< share of the innermost iterations that work on explicit zeros
    double regions = 0;
    double chunks = 0;
    std::array<std::optional<double>, shown_counters> counted{};

    bool operator==(const SideValues&) const = default;
};

/// One decision of the waterfall.
struct StepValues {
    QString decision{}; ///< its key
    QString before{};
    QString after{};
    double ms = 0;
    double factor = 1;
    std::optional<double> uncertainty_ms{}; ///< noise and two sampling errors; absent: unknown
    bool is_significant = false;
    bool is_sign_decided = true;  ///< cost and factor point the same way
    bool is_same_program = false; ///< it changes nothing of what is run, so it costs nothing
    bool is_bounded = false;      ///< times that were cut off are behind it
    QString alone{};              ///< the other side with this one decision changed, in WACO's form
    std::optional<double> alone_ms{};

    bool operator==(const StepValues&) const = default;
};

struct DecisionValues {
    QString decision{};
    QString before{};
    QString after{};
    bool operator==(const DecisionValues&) const = default;
};

struct ScheduleChangeValues {
    QString schedule{};
    std::vector<DecisionValues> decisions{};
    std::optional<double> ms{};
    double spread_ms = 0;
    bool wins = false; ///< beyond noise
    bool is_other_side = false;
    double turns = 0; ///< that it was measured in with the other side
    /// What makes up for the loss without a win; empty where nothing smaller does.
    std::vector<DecisionValues> removal{};
    double removal_ratio = 1;              ///< of its time over the other side's
    double removal_error = 0;              ///< factor - 1 by which that may be off
    std::vector<DecisionValues> nearest{}; ///< what came nearest where it is the other side; may be empty
    std::optional<double> nearest_ratio{}; ///< of its time over the other side's
    double nearest_error = 0;              ///< factor - 1 by which that may be off
    bool operator==(const ScheduleChangeValues&) const = default;
};

struct MachineChangeValues {
    QString parameter{}; ///< its key
    double before = 0;
    double after = 0;
    double against_ms = 0;
    double schedule_ms = 0;
    bool operator==(const MachineChangeValues&) const = default;
};

struct PatternChangeValues {
    QString description{};
    double strength = 0;
    double entries = 0;
    double against_ms = 0;
    double schedule_ms = 0;
    std::optional<bool> wins_measured{}; ///< in turns on this computer, beyond noise
    bool operator==(const PatternChangeValues&) const = default;
};

struct ExplanationValues {
    bool is_measured = false;
    SideValues against{};
    SideValues schedule{};
    bool is_same_program = false; ///< of both sides: what their times differ by is noise
    bool is_exact = true;
    double hybrids = 0;
    double draws = 0;
    double without_time = 0;
    std::vector<StepValues> steps{}; ///< the largest cost first; they add up to the difference
    std::optional<ScheduleChangeValues> schedule_change{};
    bool simulation_agrees = true;
    std::optional<Disagreement> disagreement{}; ///< of measured times with the simulator
    std::vector<MachineChangeValues> machine_changes{};
    std::vector<PatternChangeValues> pattern_changes{};
    std::vector<PatternChangeValues> losing_patterns{}; ///< that were tried and do not win, the nearest first
    QString no_counters{};                              ///< why nothing was counted
    QString command{};                                  ///< that gives the same again; empty where none does

    [[nodiscard]] double difference_ms() const { return schedule.ms - against.ms; }
    bool operator==(const ExplanationValues&) const = default;
};

/// Of the last event of `explain`; nothing for what is none.
[[nodiscard]] std::optional<ExplanationValues> explanation_values(const QJsonObject& json);
[[nodiscard]] ExplanationValues explanation_values(const Explanation& explanation, bool is_measured);

} // namespace sparsight
