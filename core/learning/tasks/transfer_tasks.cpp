#include "learning/tasks/transfer_tasks.h"

#include "base/parallel.h"
#include "base/text.h"
#include "learning/tasks/splits.h"
#include "machine/machine_family.h"

#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <set>
#include <utility>

namespace sparsight {

namespace {

/// In the proportion in which the runtimes changed; those of infinite ones stay as they are.
std::vector<double> scaled_spreads(const WorkloadRuntimes& recorded, const std::vector<double>& simulated) {
    std::vector<double> spreads = recorded.spreads;
    for (std::size_t i = 0; i < spreads.size(); ++i)
        if (std::isfinite(recorded.milliseconds[i]) && std::isfinite(simulated[i]))
            spreads[i] *= simulated[i] / recorded.milliseconds[i];
    return spreads;
}

/// By machine.
Result<std::vector<SimulatedTimes>> simulated_on(std::span<const MachineDescription> machines,
                                                 const TaskSet& set, const WorkloadRuntimes& runtimes,
                                                 const Simulator& simulator, const std::stop_token& stop) {
    std::shared_ptr<const Payload> data;
    if (simulator.needs_data()) {
        auto loaded = set.workloads[runtimes.workload].load();
        if (!loaded)
            return std::unexpected(std::move(loaded).error());
        data = *std::move(loaded);
    }
    const auto profile = simulator.profile({.setting = set.setting,
                                            .data = data.get(),
                                            .configurations = runtimes.configurations,
                                            .recorded_ms = runtimes.milliseconds,
                                            .threads = available_threads(),
                                            .stop = stop});
    if (!profile)
        return std::unexpected(profile.error());
    std::vector<SimulatedTimes> times;
    for (const MachineDescription& machine : machines) {
        auto on_machine = (*profile)->times(machine);
        if (!on_machine)
            return std::unexpected(std::move(on_machine).error());
        times.push_back(*std::move(on_machine));
    }
    return times;
}

} // namespace

std::vector<MachineDescription> training_machines(std::uint64_t seed, std::size_t count) {
    std::vector<MachineDescription> machines;
    for (std::uint64_t index = 0; machines.size() < count; ++index)
        if (family_part(seed, index) == FamilyPart::Train)
            machines.push_back(sampled_machine(seed, index));
    return machines;
}

Result<std::vector<Task>> simulated_tasks(const TaskSet& set, const Task& recorded,
                                          std::span<const MachineDescription> machines,
                                          const Simulator& simulator, const std::stop_token& stop,
                                          const ProgressSink& progress) {
    std::vector<Task> tasks;
    for (const MachineDescription& machine : machines)
        tasks.push_back({machine.name, machine, {}, recorded.threads});
    for (std::uint64_t done = 0; const WorkloadRuntimes& runtimes : recorded.runtimes) {
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while machines were simulated");
        auto simulated = simulated_on(machines, set, runtimes, simulator, stop);
        if (!simulated)
            return std::unexpected(
                Error{simulated.error().fault,
                      fmt::format("the {} {}: {}", set.words.workload.one,
                                  set.workloads[runtimes.workload].name, simulated.error().message),
                      simulated.error().file, simulated.error().line});
        for (std::size_t m = 0; m < tasks.size(); ++m) {
            std::vector<double>& times = (*simulated)[m].milliseconds;
            auto spreads =
                simulator.needs_recorded() ? scaled_spreads(runtimes, times) : std::vector<double>{};
            tasks[m].runtimes.push_back({runtimes.workload, runtimes.configurations, std::move(times),
                                         std::move(spreads), runtimes.baseline, runtimes.digests});
            if (!simulator.needs_recorded())
                add_simulation_error(tasks[m].runtimes.back(), machines[m]);
        }
        if (progress)
            progress({"simulating", ++done, recorded.runtimes.size()});
    }
    return tasks;
}

std::string_view name(MetaSource source) {
    constexpr std::array<std::string_view, all_meta_sources.size()> names{"scratch", "paper", "family",
                                                                          "real", "family+real"};
    return names[static_cast<std::size_t>(source)];
}

std::optional<MetaSource> parse_meta_source(std::string_view text) {
    for (const MetaSource source : all_meta_sources)
        if (text == name(source))
            return source;
    return std::nullopt;
}

std::optional<std::size_t> schedule_donor(const TaskSet& real, std::size_t target) {
    std::optional<std::size_t> donor;
    for (std::size_t task = 0; task < real.tasks.size(); ++task)
        if (task != target &&
            (!donor || real.tasks[task].runtimes.size() > real.tasks[*donor].runtimes.size()))
            donor = task;
    return donor;
}

TaskSet tasks_of(MetaSource source, const TaskSet& real, std::size_t target, std::span<const Task> paper,
                 std::span<const Task> family) {
    TaskSet set{real.setting, real.workloads, {}};
    if (source == MetaSource::Paper)
        set.tasks.assign(paper.begin(), paper.end());
    if (source == MetaSource::Family || source == MetaSource::FamilyAndReal)
        set.tasks.assign(family.begin(), family.end());
    if (source == MetaSource::Real || source == MetaSource::FamilyAndReal)
        for (std::size_t task = 0; task < real.tasks.size(); ++task)
            if (task != target)
                set.tasks.push_back(real.tasks[task]);
    return set;
}

std::size_t count_families(const TaskSet& set, std::size_t task) {
    const auto family_of = workload_families(set.workloads);
    std::set<std::size_t> families;
    for (const WorkloadRuntimes& runtimes : set.tasks[task].runtimes)
        families.insert(family_of[runtimes.workload]);
    return families.size();
}

Result<WorkloadSplit> transfer_split(const TaskSet& set, std::size_t target, double test_share,
                                     std::uint64_t seed) {
    if (const std::size_t families = count_families(set, target); families < fewest_target_families)
        return fail(Fault::Input,
                    fmt::format("{} has usable runtimes of {} (forms counted once): expected {} or more; use "
                                "`collect` or `import-runtimes … --matrices FOLDER`",
                                set.tasks[target].machine,
                                counted(families, set.words.workload.one, set.words.workload.many),
                                fewest_target_families));
    std::vector<std::size_t> places;
    std::vector<TaskWorkload> measured;
    for (const WorkloadRuntimes& runtimes : set.tasks[target].runtimes) {
        places.push_back(runtimes.workload);
        measured.push_back(set.workloads[runtimes.workload]);
    }
    const auto own = split_workloads(measured, {1 - test_share, 0, test_share}, seed, set.words.workload);
    if (!own)
        return std::unexpected(own.error());
    // Over all matrices: two of the target's may be of a family by one that was measured elsewhere alone.
    const auto family_of = workload_families(set.workloads);
    WorkloadSplit split;
    std::set<std::size_t> tested;
    for (const std::size_t place : own->test) {
        split.test.push_back(places[place]);
        tested.insert(family_of[places[place]]);
    }
    for (std::size_t matrix = 0; matrix < set.workloads.size(); ++matrix)
        if (!tested.contains(family_of[matrix]))
            split.train.push_back(matrix);
    return split;
}

} // namespace sparsight
