#include "learn/training_data.h"

#include "base/digest.h"
#include "base/plural.h"
#include "learning/cache_span.h"
#include "learning/simulated_tasks.h"
#include "learning/workspace_split.h"
#include "learning/workspace_tasks.h"
#include "machine/machine_json.h"
#include "machine/machine_presets.h"
#include "machine/mechanistic/mechanistic_simulator.h"
#include "machine/paper_formula.h"
#include "model/machine_features.h"
#include "schedule/hash.h"
#include "store/machines.h"

#include <bit>
#include <charconv>
#include <fmt/format.h>
#include <unordered_set>

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
void note_cache_gaps(TrainingData& data, const Task& real, std::span<const MachineDescription> machines) {
    std::vector<PatternStatistics> matrices;
    for (const MatrixRuntimes& runtimes : real.runtimes)
        matrices.push_back(data.set.matrices[runtimes.matrix].statistics);
    for (const CacheGap& gap : cache_gaps(data.set.op, data.set.dense, matrices, machines))
        data.notes.push_back(sentence(gap, data.set.op, data.set.dense));
}

/// Adds them to the set, with the matrices and schedules of its first task.
Result<void> add_imagined_tasks(Workspace& workspace, const TrainRequest& request, TrainingData& data,
                                const std::stop_token& stop, const ProgressSink& progress) {
    std::vector<MachineDescription> by_formula;
    std::vector<MachineDescription> mechanistic;
    for (const std::string& word : request.simulated) {
        auto machines = imagined_machines(workspace, word, request.options.seed);
        if (!machines)
            return std::unexpected(std::move(machines).error());
        for (MachineDescription& machine : *machines)
            (is_of_report(machine) ? by_formula : mechanistic).push_back(std::move(machine));
    }
    const Task real = data.set.tasks.front();
    note_cache_gaps(data, real, mechanistic);
    const auto add = [&](std::span<const MachineDescription> machines, const Simulator& simulator,
                         std::string_view how) -> Result<void> {
        if (machines.empty())
            return {};
        auto tasks = simulated_tasks(data.set, real, machines, simulator, stop, progress);
        if (!tasks)
            return std::unexpected(std::move(tasks).error());
        for (Task& task : *tasks) {
            data.notes.push_back(
                fmt::format("{}: {}", task.machine, fmt::format(fmt::runtime(how), real.machine)));
            data.set.tasks.push_back(std::move(task));
        }
        return {};
    };
    if (auto added = add(by_formula, PaperFormula(),
                         "simulated from {} by the report's formula, which changes no order");
        !added)
        return added;
    return add(mechanistic, MechanisticSimulator(), "simulated mechanistically, with the schedules of {}");
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
    const bool only_imagined = request.machines == std::vector{std::string(no_machine)};
    if (only_imagined && request.simulated.empty())
        return fail(Fault::Input, "machines is none, and there are no imagined ones: expected some in "
                                  "simulated, as family:6");
    TaskRequest wanted{.op = request.op, .dense = request.dense, .threads = request.threads};
    if (!only_imagined)
        for (const std::string& machine : request.machines)
            wanted.sources.push_back({machine});
    auto tasks = workspace_tasks(workspace, wanted, stop, progress);
    if (!tasks)
        return std::unexpected(std::move(tasks).error());
    TrainingData data{std::move(tasks->set), {}, {}};
    const auto measured = static_cast<std::ptrdiff_t>(data.set.tasks.size());
    if (!only_imagined)
        for (const TaskReport& report : tasks->reports)
            std::ranges::move(sentences(report), std::back_inserter(data.notes));
    if (auto added = add_imagined_tasks(workspace, request, data, stop, progress); !added)
        return std::unexpected(std::move(added).error());
    // Their matrices and schedules have been imagined upon; what they took is not learned from.
    if (only_imagined)
        data.set.tasks.erase(data.set.tasks.begin(), data.set.tasks.begin() + measured);
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
