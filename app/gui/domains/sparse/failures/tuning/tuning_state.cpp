#include "gui/domains/sparse/failures/tuning/tuning_state.h"

#include "evaluation/time_differences.h"
#include "gui/domains/sparse/sparse_settings.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>

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

QJsonObject choice_json(const TuningChoice& choice) {
    QJsonObject json{{word("schedule"), choice.schedule}, {word("ms"), choice.ms}};
    if (choice.spread_ms)
        json.insert(word("spread_ms"), *choice.spread_ms);
    if (choice.rank)
        json.insert(word("rank"), *choice.rank);
    return json;
}

TuningChoice choice_of(const QJsonValue& value) {
    const QJsonObject json = value.toObject();
    TuningChoice choice{json.value(word("schedule")).toString(), json.value(word("ms")).toDouble()};
    if (const QJsonValue spread = json.value(word("spread_ms")); spread.isDouble())
        choice.spread_ms = spread.toDouble();
    if (const QJsonValue rank = json.value(word("rank")); rank.isDouble())
        choice.rank = rank.toInt();
    return choice;
}

QJsonValue json_of(std::optional<double> number) {
    return number ? QJsonValue(*number) : QJsonValue();
}

std::optional<double> number_of(const QJsonValue& value) {
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

QJsonArray outcomes_json(const std::vector<TuningOutcome>& outcomes) {
    QJsonArray all;
    for (const TuningOutcome& outcome : outcomes)
        all.append(QJsonObject{{word("matrix"), outcome.matrix},
                               {word("before"), choice_json(outcome.before)},
                               {word("after"), choice_json(outcome.after)},
                               {word("fixed_csr_ms"), outcome.fixed_csr_ms},
                               {word("best_known_ms"), outcome.best_known_ms},
                               {word("turns"), outcome.turns},
                               {word("turn_ratio"), json_of(outcome.turn_ratio)},
                               {word("turn_margin"), json_of(outcome.turn_margin)}});
    return all;
}

std::vector<TuningOutcome> outcomes_of(const QJsonValue& value) {
    std::vector<TuningOutcome> outcomes;
    for (const QJsonValue& each : value.toArray()) {
        const QJsonObject json = each.toObject();
        outcomes.push_back({json.value(word("matrix")).toString(), choice_of(json.value(word("before"))),
                            choice_of(json.value(word("after"))), json.value(word("fixed_csr_ms")).toDouble(),
                            json.value(word("best_known_ms")).toDouble(), json.value(word("turns")).toInt(),
                            number_of(json.value(word("turn_ratio"))),
                            number_of(json.value(word("turn_margin")))});
    }
    return outcomes;
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
                     {word("learned"), array_of(state.learned)},
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
                                {word("newly_failing"), array_of(state.comparison->newly_failing)},
                                {word("outcomes"), outcomes_json(state.comparison->outcomes)}});
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
    state.learned = texts_of(json.value(word("learned")));
    state.held_out = texts_of(json.value(word("held_out")));
    state.k = json.value(word("k")).toInt(state.k);
    state.threads = json.value(word("threads")).toInt();
    state.outcome = json.value(word("outcome")).toString();
    state.is_made = json.value(word("made")).toBool();
    if (const QJsonObject told = json.value(word("comparison")).toObject(); !told.isEmpty())
        state.comparison = TuningComparison{
            told.value(word("run")).toInteger(), count_of(told.value(word("family"))),
            count_of(told.value(word("elsewhere"))), texts_of(told.value(word("newly_failing"))),
            outcomes_of(told.value(word("outcomes")))};
    return state;
}

} // namespace

bool TuningOutcome::differs() const {
    if (before.schedule == after.schedule)
        return false;
    if (turn_ratio && turn_margin)
        return std::abs(std::log(*turn_ratio)) > *turn_margin / *turn_ratio;
    return differ_beyond_noise(after.ms - before.ms, before.spread_ms.value_or(0),
                               after.spread_ms.value_or(0));
}

const TuningOutcome* TuningComparison::outcome(const QString& matrix) const {
    const auto found = std::ranges::find(outcomes, matrix, &TuningOutcome::matrix);
    return found == outcomes.end() ? nullptr : &*found;
}

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

namespace {

/// Older states are dropped.
constexpr std::size_t most_kept = 20;

bool is_same_plan(const TuningState& one, const TuningState& other) {
    return one.workspace == other.workspace && one.model == other.model && one.machine == other.machine &&
           one.op == other.op && one.dense == other.dense;
}

const TuningState* same_plan_in(const std::vector<TuningState>& states, const TuningState& plan) {
    const auto found =
        std::ranges::find_if(states, [&](const TuningState& each) { return is_same_plan(each, plan); });
    return found == states.end() ? nullptr : &*found;
}

} // namespace

std::vector<TuningState> merged_states(const std::vector<TuningState>& read,
                                       const std::vector<TuningState>& mine,
                                       const std::vector<TuningState>& theirs) {
    const auto is_as_read = [&](const TuningState& state) {
        const TuningState* const before = same_plan_in(read, state);
        return before != nullptr && *before == state;
    };
    std::vector<TuningState> merged;
    for (const TuningState& their : theirs) {
        if (const TuningState* const own = same_plan_in(mine, their))
            merged.push_back(is_as_read(*own) ? their : *own);
        else if (!is_as_read(their)) // otherwise this window removed it
            merged.push_back(their);
    }
    for (const TuningState& own : mine)
        if (same_plan_in(theirs, own) == nullptr && !is_as_read(own)) // otherwise another window removed it
            merged.push_back(own);
    return merged;
}

void forget_old_states(std::vector<TuningState>& states, std::size_t most) {
    std::erase_if(states, [](const TuningState& state) { return state.is_empty(); });
    std::size_t too_many = states.size() > most ? states.size() - most : 0;
    std::erase_if(states, [&](const TuningState& state) {
        if (too_many == 0 || state.has_job())
            return false;
        --too_many;
        return true;
    });
}

TuningStates::TuningStates(UserSettings& settings)
    : settings_(settings) {
    refresh();
}

void TuningStates::refresh() {
    settings_.read_again();
    std::vector<TuningState> theirs = parse_tuning_states(SparseSettings(settings_).tuning.get());
    states_ = merged_states(read_, states_, theirs);
    read_ = std::move(theirs);
}

void TuningStates::keep() {
    settings_.change_together([this] {
        refresh();
        forget_old_states(states_, most_kept);
        SparseSettings(settings_).tuning.set(tuning_states_json(states_));
    });
    read_ = states_;
}

} // namespace sparsight
