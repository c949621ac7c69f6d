#include "evaluation/figures/workload_evaluation.h"

#include "study/ranking_metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace sparsight {

bool has_known_time(const EvaluatedCandidate& candidate) {
    return candidate.status && has_time(*candidate.status) && candidate.median_ms.value_or(0) > 0;
}

namespace {

EvaluatedCandidate look_up(const ConfigurationChoice& chosen, int rank, const ConfigurationCodec& codec,
                           const KnownTimes& times) {
    EvaluatedCandidate candidate{.rank = rank,
                                 .configuration = chosen.configuration.text,
                                 .score =
                                     std::isnan(chosen.score) ? std::nullopt : std::optional(chosen.score),
                                 .is_baseline = chosen.configuration.is_baseline};
    // Several texts mean the baseline; its time is the one that speedups are taken over.
    const auto parsed = codec.parse(candidate.configuration);
    const ResultRecord* const row = candidate.is_baseline ? times.baseline()
                                    : parsed              ? times.find(parsed->configuration)
                                                          : nullptr;
    if (row != nullptr) {
        candidate.status = row->status;
        candidate.median_ms = row->median_ms;
        candidate.spread_ms = row->spread_ms;
    }
    return candidate;
}

/// Measured candidates before abandoned ones, then the shortest time first.
bool is_faster(const EvaluatedCandidate& a, const EvaluatedCandidate& b) {
    const bool is_measured = a.status == MeasurementStatus::Measured;
    if (is_measured != (b.status == MeasurementStatus::Measured))
        return is_measured;
    return *a.median_ms < *b.median_ms;
}

std::optional<double> tau_of(const std::vector<EvaluatedCandidate>& candidates, int k) {
    std::vector<double> scores;
    std::vector<double> times;
    for (const EvaluatedCandidate& candidate : candidates) {
        if (candidate.rank > k || !candidate.score || candidate.status != MeasurementStatus::Measured)
            continue;
        scores.push_back(*candidate.score);
        times.push_back(*candidate.median_ms);
    }
    return kendall_tau_b(count_pairs(scores, times));
}

} // namespace

std::expected<EvaluatedWorkload, std::string>
evaluate_workload(const std::string& workload, std::string_view model,
                  const std::vector<ConfigurationChoice>& chosen, int k, const ConfigurationCodec& codec,
                  const KnownTimes& times, const DomainWords& words) {
    const ResultRecord* const reference = words.baseline ? times.baseline() : times.best();
    if (reference == nullptr || !(reference->median_ms.value_or(0) > 0))
        return std::unexpected(fmt::format("{} has {}time there",
                                           words.baseline ? words.baseline->one : std::string("nothing"),
                                           words.baseline ? "no " : "a "));
    EvaluatedWorkload evaluated;
    const EvaluatedCandidate* best = nullptr;
    for (std::size_t at = 0; at < chosen.size(); ++at)
        evaluated.candidates.push_back(look_up(chosen[at], static_cast<int>(at) + 1, codec, times));
    for (const EvaluatedCandidate& candidate : evaluated.candidates)
        if (candidate.rank <= k && has_known_time(candidate) &&
            (best == nullptr || is_faster(candidate, *best)))
            best = &candidate;
    if (best == nullptr)
        return std::unexpected(chosen.empty()
                                   ? fmt::format("{} has chosen nothing for it", model)
                                   : fmt::format("none of the {} {} that {} chose has a time there",
                                                 std::min(chosen.size(), static_cast<std::size_t>(k)),
                                                 words.configuration.many, model));
    evaluated.times = {workload, *reference->median_ms, *best->median_ms, *times.best()->median_ms};
    evaluated.baseline_spread_ms = reference->spread_ms;
    evaluated.best_configuration = best->configuration;
    evaluated.best_was_given_up = best->status == MeasurementStatus::GaveUp;
    evaluated.best_known_configuration = times.best()->configuration;
    evaluated.best_known_spread_ms = times.best()->spread_ms;
    evaluated.baseline_configuration = reference->configuration;
    evaluated.kendall_tau = tau_of(evaluated.candidates, k);
    return evaluated;
}

} // namespace sparsight
