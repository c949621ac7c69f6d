#include "domains/sparse/storage/schedules.h"

#include "base/names.h"
#include "domains/sparse/schedule/text.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

MeasurementConditions conditions(const MeasurementSetting& setting, Operator op) {
    return {setting.matrix, setting.machine, setting_of(op, setting.dense), setting.protocol, {}};
}

} // namespace

Result<SuperSchedule> read_stored_schedule(const Workspace& workspace,
                                           const WrittenConfiguration& configuration) {
    const auto op = parse_operator(configuration.family);
    auto schedule = op ? parse_schedule(*op, configuration.text) : fail(Fault::Input, "no such operator");
    if (!schedule)
        return fail_in_file(Fault::Input, workspace.path().string(), 0,
                            fmt::format("the schedule \"{}\" of {} can't be read: {}", configuration.text,
                                        configuration.family, schedule.error().message));
    return schedule;
}

Result<void> record_measurement(Workspace& workspace, const MeasurementSetting& setting,
                                const SuperSchedule& schedule, const Measurement& measurement,
                                std::optional<RunId> run, const std::optional<std::string>& measured) {
    return record_measurement(workspace, conditions(setting, schedule.op), written(schedule), measurement,
                              run, measured);
}

Result<std::optional<Measurement>> find_measurement(Workspace& workspace, const MeasurementSetting& setting,
                                                    const SuperSchedule& schedule) {
    return find_measurement(workspace, conditions(setting, schedule.op), written(schedule));
}

Result<std::vector<SuperSchedule>> missing_schedules(Workspace& workspace, const MeasurementSetting& setting,
                                                     Operator op, std::span<const SuperSchedule> schedules) {
    const auto measured = measured_canonical_texts(workspace, conditions(setting, op));
    if (!measured)
        return std::unexpected(measured.error());
    std::unordered_set<std::string> known(measured->begin(), measured->end());
    std::vector<SuperSchedule> missing;
    for (const SuperSchedule& schedule : schedules)
        if (known.insert(to_text(canonical(schedule))).second)
            missing.push_back(schedule);
    return missing;
}

Result<std::optional<Milliseconds>> shortest_median(Workspace& workspace, const MeasurementSetting& setting,
                                                    Operator op, int threads) {
    return shortest_median(workspace, conditions(setting, op), threads);
}

Result<std::vector<StoredRuntime>> list_runtimes(Workspace& workspace, const RuntimeSource& source) {
    const auto list = list_runtimes(workspace, RuntimeQuery{.machine = source.machine,
                                                            .setting = setting_of(source.op, source.dense),
                                                            .protocol = source.protocol,
                                                            .threads = source.threads,
                                                            .engine = source.engine});
    if (!list)
        return std::unexpected(list.error());
    std::vector<SuperSchedule> schedules;
    schedules.reserve(list->configurations.size());
    for (const WrittenConfiguration& configuration : list->configurations) {
        const auto schedule = read_stored_schedule(workspace, configuration);
        if (!schedule)
            return std::unexpected(schedule.error());
        schedules.push_back(*schedule);
    }
    std::vector<StoredRuntime> runtimes;
    runtimes.reserve(list->runtimes.size());
    for (const ListedRuntime& listed : list->runtimes)
        runtimes.push_back({listed.workload, schedules[listed.configuration], listed.status, listed.median_ms,
                            listed.spread_ms});
    return runtimes;
}

Result<std::vector<CountedSource>> runtime_sources(Workspace& workspace, Operator op, std::int64_t dense) {
    const auto counted = count_runtimes(workspace, setting_of(op, dense));
    if (!counted)
        return std::unexpected(counted.error());
    std::vector<CountedSource> sources;
    for (const CountedRuntimes& each : *counted)
        sources.push_back(
            {{each.query.machine, op, dense, each.query.protocol, each.query.threads, each.query.engine},
             each.measurements,
             each.with_data,
             each.other_engines});
    return sources;
}

Result<std::vector<CountedSetting>> runtime_settings(Workspace& workspace) {
    const auto counted = count_settings(workspace);
    if (!counted)
        return std::unexpected(counted.error());
    std::vector<CountedSetting> settings;
    for (const CountedSettings& each : *counted)
        if (const auto setting = parse_sparse_setting(each.setting))
            settings.push_back({setting->op, setting->dense, each.measurements});
    return settings;
}

namespace {

ResultRow result_row(ResultRecord record, const SparseSetting& setting) {
    return {.matrix = std::move(record.workload),
            .machine = std::move(record.machine),
            .op = setting.op,
            .dense = setting.dense,
            .protocol = std::move(record.protocol),
            .threads = record.threads,
            .schedule = std::move(record.configuration),
            .is_fixed_csr = record.is_baseline,
            .status = record.status,
            .median_ms = record.median_ms,
            .spread_ms = record.spread_ms,
            .speedup_over_fixed_csr = record.speedup,
            .fixed_csr_range = record.baseline_range,
            .bytes = record.bytes,
            .reason = std::move(record.reason),
            .measured = std::move(record.measured),
            .engine = std::move(record.engine),
            .reference_ms = record.reference_ms,
            .scatter_ms = record.scatter_ms,
            .error_ms = record.error_ms,
            .drift_ms = record.drift_ms,
            .disturbance = record.disturbance};
}

} // namespace

Result<std::vector<ResultRow>> list_results(Workspace& workspace, const ResultFilter& filter) {
    auto records =
        list_results(workspace, ResultQuery{.domain = std::string(sparse_domain),
                                            .workload = filter.matrix,
                                            .machine = filter.machine,
                                            .family = std::string(filter.op ? name(*filter.op) : ""),
                                            .protocol = filter.protocol,
                                            .threads = filter.threads});
    if (!records)
        return std::unexpected(std::move(records).error());
    std::vector<ResultRow> rows;
    rows.reserve(records->size());
    Setting parsed;
    std::optional<SparseSetting> setting;
    for (ResultRecord& record : *records) {
        if (record.setting != parsed) {
            parsed = record.setting;
            setting = parse_sparse_setting(parsed);
        }
        if (setting && (!filter.dense || setting->dense == *filter.dense))
            rows.push_back(result_row(std::move(record), *setting));
    }
    return rows;
}

Result<void> record_choices(Workspace& workspace, RunId run, ModelId model, WorkloadId matrix,
                            std::span<const ChosenSchedule> chosen) {
    std::vector<ConfigurationChoice> choices;
    for (const ChosenSchedule& each : chosen)
        choices.push_back({written(each.schedule), each.score});
    return record_choices(workspace, run, model, matrix, choices);
}

std::string other_machines_hint(Workspace& workspace, const std::string& matrix, Operator op,
                                std::int64_t dense, std::string_view asked) {
    const auto rows =
        list_results(workspace, {.matrix = matrix, .op = op, .dense = dense_index(op) ? dense : 1});
    std::set<std::string> machines;
    if (rows)
        for (const ResultRow& row : *rows)
            if (row.status == MeasurementStatus::Measured && row.machine != asked)
                machines.insert(row.machine);
    return machines.empty() ? std::string()
                            : fmt::format("; --machine can name {}, which {} times", list_names(machines),
                                          machines.size() == 1 ? "has" : "have");
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

} // namespace sparsight
