#include "evaluation/figures/evaluated_figures.h"

#include "evaluation/time_differences.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// The spread of the fastest choice's time as it was collected.
std::optional<double> spread_of_best(const EvaluatedWorkload& workload) {
    const auto best = std::ranges::find(workload.candidates, workload.best_configuration,
                                        &EvaluatedCandidate::configuration);
    return best == workload.candidates.end() ? std::nullopt : best->spread_ms;
}

std::optional<double> share_of(const std::optional<double>& part, double whole) {
    return part ? std::optional(*part / whole) : std::nullopt;
}

/// Of the best times of the second model over those of the first: by the same turns, or else by the spreads
/// of both times.
RatioNoise ratio_noise(const EvaluatedWorkload& first, const EvaluatedWorkload& second) {
    const std::optional<ToldTime>& one = first.best_told;
    const std::optional<ToldTime>& other = second.best_told;
    if (one && other && one->turn_ratios.size() == other->turn_ratios.size()) {
        const TurnRatio ratio =
            ratio_of_told({other->turn_ratios, other->turns_agree}, {one->turn_ratios, one->turns_agree});
        return {.error = ratio.error.value_or(0) / ratio.ratio,
                .noise = share_of(ratio.margin(), ratio.ratio)};
    }
    const auto spread = spread_of_best(first);
    const auto other_spread = spread_of_best(second);
    if (first.turns > 0 || second.turns > 0 || !spread || !other_spread)
        return {};
    return {.error = 0,
            .noise = noise_of_ratio(first.times.best_ms, *spread, second.times.best_ms, *other_spread)};
}

std::optional<double> margin_of(const std::optional<double>& error, int turns) {
    return error ? std::optional(*error * confidence_factor(static_cast<std::size_t>(std::max(turns, 2))))
                 : std::nullopt;
}

/// Absent where a spread is unknown.
std::optional<double> noise_of(double one_ms, const std::optional<double>& one_spread, double other_ms,
                               const std::optional<double>& other_spread) {
    if (!one_spread || !other_spread)
        return std::nullopt;
    return noise_of_ratio(one_ms, *one_spread, other_ms, *other_spread);
}

/// Of the speedup; absent where nothing is known of it.
std::optional<double> noise_of(const EvaluatedWorkload& workload) {
    if (const auto margin = workload.speedup_margin())
        return *margin / workload.times.speedup();
    if (workload.turns > 0)
        return std::nullopt;
    return noise_of(workload.times.baseline_ms, workload.baseline_spread_ms, workload.times.best_ms,
                    spread_of_best(workload));
}

/// Of a candidate's time over the baseline's, as over_baseline() tells it.
std::optional<double> noise_of(const EvaluatedCandidate& candidate, const EvaluatedWorkload& workload) {
    if (candidate.configuration == workload.best_configuration)
        return noise_of(workload);
    if (candidate.turns_ms)
        return share_of(margin_of(candidate.turns_error_ms, workload.turns), *candidate.turns_ms);
    const bool is_of_turns = workload.collected_baseline_ms.has_value();
    return noise_of(workload.collected_baseline_ms.value_or(workload.times.baseline_ms),
                    is_of_turns ? workload.collected_baseline_spread_ms : workload.baseline_spread_ms,
                    candidate.median_ms.value_or(0), candidate.spread_ms);
}

} // namespace

std::vector<WorkloadSpeedup> speedups_of(const EvaluatedModel& model) {
    std::vector<WorkloadSpeedup> speedups;
    for (const EvaluatedWorkload& workload : model.workloads)
        speedups.push_back(workload.speedup_with_errors());
    return speedups;
}

std::vector<RatioNoise> ratio_noise(const EvaluatedModel& first, const EvaluatedModel& second) {
    std::vector<RatioNoise> noise;
    for (std::size_t place = 0; place < first.workloads.size(); ++place)
        noise.push_back(ratio_noise(first.workloads[place], second.workloads[place]));
    return noise;
}

WorkloadSpeedup EvaluatedWorkload::speedup_with_errors() const {
    WorkloadSpeedup with_errors = times;
    with_errors.family = family;
    with_errors.speedup_error = speedup_error.value_or(0) / times.speedup();
    with_errors.noise = noise_of(*this);
    with_errors.regret_error = regret_error.value_or(0) / (1 + times.regret());
    return with_errors;
}

std::optional<double> EvaluatedWorkload::speedup_margin() const {
    return margin_of(speedup_error, turns);
}

bool EvaluatedWorkload::is_uncertain() const {
    return speedup_margin().value_or(0) > precise_within * times.speedup();
}

std::optional<double> EvaluatedWorkload::regret_margin() const {
    return margin_of(regret_error, turns);
}

bool EvaluatedWorkload::is_regret_uncertain() const {
    return regret_margin().value_or(0) > precise_within * (1 + times.regret());
}

bool EvaluatedWorkload::is_best_known() const {
    return times.best_ms == times.best_known_ms ||
           (!best_configuration.empty() && best_configuration == best_known_configuration);
}

std::optional<double> EvaluatedWorkload::over_baseline(const EvaluatedCandidate& candidate) const {
    if (candidate.configuration == best_configuration)
        return times.best_ms / times.baseline_ms;
    if (candidate.turns_ms)
        return *candidate.turns_ms / times.baseline_ms;
    return candidate.median_ms
               ? std::optional(*candidate.median_ms / collected_baseline_ms.value_or(times.baseline_ms))
               : std::nullopt;
}

std::optional<Verdict> EvaluatedWorkload::verdict_of(const EvaluatedCandidate& candidate) const {
    const auto ratio = over_baseline(candidate);
    return ratio ? std::optional(sparsight::verdict_of(1 / *ratio, noise_of(candidate, *this)))
                 : std::nullopt;
}

std::optional<double> EvaluatedModel::margin() const {
    std::optional<double> squares;
    double speedups = 0;
    for (const EvaluatedWorkload& workload : workloads) {
        if (const auto margin = workload.speedup_margin())
            squares = squares.value_or(0) + *margin * *margin;
        speedups += workload.times.speedup();
    }
    return squares ? std::optional(std::sqrt(*squares) / speedups) : std::nullopt;
}

std::size_t EvaluatedModel::best_known_found() const {
    return static_cast<std::size_t>(std::ranges::count_if(workloads, &EvaluatedWorkload::is_best_known));
}

std::string ModelEvaluation::machine_with_condition() const {
    return condition && !condition->empty() ? fmt::format("{} ({})", machine, *condition) : machine;
}

std::optional<std::size_t> ModelEvaluation::workloads_with_exact_regret() const {
    std::size_t exact = 0;
    for (std::size_t at = 0; at < workloads(); ++at) {
        const std::optional<bool>& is_exact = models.front().workloads[at].is_regret_exact;
        if (!is_exact)
            return std::nullopt;
        exact += *is_exact ? 1 : 0;
    }
    return workloads() > 0 ? std::optional(exact) : std::nullopt;
}

std::string_view ModelEvaluation::name_of(std::string_view configuration) const {
    const auto found = nicknames.find(configuration);
    return found == nicknames.end() ? configuration : std::string_view(found->second);
}

std::string ModelEvaluation::exact_machine() const {
    return condition && !condition->empty() ? fmt::format("{} ({})", machine_fingerprint, *condition)
                                            : machine_fingerprint;
}

bool ModelEvaluation::is_of_description() const {
    return source == TimeSource::Simulated && !machine_fingerprint.starts_with("simulated:");
}

std::string_view ModelEvaluation::best_title() const {
    const auto exact = workloads_with_exact_regret();
    if (exact == workloads())
        return "the best (exact)";
    return exact && source == TimeSource::Recorded ? "the best of the recorded ones" : "the best known";
}

} // namespace sparsight
