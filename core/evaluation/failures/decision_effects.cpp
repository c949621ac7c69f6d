#include "evaluation/failures/decision_effects.h"

#include "evaluation/diagnosis/decision.h"
#include "evaluation/failures/ridge.h"
#include "schedule/hash.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace sparsight {

namespace {

using Way = std::pair<Decision, std::string>;

/// Ways to decide that fewer lines have say nothing.
constexpr int fewest_lines = 10;
/// A way seen n times keeps n / (n + penalty) of the effect that it has alone.
constexpr double penalty = 10;
/// An effect of fewer of its errors may be chance.
constexpr double significant_errors = 2;

SuperSchedule baseline(const RecordedChoice& choice) {
    return fixed_csr(choice.schedule.op, choice.schedule.threads);
}

/// How the choice decides wherever fixed CSR decides otherwise.
std::vector<Way> ways_of(const RecordedChoice& choice) {
    const SuperSchedule schedule = canonical(choice.schedule);
    std::vector<Way> ways;
    for (const Decision& decision : differing_decisions(baseline(choice), schedule))
        ways.emplace_back(decision, value_of(decision, schedule));
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
    const std::vector<Way> ways = ways_of(choice);
    std::vector<double> costs;
    double sum = 0;
    for (const auto& [decision, value] : ways) {
        costs.push_back(std::max(0.0, std::log(factor(decision, value))));
        sum += costs.back();
    }
    if (!(sum > 0))
        return std::nullopt;
    FailureDiagnosis diagnosis{.basis = DiagnosisBasis::Statistics, .decisions = {}};
    const SuperSchedule against = canonical(baseline(choice));
    for (std::size_t at = 0; at < ways.size(); ++at) {
        if (!(costs[at] > 0))
            continue;
        const auto& [decision, value] = ways[at];
        const double share = costs[at] / sum;
        const double lost_ms = choice.chosen_ms - choice.fixed_csr_ms;
        BlamedDecision blamed{decision, value_of(decision, against), value, share * lost_ms,
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
        failure.undiagnosed =
            failure.diagnosis ? "" : "none of its decisions goes along with losing beyond chance";
    }
}

} // namespace sparsight
