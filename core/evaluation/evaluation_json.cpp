#include "evaluation/evaluation_json.h"

#include "evaluation/evaluation_tables.h"

#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

Json estimate_json(const Estimate& estimate) {
    return {{"value", estimate.value},
            {"low", estimate.interval ? Json(estimate.interval->low) : Json()},
            {"high", estimate.interval ? Json(estimate.interval->high) : Json()}};
}

Json candidate_json(const EvaluatedCandidate& candidate) {
    return {{"rank", candidate.rank},
            {"schedule", candidate.schedule},
            {"score", or_null(candidate.score)},
            {"status", candidate.status ? Json(name(*candidate.status)) : Json()},
            {"median_ms", or_null(candidate.median_ms)},
            {"spread_ms", or_null(candidate.spread_ms)},
            {"turns_ms", or_null(candidate.turns_ms)},
            {"turns_spread_ms", or_null(candidate.turns_spread_ms)}};
}

Json matrix_json(const EvaluatedMatrix& matrix) {
    Json candidates = Json::array();
    for (const EvaluatedCandidate& candidate : matrix.candidates)
        candidates.push_back(candidate_json(candidate));
    return {{"matrix", matrix.times.matrix},
            {"fixed_csr_ms", matrix.times.fixed_csr_ms},
            {"best_ms", matrix.times.best_ms},
            {"speedup", matrix.times.speedup()},
            {"speedup_error", or_null(matrix.speedup_error)},
            {"best_schedule", matrix.best_schedule},
            {"given_up", matrix.best_was_given_up},
            {"best_known_ms", matrix.times.best_known_ms},
            {"regret", matrix.times.regret()},
            {"best_known_schedule", matrix.best_known_schedule},
            {"turns", matrix.turns},
            {"has_faster_since", matrix.has_faster_since},
            {"kendall_tau", or_null(matrix.kendall_tau)},
            {"candidates", candidates}};
}

std::string_view name_of(TimeSource source) {
    switch (source) {
    case TimeSource::Measured:
        return "measured";
    case TimeSource::Recorded:
        return "recorded";
    case TimeSource::Simulated:
        return "simulated";
    }
    return "";
}

} // namespace

nlohmann::ordered_json summary_json(const EvaluatedModel& model) {
    Json json{{"model", model.name}, {"matrices", model.matrices.size()}};
    if (model.summary) {
        json["mean_relative_speedup"] = estimate_json(model.summary->mean_relative);
        json["mean_relative_speedup_with_fallback"] =
            estimate_json(model.summary->mean_relative_with_fallback);
        json["geometric_mean"] = estimate_json(model.summary->geometric_mean);
        json["median"] = estimate_json(model.summary->median);
        json["share_slower"] = estimate_json(model.summary->losing);
        json["regret"] = estimate_json(model.summary->regret);
        json["worst_speedup"] = model.summary->worst;
        json["worst_matrix"] = model.summary->worst_matrix;
    }
    json["kendall_tau"] = or_null(model.kendall_tau);
    json["chosen"] = model.chosen;
    json["without_time"] = model.without_time;
    return json;
}

nlohmann::ordered_json evaluation_json(const ModelEvaluation& evaluation) {
    Json models = Json::array();
    for (const EvaluatedModel& model : evaluation.models) {
        Json json = summary_json(model);
        Json matrices = Json::array();
        for (const EvaluatedMatrix& matrix : model.matrices)
            matrices.push_back(matrix_json(matrix));
        json["matrices"] = matrices; // in place of their number
        models.push_back(json);
    }
    Json comparisons = Json::array();
    for (const ModelComparison& comparison : evaluation.comparisons)
        comparisons.push_back(
            {{"model", comparison.model},
             {"reference", comparison.reference},
             {"mean_relative_difference", estimate_json(comparison.figures.mean_relative_difference)},
             {"geometric_ratio", estimate_json(comparison.figures.geometric_ratio)},
             {"faster", comparison.figures.first_faster},
             {"slower", comparison.figures.second_faster}});
    Json left_out = Json::array();
    for (const LeftOutMatrix& matrix : evaluation.left_out)
        left_out.push_back({{"matrix", matrix.matrix}, {"reason", matrix.reason}});
    Json missed_turns = Json::array();
    for (const MissedTurns& missed : evaluation.missed_turns)
        missed_turns.push_back(
            {{"matrix", missed.matrix}, {"schedule", missed.schedule}, {"error", missed.error}});
    return {{"machine", evaluation.machine},
            {"source", name_of(evaluation.source)},
            {"operator", name(evaluation.op)},
            {"dense", evaluation.dense},
            {"protocol", evaluation.protocol},
            {"k", evaluation.k},
            {"confidence", evaluation.bootstrap.confidence},
            {"models", models},
            {"comparisons", comparisons},
            {"left_out", left_out},
            {"missed_turns", missed_turns},
            {"remarks", remark_sentences(evaluation)}};
}

} // namespace sparsight
