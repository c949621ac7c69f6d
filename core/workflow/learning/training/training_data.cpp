#include "workflow/learning/training/training_data.h"

#include "base/digest.h"
#include "base/text.h"
#include "learning/training/training_sample.h"
#include "store/models.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

/// A split that the user made is taken as it stands.
void note_leaks(TrainingData& data, const TrainRequest& request) {
    const auto found = leaks(data.split, data.set.workloads);
    if (found.empty())
        return;
    const Leak& first = found.front();
    data.notes.push_back(fmt::format(
        "the split {} has {} on two sides ({} in the {} and {} in the {} part): what is learned "
        "from one is no surprise in the other",
        request.split, counted(found.size(), "pair", "pairs") + " of related " + data.set.words.workload.many,
        data.set.workloads[first.workload].name, name(first.side), data.set.workloads[first.relative].name,
        name(first.relative_side)));
}

/// What a model to start from has seen, in any form.
struct SeenByParent {
    std::set<std::string> learned;
    std::set<std::string> validated;
    std::set<std::size_t> tested; ///< by its own split, as places in the set; the parent has not seen these
};

Result<SeenByParent> seen_by_parent(Workspace& workspace, const TrainRequest& request,
                                    const TrainingData& data) {
    SeenByParent seen;
    const auto parent = find_model(workspace, request.parent);
    if (!parent)
        return std::unexpected(parent.error());
    if (!*parent) // whoever loads it says so
        return seen;
    const auto lineage = ModelLineage::read(workspace);
    if (!lineage)
        return std::unexpected(lineage.error());
    const auto validated = lineage->validated_with(workspace, (*parent)->id);
    if (!validated)
        return std::unexpected(validated.error());
    const auto families = request.domain->families(workspace, request.threads);
    if (!families)
        return std::unexpected(families.error());
    seen.learned = families->with_relatives(lineage->learned_from((*parent)->id));
    seen.validated = families->with_relatives(*validated);
    if (const auto own = load_split(workspace, lineage->split((*parent)->id), data.set))
        seen.tested.insert(own->test.begin(), own->test.end());
    return seen;
}

/// A split that the user made keeps its sides, without what would praise the parent for its memory.
void leave_out_seen(TrainingData& data, const SeenByParent& seen, const TrainRequest& request) {
    const auto erase = [&](std::vector<std::size_t>& side, const std::set<std::string>& names) {
        return std::erase_if(
            side, [&](std::size_t place) { return names.contains(data.set.workloads[place].whole_name()); });
    };
    const auto count = erase(data.split.validation, seen.learned) + erase(data.split.test, seen.learned) +
                       erase(data.split.test, seen.validated);
    const Noun& noun = data.set.words.workload;
    if (count > 0)
        data.notes.push_back(fmt::format("{} left out of validation and test: {} has seen them or their "
                                         "families",
                                         counted(count, noun.one + " is", noun.many + " are"),
                                         request.parent));
}

/// Goes on from the parent's split: a family that it learned from is learned from, one that it was tested
/// with is tested with, and what it does not know is on the side that was drawn.
void follow_parent(TrainingData& data, const SeenByParent& seen, const TrainRequest& request) {
    const auto family_of = workload_families(data.set.workloads);
    std::map<std::size_t, SplitSide> sides; // of a family; the first reason in this order counts
    const auto put = [&](SplitSide side, const auto& is_wanted) {
        for (std::size_t place = 0; place < family_of.size(); ++place)
            if (is_wanted(place))
                sides.try_emplace(family_of[place], side);
    };
    const auto is_among = [&](const std::set<std::string>& names) {
        return [&](std::size_t place) { return names.contains(data.set.workloads[place].name); };
    };
    put(SplitSide::Train, is_among(seen.learned));
    put(request.shares.validation > 0 ? SplitSide::Validation : SplitSide::Train, is_among(seen.validated));
    if (request.shares.test > 0)
        put(SplitSide::Test, [&](std::size_t place) { return seen.tested.contains(place); });
    for (const auto& [side, places] : {std::pair(SplitSide::Train, data.split.train),
                                       std::pair(SplitSide::Validation, data.split.validation),
                                       std::pair(SplitSide::Test, data.split.test)})
        for (const std::size_t place : places)
            sides.try_emplace(family_of[place], side);
    data.split = {};
    for (std::size_t place = 0; place < family_of.size(); ++place)
        if (const auto side = sides.find(family_of[place]); side != sides.end())
            (side->second == SplitSide::Train        ? data.split.train
             : side->second == SplitSide::Validation ? data.split.validation
                                                     : data.split.test)
                .push_back(place);
    if (request.shares.test > 0 && data.split.test.empty())
        data.notes.push_back(fmt::format("there is no test: {} has seen every {} or a relative of it",
                                         request.parent, data.set.words.workload.one));
}

Result<void> keep_parent_apart(Workspace& workspace, const TrainRequest& request, TrainingData& data) {
    if (request.parent.empty())
        return {};
    const auto seen = seen_by_parent(workspace, request, data);
    if (!seen)
        return std::unexpected(seen.error());
    const bool knows_some = std::ranges::any_of(data.set.workloads, [&](const TaskWorkload& workload) {
        return seen->learned.contains(workload.whole_name());
    });
    if (!request.split.empty())
        leave_out_seen(data, *seen, request);
    else if (data.by == SplitBy::Workload)
        follow_parent(data, *seen, request);
    else if (knows_some)
        data.notes.push_back(fmt::format("{} has learned from {} of this training before: what it is tested "
                                         "with may be known to it",
                                         request.parent, data.set.words.workload.many));
    return {};
}

Result<void> split_data(Workspace& workspace, const TrainRequest& request, TrainingData& data) {
    if (!request.split.empty()) {
        auto split = load_split(workspace, request.split, data.set);
        if (!split)
            return std::unexpected(std::move(split).error());
        data.split = *std::move(split);
        note_leaks(data, request);
        return keep_parent_apart(workspace, request, data);
    }
    data.by = request.split_by.value_or(usual_split(data.set));
    auto parts = split_tasks(std::move(data.set), {.by = data.by,
                                                   .shares = request.shares,
                                                   .seed = request.options.seed,
                                                   .goal = goal_of(request.options.loss)});
    if (!parts)
        return std::unexpected(std::move(parts).error());
    data.set = std::move(parts->set);
    data.split = std::move(parts->split);
    if (!request.split_by && data.by != SplitBy::Workload)
        data.notes.push_back(fmt::format("split by {}, as there are too few {} to split them", name(data.by),
                                         request.domain->domain().words().workload.many));
    if (data.by == SplitBy::Row)
        data.notes.push_back(held_out_rows(data.set, data.split.test));
    return keep_parent_apart(workspace, request, data);
}

void add(Digest& digest, const std::string& workload, const WorkloadRuntimes& runtimes) {
    digest.add(workload);
    for (std::size_t place = 0; place < runtimes.configurations.size(); ++place) {
        digest.add(runtimes.digests.empty() ? hash_value(runtimes.configurations[place])
                                            : runtimes.digests[place]);
        digest.add(std::bit_cast<std::uint64_t>(runtimes.milliseconds[place]));
    }
    for (const auto* of_each : {&runtimes.spreads, &runtimes.waits})
        for (const double number : *of_each)
            digest.add(std::bit_cast<std::uint64_t>(number));
}

/// One for each side, where the workloads are split; whatever else is split needs one.
std::size_t fewest_workloads(const TrainRequest& request) {
    constexpr std::size_t sides = 3;
    return request.split.empty() && request.split_by.value_or(SplitBy::Workload) == SplitBy::Workload ? sides
                                                                                                      : 1;
}

} // namespace

namespace {

/// By the workload's facts, whatever its domain.
std::optional<double> flops_of(const TaskWorkload& workload) {
    static constexpr std::array<std::pair<std::string_view, double>, 2> units{{{"flops", 1}, {"gflop", 1e9}}};
    if (!workload.load)
        return std::nullopt;
    const auto payload = workload.load();
    const auto* const facts = payload ? dynamic_cast<const NamedFacts*>(payload->get()) : nullptr;
    if (facts == nullptr)
        return std::nullopt;
    for (const auto& [fact, unit] : units)
        if (const auto found = facts->numbers().find(fact); found != facts->numbers().end())
            return found->second * unit;
    return std::nullopt;
}

} // namespace

SampleReport sample_training(TrainingData& data, SampleRule rule, double keep, std::uint64_t seed) {
    const SampleReport report = sample_runtimes(
        data.set, {.rule = rule,
                   .keep = keep,
                   .seed = seed,
                   .workloads = data.split.train,
                   .flops = [&](std::size_t workload) { return flops_of(data.set.workloads[workload]); }});
    if (rule == SampleRule::All)
        return report;
    data.notes.push_back(fmt::format("{} sample of the training data: {} of {} measurements",
                                     rule == SampleRule::Random ? "random" : "hardware-aware", report.kept,
                                     report.measurements));
    if (report.failed + report.slow + report.in_small > 0)
        data.notes.push_back(fmt::format("the sample leaves out {} that failed, {} among the slowest, and {} "
                                         "with too few beside them",
                                         report.failed, report.slow, report.in_small));
    return report;
}

Result<TrainingData> training_data(Workspace& workspace, const TrainRequest& request,
                                   const std::stop_token& stop, const ProgressSink& progress) {
    auto tasks = machine_tasks(workspace, *request.domain,
                               {.setting = request.setting,
                                .machines = request.machines,
                                .simulated = request.simulated,
                                .seed = request.options.seed,
                                .threads = request.threads,
                                .goal = goal_of(request.options.loss),
                                .fewest_workloads = fewest_workloads(request)},
                               stop, progress);
    if (!tasks)
        return std::unexpected(std::move(tasks).error());
    TrainingData data{std::move(tasks->set), {}, std::move(tasks->notes)};
    if (auto split = split_data(workspace, request, data); !split)
        return std::unexpected(std::move(split).error());
    sample_training(data, request.sample, request.keep, request.options.seed);
    return data;
}

Json identity_of(const TaskSet& set, const std::vector<std::vector<std::size_t>>& parts, bool reads_machine) {
    Json identity = Json::object();
    for (const Task& task : set.tasks) {
        std::size_t count = 0;
        Digest digest;
        if (reads_machine) {
            for (const float feature : machine_features(task.description))
                digest.add(std::uint64_t{std::bit_cast<std::uint32_t>(feature)});
            for (const auto& [fact, number] : task.description.facts) {
                digest.add(fact);
                digest.add(std::bit_cast<std::uint64_t>(number));
            }
        }
        for (std::size_t part = 0; part < parts.size(); ++part) {
            const std::unordered_set<std::size_t> wanted(parts[part].begin(), parts[part].end());
            digest.add(std::uint64_t{part});
            for (const WorkloadRuntimes& runtimes : task.runtimes)
                if (wanted.contains(runtimes.workload)) {
                    count += runtimes.configurations.size();
                    add(digest, set.workloads[runtimes.workload].name, runtimes);
                }
        }
        identity[task.machine] = {{"runtimes", count}, {"digest", fmt::format("{:016x}", digest.value())}};
    }
    return identity;
}

std::string held_out_rows(const TaskSet& set, const std::vector<std::size_t>& test) {
    std::size_t rows = 0;
    for (const Task& task : set.tasks)
        rows += count_rows(task, test);
    return fmt::format("regret is among all held-out {} of each {} ({} times in all)",
                       set.words.configuration.many, set.words.workload.one, rows);
}

LearningGoal goal_of(Loss loss) {
    return predicts_times(loss) ? LearningGoal::Times : LearningGoal::Order;
}

WholeWorkloads whole_workloads(const TaskSet& set, const std::vector<std::size_t>& places) {
    WholeWorkloads found;
    std::unordered_set<std::string_view> seen;
    for (const std::size_t place : places)
        if (const std::string& name = set.workloads[place].whole_name(); seen.insert(name).second)
            found.names.push_back(name);
    found.groups = found.names.size() < places.size() ? places.size() : 0;
    return found;
}

SplitBy usual_split(const TaskSet& set) {
    constexpr std::size_t sides = 3;
    const auto families = workload_families(set.workloads);
    return std::set(families.begin(), families.end()).size() < sides ? SplitBy::Row : SplitBy::Workload;
}

std::vector<std::string> machine_names(const TaskSet& set) {
    std::vector<std::string> names;
    for (const Task& task : set.tasks)
        names.push_back(task.machine);
    return names;
}

std::vector<std::string> machine_names(const TaskSet& set, const std::vector<std::size_t>& workloads) {
    std::vector<std::string> names;
    for (const Task& task : set.tasks)
        if (count_rows(task, workloads) > 0)
            names.push_back(task.machine);
    return names;
}

} // namespace sparsight
