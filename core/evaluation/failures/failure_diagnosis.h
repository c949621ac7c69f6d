// Why a chosen schedule takes longer than what it is held against, in a few plain values: what failure cases
// are grouped by.
#pragma once

#include "evaluation/diagnosis/decision.h"
#include "machine/mechanistic/simulated_time.h"

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
inline constexpr double loss_seen_within = 4;

/// Whether a simulation agrees with the clock on a loss: it takes the chosen one for the slower one by more
/// than it can't tell apart (equal_times.h), and what it says is lost lies within loss_seen_within of what
/// was. Factors are times of the chosen one over those of the other: 1.5 loses 50 %. A known factor of 1 or
/// less is no loss, and the side alone counts.
[[nodiscard]] bool sees_loss(double simulated_factor, double known_factor);

/// Of a blame, and the simulated times of both schedules. Absent where they mean the same.
[[nodiscard]] std::optional<FailureDiagnosis> diagnosis_of(const Blame& blame, const SimulatedTime& from,
                                                           const SimulatedTime& to, DiagnosisBasis basis);
/// The same of an explanation.
[[nodiscard]] std::optional<FailureDiagnosis> diagnosis_of(const Explanation& explanation,
                                                           DiagnosisBasis basis);

} // namespace sparsight
