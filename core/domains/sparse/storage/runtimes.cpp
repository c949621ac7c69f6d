#include "domains/sparse/storage/runtimes.h"

#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/storage/measurements.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {

Result<std::vector<StoredRuntime>> list_runtimes(Workspace& workspace, const RuntimeSource& source) {
    const auto list = list_runtimes(workspace, RuntimeQuery{.machine = source.machine,
                                                            .setting = setting_of(source.op, source.dense),
                                                            .protocol = source.protocol,
                                                            .threads = source.threads});
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
        sources.push_back({{each.query.machine, op, dense, each.query.protocol, each.query.threads},
                           each.measurements,
                           each.workloads});
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
            .bytes = record.bytes,
            .reason = std::move(record.reason),
            .measured = std::move(record.measured)};
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

} // namespace sparsight
