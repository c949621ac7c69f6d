#include "learning/tasks/workspace_tasks.h"

#include "base/text.h"
#include "learning/tasks/stored_tasks.h"
#include "machine/machine_description.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <map>
#include <set>
#include <unordered_map>

namespace sparsight {

namespace {

struct NamedSource {
    MachineRecord machine;
    std::string task; ///< name of the task
    RuntimeConditions source;
    bool is_under_condition = false; ///< asked for as "A100 (run=2021)"
    std::int64_t of_other_threads = 0;
    std::int64_t of_other_protocols = 0;
    std::int64_t of_other_conditions = 0;
};

/// The source of a machine with the most measurements of one protocol, condition and number of threads, as
/// far as the request leaves these open.
NamedSource choose_source(MachineRecord machine, const TaskSource& wanted,
                          std::span<const RuntimeConditions> known) {
    NamedSource chosen{std::move(machine), {}, {}};
    chosen.task = chosen.machine.name;
    chosen.source = {chosen.machine.id, wanted.protocol, wanted.condition.value_or(""), wanted.threads};
    const auto of_machine = [&](const RuntimeConditions& one) { return one.machine == chosen.machine.id; };
    const auto admitted = std::ranges::find_if(known, [&](const RuntimeConditions& one) {
        return of_machine(one) && (wanted.protocol.empty() || one.protocol == wanted.protocol) &&
               (!wanted.condition || one.condition == *wanted.condition) &&
               (wanted.threads == 0 || one.threads == wanted.threads);
    });
    if (admitted != known.end())
        chosen.source = *admitted;
    for (const RuntimeConditions& one : known)
        if (!of_machine(one) || one.condition != chosen.source.condition)
            continue;
        else if (!chosen.source.protocol.empty() && one.protocol != chosen.source.protocol)
            chosen.of_other_protocols += one.measurements;
        else if (one.threads != chosen.source.threads)
            chosen.of_other_threads += one.measurements;
    return chosen;
}

/// Counts what the same machines have under conditions that are in no source.
void count_other_conditions(std::vector<NamedSource>& sources, std::span<const RuntimeConditions> known) {
    const auto is_task = [&](const RuntimeConditions& one) {
        return std::ranges::any_of(sources, [&](const NamedSource& source) {
            return source.machine.id == one.machine && source.source.condition == one.condition;
        });
    };
    for (const RuntimeConditions& one : known)
        if (!is_task(one))
            for (NamedSource& source : sources)
                if (source.machine.id == one.machine)
                    source.of_other_conditions += one.measurements;
}

std::string under_condition(const std::string& machine, const std::string& condition) {
    return condition.empty() ? machine : fmt::format("{} ({})", machine, condition);
}

/// Distinguishes tasks of machines with one name by the facts in which they differ.
void name_tasks(std::vector<NamedSource>& sources) {
    for (NamedSource& source : sources) {
        bool machine = false;
        bool threads = false;
        bool protocol = false;
        bool condition = source.is_under_condition;
        for (const NamedSource& other : sources)
            if (other.machine.id == source.machine.id) {
                threads = threads || other.source.threads != source.source.threads;
                protocol = protocol || other.source.protocol != source.source.protocol;
                condition = condition || other.source.condition != source.source.condition;
            } else {
                machine = machine || other.machine.name == source.machine.name;
            }
        if (machine)
            source.task += fmt::format(" ({})", source.machine.fingerprint);
        if (condition)
            source.task = under_condition(source.task, source.source.condition);
        if (threads)
            source.task += ", " + counted(source.source.threads, "thread", "threads");
        if (protocol)
            source.task += ", " + source.source.protocol;
    }
}

/// The machine that a request names, with the condition where it names one. Error (Input): there is none.
Result<MachineRecord> find_machine_of(Workspace& workspace, TaskSource& wanted,
                                      std::span<const RuntimeConditions> known) {
    auto named = find_named_machine(workspace, wanted.machine);
    if (!named)
        return std::unexpected(std::move(named).error());
    if (*named)
        return **std::move(named);
    auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(std::move(machines).error());
    for (MachineRecord& machine : *machines)
        for (const RuntimeConditions& one : known)
            if (one.machine == machine.id && under_condition(machine.name, one.condition) == wanted.machine) {
                wanted.condition = one.condition;
                return std::move(machine);
            }
    return unknown_machine(workspace, wanted.machine);
}

/// Those under which a machine has measurements, ascending.
std::set<std::string> conditions_of(MachineId machine, std::span<const RuntimeConditions> known) {
    std::set<std::string> conditions;
    for (const RuntimeConditions& one : known)
        if (one.machine == machine)
            conditions.insert(one.condition);
    return conditions;
}

Result<std::vector<NamedSource>> find_sources(Workspace& workspace, TaskStorage& storage,
                                              const TaskRequest& request) {
    const auto known = storage.conditions(request.setting);
    if (!known)
        return std::unexpected(known.error());
    std::vector<NamedSource> sources;
    if (request.sources.empty()) {
        auto machines = list_machines(workspace);
        if (!machines)
            return std::unexpected(std::move(machines).error());
        for (const MachineRecord& machine : *machines)
            for (const std::string& condition : conditions_of(machine.id, *known))
                sources.push_back(
                    choose_source(machine, {.machine = machine.name, .condition = condition}, *known));
    }
    for (TaskSource wanted : request.sources) {
        auto machine = find_machine_of(workspace, wanted, *known);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        sources.push_back(choose_source(*std::move(machine), wanted, *known));
        NamedSource& source = sources.back();
        source.is_under_condition =
            wanted.machine == under_condition(source.machine.name, source.source.condition);
    }
    count_other_conditions(sources, *known);
    name_tasks(sources);
    return sources;
}

Result<MachineDescription> describe(const MachineRecord& machine) {
    constexpr std::string_view nothing_known = "{}";
    if (machine.description == nothing_known) {
        MachineDescription description;
        description.name = machine.name;
        description.source = MachineSource::Recorded;
        return description;
    }
    auto description = machine_from_text(machine.description);
    if (!description)
        return fail(description.error().fault, fmt::format("the description of the machine {}: {}",
                                                           machine.name, description.error().message));
    return description;
}

/// A machine with all that was measured on it.
struct MeasuredMachine {
    NamedSource source;
    MachineDescription description;
    std::vector<RecordedWorkload> runtimes;
};

class TaskReader {
public:
    TaskReader(Workspace& workspace, TaskStorage& storage, const TaskRequest& request,
               const std::stop_token& stop, const ProgressSink& progress)
        : workspace_(workspace)
        , storage_(storage)
        , request_(request)
        , stop_(stop)
        , progress_(progress) {}

    Result<WorkspaceTasks> read() {
        auto machines = read_machines();
        if (!machines)
            return std::unexpected(std::move(machines).error());
        if (auto known = know_workloads(); !known)
            return std::unexpected(std::move(known).error());
        if (auto looked = look_at_workloads(*machines); !looked)
            return std::unexpected(std::move(looked).error());
        tasks_.set.setting = request_.setting;
        tasks_.set.words = words_;
        for (MeasuredMachine& machine : *machines)
            add_task(machine);
        if (tasks_.set.tasks.empty())
            return nothing_to_learn();
        add_workloads();
        return std::move(tasks_);
    }

private:
    Result<std::vector<MeasuredMachine>> read_machines() {
        auto sources = find_sources(workspace_, storage_, request_);
        if (!sources)
            return std::unexpected(std::move(sources).error());
        std::vector<MeasuredMachine> machines;
        for (NamedSource& source : *sources) {
            auto runtimes = storage_.runtimes(request_.setting, source.source);
            if (!runtimes)
                return std::unexpected(std::move(runtimes).error());
            auto description = describe(source.machine);
            if (!description)
                return std::unexpected(std::move(description).error());
            auto facts = fact_numbers(workspace_, source.machine.id);
            if (!facts)
                return std::unexpected(std::move(facts).error());
            description->facts = *std::move(facts);
            machines.push_back({std::move(source), std::move(*description), std::move(*runtimes)});
        }
        return machines;
    }

    Result<void> know_workloads() {
        auto records = storage_.workloads();
        if (!records)
            return std::unexpected(std::move(records).error());
        records_ = std::move(*records);
        examined_.resize(records_.size());
        for (std::size_t place = 0; place < records_.size(); ++place)
            places_.emplace(records_[place].id, place);
        return {};
    }

    /// Examines the workloads that were measured and have data.
    Result<void> look_at_workloads(std::vector<MeasuredMachine>& machines) {
        std::set<std::size_t> wanted;
        for (MeasuredMachine& machine : machines) {
            // Somebody may have removed a workload after its runtimes were read.
            std::erase_if(machine.runtimes,
                          [&](const RecordedWorkload& one) { return !places_.contains(one.workload); });
            for (const RecordedWorkload& one : machine.runtimes)
                if (const std::size_t place = places_.at(one.workload); records_[place].has_data)
                    wanted.insert(place);
        }
        for (std::uint64_t done = 0; const std::size_t place : wanted) {
            if (stop_.stop_requested())
                return fail(Fault::Cancelled,
                            fmt::format("stopped while the {} were looked at", words_.workload.many));
            if (progress_)
                progress_({fmt::format("looking at {}", words_.workload.many), done++, wanted.size()});
            const StoredWorkload& record = records_[place];
            auto examined = storage_.examine(record, request_.threads);
            if (examined) {
                examined_[place] = *std::move(examined);
                continue;
            }
            Error error = std::move(examined).error();
            if (concerns_workspace(error))
                return std::unexpected(std::move(error));
            error.message = fmt::format("the {} {}: {}", words_.workload.one, record.name, error.message);
            unreadable_[place] = tasks_.unreadable.size();
            tasks_.unreadable.push_back(std::move(error));
        }
        return {};
    }

    /// Not one workload: the database is busy, gone, or the disk is full.
    [[nodiscard]] bool concerns_workspace(const Error& error) const {
        return error.fault == Fault::Internal ||
               (error.fault == Fault::Environment && error.file == workspace_.path().string());
    }

    /// Its workloads are numbered by their place in the workspace until add_workloads().
    void add_task(MeasuredMachine& machine) {
        TaskReport report{.machine = machine.source.task,
                          .protocol = machine.source.source.protocol,
                          .threads = machine.source.source.threads,
                          .tells_threads = storage_.tells_threads(),
                          .workload = words_.workload,
                          .configuration = words_.configuration,
                          .of_other_threads = machine.source.of_other_threads,
                          .of_other_protocols = machine.source.of_other_protocols,
                          .of_other_conditions = machine.source.of_other_conditions,
                          .of_other_engines = machine.source.source.other_engines,
                          .why_without_data = std::string(storage_.why_left_out())};
        Task task{report.machine, std::move(machine.description), {}, report.threads};
        for (const RecordedWorkload& one : machine.runtimes)
            take(places_.at(one.workload), one.runtimes, task, report);
        if (!task.runtimes.empty())
            tasks_.set.tasks.push_back(std::move(task));
        tasks_.reports.push_back(std::move(report));
    }

    void take(std::size_t place, std::span<const RecordedRuntime> stored, Task& task, TaskReport& report) {
        const bool is_known = records_[place].has_data;
        if (!examined_[place]) {
            ++(is_known ? report.unreadable : report.without_data);
            (is_known ? report.counts.unreadable : report.counts.without_data) += std::ssize(stored);
            report.counts.measurements += std::ssize(stored);
            if (const auto why = unreadable_.find(place);
                why != unreadable_.end() && report.why_unreadable.empty())
                report.why_unreadable = tasks_.unreadable[why->second].text();
            return;
        }
        WorkloadRuntimes runtimes =
            apply_rules(stored, storage_.domain().believable_times(), request_.goal, report.counts);
        if (runtimes.configurations.empty()) {
            ++report.without_order;
            return;
        }
        ++report.workloads;
        runtimes.workload = place;
        if (task.description.source == MachineSource::Simulated)
            add_simulation_error(runtimes, task.description);
        task.runtimes.push_back(std::move(runtimes));
    }

    void add_workloads() {
        std::map<std::size_t, std::size_t> new_places;
        for (const Task& task : tasks_.set.tasks)
            for (const WorkloadRuntimes& runtimes : task.runtimes)
                new_places.emplace(runtimes.workload, 0);
        for (auto& [place, new_place] : new_places) {
            new_place = tasks_.set.workloads.size();
            tasks_.set.workloads.push_back(*std::move(examined_[place]));
        }
        for (Task& task : tasks_.set.tasks)
            for (WorkloadRuntimes& runtimes : task.runtimes)
                runtimes.workload = new_places.at(runtimes.workload);
    }

    [[nodiscard]] std::unexpected<Error> nothing_to_learn() const {
        std::string why;
        for (const TaskReport& report : tasks_.reports)
            for (const std::string& sentence : sentences(report))
                why += "; " + sentence;
        return fail(Fault::Input, fmt::format("there is nothing to learn from for {}{}",
                                              storage_.setting_name(request_.setting),
                                              why.empty() ? ": no machine has measurements of it" : why));
    }

    Workspace& workspace_;
    TaskStorage& storage_;
    const TaskRequest& request_;
    const std::stop_token& stop_;
    const ProgressSink& progress_;
    const DomainWords& words_ = storage_.domain().words();
    std::vector<StoredWorkload> records_;
    std::vector<std::optional<TaskWorkload>> examined_;  ///< by place in records_
    std::unordered_map<WorkloadId, std::size_t> places_; ///< in records_
    std::map<std::size_t, std::size_t> unreadable_;      ///< by place in records_, in tasks_.unreadable
    WorkspaceTasks tasks_;
};

} // namespace

Result<StatisticsReader> statistics_reader(std::shared_ptr<TaskStorage> storage, int threads) {
    auto workloads = storage->workloads();
    if (!workloads)
        return std::unexpected(std::move(workloads).error());
    std::map<WorkloadId, StoredWorkload> by_id;
    for (StoredWorkload& workload : *workloads)
        by_id.emplace(workload.id, std::move(workload));
    return [storage = std::move(storage), by_id = std::move(by_id),
            threads](const WorkloadRecord& record) -> std::optional<std::vector<double>> {
        const auto known = by_id.find(record.id);
        if (known == by_id.end())
            return std::nullopt;
        auto examined = storage->examine(known->second, threads);
        return examined ? std::optional(std::move(examined->statistics)) : std::nullopt;
    };
}

Result<WorkspaceTasks> workspace_tasks(Workspace& workspace, TaskStorage& storage, const TaskRequest& request,
                                       const std::stop_token& stop, const ProgressSink& progress) {
    return TaskReader(workspace, storage, request, stop, progress).read();
}

namespace {

struct Reason {
    std::int64_t count = 0;
    std::string_view words;
};

/// "12 given up, 3 failed"; empty where there is none.
std::string listed(std::initializer_list<Reason> reasons) {
    std::string text;
    for (const Reason& reason : reasons)
        if (reason.count > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", reason.count, reason.words);
    return text;
}

} // namespace

std::vector<std::string> sentences(const TaskReport& report) {
    const RuntimeCounts& counts = report.counts;
    std::string source = report.protocol;
    if (report.threads > 0 && report.tells_threads)
        source += (source.empty() ? "" : ", ") + counted(report.threads, "thread", "threads");
    const auto counted_workloads = [&](std::int64_t count) {
        return counted(count, report.workload.one, report.workload.many);
    };
    const std::string repeated =
        fmt::format("of a {} that is there in other words", report.configuration.one);
    std::vector<std::string> text;
    const auto other_sources = [&] {
        if (const auto others = listed({{report.of_other_threads, "with other numbers of threads"},
                                        {report.of_other_protocols, "of other protocols"},
                                        {report.of_other_conditions, "under other conditions"},
                                        {report.of_other_engines, "by other versions of what measures"}});
            !others.empty())
            text.push_back(
                fmt::format("left out of {}, as no part of this task: {}", report.machine, others));
    };
    if (counts.measurements == 0) {
        text.push_back(fmt::format("{}: no measurements{}", report.machine,
                                   source.empty() ? "" : fmt::format(" ({})", source)));
        other_sources();
        return text;
    }
    text.push_back(fmt::format("{} ({}): {} of {} of {} can be learned from", report.machine, source,
                               counted(counts.runtimes, "runtime", "runtimes"),
                               counted(counts.measurements, "measurement", "measurements"),
                               counted_workloads(report.workloads)));
    other_sources();
    if (const auto infinite = listed({{counts.failed, "failed"}}); !infinite.empty())
        text.push_back(fmt::format("taken as slower than all others: {}", infinite));
    if (const auto bounded = listed({{counts.given_up, "abandoned"}}); !bounded.empty())
        text.push_back(fmt::format("taken as slower than what took less time than they ran: {}", bounded));
    if (const auto left_out = listed({{counts.damaged, "damaged in the workspace file"},
                                      {counts.too_short, "too short to be true"},
                                      {counts.too_long, "too long"},
                                      {counts.repeated, repeated}});
        !left_out.empty())
        text.push_back(fmt::format("left out: {}", left_out));
    const auto leave_out = [&](std::int64_t workloads, std::int64_t measurements, std::string_view why) {
        if (workloads > 0)
            text.push_back(fmt::format("left out: {} ({}), {}", counted_workloads(workloads),
                                       counted(measurements, "measurement", "measurements"), why));
    };
    leave_out(report.without_data, counts.without_data, report.why_without_data);
    leave_out(report.unreadable, counts.unreadable,
              report.why_unreadable.empty()
                  ? "whose data can't be read"
                  : fmt::format("whose data can't be read, as {}", report.why_unreadable));
    leave_out(report.without_order, counts.without_order, "without two different runtimes");
    return text;
}

} // namespace sparsight
