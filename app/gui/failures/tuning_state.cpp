#include "gui/failures/tuning_state.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace sparsight {

namespace {

QLatin1String word(const char* key) {
    return QLatin1String(key);
}

QString id_text(const std::optional<JobId>& id) {
    return id ? id->toString(QUuid::WithoutBraces) : QString();
}

std::optional<JobId> id_of(const QJsonValue& value) {
    const JobId id(value.toString());
    return id.isNull() ? std::nullopt : std::optional(id);
}

QJsonArray array_of(const QStringList& texts) {
    return QJsonArray::fromStringList(texts);
}

QStringList texts_of(const QJsonValue& value) {
    QStringList texts;
    for (const QJsonValue& each : value.toArray())
        texts << each.toString();
    return texts;
}

QJsonObject count_json(const TuningCount& count) {
    return {{word("matrices"), count.matrices},
            {word("before"), count.before},
            {word("after"), count.after},
            {word("costly_before"), count.costly_before},
            {word("costly_after"), count.costly_after}};
}

TuningCount count_of(const QJsonValue& value) {
    const QJsonObject json = value.toObject();
    return {json.value(word("matrices")).toInteger(), json.value(word("before")).toInteger(),
            json.value(word("after")).toInteger(), json.value(word("costly_before")).toInteger(),
            json.value(word("costly_after")).toInteger()};
}

QJsonObject state_json(const TuningState& state) {
    QJsonArray measuring;
    for (const JobId& id : state.measuring)
        measuring.append(id_text(id));
    QJsonObject json{{word("workspace"), state.workspace},
                     {word("model"), state.model},
                     {word("machine"), state.machine},
                     {word("operator"), QString::fromUtf8(name(state.op).data(),
                                                          static_cast<qsizetype>(name(state.op).size()))},
                     {word("dense"), static_cast<qint64>(state.dense)},
                     {word("matrices"), array_of(state.matrices)},
                     {word("families"), array_of(state.families)},
                     {word("measuring"), measuring},
                     {word("tuning"), id_text(state.tuning)},
                     {word("comparing"), id_text(state.comparing)},
                     {word("tuned"), state.tuned},
                     {word("learned_families"), array_of(state.learned_families)},
                     {word("held_out"), array_of(state.held_out)},
                     {word("k"), state.k},
                     {word("threads"), state.threads},
                     {word("outcome"), state.outcome},
                     {word("made"), state.is_made}};
    if (state.comparison)
        json.insert(word("comparison"),
                    QJsonObject{{word("run"), state.comparison->run},
                                {word("family"), count_json(state.comparison->family)},
                                {word("elsewhere"), count_json(state.comparison->elsewhere)},
                                {word("newly_failing"), array_of(state.comparison->newly_failing)}});
    return json;
}

std::optional<TuningState> state_of(const QJsonObject& json) {
    const auto op = parse_operator(json.value(word("operator")).toString().toStdString());
    TuningState state;
    state.workspace = json.value(word("workspace")).toString();
    state.model = json.value(word("model")).toString();
    state.machine = json.value(word("machine")).toString();
    if (!op || state.workspace.isEmpty() || state.model.isEmpty() || state.machine.isEmpty())
        return std::nullopt;
    state.op = *op;
    state.dense = json.value(word("dense")).toInteger(state.dense);
    state.matrices = texts_of(json.value(word("matrices")));
    state.families = texts_of(json.value(word("families")));
    for (const QJsonValue& each : json.value(word("measuring")).toArray())
        if (const auto id = id_of(each))
            state.measuring.push_back(*id);
    state.tuning = id_of(json.value(word("tuning")));
    state.comparing = id_of(json.value(word("comparing")));
    state.tuned = json.value(word("tuned")).toString();
    state.learned_families = texts_of(json.value(word("learned_families")));
    state.held_out = texts_of(json.value(word("held_out")));
    state.k = json.value(word("k")).toInt(state.k);
    state.threads = json.value(word("threads")).toInt();
    state.outcome = json.value(word("outcome")).toString();
    state.is_made = json.value(word("made")).toBool();
    if (const QJsonObject told = json.value(word("comparison")).toObject(); !told.isEmpty())
        state.comparison = TuningComparison{
            told.value(word("run")).toInteger(), count_of(told.value(word("family"))),
            count_of(told.value(word("elsewhere"))), texts_of(told.value(word("newly_failing")))};
    return state;
}

} // namespace

QByteArray tuning_states_json(const std::vector<TuningState>& states) {
    QJsonArray all;
    for (const TuningState& state : states)
        all.append(state_json(state));
    return QJsonDocument(all).toJson(QJsonDocument::Compact);
}

std::vector<TuningState> parse_tuning_states(const QByteArray& json) {
    std::vector<TuningState> states;
    for (const QJsonValue& each : QJsonDocument::fromJson(json).array())
        if (auto state = state_of(each.toObject()))
            states.push_back(std::move(*state));
    return states;
}

} // namespace sparsight
