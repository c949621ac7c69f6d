#include "gui/domains/sparse/comparison/explanation_values.h"

#include "domains/sparse/explanation/explanation_text.h"
#include "gui/jobs/json_values.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <nlohmann/json.hpp>

namespace sparsight {

namespace {

double number_at(const QJsonObject& object, const char* key) {
    return member(object, key).toDouble();
}

std::optional<double> known_number(const QJsonObject& object, const char* key) {
    const QJsonValue value = member(object, key);
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

QString text_of(const QJsonObject& object, const char* key) {
    return member(object, key).toString();
}

bool flag(const QJsonObject& object, const char* key) {
    return member(object, key).toBool();
}

QLatin1String key_of(std::string_view name) {
    return {name.data(), static_cast<qsizetype>(name.size())};
}

SideValues side_of(const QJsonObject& json) {
    SideValues side;
    side.schedule = text_of(json, "schedule");
    side.ms = number_at(json, "ms");
    side.spread_ms = number_at(json, "spread_ms");
    side.is_at_least = flag(json, "at_least");
    side.simulated_ms = number_at(json, "simulated_ms");
    const QJsonObject parts = member(json, "parts").toObject();
    for (const TimeTerm term : all_time_terms())
        side.parts[static_cast<std::size_t>(term)] = parts.value(key_of(name(term))).toDouble();
    side.storage_bytes = number_at(json, "storage_bytes");
    side.positions = number_at(json, "positions");
    side.fill_in = number_at(json, "fill_in");
    side.regions = number_at(json, "regions");
    side.chunks = number_at(json, "chunks");
    const QJsonObject counted = member(json, "counted").toObject();
    for (const HardwareEvent event : all_hardware_events) {
        const QJsonValue count = counted.value(key_of(name(event)));
        if (count.isDouble())
            side.counted[static_cast<std::size_t>(event)] = count.toDouble();
    }
    return side;
}

DecisionValues decision_of(const QJsonObject& json) {
    return {text_of(json, "decision"), text_of(json, "before"), text_of(json, "after")};
}

StepValues step_of(const QJsonObject& json) {
    const DecisionValues decision = decision_of(json);
    const QJsonObject alone = member(json, "alone").toObject();
    StepValues step{.decision = decision.decision, .before = decision.before, .after = decision.after};
    step.ms = number_at(json, "ms");
    step.factor = number_at(json, "factor");
    step.uncertainty_ms = known_number(json, "uncertainty_ms");
    step.is_significant = flag(json, "significant");
    step.is_sign_decided = member(json, "sign_decided").toBool(true);
    step.is_same_program = flag(json, "same_program");
    step.is_bounded = flag(json, "bounded");
    step.alone = text_of(alone, "schedule");
    step.alone_ms = known_number(alone, "ms");
    return step;
}

ScheduleChangeValues schedule_change_of(const QJsonObject& json) {
    ScheduleChangeValues change;
    change.schedule = text_of(json, "schedule");
    for (const QJsonValue& decision : member(json, "decisions").toArray())
        change.decisions.push_back(decision_of(decision.toObject()));
    change.ms = known_number(json, "ms");
    change.spread_ms = number_at(json, "spread_ms");
    change.wins = flag(json, "wins");
    change.is_other_side = flag(json, "other_side");
    change.turns = number_at(json, "turns");
    const QJsonObject nearest = member(json, "nearest").toObject();
    for (const QJsonValue& decision : member(nearest, "decisions").toArray())
        change.nearest.push_back(decision_of(decision.toObject()));
    change.nearest_ratio = known_number(nearest, "ratio");
    change.nearest_error = number_at(nearest, "ratio_error");
    const QJsonObject removal = member(json, "removes_loss").toObject();
    for (const QJsonValue& decision : member(removal, "decisions").toArray())
        change.removal.push_back(decision_of(decision.toObject()));
    change.removal_ratio = known_number(removal, "ratio").value_or(1);
    change.removal_error = number_at(removal, "ratio_error");
    return change;
}

PatternChangeValues pattern_change_of(const QJsonObject& json) {
    PatternChangeValues change{text_of(json, "description"), number_at(json, "strength"),
                               number_at(json, "entries"), number_at(json, "against_ms"),
                               number_at(json, "schedule_ms")};
    if (const QJsonValue wins = member(json, "wins"); wins.isBool())
        change.wins_measured = wins.toBool();
    return change;
}

void add_counterfactuals(const QJsonObject& json, ExplanationValues& shown) {
    if (const QJsonValue change = member(json, "schedule"); change.isObject())
        shown.schedule_change = schedule_change_of(change.toObject());
    shown.simulation_agrees = member(json, "simulation_agrees").toBool(true);
    if (const QJsonObject apart = member(json, "disagreement").toObject(); !apart.isEmpty())
        shown.disagreement =
            Disagreement{number_at(apart, "measured_factor"), number_at(apart, "simulated_factor")};
    for (const QJsonValue& value : member(json, "machine").toArray()) {
        const QJsonObject each = value.toObject();
        shown.machine_changes.push_back({text_of(each, "parameter"), number_at(each, "before"),
                                         number_at(each, "after"), number_at(each, "against_ms"),
                                         number_at(each, "schedule_ms")});
    }
    for (const QJsonValue& value : member(json, "pattern").toArray())
        shown.pattern_changes.push_back(pattern_change_of(value.toObject()));
    for (const QJsonValue& value : member(json, "pattern_tried").toArray())
        shown.losing_patterns.push_back(pattern_change_of(value.toObject()));
}

} // namespace

std::optional<ExplanationValues> explanation_values(const QJsonObject& json) {
    if (!member(json, "waterfall").isArray() || !member(json, "against").isObject() ||
        !member(json, "schedule").isObject())
        return std::nullopt;
    ExplanationValues shown;
    shown.is_measured = text_of(json, "evaluator") == QLatin1String("measured");
    shown.against = side_of(member(json, "against").toObject());
    shown.schedule = side_of(member(json, "schedule").toObject());
    shown.is_same_program = flag(json, "same_program");
    shown.is_exact = member(json, "exact").toBool(true);
    shown.draws = number_at(json, "draws");
    const QJsonObject hybrids = member(json, "hybrids").toObject();
    shown.hybrids = number_at(hybrids, "all");
    shown.without_time = number_at(hybrids, "without_time");
    for (const QJsonValue& step : member(json, "waterfall").toArray())
        shown.steps.push_back(step_of(step.toObject()));
    add_counterfactuals(member(json, "counterfactual").toObject(), shown);
    shown.no_counters = text_of(json, "no_counters");
    shown.command = text_of(json, "command");
    return shown;
}

ExplanationValues explanation_values(const Explanation& explanation, bool is_measured) {
    const std::string text = explanation_json(explanation).dump();
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    ExplanationValues shown = explanation_values(json).value_or(ExplanationValues{});
    shown.is_measured = is_measured;
    return shown;
}

} // namespace sparsight
