#include "gui/runs/live_runs.h"

#include "gui/jobs/json_values.h"

#include <QJsonArray>
#include <algorithm>

namespace sparsight {

namespace {

std::optional<double> number_in(const QJsonObject& object, const char* key) {
    const QJsonValue value = member(object, key);
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

void take_epoch(LiveRun& live, const QJsonObject& event) {
    live.epoch = member(event, "epoch").toInt();
    live.rate = number_in(event, "rate");
    live.examples_per_second = number_in(event, "examples_per_second");
    live.memory_bytes = number_in(event, "memory_bytes");
    if (member(event, "is_best").toBool())
        live.best_epoch = live.epoch;
}

} // namespace

RunId LiveRuns::begin(const JobId& job, const QJsonObject& event) {
    LiveRun live;
    live.job = job;
    live.run = RunId{member(event, "run").toInteger()};
    live.name = member(event, "name").toString();
    live.epochs = member(event, "epochs").toInt();
    for (const QJsonValue& note : member(event, "notes").toArray())
        live.notes << note.toString();
    const RunId run = live.run;
    runs_[job] = std::move(live);
    told_[job] = {event};
    return run;
}

std::optional<RunId> LiveRuns::take(const JobId& job, const QJsonObject& event) {
    const auto found = runs_.find(job);
    if (found == runs_.end())
        return std::nullopt;
    LiveRun& live = found->second;
    const QString name = member(event, "event").toString();
    if (name == QLatin1String("steps"))
        live.step = std::max<std::int64_t>(live.step, member(event, "first").toInteger() - 1 +
                                                          member(event, "losses").toArray().size());
    else if (name == QLatin1String("epoch"))
        take_epoch(live, event);
    else if (name == QLatin1String("progress"))
        live.seconds_left = number_in(event, "seconds_left");
    else if (name == QLatin1String("end"))
        live.end = event;
    told_[job].push_back(event);
    return live.run;
}

const LiveRun* LiveRuns::find(const JobId& job) const {
    const auto found = runs_.find(job);
    return found == runs_.end() ? nullptr : &found->second;
}

const LiveRun* LiveRuns::of_run(RunId run, const IsWanted& is_wanted) const {
    const LiveRun* farthest = nullptr;
    for (const auto& [job, live] : runs_)
        if (live.run == run && is_wanted(job) && (farthest == nullptr || live.step >= farthest->step))
            farthest = &live;
    return farthest;
}

std::vector<QJsonObject> LiveRuns::events_of(RunId run, const IsWanted& is_wanted) const {
    std::vector<QJsonObject> events;
    for (const auto& [job, told] : told_)
        if (runs_.at(job).run == run && is_wanted(job))
            events.insert(events.end(), told.begin(), told.end());
    return events;
}

void LiveRuns::forget_others(RunId run, const JobId& but, const IsWanted& is_wanted) {
    std::erase_if(told_, [&](const auto& entry) {
        return entry.first != but && runs_.at(entry.first).run == run && is_wanted(entry.first);
    });
}

void LiveRuns::forget(const IsWanted& is_gone, const IsWanted& is_over) {
    std::erase_if(told_, [&](const auto& entry) { return is_gone(entry.first) || is_over(entry.first); });
    std::erase_if(runs_, [&](const auto& entry) { return is_gone(entry.first); });
}

} // namespace sparsight
