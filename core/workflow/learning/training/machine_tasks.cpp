#include "workflow/learning/training/machine_tasks.h"

#include "base/digest.h"
#include "base/random.h"
#include "base/text.h"
#include "learning/tasks/transfer_tasks.h"
#include "machine/machine_description.h"
#include "store/machines.h"
#include "store/workloads.h"
#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace sparsight {

namespace {

/// With fewer, a split has nothing for one of its sides: to learn from, to choose the epoch by, to test with.
constexpr std::size_t fewest_simulated_families = 3;

/// The fingerprint of a simulated machine whose runtimes in the setting, if it has any, are too few to split;
/// nothing of any other word, which is told of where measurements are read.
std::optional<std::string> machine_to_imagine(Workspace& workspace, const LearningDomain& domain,
                                              const MachineTasksRequest& request, const std::string& word,
                                              const std::stop_token& stop) {
    const auto machine = find_named_machine(workspace, word);
    if (!machine || !*machine || !is_editable(**machine))
        return std::nullopt;
    const auto stored = domain.tasks(
        workspace,
        {.setting = request.setting, .sources = {{word}}, .threads = request.threads, .goal = request.goal},
        stop, {});
    const bool suffices =
        stored ? !stored->set.tasks.empty() && count_families(stored->set, 0) >= fewest_simulated_families
               : stored.error().fault != Fault::Input;
    return suffices ? std::nullopt : std::optional((*machine)->fingerprint);
}

std::string first_workloads() {
    return "`import` adds files, and `simulate` makes some";
}

struct AskedMachines {
    std::vector<TaskSource> measured; ///< empty: all
    std::vector<std::string> imagined;
    bool only_imagined = false;
};

Result<AskedMachines> asked_machines(Workspace& workspace, const LearningDomain& domain,
                                     const MachineTasksRequest& request, const std::stop_token& stop) {
    AskedMachines asked;
    const bool simulates = domain.blending() != nullptr;
    if (request.machines == std::vector{std::string(no_machine)}) {
        asked.only_imagined = true;
    } else if (request.machines.empty()) {
        const auto known = domain.task_storage(workspace)->conditions(request.setting);
        if (!known)
            return std::unexpected(known.error());
        asked.only_imagined = simulates && known->empty() && !request.simulated.empty(); // all are none
    } else {
        const auto machines = rejoined_machines(workspace, request.machines);
        if (!machines)
            return std::unexpected(machines.error());
        for (const std::string& word : *machines)
            if (auto imagined =
                    simulates ? machine_to_imagine(workspace, domain, request, word, stop) : std::nullopt)
                asked.imagined.push_back(*std::move(imagined));
            else
                asked.measured.push_back({word});
        asked.only_imagined = asked.measured.empty();
    }
    std::ranges::copy(request.simulated, std::back_inserter(asked.imagined));
    if (asked.only_imagined && asked.imagined.empty()) {
        const auto workloads = list_workloads(workspace, request.setting.domain);
        if (!workloads)
            return std::unexpected(workloads.error());
        return fail(
            Fault::Input,
            fmt::format("machines is none, and there are no imagined ones: expected some in simulated, "
                        "as family:6{}",
                        workloads->empty() ? "; and the workspace is empty: " + first_workloads() : ""));
    }
    return asked;
}

/// A task without times: every workload that has data, with drawn configurations for a simulator to run.
class Drawing {
public:
    Drawing(Workspace& workspace, const LearningDomain& domain, const MachineTasksRequest& request)
        : workspace_(workspace)
        , domain_(domain.domain())
        , storage_(domain.task_storage(workspace))
        , request_(request) {}

    Result<MachineTasks> draw(const std::stop_token& stop, const ProgressSink& progress) {
        const auto stored = storage_->workloads();
        if (!stored)
            return std::unexpected(stored.error());
        auto records = list_workloads(workspace_, domain_.name());
        if (!records)
            return std::unexpected(std::move(records).error());
        for (WorkloadRecord& record : *records)
            records_.emplace(record.id, std::move(record));
        const Noun& noun = domain_.words().workload;
        drawn_.set = {request_.setting, {}, {Task{}}, domain_.words()};
        for (std::uint64_t done = 0; const StoredWorkload& each : *stored) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, fmt::format("stopped while the {} were looked at", noun.many));
            if (progress)
                progress({fmt::format("looking at {}", noun.many), done++, stored->size()});
            if (each.has_data)
                if (auto added = add(each); !added)
                    return std::unexpected(std::move(added).error());
        }
        if (drawn_.set.workloads.empty())
            return nothing_to_simulate();
        drawn_.notes.push_back(fmt::format(
            "{} {} of each of {} are drawn and simulated, as fewer than {} {} have measurements of "
            "{}",
            drawn_configurations, domain_.words().configuration.many,
            counted(drawn_.set.workloads.size(), noun.one, noun.many), fewest_simulated_families, noun.many,
            storage_->setting_name(request_.setting)));
        if (unreadable_ > 0)
            drawn_.notes.push_back(fmt::format("left out: {}, as {}",
                                               counted(unreadable_, noun.one, noun.many), why_unreadable_));
        return std::move(drawn_);
    }

private:
    Result<void> add(const StoredWorkload& stored) {
        auto runtimes = drawn_for(stored);
        if (!runtimes)
            return leave_out(stored, runtimes.error());
        auto workload = storage_->examine(stored, request_.threads);
        if (!workload)
            return leave_out(stored, workload.error());
        // A simulator reads them again. One file that is gone must not end the whole run then.
        if (const auto data = workload->load(); !data)
            return leave_out(stored, data.error());
        runtimes->workload = drawn_.set.workloads.size();
        drawn_.set.workloads.push_back(*std::move(workload));
        drawn_.set.tasks.front().runtimes.push_back(*std::move(runtimes));
        return {};
    }

    /// The seed and the name decide: the same whatever other workloads there are.
    [[nodiscard]] Result<WorkloadRuntimes> drawn_for(const StoredWorkload& stored) const {
        const auto record = records_.find(stored.id);
        if (record == records_.end())
            return fail(Fault::Input, "it was removed from the workspace meanwhile");
        const auto space = domain_.space(
            {.setting = request_.setting, .facts = numeric_facts(record->second), .recorded = {}});
        if (!space)
            return std::unexpected(space.error());
        WorkloadRuntimes runtimes{0, {}, {}};
        if (auto baseline = (*space)->baseline()) {
            runtimes.configurations.push_back(*std::move(baseline));
            runtimes.baseline = 0;
        }
        Random random = Random(request_.seed).fork(digest_of(stored.name));
        for (Configuration& each : (*space)->customary_sample(drawn_configurations, random))
            if (std::ranges::find(runtimes.configurations, each) == runtimes.configurations.end())
                runtimes.configurations.push_back(std::move(each));
        return runtimes;
    }

    Result<void> leave_out(const StoredWorkload& stored, const Error& error) {
        if (error.fault == Fault::Internal ||
            (error.fault == Fault::Environment && error.file == workspace_.path().string()))
            return std::unexpected(error); // the workspace itself can't be read
        if (unreadable_++ == 0)
            why_unreadable_ =
                fmt::format("the {} {}: {}", domain_.words().workload.one, stored.name, error.text());
        return {};
    }

    [[nodiscard]] std::unexpected<Error> nothing_to_simulate() const {
        const Noun& noun = domain_.words().workload;
        return fail(Fault::Input,
                    fmt::format("there is nothing to simulate: the workspace has no {} with data{}", noun.one,
                                unreadable_ > 0 ? fmt::format(" that can be read ({})", why_unreadable_)
                                                : ": " + first_workloads()));
    }

    Workspace& workspace_;
    const Domain& domain_;
    std::unique_ptr<TaskStorage> storage_;
    const MachineTasksRequest& request_;
    std::map<WorkloadId, WorkloadRecord> records_;
    std::size_t unreadable_ = 0;
    std::string why_unreadable_;
    MachineTasks drawn_;
};

/// What is imagined gets the workloads of the first task: of one that can be split, where there is any.
void begin_with_what_suffices(TaskSet& set) {
    for (std::size_t task = 0; task < set.tasks.size(); ++task)
        if (count_families(set, task) >= fewest_simulated_families) {
            std::swap(set.tasks.front(), set.tasks[task]);
            return;
        }
}

/// Of what is imagined alone: a split is not to count what no task has runtimes of.
void leave_out_unused_workloads(TaskSet& set) {
    std::map<std::size_t, std::size_t> places;
    for (const Task& task : set.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            places.emplace(runtimes.workload, 0);
    std::vector<TaskWorkload> used;
    for (auto& [place, new_place] : places) {
        new_place = used.size();
        used.push_back(std::move(set.workloads[place]));
    }
    set.workloads = std::move(used);
    for (Task& task : set.tasks)
        for (WorkloadRuntimes& runtimes : task.runtimes)
            runtimes.workload = places.at(runtimes.workload);
}

/// A sentence about the workloads that a workspace with too few is given; nothing where it has enough, or
/// where the domain generates none.
Result<std::optional<std::string>> give_workloads(Workspace& workspace, const LearningDomain& domain,
                                                  const MachineTasksRequest& request) {
    const auto stored = domain.task_storage(workspace)->workloads();
    if (!stored)
        return std::unexpected(stored.error());
    if (stored->size() >= request.fewest_workloads)
        return std::nullopt;
    const auto made = domain.imagine_workloads(workspace, stored->size(), request.seed);
    if (!made)
        return std::unexpected(made.error());
    if (*made == 0)
        return std::nullopt;
    const Noun& noun = domain.domain().words().workload;
    return fmt::format("the workspace had {} with data, so {} were generated; they stay in the workspace, "
                       "and their names begin with \"generated\"",
                       stored->empty() ? "no " + noun.one
                                       : "only " + counted(stored->size(), noun.one, noun.many),
                       counted(*made, noun.one, noun.many));
}

} // namespace

Result<MachineTasks> machine_tasks(Workspace& workspace, const LearningDomain& domain,
                                   const MachineTasksRequest& request, const std::stop_token& stop,
                                   const ProgressSink& progress) {
    const auto asked = asked_machines(workspace, domain, request, stop);
    if (!asked)
        return std::unexpected(asked.error());
    std::optional<std::string> given;
    if (request.fewest_workloads > 0 && asked->only_imagined) {
        auto sentence = give_workloads(workspace, domain, request);
        if (!sentence)
            return std::unexpected(std::move(sentence).error());
        given = *std::move(sentence);
    }
    auto measured = domain.tasks(workspace,
                                 {.setting = request.setting,
                                  .sources = asked->measured,
                                  .threads = request.threads,
                                  .goal = request.goal},
                                 stop, progress);
    const bool may_draw = asked->only_imagined && domain.blending() != nullptr;
    if (!measured && !(may_draw && measured.error().fault == Fault::Input))
        return std::unexpected(std::move(measured).error());
    MachineTasks found;
    if (measured) {
        found.set = std::move(measured->set);
        if (asked->only_imagined)
            begin_with_what_suffices(found.set);
        if (!asked->only_imagined)
            for (const TaskReport& report : measured->reports)
                std::ranges::move(sentences(report), std::back_inserter(found.notes));
    }
    if (may_draw &&
        (!measured || request.draws_always || count_families(found.set, 0) < fewest_simulated_families)) {
        auto drawn = Drawing(workspace, domain, request).draw(stop, progress);
        if (!drawn && (!measured || drawn.error().fault == Fault::Cancelled))
            return drawn;
        if (drawn && (!measured || request.draws_always ||
                      drawn->set.workloads.size() > found.set.tasks.front().runtimes.size()))
            found = *std::move(drawn);
    }
    if (given)
        found.notes.insert(found.notes.begin(), *std::move(given));
    if (asked->imagined.empty())
        return found;
    auto imagined = domain.imagine(workspace,
                                   {.machines = asked->imagined,
                                    .tasks = found.set,
                                    .recorded = found.set.tasks.front(),
                                    .seed = request.seed},
                                   stop, progress);
    if (!imagined)
        return std::unexpected(std::move(imagined).error());
    std::ranges::move(imagined->notes, std::back_inserter(found.notes));
    // Their workloads and configurations have been imagined upon; what they took is not learned from.
    if (asked->only_imagined)
        found.set.tasks.clear();
    std::ranges::move(imagined->tasks, std::back_inserter(found.set.tasks));
    if (asked->only_imagined)
        leave_out_unused_workloads(found.set);
    return found;
}

} // namespace sparsight
