#include "domains/sparse/encoder/sparse_tasks.h"

#include "domains/sparse/encoder/deviating_simulator.h"
#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/simulator/cache_span.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/tasks/stored_tasks.h"
#include "machine/machine_description.h"
#include "machine/machine_presets.h"
#include "store/machines.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <utility>
#include <vector>

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
        workloads.push_back({record.id, record.name, record.pattern != PayloadPlace::Unknown});
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

namespace {

struct ImaginedMachines {
    std::vector<MachineDescription> by_formula;  ///< the report's, which follow its formula
    std::vector<MachineDescription> deviating;   ///< sampled ones that deviate from the simulator
    std::vector<MachineDescription> mechanistic; ///< all others
};

constexpr std::size_t most_machines = 1000;

/// N of a word such as "family:N"; absent where it begins with something else.
Result<std::optional<std::size_t>> count_in(std::string_view word, std::string_view beginning) {
    if (!word.starts_with(beginning))
        return std::nullopt;
    std::size_t count = 0;
    const char* end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data() + beginning.size(), end, count);
    if (parsed.ec != std::errc() || parsed.ptr != end || count == 0 || count > most_machines)
        return fail(Fault::Input,
                    fmt::format("'{}' is no family of machines: expected {}N with N from 1 to {}", word,
                                beginning, most_machines));
    return count;
}

/// Adds the machines that one word names: "family:6", "deviating:6", "A", a preset, one that the workspace
/// knows. A name of `taken` is that of a task already.
Result<void> add_machines(ImaginedMachines& imagined, Workspace& workspace, const std::string& word,
                          std::uint64_t seed, std::span<const Task> taken) {
    for (const auto& [beginning, machines] :
         {std::pair("family:", &imagined.mechanistic), std::pair("deviating:", &imagined.deviating)}) {
        const auto count = count_in(word, beginning);
        if (!count)
            return std::unexpected(count.error());
        if (!*count)
            continue;
        std::ranges::move(training_machines(seed, **count), std::back_inserter(*machines));
        return {};
    }
    for (const MachineDescription& machine : {report_machine_a(), report_machine_b()})
        if (machine.name == word) {
            imagined.by_formula.push_back(machine);
            return {};
        }
    constexpr std::string_view made = " (simulated)"; // runtimes of the real one may be there
    if (auto preset = find_machine_preset(word)) {
        preset->machine.name += made;
        imagined.mechanistic.push_back(std::move(preset->machine));
        return {};
    }
    const auto known = find_named_machine(workspace, word);
    if (!known)
        return std::unexpected(known.error());
    if (!*known)
        return fail(
            Fault::Input,
            fmt::format("{}; expected one of them, a preset, family:N, deviating:N, or A or B, the report's",
                        unknown_machine(workspace, word).error().message));
    auto machine = machine_from_text((*known)->description);
    if (!machine)
        return fail(Fault::Input,
                    fmt::format("the machine '{}' can't be imagined, as little is known of it: {}", word,
                                machine.error().message));
    machine->name = (*known)->name;
    if (machine->source != MachineSource::Simulated ||
        std::ranges::find(taken, machine->name, &Task::machine) != taken.end())
        machine->name += made;
    imagined.mechanistic.push_back(*std::move(machine));
    return {};
}

/// What nothing of the matrices can teach about the machines.
void note_cache_gaps(const ImaginationRequest& request, std::span<const MachineDescription> machines,
                     std::vector<std::string>& notes) {
    const SparseSetting setting = sparse_setting(request.tasks.setting);
    std::vector<PatternStatistics> matrices;
    for (const WorkloadRuntimes& runtimes : request.recorded.runtimes)
        matrices.push_back(pattern_statistics(request.tasks.workloads[runtimes.workload].statistics));
    for (const CacheGap& gap : cache_gaps(setting.op, setting.dense, matrices, machines))
        notes.push_back(sentence(gap, setting.op, setting.dense));
}

} // namespace

Result<ImaginedMachineTasks> SparseLearning::imagine(Workspace& workspace, const ImaginationRequest& request,
                                                     const std::stop_token& stop,
                                                     const ProgressSink& progress) const {
    ImaginedMachines machines;
    for (const std::string& word : request.machines)
        if (auto added = add_machines(machines, workspace, word, request.seed, request.tasks.tasks); !added)
            return std::unexpected(std::move(added).error());
    const bool is_drawn = request.recorded.runtimes.front().milliseconds.empty();
    if (is_drawn && !machines.by_formula.empty())
        return fail(Fault::Input, "machines A and B need recorded runtimes, but none are stored: expected "
                                  "family:N, a preset, or a stored machine");
    ImaginedMachineTasks imagined;
    note_cache_gaps(request, machines.mechanistic, imagined.notes);
    const auto add = [&](std::span<const MachineDescription> those, const Simulator& simulator,
                         std::string_view how) -> Result<void> {
        if (those.empty())
            return {};
        auto tasks = simulated_tasks(request.tasks, request.recorded, those, simulator, stop, progress);
        if (!tasks)
            return std::unexpected(std::move(tasks).error());
        for (Task& task : *tasks) {
            imagined.notes.push_back(fmt::format("{}: {}", task.machine,
                                                 fmt::format(fmt::runtime(how), request.recorded.machine)));
            imagined.tasks.push_back(std::move(task));
        }
        return {};
    };
    if (auto added = add(machines.by_formula, PaperFormula(),
                         "simulated from {} by the report's formula, which changes no order");
        !added)
        return std::unexpected(std::move(added).error());
    for (MachineDescription& machine : machines.deviating)
        machine.name += " (deviating)";
    note_cache_gaps(request, machines.deviating, imagined.notes);
    if (auto added = add(machines.deviating, DeviatingSimulator(),
                         is_drawn ? "simulated with deviations of its own, with drawn schedules"
                                  : "simulated with deviations of its own, with the schedules of {}");
        !added)
        return std::unexpected(std::move(added).error());
    if (auto added = add(machines.mechanistic, MechanisticSimulator(),
                         is_drawn ? "simulated mechanistically, with drawn schedules"
                                  : "simulated mechanistically, with the schedules of {}");
        !added)
        return std::unexpected(std::move(added).error());
    return imagined;
}

} // namespace sparsight
