#include "domains/sparse/workflow/learning/transfer/transfer_request.h"

#include "base/parallel.h"
#include "domains/sparse/encoder/sparse_tasks.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/simulator/cache_span.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/storage/schedules.h"
#include "domains/sparse/tensor/sparse_workload.h"
#include "domains/sparse/workflow/learning_settings.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "workflow/learning/training/training_data.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>
#include <span>
#include <utility>

namespace sparsight {

namespace {

void read_sources(const RunSettings& settings, TransferRequest& request, SettingReader& reader) {
    for (const std::string& word : settings.get<std::vector<std::string>>("sources")) {
        const auto source = parse_meta_source(word);
        if (!source)
            return reader.refuse("sources", "scratch, paper, family, real or family+real");
        request.sources.push_back(*source);
    }
    if (request.sources.empty())
        reader.refuse("sources", "one or more");
}

void read_shots(const RunSettings& settings, TransferRequest& request, SettingReader& reader) {
    std::set<std::size_t> shots;
    for (const std::string& word : settings.get<std::vector<std::string>>("shots")) {
        std::size_t count = 0;
        const char* const end = word.data() + word.size();
        if (const auto [stop, error] = std::from_chars(word.data(), end, count);
            error != std::errc() || stop != end)
            return reader.refuse("shots", "whole numbers, such as 0,1,5,10");
        shots.insert(count);
    }
    request.shots.assign(shots.begin(), shots.end());
    if (shots.empty())
        reader.refuse("shots", "one or more");
}

} // namespace

std::vector<SettingDefinition> transfer_setting_definitions() {
    std::vector<SettingDefinition> definitions;
    for (const TransferSetting& setting : transfer_settings)
        definitions.push_back({std::string(setting.name), Json::parse(setting.fallback),
                               std::string(setting.placeholder), std::string(setting.help),
                               setting.name == "shots"});
    definitions.push_back({"seed", 1, "", ""});
    definitions.push_back({"threads", available_threads(), "N", "threads of LibTorch (default: all)"});
    return definitions;
}

Result<TransferRequest> read_transfer_request(const RunSettings& settings) {
    constexpr std::int64_t most = std::numeric_limits<int>::max();
    TransferRequest request;
    SettingReader reader(settings);
    request.targets = settings.get<std::vector<std::string>>("targets");
    read_sources(settings, request, reader);
    read_shots(settings, request, reader);
    reader.number("seeds", request.seeds, 1, 1000);
    reader.number("steps", request.steps, 1, most);
    reader.number("family", request.family, 1, 1000);
    reader.number("tuning_epochs", request.tuning.epochs, 1, most);
    reader.number("dense", request.dense, 1, max_extent);
    reader.number("threads", request.threads, 1, maximum_threads);
    request.tuning.adam_rate = settings.get<double>("adam_rate");
    if (!(request.tuning.adam_rate > 0))
        reader.refuse("adam_rate", "a positive number");
    request.test_share = settings.get<double>("test_share");
    if (!(request.test_share > 0 && request.test_share < 1))
        reader.refuse("test_share", "a share above 0 and below 1");
    if (const auto architecture = parse_architecture(settings.get<std::string>("architecture")))
        request.architecture = *architecture;
    else
        reader.refuse("architecture", "statistics or waconet");
    if (const auto op = parse_operator(settings.get<std::string>("operator")))
        request.op = *op;
    else
        reader.refuse("operator", "spmm, spmv or sddmm");
    if (reader.error())
        return std::unexpected(*reader.error());
    auto meta = read_training_options(settings);
    if (!meta)
        return std::unexpected(std::move(meta).error());
    request.meta = *meta;
    request.meta.rate_schedule = RateSchedule::Cosine;
    request.seed = meta->seed;
    request.tuning.rule = FineTuningRule::Adam;
    request.tuning.loss = meta->loss;
    request.tuning.configurations_per_workload = meta->configurations_per_workload;
    return request;
}

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
        TaskRequest wanted{.setting = setting_of(request_.op, request_.dense), .threads = request_.threads};
        for (const MachineRecord& machine : *machines)
            wanted.sources.push_back({machine.fingerprint});
        if (machines->empty())
            return too_few_machines();
        auto targets = rejoined_machines(workspace_, request_.targets);
        if (!targets)
            return std::unexpected(std::move(targets).error());
        for (const std::string& word : *targets) {
            const auto machine = find_named_machine(workspace_, word);
            if (!machine)
                return std::unexpected(machine.error());
            const bool is_measured =
                *machine && std::ranges::count(*machines, (*machine)->id, &MachineRecord::id) > 0;
            targets_.push_back(is_measured ? (*machine)->fingerprint : word);
        }
        auto tasks = sparse_tasks(workspace_, wanted, stop, progress);
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
                    fmt::format("fewer than two machines have runtimes of {} at a dense extent of {}: use "
                                "`collect` and `import-runtimes … --matrices FOLDER`",
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
            for (const WorkloadRuntimes& runtimes : data_.real.tasks[donor].runtimes)
                matrices.push_back(pattern_statistics(data_.real.workloads[runtimes.workload].statistics));
            for (const CacheGap& gap : cache_gaps(request_.op, request_.dense, matrices, machines))
                data_.notes.push_back(fmt::format("with the matrices of {}, {}",
                                                  data_.real.tasks[donor].machine,
                                                  sentence(gap, request_.op, request_.dense)));
        }
    }

    [[nodiscard]] bool is_asked_for(const MachineRecord& machine) const {
        return targets_.empty() || std::ranges::count(targets_, machine.fingerprint) > 0;
    }

    [[nodiscard]] Result<void> check_names(const std::vector<MachineRecord>& machines) const {
        std::vector<std::string> names;
        for (const MachineRecord& machine : machines)
            names.push_back(machine.name);
        for (const std::string& word : targets_)
            if (std::ranges::count(machines, word, &MachineRecord::fingerprint) == 0)
                return fail(
                    Fault::Input,
                    fmt::format("no machine '{}' was measured for {} at a dense extent of {}; there are {}",
                                word, name(request_.op), request_.dense, fmt::join(names, "; ")));
        return {};
    }

    Workspace& workspace_;
    const TransferRequest& request_;
    std::vector<std::string> targets_; ///< fingerprints; a word that names no measured machine as it is
    TransferData data_;
};

} // namespace

Result<TransferData> transfer_data(Workspace& workspace, const TransferRequest& request,
                                   const std::stop_token& stop, const ProgressSink& progress) {
    return TransferReader(workspace, request).read(stop, progress);
}

Json identity_of(const TransferData& data) {
    std::vector<std::size_t> everything(data.real.workloads.size());
    std::iota(everything.begin(), everything.end(), std::size_t{0});
    const auto of = [&](const TaskSet& set) {
        return identity_of(set, {everything}, /*reads_machine=*/false);
    };
    Json identity = of(data.real);
    for (const auto& [donor, imagined] : data.imagined)
        for (const std::vector<Task>* const tasks : {&imagined.paper, &imagined.family}) {
            const Json by_machine = of({data.real.setting, data.real.workloads, *tasks});
            for (const auto& [machine, facts] : by_machine.items())
                identity[fmt::format("{} with the schedules of {}", machine,
                                     data.real.tasks[donor].machine)] = facts;
        }
    return identity;
}

} // namespace sparsight
