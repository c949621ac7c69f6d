// What decisions cost over a whole table, for cases whose pattern nobody has: no simulator can look at those.
//
// log(chosen / fixed CSR) is explained by the decisions in which the chosen schedule differs from fixed CSR,
// one effect for each way to decide (a split of 16, level k1 uncompressed …), fitted by ridge regression
// (Hoerl and Kennard, Technometrics 1970) over all lines. That is an association, no experiment: it says
// which decision goes along with losing in this table.
#pragma once

#include "evaluation/failures/failure_diagnosis.h"
#include "evaluation/failures/recorded_failures.h"

#include <map>
#include <span>
#include <string>
#include <utility>

namespace sparsight {

class DecisionEffects {
public:
    [[nodiscard]] static DecisionEffects fit(std::span<const RecordedChoice> choices);

    /// The share of the variance of log(chosen / fixed CSR) that the decisions explain, 0 to 1.
    [[nodiscard]] double explained() const { return explained_; }
    /// By how much the time is multiplied where this is decided so; 1 for what was never seen.
    [[nodiscard]] double factor(const Decision& decision, const std::string& value) const;
    /// Of log(factor()), one standard deviation; infinite for what was never seen.
    [[nodiscard]] double error(const Decision& decision, const std::string& value) const;
    /// Basis Statistics, without a term. The loss is shared among the decisions in proportion to their
    /// effects' logarithms above 0, with those of their errors; decisions with no such effect are left out.
    /// An effect below twice its error is not significant, and stands behind those that are. Absent where no
    /// decision goes along with losing.
    [[nodiscard]] std::optional<FailureDiagnosis> diagnosis(const RecordedChoice& choice) const;

private:
    struct Effect {
        double logarithm = 0;
        double error = 0;
    };
    std::map<std::pair<Decision, std::string>, Effect> effects_;
    double explained_ = 0;
};

/// For all that have no diagnosis yet. Where no decision of a case is significant it gets none, and says so.
void diagnose_by_table(const RecordedChoices& recorded, std::vector<FailureCase>& cases);

} // namespace sparsight
