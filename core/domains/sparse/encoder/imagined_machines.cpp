#include "domains/sparse/encoder/sparse_learning.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/simulator/cache_span.h"
#include "domains/sparse/simulator/mechanistic_simulator.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "learning/tasks/transfer_tasks.h"
#include "machine/machine_json.h"
#include "machine/machine_presets.h"
#include "store/machines.h"

#include <charconv>
#include <fmt/format.h>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

/// The machines that one word names: "family:6", "A", a preset, one that the workspace knows.
Result<std::vector<MachineDescription>> imagined_machines(Workspace& workspace, const std::string& word,
                                                          std::uint64_t seed) {
    constexpr std::string_view family = "family:";
    if (word.starts_with(family)) {
        constexpr std::size_t most_machines = 1000;
        std::size_t count = 0;
        const char* end = word.data() + word.size();
        const auto parsed = std::from_chars(word.data() + family.size(), end, count);
        if (parsed.ec != std::errc() || parsed.ptr != end || count == 0 || count > most_machines)
            return fail(Fault::Input, fmt::format("'{}' is no family of machines: expected family:N with N "
                                                  "from 1 to {}",
                                                  word, most_machines));
        return training_machines(seed, count);
    }
    for (const MachineDescription& machine : {report_machine_a(), report_machine_b()})
        if (machine.name == word)
            return std::vector{machine};
    if (auto preset = find_machine_preset(word)) {
        preset->machine.name += " (simulated)"; // runtimes of the real one may be there
        return std::vector{std::move(preset->machine)};
    }
    const auto known = find_machine(workspace, word);
    if (!known)
        return std::unexpected(known.error());
    if (!*known)
        return fail(Fault::Input,
                    fmt::format("there is no machine '{}' to imagine: expected family:N for N "
                                "sampled machines, A or B, the report's, a preset, or a machine "
                                "that the workspace knows",
                                word));
    auto machine = machine_from_text((*known)->description);
    if (!machine)
        return fail(Fault::Input,
                    fmt::format("the machine '{}' can't be imagined, as little is known of it: {}", word,
                                machine.error().message));
    machine->name = fmt::format("{} (simulated)", word);
    return std::vector{*std::move(machine)};
}

/// The report's machines follow the report's formula, all others the mechanistic simulator.
bool is_of_report(const MachineDescription& machine) {
    return machine.name == report_machine_a().name || machine.name == report_machine_b().name;
}

/// What nothing of the matrices can teach about the machines.
void note_cache_gaps(const ImaginationRequest& request, std::span<const MachineDescription> machines,
                     std::vector<std::string>& notes) {
    const auto [op, dense] = sparse_setting(request.tasks.setting);
    std::vector<PatternStatistics> matrices;
    for (const WorkloadRuntimes& runtimes : request.recorded.runtimes)
        matrices.push_back(pattern_statistics(request.tasks.workloads[runtimes.workload].statistics));
    for (const CacheGap& gap : cache_gaps(op, dense, matrices, machines))
        notes.push_back(sentence(gap, op, dense));
}

} // namespace

Result<ImaginedMachineTasks> SparseLearning::imagine(Workspace& workspace, const ImaginationRequest& request,
                                                     const std::stop_token& stop,
                                                     const ProgressSink& progress) const {
    std::vector<MachineDescription> by_formula;
    std::vector<MachineDescription> mechanistic;
    for (const std::string& word : request.machines) {
        auto machines = imagined_machines(workspace, word, request.seed);
        if (!machines)
            return std::unexpected(std::move(machines).error());
        for (MachineDescription& machine : *machines)
            (is_of_report(machine) ? by_formula : mechanistic).push_back(std::move(machine));
    }
    ImaginedMachineTasks imagined;
    note_cache_gaps(request, mechanistic, imagined.notes);
    const auto add = [&](std::span<const MachineDescription> machines, const Simulator& simulator,
                         std::string_view how) -> Result<void> {
        if (machines.empty())
            return {};
        auto tasks = simulated_tasks(request.tasks, request.recorded, machines,
                                     ScheduleTaskSimulator(simulator), stop, progress);
        if (!tasks)
            return std::unexpected(std::move(tasks).error());
        for (Task& task : *tasks) {
            imagined.notes.push_back(fmt::format("{}: {}", task.machine,
                                                 fmt::format(fmt::runtime(how), request.recorded.machine)));
            imagined.tasks.push_back(std::move(task));
        }
        return {};
    };
    if (auto added = add(by_formula, PaperFormula(),
                         "simulated from {} by the report's formula, which changes no order");
        !added)
        return std::unexpected(std::move(added).error());
    if (auto added =
            add(mechanistic, MechanisticSimulator(), "simulated mechanistically, with the schedules of {}");
        !added)
        return std::unexpected(std::move(added).error());
    return imagined;
}

} // namespace sparsight
