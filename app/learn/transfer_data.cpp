#include "learn/transfer_data.h"

#include "learn/training_data.h"
#include "learning/cache_span.h"
#include "learning/simulated_tasks.h"
#include "learning/transfer_split.h"
#include "learning/workspace_tasks.h"
#include "machine/machine_presets.h"
#include "machine/mechanistic/mechanistic_simulator.h"
#include "machine/paper_formula.h"
#include "store/imagined_machines.h"
#include "store/runtimes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace sparsight {

namespace {

bool is_real(const MachineRecord& machine) {
    const auto description = description_of(machine);
    return !machine.fingerprint.starts_with("simulated:") &&
           !(description && description->source == MachineSource::Simulated);
}

/// Those that were measured, here or elsewhere.
Result<std::vector<MachineRecord>> real_machines(Workspace& workspace, const TransferRequest& request) {
    const auto known = runtime_sources(workspace, request.op, request.dense);
    if (!known)
        return std::unexpected(known.error());
    auto machines = list_machines(workspace);
    if (!machines)
        return machines;
    std::erase_if(*machines, [&](const MachineRecord& machine) {
        return !is_real(machine) || std::ranges::none_of(*known, [&](const CountedSource& counted) {
            return counted.source.machine == machine.id;
        });
    });
    return machines;
}

/// The place of a machine's task; nothing where nothing could be taken of it.
std::optional<std::size_t> task_of(const TaskSet& set, const std::string& name) {
    const auto found = std::ranges::find(set.tasks, name, &Task::machine);
    return found == set.tasks.end() ? std::nullopt
                                    : std::optional(static_cast<std::size_t>(found - set.tasks.begin()));
}

/// What all sources have, so that their steps look at as much.
int common_tasks_per_step(const TransferRequest& request, std::size_t real_machines) {
    auto fewest = static_cast<std::size_t>(request.meta.tasks_per_step);
    constexpr std::size_t of_report = 2; // A and B
    for (const MetaSource source : request.sources)
        if (source == MetaSource::Paper)
            fewest = std::min(fewest, of_report);
        else if (source == MetaSource::Family)
            fewest = std::min(fewest, request.family);
        else if (source == MetaSource::Real)
            fewest = std::min(fewest, real_machines - 1);
    return static_cast<int>(fewest);
}

bool uses(const TransferRequest& request, MetaSource source) {
    return std::ranges::find(request.sources, source) != request.sources.end();
}

bool uses_family(const TransferRequest& request) {
    return uses(request, MetaSource::Family) || uses(request, MetaSource::FamilyAndReal);
}

Result<ImaginedTasks> imagined_tasks(const TaskSet& real, std::size_t donor, const TransferRequest& request,
                                     const std::stop_token& stop, const ProgressSink& progress) {
    const auto simulated = [&](std::span<const MachineDescription> machines, const Simulator& simulator) {
        return simulated_tasks(real, real.tasks[donor], machines, simulator, stop, progress);
    };
    ImaginedTasks imagined;
    if (uses(request, MetaSource::Paper)) {
        auto tasks = simulated(std::array{report_machine_a(), report_machine_b()}, PaperFormula());
        if (!tasks)
            return std::unexpected(std::move(tasks).error());
        imagined.paper = *std::move(tasks);
    }
    if (uses_family(request)) {
        auto tasks = simulated(training_machines(request.seed, request.family), MechanisticSimulator());
        if (!tasks)
            return std::unexpected(std::move(tasks).error());
        imagined.family = *std::move(tasks);
    }
    return imagined;
}

class TransferReader {
public:
    TransferReader(Workspace& workspace, const TransferRequest& request)
        : workspace_(workspace)
        , request_(request) {}

    Result<TransferData> read(const std::stop_token& stop, const ProgressSink& progress) {
        auto machines = real_machines(workspace_, request_);
        if (!machines)
            return std::unexpected(std::move(machines).error());
        TaskRequest wanted{.op = request_.op, .dense = request_.dense, .threads = request_.threads};
        for (const MachineRecord& machine : *machines)
            wanted.sources.push_back({machine.fingerprint});
        if (machines->empty())
            return too_few_machines();
        auto tasks = workspace_tasks(workspace_, wanted, stop, progress);
        if (!tasks)
            return std::unexpected(std::move(tasks).error());
        data_.real = std::move(tasks->set);
        for (const TaskReport& report : tasks->reports)
            std::ranges::move(sentences(report), std::back_inserter(data_.notes));
        if (data_.real.tasks.size() < 2)
            return too_few_machines();
        if (auto chosen = choose_targets(*machines, tasks->reports); !chosen)
            return std::unexpected(std::move(chosen).error());
        note_cache_gaps();
        if (auto imagined = imagine(stop, progress); !imagined)
            return std::unexpected(std::move(imagined).error());
        return std::move(data_);
    }

private:
    [[nodiscard]] std::unexpected<Error> too_few_machines() const {
        return fail(Fault::Input,
                    fmt::format("there are not two machines with runtimes of {} at a dense extent of {} that "
                                "can be learned from, one to learn from and one to be learned: measure this "
                                "computer (`collect`), and add recorded machines (`import-runtimes … "
                                "--matrices FOLDER`)",
                                name(request_.op), request_.dense));
    }

    /// Reports are in the order of the machines.
    Result<void> choose_targets(const std::vector<MachineRecord>& machines,
                                const std::vector<TaskReport>& reports) {
        for (std::size_t place = 0; place < machines.size(); ++place) {
            const MachineRecord& machine = machines[place];
            if (!is_asked_for(machine))
                continue;
            const auto task = task_of(data_.real, reports[place].machine);
            // transfer_split() has the words for what is missing.
            const auto split =
                task ? transfer_split(data_.real, *task, request_.test_share, request_.seed)
                     : fail(Fault::Input, fmt::format("nothing of what was measured on {} can be "
                                                      "learned from",
                                                      machine.name));
            if (split)
                data_.targets.push_back({*task, *schedule_donor(data_.real, *task),
                                         common_tasks_per_step(request_, data_.real.tasks.size())});
            else if (!request_.targets.empty())
                return std::unexpected(split.error());
            else
                data_.notes.push_back(fmt::format("no target: {}", split.error().message));
        }
        if (auto known = check_names(machines); !known)
            return known;
        if (data_.targets.empty())
            return fail(Fault::Input,
                        fmt::format("no machine can be learned and tested: {}", data_.notes.back()));
        return {};
    }

    Result<void> imagine(const std::stop_token& stop, const ProgressSink& progress) {
        for (const TransferTarget& target : data_.targets) {
            if (data_.imagined.contains(target.donor))
                continue;
            auto tasks = imagined_tasks(data_.real, target.donor, request_, stop, progress);
            if (!tasks)
                return std::unexpected(std::move(tasks).error());
            data_.imagined.emplace(target.donor, *std::move(tasks));
        }
        return {};
    }

    void note_cache_gaps() {
        if (!uses_family(request_))
            return;
        const auto machines = training_machines(request_.seed, request_.family);
        std::set<std::size_t> donors;
        for (const TransferTarget& target : data_.targets)
            donors.insert(target.donor);
        for (const std::size_t donor : donors) {
            std::vector<PatternStatistics> matrices;
            for (const MatrixRuntimes& runtimes : data_.real.tasks[donor].runtimes)
                matrices.push_back(data_.real.matrices[runtimes.matrix].statistics);
            for (const CacheGap& gap : cache_gaps(request_.op, request_.dense, matrices, machines))
                data_.notes.push_back(fmt::format("with the matrices of {}, {}",
                                                  data_.real.tasks[donor].machine,
                                                  sentence(gap, request_.op, request_.dense)));
        }
    }

    [[nodiscard]] bool is_asked_for(const MachineRecord& machine) const {
        return request_.targets.empty() ||
               std::ranges::any_of(request_.targets, [&](const std::string& word) {
                   return word == machine.name || word == machine.fingerprint;
               });
    }

    [[nodiscard]] Result<void> check_names(const std::vector<MachineRecord>& machines) const {
        std::vector<std::string> names;
        for (const MachineRecord& machine : machines)
            names.push_back(machine.name);
        for (const std::string& word : request_.targets)
            if (std::ranges::none_of(machines, [&](const MachineRecord& machine) {
                    return word == machine.name || word == machine.fingerprint;
                }))
                return fail(
                    Fault::Input,
                    fmt::format("no machine '{}' was measured for {} at a dense extent of {}; there are {}",
                                word, name(request_.op), request_.dense, fmt::join(names, "; ")));
        return {};
    }

    Workspace& workspace_;
    const TransferRequest& request_;
    TransferData data_;
};

} // namespace

Result<TransferData> transfer_data(Workspace& workspace, const TransferRequest& request,
                                   const std::stop_token& stop, const ProgressSink& progress) {
    return TransferReader(workspace, request).read(stop, progress);
}

Json identity_of(const TransferData& data) {
    std::vector<std::size_t> everything(data.real.matrices.size());
    std::iota(everything.begin(), everything.end(), std::size_t{0});
    const auto of = [&](const TaskSet& set) {
        return identity_of(set, {everything}, /*reads_machine=*/false);
    };
    Json identity = of(data.real);
    for (const auto& [donor, imagined] : data.imagined)
        for (const std::vector<Task>* const tasks : {&imagined.paper, &imagined.family}) {
            const Json by_machine = of({data.real.op, data.real.dense, data.real.matrices, *tasks});
            for (const auto& [machine, facts] : by_machine.items())
                identity[fmt::format("{} with the schedules of {}", machine,
                                     data.real.tasks[donor].machine)] = facts;
        }
    return identity;
}

} // namespace sparsight
