#include "domains/sparse/storage/choices.h"

#include "domains/sparse/storage/measurements.h"
#include "store/workspace.h"
#include "study/timing.h"

#include <algorithm>
#include <utility>

namespace sparsight {

Result<void> record_choices(Workspace& workspace, RunId run, ModelId model, WorkloadId matrix,
                            std::span<const ChosenSchedule> chosen) {
    std::vector<ConfigurationChoice> choices;
    for (const ChosenSchedule& each : chosen)
        choices.push_back({written(each.schedule), each.score});
    return record_choices(workspace, run, model, matrix, choices);
}

namespace {

Result<std::vector<ModelChoice>> parse(const Workspace& workspace,
                                       const Result<std::vector<ChoiceRecord>>& records) {
    if (!records)
        return std::unexpected(records.error());
    std::vector<ModelChoice> choices;
    for (const ChoiceRecord& record : *records) {
        const auto schedule = read_stored_schedule(workspace, record.chosen.configuration);
        if (!schedule)
            return std::unexpected(schedule.error());
        choices.push_back({record.model, record.workload, record.rank, {*schedule, record.chosen.score}});
    }
    return choices;
}

} // namespace

Result<std::vector<ModelChoice>> list_choices(Workspace& workspace, RunId run) {
    return parse(workspace, list_choice_records(workspace, run));
}

Result<std::vector<ChosenSchedule>> list_choices(Workspace& workspace, RunId run, ModelId model,
                                                 WorkloadId matrix) {
    const auto choices = parse(workspace, list_choice_records(workspace, run, model, matrix));
    if (!choices)
        return std::unexpected(choices.error());
    std::vector<ChosenSchedule> chosen;
    for (const ModelChoice& choice : *choices)
        chosen.push_back(choice.chosen);
    return chosen;
}

double RematchTime::median_ms() const {
    return median_of(std::vector<Milliseconds>(turns_ms.begin(), turns_ms.end())).count();
}

Result<void> record_rematch(Workspace& workspace, RunId run, WorkloadId matrix,
                            std::span<const RematchTime> times) {
    std::vector<TurnTimes> turns;
    for (const RematchTime& time : times)
        turns.push_back({written(time.schedule), time.turns_ms, time.error});
    return record_turn_times(workspace, run, matrix, turns);
}

namespace {

bool is_listed_before(const RematchTime& a, const RematchTime& b) {
    if (a.has_time() != b.has_time())
        return a.has_time();
    return a.has_time() && a.median_ms() < b.median_ms();
}

} // namespace

Result<std::vector<RematchTime>> list_rematch(Workspace& workspace, RunId run, WorkloadId matrix) {
    auto turns = list_turn_times(workspace, run, matrix);
    if (!turns)
        return std::unexpected(std::move(turns).error());
    std::vector<RematchTime> times;
    for (TurnTimes& each : *turns) {
        auto schedule = read_stored_schedule(workspace, each.configuration);
        if (!schedule)
            return std::unexpected(std::move(schedule).error());
        times.push_back({*std::move(schedule), std::move(each.turns_ms), std::move(each.error)});
    }
    std::ranges::stable_sort(times, is_listed_before);
    return times;
}

} // namespace sparsight
