#include "learn/training_data.h"

#include "base/digest.h"
#include "base/plural.h"
#include "learning/simulated_tasks.h"
#include "learning/workspace_split.h"
#include "learning/workspace_tasks.h"
#include "machine/machine_json.h"
#include "machine/machine_presets.h"
#include "machine/paper_formula.h"
#include "model/machine_features.h"
#include "schedule/hash.h"
#include "store/machines.h"

#include <bit>
#include <fmt/format.h>
#include <unordered_set>

namespace sparsight {

namespace {

Result<MachineDescription> imagined_machine(Workspace& workspace, const std::string& name) {
    for (const MachineDescription& machine : {report_machine_a(), report_machine_b()})
        if (machine.name == name)
            return machine;
    const auto known = find_machine(workspace, name);
    if (!known)
        return std::unexpected(known.error());
    if (!*known)
        return fail(Fault::Input, fmt::format("there is no machine '{}' to imagine: expected A or B, the "
                                              "report's, or one that the workspace knows",
                                              name));
    auto machine = machine_from_text((*known)->description);
    if (!machine)
        return fail(Fault::Input,
                    fmt::format("the machine '{}' can't be imagined, as little is known of it: {}", name,
                                machine.error().message));
    machine->name = fmt::format("{} (simulated)", name);
    return machine;
}

/// Adds them to the set, all from its first task.
Result<void> add_imagined_tasks(Workspace& workspace, const TrainRequest& request, TrainingData& data,
                                const std::stop_token& stop, const ProgressSink& progress) {
    if (request.simulated.empty())
        return {};
    std::vector<MachineDescription> machines;
    for (const std::string& name : request.simulated) {
        auto machine = imagined_machine(workspace, name);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        machines.push_back(*std::move(machine));
    }
    auto tasks = simulated_tasks(data.set, data.set.tasks.front(), machines, PaperFormula(), stop, progress);
    if (!tasks)
        return std::unexpected(std::move(tasks).error());
    for (Task& task : *tasks) {
        data.notes.push_back(
            fmt::format("{}: simulated from {} by the report's formula, which changes no order", task.machine,
                        data.set.tasks.front().machine));
        data.set.tasks.push_back(std::move(task));
    }
    return {};
}

/// A split that the user made is taken as it stands.
void note_leaks(TrainingData& data, const TrainRequest& request) {
    const auto found = leaks(data.split, data.set.matrices);
    if (found.empty())
        return;
    const Leak& first = found.front();
    data.notes.push_back(fmt::format(
        "the split {} has {} on two sides ({} in the {} and {} in the {} part): what is learned "
        "from one is no surprise in the other",
        request.split, counted(found.size(), "pair of related matrices", "pairs of related matrices"),
        data.set.matrices[first.matrix].name, name(first.side), data.set.matrices[first.sibling].name,
        name(first.sibling_side)));
}

void add(Digest& digest, const std::string& matrix, const MatrixRuntimes& runtimes) {
    digest.add(matrix);
    for (std::size_t place = 0; place < runtimes.schedules.size(); ++place) {
        digest.add(hash_value(runtimes.schedules[place]));
        digest.add(std::bit_cast<std::uint64_t>(runtimes.milliseconds[place]));
    }
    for (const double spread : runtimes.spreads)
        digest.add(std::bit_cast<std::uint64_t>(spread));
}

} // namespace

Result<TrainingData> training_data(Workspace& workspace, const TrainRequest& request,
                                   const std::stop_token& stop, const ProgressSink& progress) {
    TaskRequest wanted{.op = request.op, .dense = request.dense, .threads = request.threads};
    for (const std::string& machine : request.machines)
        wanted.sources.push_back({machine});
    auto tasks = workspace_tasks(workspace, wanted, stop, progress);
    if (!tasks)
        return std::unexpected(std::move(tasks).error());
    TrainingData data{std::move(tasks->set), {}, {}};
    for (const TaskReport& report : tasks->reports)
        std::ranges::move(sentences(report), std::back_inserter(data.notes));
    if (auto added = add_imagined_tasks(workspace, request, data, stop, progress); !added)
        return std::unexpected(std::move(added).error());
    auto split = request.split.empty()
                     ? split_matrices(data.set.matrices, request.shares, request.options.seed)
                     : load_split(workspace, request.split, data.set);
    if (!split)
        return std::unexpected(std::move(split).error());
    data.split = *std::move(split);
    note_leaks(data, request);
    return data;
}

Json identity_of(const TaskSet& set, const std::vector<std::vector<std::size_t>>& parts, bool reads_machine) {
    Json identity = Json::object();
    for (const Task& task : set.tasks) {
        std::size_t count = 0;
        Digest digest;
        if (reads_machine)
            for (const float feature : machine_features(task.description))
                digest.add(std::uint64_t{std::bit_cast<std::uint32_t>(feature)});
        for (std::size_t part = 0; part < parts.size(); ++part) {
            const std::unordered_set<std::size_t> wanted(parts[part].begin(), parts[part].end());
            digest.add(std::uint64_t{part});
            for (const MatrixRuntimes& runtimes : task.runtimes)
                if (wanted.contains(runtimes.matrix)) {
                    count += runtimes.schedules.size();
                    add(digest, set.matrices[runtimes.matrix].name, runtimes);
                }
        }
        identity[task.machine] = {{"runtimes", count}, {"digest", fmt::format("{:016x}", digest.value())}};
    }
    return identity;
}

std::vector<std::string> matrix_names(const TaskSet& set, const std::vector<std::size_t>& matrices) {
    std::vector<std::string> names;
    for (const std::size_t matrix : matrices)
        names.push_back(set.matrices[matrix].name);
    return names;
}

std::vector<std::string> machine_names(const TaskSet& set) {
    std::vector<std::string> names;
    for (const Task& task : set.tasks)
        names.push_back(task.machine);
    return names;
}

} // namespace sparsight
