// Why a chosen schedule takes longer than what it is held against, in a few plain values: what failure cases
// are grouped by.
#pragma once

#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "domains/sparse/tensor/statistics.h"
#include "evaluation/diagnosis/hybrids/decision.h"
#include "evaluation/failures/pattern_family.h"
#include "evaluation/failures/training_range.h"
#include "evaluation/model_evaluation.h"
#include "store/models.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct Blame;
struct Explanation;

enum class DiagnosisBasis : std::uint8_t {
    Measured,   ///< hybrids were measured
    Simulated,  ///< hybrids were simulated
    Statistics, ///< no pattern: what the same decisions cost elsewhere in the same table
};
/// In files: "measured", "simulated", "statistics".
[[nodiscard]] std::string_view name(DiagnosisBasis basis);

/// A decision in which the chosen schedule differs from the other one.
struct BlamedDecision {
    Decision decision;
    std::string before;      ///< how the schedule that it is held against decides (value_of)
    std::string after;       ///< how the chosen one does
    double milliseconds = 0; ///< of the difference; above 0: it made the chosen one slower
    double factor = 1;       ///< of the time; the factors of all decisions multiply to the whole
    /// More than the doubt about it (DecisionShare): what is not is no cause of anything.
    bool is_significant = true;
    /// Of `milliseconds`, one standard deviation, where the basis is DiagnosisBasis::Statistics.
    std::optional<double> error_ms{};
    bool operator==(const BlamedDecision&) const = default;
};

struct FailureDiagnosis {
    DiagnosisBasis basis = DiagnosisBasis::Simulated;
    std::vector<BlamedDecision> decisions; ///< the largest cost first; at least one
    /// Which part of the simulated time grew most from the other schedule to the chosen one, and by how much.
    /// Without a simulation absent.
    std::optional<TimeTerm> term{};
    double term_ms = 0;
    /// Whether the simulator sees this loss (sees_loss()). Where it does not, its blame says nothing: the top
    /// decision is then no ground to group by.
    bool simulation_agrees = true;
    /// The simulated time of the chosen one over that of the other. 1 where nothing was simulated.
    double simulated_factor = 1;

    [[nodiscard]] const BlamedDecision& top() const { return decisions.front(); }
    /// The top decision made the chosen one slower, beyond doubt, and whoever simulated it sees that, too.
    [[nodiscard]] bool names_a_cause() const;
    bool operator==(const FailureDiagnosis&) const = default;
};

/// A loss that is simulated this many times as large as it was, or as small, is another one.
inline constexpr double loss_agreement_factor = 4;

/// Whether a simulation agrees with the clock on a loss: it takes the chosen one for the slower one by more
/// than it can't tell apart (evaluation/time_differences.h), and what it says is lost lies within
/// loss_agreement_factor of what was. Factors are times of the chosen one over those of the other: 1.5 loses
/// 50 %. A known factor of 1 or less is no loss, and the side alone counts.
[[nodiscard]] bool sees_loss(double simulated_factor, double known_factor);

/// Of a blame, and the simulated times of both schedules. Absent where they mean the same.
[[nodiscard]] std::optional<FailureDiagnosis> diagnosis_of(const Blame& blame, const SimulatedTime& from,
                                                           const SimulatedTime& to, DiagnosisBasis basis);
/// The same of an explanation.
[[nodiscard]] std::optional<FailureDiagnosis> diagnosis_of(const Explanation& explanation,
                                                           DiagnosisBasis basis);

// A failure case: one model on one matrix where what it chose, or what it believed, was off by more than
// noise.

enum class FailureKind : std::uint8_t {
    SlowerThanCsr,   ///< the fastest of the k is slower than fixed CSR
    HighRegret,      ///< … far slower than the best that is known
    MisRanked,       ///< its first choice is far slower than another one of its own k
    OverConfident,   ///< it foresaw a lead of its first choice that is not there
    OutsideTraining, ///< it loses, on a pattern unlike all that it was trained on
};
inline constexpr std::array all_failure_kinds{FailureKind::SlowerThanCsr, FailureKind::HighRegret,
                                              FailureKind::MisRanked, FailureKind::OverConfident,
                                              FailureKind::OutsideTraining};
/// In files: "slower_than_csr", "high_regret", "mis_ranked", "over_confident", "outside_training".
[[nodiscard]] std::string_view name(FailureKind kind);
[[nodiscard]] std::optional<FailureKind> parse_failure_kind(std::string_view text);
/// Whether whoever follows the model loses the time: the fastest of the k is run. What it believed of its own
/// k, in whatever order, costs nobody anything.
[[nodiscard]] bool costs_time(FailureKind kind);

/// In files: "measured", "recorded", "simulated".
[[nodiscard]] std::string_view name(TimeSource source);

/// What a schedule is held against.
enum class FailureAgainst : std::uint8_t {
    FixedCsr,
    BestKnown, ///< the fastest of all that were tried there
    OwnBest,   ///< the fastest of the k that the model chose
};
/// In files: "csr", "best", "own_best".
[[nodiscard]] std::string_view name(FailureAgainst against);

/// Against noise as evaluation/time_differences.h has it.
enum class Significance : std::uint8_t {
    BeyondNoise,
    WithinNoise,
    NoiseUnknown, ///< a time comes without a spread, as recorded and simulated ones do
};
/// In files: "beyond_noise", "within_noise", "noise_unknown".
[[nodiscard]] std::string_view name(Significance significance);

/// A schedule with its time; milliseconds, above 0.
struct TimedSchedule {
    std::string schedule;
    double milliseconds = 0;
    std::optional<double> spread_ms{}; ///< absent where none is known
    bool is_at_least = false;          ///< it was given up: the time is a lower bound
    std::optional<int> rank{};         ///< in the model's order, from 1, where it chose it

    bool operator==(const TimedSchedule&) const = default;
};

/// One way in which a case fails.
struct FailureSign {
    FailureKind kind = FailureKind::SlowerThanCsr;
    FailureAgainst held_against = FailureAgainst::FixedCsr;
    TimedSchedule chosen;
    TimedSchedule against;
    Significance significance = Significance::NoiseUnknown;
    /// Kendall's τ of the k (MisRanked), the time that was foreseen over that of `against`, below 1
    /// (OverConfident), or how far the pattern lies from the training set, in standard deviations
    /// (OutsideTraining).
    std::optional<double> figure{};

    /// Above 0: so much longer did it take.
    [[nodiscard]] double lost_ms() const { return chosen.milliseconds - against.milliseconds; }
    /// The same over the time of `against`: 0.5 for 50 %.
    [[nodiscard]] double lost_share() const { return chosen.milliseconds / against.milliseconds - 1; }
};

struct FailureCase {
    ModelId model{};        ///< of a recorded table 0
    std::string model_name; ///< of a recorded table what it calls the chooser
    std::string matrix;
    TimeSource times = TimeSource::Measured; ///< of all its signs
    /// How it fails, at least one: by kind, in the order of all_failure_kinds.
    std::vector<FailureSign> signs;
    /// Absent where the pattern is unknown; the family is then that of the sizes, or Unknown.
    std::optional<PatternStatistics> statistics{};
    PatternFamily family = PatternFamily::Unknown;
    /// Of main(): absent until it was diagnosed, or where `undiagnosed` says why it can't be.
    std::optional<FailureDiagnosis> diagnosis{};
    std::string undiagnosed{};
    /// On which statistics the pattern lies outside the training set, the farthest first.
    std::vector<UnfamiliarStatistic> unfamiliar{};
    std::int64_t line = 0; ///< of a recorded table; 0 otherwise

    /// The gravest sign: the first one. What is lost to fixed CSR or to the best known is lost for whoever
    /// follows the model; the kinds behind them say what it believed.
    [[nodiscard]] const FailureSign& main() const { return signs.front(); }
    [[nodiscard]] const FailureSign* sign(FailureKind kind) const; ///< nullptr: it does not fail in this way
    /// The most that is lost by any sign that costs_time(); 0 where the model was only wrong about its own k.
    [[nodiscard]] double lost_ms() const;
};

} // namespace sparsight
