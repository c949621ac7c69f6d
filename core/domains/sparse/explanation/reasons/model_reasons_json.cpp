#include "domains/sparse/explanation/reasons/model_reasons_json.h"

#include "evaluation/model_reasons/reasons_json.h"

// What each part consists of (evaluation/model_reasons/reasons_json.h).

namespace sparsight {

[[nodiscard]] inline std::optional<PatternDraws> parsed(std::string_view text, PatternDraws) {
    return parse_pattern_draws(text);
}
[[nodiscard]] inline std::optional<VariedKind> parsed(std::string_view text, VariedKind) {
    return parse_varied_kind(text);
}
[[nodiscard]] inline std::optional<TimeOrigin> parsed(std::string_view text, TimeOrigin) {
    return parse_time_origin(text);
}
[[nodiscard]] inline std::optional<ReasonSpace> parsed(std::string_view text, ReasonSpace) {
    return parse_reason_space(text);
}
[[nodiscard]] inline std::optional<ReasonPart> parsed(std::string_view text, ReasonPart) {
    return parse_reason_part(text);
}

} // namespace sparsight

namespace sparsight::reasons_json {

template <typename Member>
void members(Member& member, Either<SparseAnchorReason> auto& of) {
    rule_members(member, of);
    member("pattern_draws", of.pattern_draws);
    member("patterns", of.patterns);
    member("machines", of.machines);
    member("complete", of.complete);
}

template <typename Member>
void members(Member& member, Either<PairTimes> auto& of) {
    member("schedule_ms", of.schedule_ms);
    member("against_ms", of.against_ms);
    member("origin", of.origin);
    member.derived("log2_gain", [&] { return of.log2_gain(); });
}

template <typename Member>
void members(Member& member, Either<SensitivityPoint> auto& of) {
    member("value", of.value);
    member("number", of.number);
    member("present", of.is_present);
    member("margin", of.margin);
    member("times", of.times);
    member("schedule", of.schedule);
}

template <typename Member>
void members(Member& member, Either<MisorderedPair> auto& of) {
    member("better", of.better);
    member("worse", of.worse);
    member("factor", of.factor);
}

template <typename Member>
void members(Member& member, Either<SensitivityCurve> auto& of) {
    member("kind", of.kind);
    member("key", of.key);
    member("title", of.title);
    member("unit", of.unit);
    member("read", of.is_read);
    member("points", of.points);
    member("kendall_tau", of.kendall_tau);
    member("widest", of.widest);
    member("with_times", of.with_times);
    member("wrong_sides", of.wrong_sides);
    member("swing", of.swing);
}

template <typename Member>
void members(Member& member, Either<SensitivityReason> auto& of) {
    member("curves", of.curves);
    member("complete", of.complete);
}

template <typename Member>
void members(Member& member, Either<NearestMatrix> auto& of) {
    member("matrix", of.name);
    member("distance", of.distance);
    member("margin", of.margin);
    member("schedule_ms", of.schedule_ms);
    member("against_ms", of.against_ms);
    member("simulated_schedule_ms", of.simulated_schedule_ms);
    member("simulated_against_ms", of.simulated_against_ms);
    member("best_ms", of.best_ms);
    member("best_schedule", of.best_schedule);
}

template <typename Member>
void members(Member& member, Either<NearestSchedule> auto& of) {
    member("schedule", of.schedule);
    member("distance", of.distance);
    member("matrices", of.matrices);
    member("median_speedup", of.median_speedup);
}

template <typename Member>
void members(Member& member, Either<Distances> auto& of) {
    member("nearest", of.nearest);
    member("typical", of.typical);
    member("far", of.far);
    member.derived("outside", [&] { return of.is_outside(); });
}

template <typename Member>
void members(Member& member, Either<NearestReason> auto& of) {
    member("space", of.space);
    member("trained", of.trained);
    member("missing", of.missing);
    member("is_trained", of.is_trained);
    member("matrix_distances", of.matrix_distances);
    member("matrices", of.matrices);
    member("schedules", of.schedules);
    member("schedule_distances", of.schedule_distances);
    member("against_distances", of.against_distances);
    member("schedule", of.schedule);
    member("against", of.against);
    member("machine", of.machine);
    member("simulated_on", of.simulated_on);
}

template <typename Member>
void members(Member& member, Either<CalibrationBin> auto& of) {
    member("lowest", of.lowest);
    member("highest", of.highest);
    member("predicted", of.predicted);
    member("observed", of.observed);
}

template <typename Member>
void members(Member& member, Either<UncertaintyReason> auto& of) {
    member("method", of.method);
    member("margin", of.margin);
    member("deviation", of.deviation);
    member("confidence", of.confidence);
    member("scale", of.scale);
    member("fitted_pairs", of.fitted_pairs);
    member("fitted_matrices", of.fitted_workloads);
    member("held_out", of.held_out);
    member("checked_pairs", of.checked_pairs);
    member("checked_matrices", of.checked_workloads);
    member("calibration_error", of.calibration_error);
    member("bins", of.bins);
    member("machine", of.machine);
}

template <typename Member>
void members(Member& member, Either<SaliencyCell> auto& of) {
    member("row", of.row);
    member("column", of.column);
    member("entries", of.entries);
    member("support", of.support);
}

template <typename Member>
void members(Member& member, Either<SaliencyReason> auto& of) {
    member("row_edges", of.row_edges);
    member("column_edges", of.column_edges);
    member("margin", of.margin);
    member("removed_share", of.removed_share);
    member("cells", of.cells);
    member("complete", of.complete);
}

template <typename Member>
void members(Member& member, Either<MissingReason> auto& of) {
    member("part", of.part);
    member("why", of.why);
}

template <typename Member>
void members(Member& member, Either<ModelReasons> auto& of) {
    member("model", of.model);
    member("architecture", of.architecture);
    member("operator", of.op);
    member("dense", of.dense);
    member("matrix", of.matrix);
    member("machine", of.machine);
    member("seed", of.seed);
    member("reads_machine", of.reads_machine);
    member("schedule", of.schedule);
    member("against", of.against);
    member("schedule_score", of.schedule_score);
    member("against_score", of.against_score);
    member("times", of.times);
    member.derived("margin", [&] { return of.margin(); });
    member.derived("right", [&] { return of.is_right(); });
    member("anchors", of.anchors);
    member("sensitivity", of.sensitivity);
    member("nearest", of.nearest);
    member("uncertainty", of.uncertainty);
    member("saliency", of.saliency);
    member("missing", of.missing);
}

} // namespace sparsight::reasons_json

namespace sparsight {

nlohmann::ordered_json model_reasons_json(const ModelReasons& reasons) {
    return reasons_json::Writer(sparse_subject_words()).written(reasons);
}

Result<ModelReasons> parse_model_reasons(const nlohmann::ordered_json& json) {
    return reasons_json::read_json<ModelReasons>(json, sparse_subject_words());
}

} // namespace sparsight
