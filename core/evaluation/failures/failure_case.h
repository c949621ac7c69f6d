// A failure case: one model on one workload where its choice, or its belief about it, was off by more than
// noise. It holds the signs of the failure and the diagnosis by which cases are grouped, in plain values.
#pragma once

#include "evaluation/failures/training_range.h"
#include "evaluation/model_evaluation.h"
#include "evaluation/model_reasons/choice_reasons.h"
#include "evaluation/model_reasons/misleading_part.h"
#include "evaluation/time_differences.h"
#include "store/models.h"
#include "study/clock.h"
#include "study/configuration_space.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct Blame;

enum class DiagnosisBasis : std::uint8_t {
    Measured,   ///< hybrids were measured
    Simulated,  ///< hybrids were simulated
    Statistics, ///< no pattern: costs of the same decisions elsewhere in the same table
    Recorded,   ///< hybrids were looked up among the known times
};
/// In files: "measured", "simulated", "statistics", "recorded".
[[nodiscard]] std::string_view name(DiagnosisBasis basis);

/// What kind of workload it is: the name by which people speak of such ones.
struct WorkloadFamily {
    std::uint32_t index =
        0; ///< its place among the families of its domain, by which they are sorted; 0: unknown
    std::string name = "unknown";  ///< in files: "power_law"
    std::string title = "unknown"; ///< for people

    [[nodiscard]] bool is_known() const { return index != 0; }
    auto operator<=>(const WorkloadFamily&) const = default;
};

/// A part of a simulated time as a cause of its length.
struct TimeCause {
    std::uint32_t index = 0; ///< its place among the terms of the simulator, by which causes are sorted
    std::string name;        ///< of the term, in files: "fill_in"
    std::string reason;      ///< for people: "work on explicit zeros"
    /// Causes of two kinds are never the same failure, whatever the decision.
    std::uint32_t kind = 0;

    auto operator<=>(const TimeCause&) const = default;
};

/// A decision in which the chosen configuration differs from the other one.
struct BlamedDecision {
    Decision decision;
    std::string before;      ///< the decision of the configuration that it is compared with
    std::string after;       ///< the decision of the chosen configuration
    double milliseconds = 0; ///< of the difference; above 0: it made the chosen one slower
    double factor = 1;       ///< of the time; the factors of all decisions multiply to the whole
    /// Whether the cost exceeds its error (DecisionShare). An insignificant decision is not a cause.
    bool is_significant = true;
    /// The error of `milliseconds`, one standard deviation, where the basis is DiagnosisBasis::Statistics or
    /// only some orders of the decisions were drawn (BlameOptions).
    std::optional<double> error_ms{};
    bool operator==(const BlamedDecision&) const = default;
};

struct FailureDiagnosis {
    DiagnosisBasis basis = DiagnosisBasis::Simulated;
    std::vector<BlamedDecision> decisions; ///< the largest cost first; at least one
    /// The part of the simulated time that grew most from the other configuration to the chosen one, and by
    /// how much. Absent without a simulation.
    std::optional<TimeCause> term{};
    double term_ms = 0;
    /// Whether the simulator sees this loss (sees_loss()). Where it does not, its blame means nothing, and
    /// cases are not grouped by the top decision. True where nothing was simulated.
    bool simulation_agrees = true;
    /// The simulated time of the chosen one over that of the other. 1 where nothing was simulated.
    double simulated_factor = 1;

    [[nodiscard]] const BlamedDecision& top() const { return decisions.front(); }
    /// Whether the top decision significantly slowed the chosen configuration down and, where it was
    /// simulated, the simulator sees the loss.
    [[nodiscard]] bool names_a_cause() const;
    bool operator==(const FailureDiagnosis&) const = default;
};

/// Why no decision is named as the cause of a loss: "no single decision costs more than the error of the
/// simulation"; of a gain "saves".
[[nodiscard]] std::string no_cause_text(DiagnosisBasis basis, bool is_gain = false);

/// A loss whose simulated size differs by more than this factor counts as a different loss.
inline constexpr double loss_agreement_factor = 4;

/// Whether a simulation agrees with the measurement of a loss: it predicts that the chosen configuration is
/// slower by more than its own error (evaluation/time_differences.h), and its loss lies within
/// loss_agreement_factor of the known one. Factors are times of the chosen configuration over those of the
/// other: 1.5 loses 50 %. A known factor of 1 or less is no loss, and only the side counts.
[[nodiscard]] bool sees_loss(double simulated_factor, double known_factor);

/// How a simulation contradicts known times of two configurations beyond the noise of these. Absent where
/// some factor that the spreads allow is on the simulated side (faster, equally fast or slower) with a gain
/// or loss within loss_agreement_factor of the simulated one, and where a time is unknown. Every sentence
/// that the simulator contradicts the clock goes by this rule.
[[nodiscard]] std::optional<Disagreement>
disagreement_beyond_noise(const ClockTime& against, const ClockTime& other, double simulated_factor);

/// The diagnosis from a blame and the simulated times of both configurations, whose terms are these causes,
/// in their order. Absent where the configurations mean the same.
[[nodiscard]] std::optional<FailureDiagnosis> diagnosis_of(const Blame& blame, const TermVector& from,
                                                           const TermVector& to,
                                                           std::span<const TimeCause> causes,
                                                           DiagnosisBasis basis);

/// The fewest decisions of the chosen configuration to change so that nothing is lost, or the change that
/// comes nearest to that.
struct FailureChange {
    std::string configuration;
    std::vector<DecisionChange> decisions; ///< from the chosen configuration to it
    double milliseconds = 0;
    bool removes_loss = false; ///< it is as fast as what the choice is held against

    bool operator==(const FailureChange&) const = default;
};

enum class FailureKind : std::uint8_t {
    SlowerThanBaseline, ///< the fastest of the k is slower than the baseline
    HighRegret,         ///< … much slower than the best known
    MisRanked,          ///< its first choice is much slower than another of its own k
    OverConfident,      ///< it predicted a lead of its first choice that does not exist
    OutsideTraining,    ///< it loses on a pattern unlike all of its training data
};
inline constexpr std::array all_failure_kinds{FailureKind::SlowerThanBaseline, FailureKind::HighRegret,
                                              FailureKind::MisRanked, FailureKind::OverConfident,
                                              FailureKind::OutsideTraining};
/// "slower_than_baseline", "high_regret", "mis_ranked", "over_confident", "outside_training". Where the
/// domain has a noun for its baseline, files have that: see failure_case_json().
[[nodiscard]] std::string_view name(FailureKind kind);
[[nodiscard]] std::optional<FailureKind> parse_failure_kind(std::string_view text);
/// Whether a user of the model loses time: the user runs the fastest of the k. A wrong order of the k costs
/// no time.
[[nodiscard]] bool costs_time(FailureKind kind);

/// In files: "measured", "recorded", "simulated".
[[nodiscard]] std::string_view name(TimeSource source);

/// The configuration that a choice is compared with.
enum class FailureAgainst : std::uint8_t {
    Baseline,
    BestKnown, ///< the fastest of all that were tried there
    OwnBest,   ///< the fastest of the k that the model chose
};
/// "baseline", "best", "own_best"; in files as for FailureKind.
[[nodiscard]] std::string_view name(FailureAgainst against);

/// Whether a difference exceeds the noise: the 95 % confidence interval of the ratio, turn by turn, where
/// times were taken in turns, otherwise by both spreads (evaluation/time_differences.h).
enum class Significance : std::uint8_t {
    BeyondNoise,
    WithinNoise,
    NoiseUnknown, ///< a time comes without a spread, as recorded and simulated ones do
};
/// In files: "beyond_noise", "within_noise", "noise_unknown".
[[nodiscard]] std::string_view name(Significance significance);

/// A configuration with its time; milliseconds, above 0.
struct TimedConfiguration {
    std::string configuration;
    double milliseconds = 0;
    std::optional<double> spread_ms{}; ///< absent where none is known
    bool is_at_least = false;          ///< it was abandoned: the time is a lower bound
    std::optional<int> rank{};         ///< in the model's order, from 1, where it chose it
    std::optional<double> error_ms{};  ///< standard error by turns, relative to the baseline
    /// The configuration's own time, where `milliseconds` comes from turns that did not choose it (ToldTime).
    std::optional<double> raw_ms{};
    /// Over the baseline, by turn: two that have them are compared turn by turn. Empty without turns.
    std::vector<double> turn_ratios{};
    std::string nickname{};  ///< of the configuration; empty where it has none
    bool turns_agree = true; ///< on the configuration, where they chose it (FastestByTurn)

    bool operator==(const TimedConfiguration&) const = default;
};

/// One way in which a case fails.
struct FailureSign {
    FailureKind kind = FailureKind::SlowerThanBaseline;
    FailureAgainst held_against = FailureAgainst::Baseline;
    TimedConfiguration chosen;
    TimedConfiguration against;
    Significance significance = Significance::NoiseUnknown;
    /// Kendall's τ of the k (MisRanked), the predicted time over that of `against`, below 1 (OverConfident),
    /// or the distance of the pattern from the training set, in standard deviations (OutsideTraining).
    std::optional<double> figure{};

    /// Above 0: how much longer it took.
    [[nodiscard]] double lost_ms() const { return chosen.milliseconds - against.milliseconds; }
    /// The same over the time of `against`: 0.5 for 50 %.
    [[nodiscard]] double lost_share() const { return chosen.milliseconds / against.milliseconds - 1; }
};

/// Likewise of a known loss within its noise: a simulation contradicts it only where no loss that noise
/// allows agrees with it. Turn by turn where both times have turns, or else by their spreads.
[[nodiscard]] bool sees_loss(double simulated_factor, const FailureSign& sign);
/// The same of the times of a sign, by its noise as in sees_loss().
[[nodiscard]] std::optional<Disagreement> disagreement_beyond_noise(const FailureSign& sign,
                                                                    double simulated_factor);

struct FailureCase {
    ModelId model{};        ///< 0 for a recorded table
    std::string model_name; ///< for a recorded table its name for the chooser
    std::string workload;
    TimeSource times = TimeSource::Measured; ///< of all its signs
    /// How it fails, at least one: by kind, in the order of all_failure_kinds.
    std::vector<FailureSign> signs;
    bool is_workload_known = false; ///< its statistics are known; otherwise its sizes at most
    WorkloadFamily family{};
    /// Of main(): absent until it was diagnosed, or where `undiagnosed` says why it can't be.
    std::optional<FailureDiagnosis> diagnosis{};
    std::string undiagnosed{};
    /// The statistics on which the pattern lies outside the training set, the farthest first.
    std::vector<UnfamiliarStatistic> unfamiliar{};
    std::optional<FailureChange> change{};        ///< of main(), where times of such configurations are known
    std::vector<CloseWorkload> closest_trained{}; ///< of the model, where statistics tell; the nearest first
    /// Why the model preferred the choice of main(), where it was asked; `no_reasons_because` says why it
    /// could not be.
    std::optional<ChoiceReasons> reasons{};
    std::string no_reasons_because{};
    /// Of a gray box whose choice of main() is slower: which of its parts misled it.
    std::optional<MisleadingPart> misleading{};
    std::int64_t line = 0; ///< of a recorded table; 0 otherwise

    /// The gravest sign: the first one that costs_time(), as that is a loss for every user of the model, else
    /// the first one, which only concerns its beliefs. Figures of a case are all of this sign.
    [[nodiscard]] const FailureSign& main() const;
    [[nodiscard]] const FailureSign* sign(FailureKind kind) const; ///< nullptr: it does not fail in this way
    /// Of main(), where it costs_time(); 0 where the model was only wrong about its own k.
    [[nodiscard]] double lost_ms() const;
    /// Whether times of it were compared turn by turn.
    [[nodiscard]] bool is_of_turns() const;
};

} // namespace sparsight
