#include "domains/sparse/explanation/failures/decision_effects.h"

#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "evaluation/estimates.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sparsight {

namespace {

/// Of a symmetric positive definite matrix with n rows (Cholesky), in the lower triangle.
std::vector<double> factored(std::vector<double> matrix, std::size_t n) {
    const auto at = [&](std::size_t row, std::size_t col) -> double& { return matrix[row * n + col]; };
    for (std::size_t col = 0; col < n; ++col) {
        for (std::size_t k = 0; k < col; ++k)
            at(col, col) -= at(col, k) * at(col, k);
        at(col, col) = std::sqrt(at(col, col));
        for (std::size_t row = col + 1; row < n; ++row) {
            for (std::size_t k = 0; k < col; ++k)
                at(row, col) -= at(row, k) * at(col, k);
            at(row, col) /= at(col, col);
        }
    }
    return matrix;
}

std::vector<double> solved(const std::vector<double>& factor, std::vector<double> right) {
    const std::size_t n = right.size();
    const auto at = [&](std::size_t row, std::size_t col) { return factor[row * n + col]; };
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t k = 0; k < row; ++k)
            right[row] -= at(row, k) * right[k];
        right[row] /= at(row, row);
    }
    for (std::size_t row = n; row-- > 0;) {
        for (std::size_t k = row + 1; k < n; ++k)
            right[row] -= at(k, row) * right[k];
        right[row] /= at(row, row);
    }
    return right;
}

/// Of each unknown in the inverse of the matrix, the diagonal.
std::vector<double> inverse_diagonal(const std::vector<double>& factor, std::size_t n) {
    std::vector<double> diagonal(n);
    for (std::size_t unknown = 0; unknown < n; ++unknown) {
        std::vector<double> one(n);
        one[unknown] = 1;
        diagonal[unknown] = solved(factor, std::move(one))[unknown];
    }
    return diagonal;
}

double foreseen(const IndicatorFit& fit, const std::vector<std::size_t>& row) {
    double sum = fit.level;
    for (const std::size_t indicator : row)
        sum += fit.effects[indicator];
    return sum;
}

} // namespace

IndicatorFit fit_indicators(std::span<const std::vector<std::size_t>> rows, std::span<const double> values,
                            std::size_t indicators, double penalty) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    IndicatorFit fit{.level = 0,
                     .effects = std::vector<double>(indicators),
                     .errors = std::vector<double>(indicators, infinite)};
    if (rows.empty())
        return fit;
    // The level is the last unknown, and costs nothing.
    const std::size_t unknowns = indicators + 1;
    std::vector<double> matrix(unknowns * unknowns);
    std::vector<double> right(unknowns);
    for (std::size_t indicator = 0; indicator < indicators; ++indicator)
        matrix[indicator * unknowns + indicator] = penalty;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        std::vector<std::size_t> there = rows[row];
        there.push_back(indicators);
        for (const std::size_t a : there) {
            right[a] += values[row];
            for (const std::size_t b : there)
                matrix[a * unknowns + b] += 1;
        }
    }
    const std::vector<double> factor = factored(std::move(matrix), unknowns);
    fit.effects = solved(factor, std::move(right));
    fit.level = fit.effects.back();
    fit.effects.pop_back();

    const double middle = mean(values);
    double left = 0;
    double all = 0;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        left += std::pow(values[row] - foreseen(fit, rows[row]), 2);
        all += std::pow(values[row] - middle, 2);
    }
    fit.explained = all > 0 ? std::max(0.0, 1 - left / all) : 0;
    if (rows.size() > unknowns) {
        const double variance = left / static_cast<double>(rows.size() - unknowns);
        const std::vector<double> diagonal = inverse_diagonal(factor, unknowns);
        for (std::size_t indicator = 0; indicator < indicators; ++indicator)
            fit.errors[indicator] = std::sqrt(variance * diagonal[indicator]);
    }
    return fit;
}

namespace {

using Way = std::pair<Decision, std::string>;

/// Ways to decide that fewer lines have say nothing.
constexpr int fewest_lines = 10;
/// A way seen n times keeps n / (n + penalty) of the effect that it has alone.
constexpr double penalty = 10;
/// An effect of fewer of its errors may be chance.
constexpr double significant_errors = 2;

/// Where the choice decides otherwise than fixed CSR.
std::vector<DecisionChange> changes_of(const RecordedChoice& choice) {
    const Operator op = choice.schedule.op;
    return ScheduleSpace(op, {}).changes(configuration_of(fixed_csr(op, 1)),
                                         configuration_of(choice.schedule));
}

std::vector<Way> ways_of(const RecordedChoice& choice) {
    std::vector<Way> ways;
    for (DecisionChange& change : changes_of(choice))
        ways.emplace_back(std::move(change.decision), std::move(change.after));
    return ways;
}

double logarithm_of(const RecordedChoice& choice) {
    return std::log(choice.chosen_ms / choice.fixed_csr_ms);
}

} // namespace

DecisionEffects DecisionEffects::fit(std::span<const RecordedChoice> choices) {
    std::map<Way, int> counts;
    for (const RecordedChoice& choice : choices)
        for (const Way& way : ways_of(choice))
            ++counts[way];
    std::erase_if(counts, [](const auto& count) { return count.second < fewest_lines; });
    std::map<Way, std::size_t> columns;
    for (const auto& [way, count] : counts)
        columns.emplace(way, columns.size());

    std::vector<std::vector<std::size_t>> rows;
    std::vector<double> values;
    for (const RecordedChoice& choice : choices) {
        std::vector<std::size_t>& row = rows.emplace_back();
        for (const Way& way : ways_of(choice))
            if (const auto column = columns.find(way); column != columns.end())
                row.push_back(column->second);
        values.push_back(logarithm_of(choice));
    }
    const IndicatorFit fitted = fit_indicators(rows, values, columns.size(), penalty);
    DecisionEffects effects;
    for (const auto& [way, column] : columns)
        effects.effects_.emplace(way, Effect{fitted.effects[column], fitted.errors[column]});
    effects.explained_ = fitted.explained;
    return effects;
}

double DecisionEffects::factor(const Decision& decision, const std::string& value) const {
    const auto found = effects_.find({decision, value});
    return found == effects_.end() ? 1 : std::exp(found->second.logarithm);
}

double DecisionEffects::error(const Decision& decision, const std::string& value) const {
    const auto found = effects_.find({decision, value});
    return found == effects_.end() ? std::numeric_limits<double>::infinity() : found->second.error;
}

std::optional<FailureDiagnosis> DecisionEffects::diagnosis(const RecordedChoice& choice) const {
    const std::vector<DecisionChange> changes = changes_of(choice);
    std::vector<double> costs;
    double sum = 0;
    for (const DecisionChange& change : changes) {
        costs.push_back(std::max(0.0, std::log(factor(change.decision, change.after))));
        sum += costs.back();
    }
    if (!(sum > 0))
        return std::nullopt;
    FailureDiagnosis diagnosis{.basis = DiagnosisBasis::Statistics, .decisions = {}};
    for (std::size_t at = 0; at < changes.size(); ++at) {
        if (!(costs[at] > 0))
            continue;
        const auto& [decision, before, value] = changes[at];
        const double share = costs[at] / sum;
        const double lost_ms = choice.chosen_ms - choice.fixed_csr_ms;
        BlamedDecision blamed{decision, before, value, share * lost_ms,
                              std::exp(share * logarithm_of(choice))};
        blamed.error_ms = error(decision, value) / sum * lost_ms;
        blamed.is_significant = costs[at] > significant_errors * error(decision, value);
        diagnosis.decisions.push_back(std::move(blamed));
    }
    std::ranges::stable_sort(diagnosis.decisions, std::ranges::greater{}, [](const BlamedDecision& each) {
        return std::pair(each.is_significant, each.milliseconds);
    });
    return diagnosis;
}

void diagnose_by_table(const RecordedChoices& recorded, std::vector<FailureCase>& cases) {
    const DecisionEffects effects = DecisionEffects::fit(recorded.choices);
    std::map<std::int64_t, const RecordedChoice*> by_line;
    for (const RecordedChoice& choice : recorded.choices)
        by_line.emplace(choice.line, &choice);
    for (FailureCase& failure : cases) {
        const auto choice = by_line.find(failure.line);
        if (failure.diagnosis || choice == by_line.end())
            continue;
        failure.diagnosis = effects.diagnosis(*choice->second);
        if (failure.diagnosis && !failure.diagnosis->names_a_cause())
            failure.diagnosis.reset(); // chance would do as well
        failure.undiagnosed = failure.diagnosis ? "" : no_cause_text(DiagnosisBasis::Statistics);
    }
}

} // namespace sparsight
