// The cost of each decision over a whole recorded table, for cases whose pattern is not available and so
// can't be simulated: a ridge regression of the loss on the decisions.
#pragma once

#include "domains/sparse/explanation/failures/recorded_failures.h"
#include "evaluation/failures/failure_case.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

/// Effects that add up, each present or not, fitted by ridge regression.
struct IndicatorFit {
    double level = 0;            ///< the value without any indicator
    std::vector<double> effects; ///< by indicator
    std::vector<double>
        errors;           ///< of the effects, one standard deviation; infinite where no row is left over
    double explained = 0; ///< share of the variance of the values, 0 to 1
};

/// Fits values as level + Σ of the effects of the indicators that a row names. The squares of the effects,
/// but not of the level, cost `penalty` each (Hoerl and Kennard, "Ridge regression", Technometrics 1970).
/// Errors are those of the posterior that ridge is the mean of: s² · (XᵀX + penalty)⁻¹, where s² is the
/// residual sum of squares over the residual degrees of freedom. As many rows as values; penalty above 0.
[[nodiscard]] IndicatorFit fit_indicators(std::span<const std::vector<std::size_t>> rows,
                                          std::span<const double> values, std::size_t indicators,
                                          double penalty);

/// The effects of decisions in a recorded table.
///
/// log(chosen / fixed CSR) is explained by the decisions in which the chosen schedule differs from fixed
/// CSR, one effect for each value of a decision (a split of 16, level k1 uncompressed …), fitted by ridge
/// regression (Hoerl and Kennard, Technometrics 1970) over all lines. That is an association, not an
/// experiment: it says which decision goes along with losing in this table.
class DecisionEffects {
public:
    [[nodiscard]] static DecisionEffects fit(std::span<const RecordedChoice> choices);

    /// The share of the variance of log(chosen / fixed CSR) that the decisions explain, 0 to 1.
    [[nodiscard]] double explained() const { return explained_; }
    /// The factor on the time where the decision has this value; 1 for a value that was never seen.
    [[nodiscard]] double factor(const Decision& decision, const std::string& value) const;
    /// The error of log(factor()), one standard deviation; infinite for a value that was never seen.
    [[nodiscard]] double error(const Decision& decision, const std::string& value) const;
    /// A diagnosis of basis Statistics, without a term. The loss is shared among the decisions in proportion
    /// to their effects' logarithms above 0, with those of their errors; decisions with no such effect are
    /// left out. An effect below twice its error is not significant, and follows the significant ones. Absent
    /// where no decision goes along with losing.
    [[nodiscard]] std::optional<FailureDiagnosis> diagnosis(const RecordedChoice& choice) const;

private:
    struct Effect {
        double logarithm = 0;
        double error = 0;
    };
    std::map<std::pair<Decision, std::string>, Effect> effects_;
    double explained_ = 0;
};

/// Diagnoses all cases without a diagnosis. A case without a significant decision gets none, and its text
/// says so.
void diagnose_by_table(const RecordedChoices& recorded, std::vector<FailureCase>& cases);

} // namespace sparsight
