// A failure case: one model on one matrix where what it chose, or what it believed, was off by more than
// noise.
#pragma once

#include "evaluation/failures/failure_diagnosis.h"
#include "evaluation/failures/pattern_family.h"
#include "evaluation/failures/training_range.h"
#include "evaluation/model_evaluation.h"
#include "matrix/statistics.h"
#include "store/models.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

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

/// Against noise as evaluation/noise.h has it.
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
