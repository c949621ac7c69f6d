#include "evaluation/failures/failure_diagnosis.h"

#include "evaluation/diagnosis/explanation.h"
#include "evaluation/equal_times.h"

namespace sparsight {

std::string_view name(DiagnosisBasis basis) {
    switch (basis) {
    case DiagnosisBasis::Measured:
        return "measured";
    case DiagnosisBasis::Simulated:
        return "simulated";
    case DiagnosisBasis::Statistics:
        return "statistics";
    }
    return "";
}

std::optional<FailureDiagnosis> diagnosis_of(const Blame& blame, const SimulatedTime& from,
                                             const SimulatedTime& to, DiagnosisBasis basis) {
    if (blame.shares.empty())
        return std::nullopt;
    FailureDiagnosis diagnosis{.basis = basis, .decisions = {}};
    for (const DecisionShare& share : blame.shares)
        diagnosis.decisions.push_back({share.decision, value_of(share.decision, blame.space.from()),
                                       value_of(share.decision, blame.space.to()), share.milliseconds,
                                       share.factor, share.is_significant});
    for (const TimeTerm term : all_time_terms())
        if (const double grown = to[term] - from[term]; grown > diagnosis.term_ms) {
            diagnosis.term = term;
            diagnosis.term_ms = grown;
        }
    diagnosis.simulated_factor = to.total() / from.total();
    diagnosis.simulation_agrees = sees_loss(diagnosis.simulated_factor, 1);
    return diagnosis;
}

bool sees_loss(double simulated_factor, double known_factor) {
    const double simulated = simulated_factor - 1;
    if (is_equally_fast(simulated))
        return false;
    const double known = known_factor - 1;
    return known <= 0 || (simulated * loss_seen_within >= known && simulated <= known * loss_seen_within);
}

bool FailureDiagnosis::names_a_cause() const {
    return top().milliseconds > 0 && top().is_significant &&
           (basis == DiagnosisBasis::Statistics || simulation_agrees);
}

std::optional<FailureDiagnosis> diagnosis_of(const Explanation& explanation, DiagnosisBasis basis) {
    return diagnosis_of(explanation.blame, explanation.from.parts, explanation.to.parts, basis);
}

} // namespace sparsight
