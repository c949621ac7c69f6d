#include "learning/tasks/split_tasks.h"

#include "base/names.h"
#include "base/random.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

constexpr std::array by_names{
    std::pair(SplitBy::Workload, std::string_view("workload")),
    std::pair(SplitBy::Row, std::string_view("row")),
    std::pair(SplitBy::Machine, std::string_view("machine")),
};

/// As many sides have a share.
std::size_t count_sides(const SplitShares& shares) {
    return static_cast<std::size_t>(std::ranges::count_if(
        std::array{shares.train, shares.validation, shares.test}, [](double share) { return share > 0; }));
}

/// A part of a workload, which no other part keeps on its side.
TaskWorkload part_of(const TaskWorkload& whole, std::string name) {
    TaskWorkload part = whole;
    part.name = std::move(name);
    part.family.clear();
    part.family_key.clear();
    part.whole = whole.whole_name();
    return part;
}

template <typename Value>
void append_if_known(std::vector<Value>& to, const std::vector<Value>& from, std::size_t place) {
    if (!from.empty())
        to.push_back(from[place]);
}

void append(WorkloadRuntimes& to, const WorkloadRuntimes& from, std::size_t place) {
    if (from.baseline == place)
        to.baseline = to.configurations.size();
    to.configurations.push_back(from.configurations[place]);
    to.milliseconds.push_back(from.milliseconds[place]);
    append_if_known(to.spreads, from.spreads, place);
    append_if_known(to.digests, from.digests, place);
    append_if_known(to.waits, from.waits, place);
}

/// Drops the workloads that no task has runtimes of.
void drop_unmeasured(TaskSet& set) {
    std::map<std::size_t, std::size_t> places;
    for (const Task& task : set.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            places.emplace(runtimes.workload, 0);
    std::vector<TaskWorkload> measured;
    for (auto& [place, new_place] : places) {
        new_place = measured.size();
        measured.push_back(std::move(set.workloads[place]));
    }
    set.workloads = std::move(measured);
    for (Task& task : set.tasks)
        for (WorkloadRuntimes& runtimes : task.runtimes)
            runtimes.workload = places.at(runtimes.workload);
}

/// In which group each configuration of one workload is.
struct Groups {
    std::unordered_map<Configuration, std::size_t> of;
    std::size_t count = 0;
    std::size_t first = 0; ///< place of the first group among the workloads
};

/// The configurations of each workload, on whatever machine, ascending.
std::vector<std::set<Configuration>> configurations_by_workload(const TaskSet& set) {
    std::vector<std::set<Configuration>> found(set.workloads.size());
    for (const Task& task : set.tasks)
        for (const WorkloadRuntimes& runtimes : task.runtimes)
            found[runtimes.workload].insert(runtimes.configurations.begin(), runtimes.configurations.end());
    return found;
}

/// Of at most `most` configurations each.
std::vector<Groups> draw_groups(const TaskSet& set, std::size_t most, std::uint64_t seed) {
    const auto configurations = configurations_by_workload(set);
    std::vector<Groups> all;
    std::size_t first = 0;
    for (std::size_t place = 0; place < configurations.size(); ++place) {
        std::vector<Configuration> order(configurations[place].begin(), configurations[place].end());
        Random(seed).fork(place).shuffle(order);
        Groups groups{{}, (order.size() + most - 1) / most, first};
        for (std::size_t row = 0; row < order.size(); ++row)
            groups.of.emplace(order[row], row % groups.count);
        first += groups.count;
        all.push_back(std::move(groups));
    }
    return all;
}

TaskSet by_groups(const TaskSet& set, const std::vector<Groups>& groups, LearningGoal goal) {
    TaskSet parts{set.setting, {}, {}, set.words};
    for (std::size_t place = 0; place < set.workloads.size(); ++place)
        for (std::size_t group = 0; group < groups[place].count; ++group)
            parts.workloads.push_back(
                part_of(set.workloads[place], fmt::format("{} #{}", set.workloads[place].name, group + 1)));
    for (const Task& task : set.tasks) {
        Task& divided = parts.tasks.emplace_back(Task{task.machine, task.description, {}, task.threads});
        for (const WorkloadRuntimes& runtimes : task.runtimes) {
            const Groups& of = groups[runtimes.workload];
            std::vector<WorkloadRuntimes> grouped(of.count);
            for (std::size_t row = 0; row < runtimes.configurations.size(); ++row)
                append(grouped[of.of.at(runtimes.configurations[row])], runtimes, row);
            for (std::size_t group = 0; group < of.count; ++group)
                if (can_be_learned(grouped[group].milliseconds, goal)) {
                    grouped[group].workload = of.first + group;
                    divided.runtimes.push_back(std::move(grouped[group]));
                }
        }
    }
    std::erase_if(parts.tasks, [](const Task& task) { return task.runtimes.empty(); });
    drop_unmeasured(parts);
    return parts;
}

Result<void> check_group_size(std::size_t rows) {
    if (rows >= 2)
        return {};
    return fail(Fault::Input, fmt::format("a group of {} has no order, expected 2 or more",
                                          counted(rows, "configuration", "configurations")));
}

Result<SplitTasks> split_by_row(const TaskSet& set, const SplitRequest& request) {
    // A small table has as many groups, as far as two configurations for each allow.
    constexpr std::size_t enough_groups = 20;
    std::size_t rows = 0;
    for (const auto& of_workload : configurations_by_workload(set))
        rows += of_workload.size();
    const std::size_t most = std::clamp<std::size_t>(rows / enough_groups, 2, request.rows_per_group);
    TaskSet parts = by_groups(set, draw_groups(set, most, request.seed), request.goal);
    if (parts.workloads.size() < count_sides(request.shares))
        return fail(Fault::Input,
                    fmt::format("the configurations make {} that can be learned from, expected at least one "
                                "for each of {} sides",
                                counted(parts.workloads.size(), "group", "groups"),
                                count_sides(request.shares)));
    auto split = split_workloads(parts.workloads, request.shares, request.seed, set.words.workload);
    if (!split)
        return std::unexpected(std::move(split).error());
    return SplitTasks{std::move(parts), *std::move(split)};
}

Result<SplitTasks> split_by_machine(TaskSet set, const SplitRequest& request) {
    std::vector<TaskWorkload> machines;
    std::set<std::string> names;
    for (const Task& task : set.tasks) {
        names.insert(task.machine_name());
        machines.push_back({.name = task.machine, .family = task.machine_name()});
    }
    if (names.size() < count_sides(request.shares))
        return fail(Fault::Input,
                    fmt::format("{} can't be split into {} parts, expected at least one for each",
                                counted(names.size(), "machine", "machines"), count_sides(request.shares)));
    const auto sides = split_workloads(machines, request.shares, request.seed, {"machine", "machines"});
    if (!sides)
        return std::unexpected(sides.error());
    // One large table would be a single step of an epoch, and nothing to make episodes of.
    TaskSet learned{set.setting, {}, {}, set.words};
    for (const TaskWorkload& workload : set.workloads)
        learned.workloads.push_back(part_of(workload, workload.name + " (training machines)"));
    for (const std::size_t task : sides->train)
        learned.tasks.push_back(set.tasks[task]);
    learned = by_groups(learned, draw_groups(learned, request.rows_per_group, request.seed), request.goal);
    std::map<std::string, std::vector<WorkloadRuntimes>> grouped;
    for (Task& task : learned.tasks)
        grouped[task.machine] = std::move(task.runtimes);
    for (const std::size_t task : sides->train)
        set.tasks[task].runtimes = std::move(grouped[set.tasks[task].machine]);
    SplitTasks found{{set.setting, std::move(learned.workloads), std::move(set.tasks), set.words}, {}};
    const std::array suffixes{"", " (validation machines)", " (test machines)"};
    const std::array tasks{&sides->train, &sides->validation, &sides->test};
    for (std::size_t side = 1; side < tasks.size(); ++side) {
        const std::size_t first = found.set.workloads.size();
        for (const TaskWorkload& workload : set.workloads)
            found.set.workloads.push_back(part_of(workload, workload.name + suffixes[side]));
        for (const std::size_t task : *tasks[side])
            for (WorkloadRuntimes& runtimes : found.set.tasks[task].runtimes)
                runtimes.workload += first;
    }
    drop_unmeasured(found.set);
    const std::array places{&found.split.train, &found.split.validation, &found.split.test};
    for (std::size_t side = 0; side < tasks.size(); ++side) {
        std::set<std::size_t> measured;
        for (const std::size_t task : *tasks[side])
            for (const WorkloadRuntimes& runtimes : found.set.tasks[task].runtimes)
                measured.insert(runtimes.workload);
        places[side]->assign(measured.begin(), measured.end());
    }
    std::erase_if(found.set.tasks, [](const Task& task) { return task.runtimes.empty(); });
    return found;
}

} // namespace

std::size_t count_rows(const Task& task, std::span<const std::size_t> workloads) {
    std::size_t rows = 0;
    for (const WorkloadRuntimes& runtimes : task.runtimes)
        if (std::ranges::find(workloads, runtimes.workload) != workloads.end())
            rows += runtimes.configurations.size();
    return rows;
}

TaskSet drawn_rows(const TaskSet& set, std::size_t task, std::span<const std::size_t> workloads,
                   std::size_t count, std::size_t rows_per_group, std::uint64_t seed, std::size_t behind) {
    const Task& from = set.tasks[task];
    std::vector<std::pair<const WorkloadRuntimes*, std::size_t>> rows;
    for (const WorkloadRuntimes& runtimes : from.runtimes)
        if (std::ranges::find(workloads, runtimes.workload) != workloads.end())
            for (std::size_t row = 0; row < runtimes.configurations.size(); ++row)
                rows.emplace_back(&runtimes, row);
    Random(seed).shuffle(rows);
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(behind, rows.size())));
    rows.resize(std::min(count, rows.size()));
    TaskSet drawn{set.setting, {}, {{from.machine, from.description, {}, from.threads}}, set.words};
    std::vector<WorkloadRuntimes>& groups = drawn.tasks.front().runtimes;
    std::map<std::string, std::size_t> open; // the last group of each whole workload
    for (const auto& [runtimes, row] : rows) {
        const TaskWorkload& whole = set.workloads[runtimes->workload];
        const auto [group, is_first] = open.try_emplace(whole.whole_name(), groups.size());
        if (is_first || groups[group->second].configurations.size() == rows_per_group) {
            group->second = groups.size();
            groups.push_back({.workload = groups.size(), .configurations = {}, .milliseconds = {}});
            drawn.workloads.push_back(
                part_of(whole, fmt::format("{} {} #{}", whole.whole_name(), behind > 0 ? "left" : "drawn",
                                           groups.size())));
        }
        append(groups[group->second], *runtimes, row);
    }
    return drawn;
}

std::string_view name(SplitBy by) {
    return name_in(by_names, by);
}

std::optional<SplitBy> parse_split_by(std::string_view text) {
    return value_in(by_names, text);
}

Result<SplitTasks> split_tasks(TaskSet set, const SplitRequest& request) {
    if (auto checked = check_group_size(request.rows_per_group); !checked)
        return std::unexpected(std::move(checked).error());
    switch (request.by) {
    case SplitBy::Row:
        return split_by_row(set, request);
    case SplitBy::Machine:
        return split_by_machine(std::move(set), request);
    case SplitBy::Workload:
        break;
    }
    auto split = split_workloads(set.workloads, request.shares, request.seed, set.words.workload);
    if (!split)
        return std::unexpected(std::move(split).error());
    return SplitTasks{std::move(set), *std::move(split)};
}

} // namespace sparsight
