#include "domains/sparse/encoder/sparse_tasks.h"

#include "base/parallel.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/storage/pattern_storage.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/tasks/stored_tasks.h"
#include "study/name_stem.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

TaskWorkload task_workload(std::string name, const PatternStatistics& statistics,
                           std::function<Result<CsrPattern>()> load) {
    std::string family = name_stem(name);
    return {std::move(name), statistics_vector(statistics), family_key(statistics),
            [load = std::move(load)]() -> Result<std::shared_ptr<const Payload>> {
                auto pattern = load();
                if (!pattern)
                    return std::unexpected(std::move(pattern).error());
                return payload_of(*std::move(pattern));
            },
            std::move(family)};
}

WorkloadRuntimes schedule_runtimes(std::size_t workload, std::span<const SuperSchedule> schedules,
                                   std::vector<double> milliseconds, std::vector<double> spreads) {
    WorkloadRuntimes runtimes{workload, configurations_of(schedules), std::move(milliseconds),
                              std::move(spreads)};
    if (const auto baseline = std::ranges::find_if(schedules, &is_fixed_csr); baseline != schedules.end())
        runtimes.baseline = static_cast<std::size_t>(baseline - schedules.begin());
    return runtimes;
}

std::string SparseTaskStorage::setting_name(const Setting& setting) const {
    return std::string(name(sparse_setting(setting).op));
}

Result<std::vector<RuntimeConditions>> SparseTaskStorage::conditions(const Setting& setting) {
    return stored_conditions(workspace_, setting);
}

Result<std::vector<RecordedWorkload>> SparseTaskStorage::runtimes(const Setting& setting,
                                                                  const RuntimeConditions& under) {
    return stored_runtimes(workspace_, setting, under,
                           [&](const WrittenConfiguration& written) -> Result<RecordedRuntime> {
                               const auto schedule = read_stored_schedule(workspace_, written);
                               if (!schedule)
                                   return std::unexpected(schedule.error());
                               return RecordedRuntime{.configuration = configuration_of(*schedule),
                                                      .is_baseline = is_fixed_csr(*schedule),
                                                      .digest = hash_value(*schedule)};
                           });
}

Result<std::vector<StoredWorkload>> SparseTaskStorage::workloads() {
    auto records = list_matrices(workspace_);
    if (!records)
        return std::unexpected(std::move(records).error());
    std::vector<StoredWorkload> workloads;
    records_.clear();
    for (MatrixRecord& record : *records) {
        const bool is_known = record.pattern != PayloadPlace::Unknown;
        const auto [shorter, longer] = std::minmax(record.rows, record.cols);
        workloads.push_back({record.id, record.name, is_known,
                             is_known ? fmt::format("{} {} {}", shorter, longer, record.nnz) : std::string(),
                             record.content_hash});
        records_.emplace(record.id, std::move(record));
    }
    return workloads;
}

Result<TaskWorkload> SparseTaskStorage::examine(const StoredWorkload& workload, int threads) {
    const auto statistics = matrix_statistics(workspace_, records_.at(workload.id), threads);
    if (!statistics)
        return std::unexpected(statistics.error());
    return task_workload(workload.name, *statistics, [workspace = &workspace_, id = workload.id] {
        return load_pattern(*workspace, id);
    });
}

Result<std::shared_ptr<const Payload>> SparseTaskStorage::payload(const StoredWorkload& workload, int) {
    auto pattern = load_pattern(workspace_, workload.id);
    if (!pattern)
        return std::unexpected(std::move(pattern).error());
    return payload_of(*std::move(pattern));
}

Result<WorkspaceTasks> sparse_tasks(Workspace& workspace, const TaskRequest& request,
                                    const std::stop_token& stop, const ProgressSink& progress) {
    SparseTaskStorage storage(workspace);
    return workspace_tasks(workspace, storage, request, stop, progress);
}

Standardisation standardise(Architecture architecture, const TaskSet& tasks,
                            std::span<const std::size_t> train) {
    std::vector<std::vector<double>> rows;
    for (const std::size_t matrix : train)
        rows.push_back(matrix_numbers(architecture, pattern_statistics(tasks.workloads[matrix].statistics)));
    return fit_standardisation(rows);
}

Result<std::vector<std::vector<double>>>
ScheduleTaskSimulator::simulate_all(std::span<const MachineDescription> machines, const TaskSet& set,
                                    const Task& recorded, const WorkloadRuntimes& runtimes,
                                    const std::stop_token& stop) const {
    std::shared_ptr<const Payload> payload;
    if (simulator_.needs_pattern()) {
        auto loaded = set.workloads[runtimes.workload].load();
        if (!loaded)
            return std::unexpected(std::move(loaded).error());
        payload = *std::move(loaded);
    }
    const std::vector<SuperSchedule> schedules =
        schedules_of(runtimes.configurations, std::max(recorded.threads, 1));
    return simulator_.simulate_all(machines, {.pattern = payload ? &pattern_of(*payload) : nullptr,
                                              .dense = sparse_setting(set.setting).dense,
                                              .schedules = schedules,
                                              .recorded_ms = runtimes.milliseconds,
                                              .threads = available_threads(),
                                              .stop = stop});
}

} // namespace sparsight
