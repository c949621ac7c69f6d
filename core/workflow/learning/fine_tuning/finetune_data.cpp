#include "workflow/learning/fine_tuning/finetune_data.h"

#include "base/text.h"
#include "evaluation/model_reasons/reliability.h"
#include "learning/fine_tuning/shot_curve.h"
#include "store/models.h"
#include "store/workloads.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

/// The one that the model was trained by, where its test part was measured here too. Says whose it is in
/// `taken`, where it has a name.
Result<WorkloadSplit> choose_split(Workspace& workspace, const FinetuneRequest& request, const TaskSet& set,
                                   const std::string& own_split, std::string& taken) {
    taken = request.split;
    if (!request.split.empty())
        return load_split(workspace, request.split, set);
    const auto names = split_names(workspace);
    if (!names)
        return std::unexpected(names.error());
    if (std::ranges::find(*names, own_split) != names->end())
        if (auto own = load_split(workspace, own_split, set);
            own && !own->train.empty() && !own->test.empty()) {
            taken = own_split;
            return own;
        }
    return split_workloads(set.workloads, request.shares, request.seed, set.words.workload);
}

Result<std::vector<std::size_t>> choose_workloads(const FinetuneRequest& request, const TrainingData& data) {
    if (request.workloads.empty())
        return training_subset(data.split, request.workload_count, request.seed);
    std::vector<std::size_t> chosen;
    for (const std::string& name : request.workloads) {
        const auto found = std::ranges::find(data.set.workloads, name, &TaskWorkload::name);
        if (found == data.set.workloads.end())
            return fail(Fault::Input,
                        fmt::format("the {} '{}' was not measured on {}", data.set.words.workload.one, name,
                                    data.set.tasks.front().machine));
        chosen.push_back(static_cast<std::size_t>(found - data.set.workloads.begin()));
    }
    return chosen;
}

/// Nothing that is learned from is in the test, or chosen by, whoever chose it.
void leave_out_tuned(WorkloadSplit& split, const TaskSet& set, const std::vector<std::size_t>& tuned) {
    const auto families = workload_families(set.workloads);
    std::unordered_set<std::size_t> learned;
    for (const std::size_t workload : tuned)
        learned.insert(families[workload]);
    for (std::vector<std::size_t>* const side : {&split.validation, &split.test})
        std::erase_if(*side, [&](std::size_t workload) { return learned.contains(families[workload]); });
}

/// Those of the validation side. It chose the model's epoch at most, or was learned from on another machine.
std::vector<std::size_t> to_calibrate_with(const TrainingData& data, const std::set<std::string>& seen) {
    std::vector<std::size_t> unseen = data.split.validation;
    std::erase_if(unseen,
                  [&](std::size_t workload) { return seen.contains(data.set.workloads[workload].name); });
    return unseen.size() >= fewest_to_calibrate_doubt ? unseen : data.split.validation;
}

/// Whether the task is on one of these machines. Of one that was learned from under a condition, or beside
/// another installation, that stands behind the name: "A100 (run=2021)".
bool learned_on(const std::vector<std::string>& machines, const Task& task) {
    return std::ranges::any_of(machines, [&](const std::string& machine) {
        return machine == task.machine || machine == task.machine_name() ||
               machine.starts_with(task.machine_name() + " (");
    });
}

/// Whether it, or what it was made from, learned from parts of its workloads or from some of the machines,
/// and not from this one: such a model is asked for a new machine, and all workloads are known to it.
bool is_asked_for_machine(const ModelLineage& lineage, ModelId model, const Task& task) {
    bool is_by_parts = false;
    for (const ModelRecord* record : lineage.ancestry(model)) {
        const Json description = Json::parse(record->description, nullptr, /*allow_exceptions=*/false);
        const Json training =
            description.is_object() ? description.value("training", Json::object()) : Json();
        if (!training.is_object())
            continue;
        if (learned_on(training.value("machines", std::vector<std::string>()), task))
            return false;
        is_by_parts =
            is_by_parts || training.contains("groups") ||
            training.value("settings", Json::object()).value("split_by", "") == name(SplitBy::Machine);
    }
    return is_by_parts;
}

/// What selected the weights of the model, of those that it was made from or of the models that it is
/// compared with, or what these learned from, in any form; but for those that are asked for a new machine.
Result<std::set<std::string>> seen_before(Workspace& workspace, const FinetuneRequest& request,
                                          const StoredModel& model, const ModelLineage& lineage,
                                          const Task& task) {
    std::vector<ModelId> models{model.record.id};
    for (const std::string& word : request.against) {
        const auto name = model_of_contender(word);
        if (!name)
            continue;
        const auto rival = require_model(workspace, *name);
        if (!rival)
            return std::unexpected(rival.error());
        models.push_back(rival->id);
    }
    std::set<std::string> seen;
    for (const ModelId each : models) {
        if (is_asked_for_machine(lineage, each, task))
            continue;
        auto by_model = lineage.seen_by(workspace, each);
        if (!by_model)
            return std::unexpected(std::move(by_model).error());
        seen.merge(*by_model);
    }
    const auto families = model.domain->families(workspace, request.threads);
    if (!families)
        return std::unexpected(families.error());
    return families->with_relatives(seen);
}

/// A model that is tested with what it has seen is praised for its memory.
void leave_out_seen(TrainingData& data, const std::set<std::string>& seen) {
    const auto count = std::erase_if(data.split.test, [&](std::size_t workload) {
        return seen.contains(data.set.workloads[workload].name);
    });
    const Noun& noun = data.set.words.workload;
    if (count > 0)
        data.notes.push_back(fmt::format("{} left out of the test: the model, or one that it is made from or "
                                         "compared with, has learned from them or their families, or was "
                                         "validated with them",
                                         counted(count, noun.one + " is", noun.many + " are")));
}

/// Adds the workloads of rows that were drawn, and says where they are.
std::vector<std::size_t> add_drawn(TaskSet& set, TaskSet drawn) {
    std::vector<std::size_t> places;
    for (WorkloadRuntimes& runtimes : drawn.tasks.front().runtimes) {
        set.workloads.push_back(std::move(drawn.workloads[runtimes.workload]));
        runtimes.workload = set.workloads.size() - 1;
        places.push_back(runtimes.workload);
        set.tasks.front().runtimes.push_back(std::move(runtimes));
    }
    return places;
}

/// Learned from are so many of the rows to train with, tested all others; they make workloads of their own.
FinetuneData tuned_by_row(FinetuneData found, std::size_t rows, SplitTasks parts, std::uint64_t seed) {
    found.data.set = std::move(parts.set);
    found.data.split = std::move(parts.split);
    found.data.by = SplitBy::Row;
    found.validated = found.data.split.validation;
    TaskSet& set = found.data.set;
    set.has_regret_of_all = true;
    const std::vector<std::size_t>& train = found.data.split.train;
    const std::size_t rows_per_test = SplitRequest{}.rows_per_group;
    TaskSet drawn = drawn_rows(set, 0, train, rows, rows_of_a_step, seed);
    TaskSet left = drawn_rows(set, 0, train, count_rows(set.tasks.front(), train), rows_per_test, seed, rows);
    found.tuned = add_drawn(set, std::move(drawn));
    found.other_rows = add_drawn(set, std::move(left));
    found.other_rows.insert(found.other_rows.end(), found.data.split.test.begin(),
                            found.data.split.test.end());
    return found;
}

/// What is learned from are rows of the machine, and the test is all others.
Result<FinetuneData> rows_of(FinetuneData found, const FinetuneRequest& request, const StoredModel& model) {
    constexpr std::size_t usual_rows = 100;
    const std::size_t rows = request.rows > 0 ? request.rows : usual_rows;
    auto parts = split_tasks(
        std::move(found.data.set),
        {.by = SplitBy::Row, .shares = request.shares, .seed = request.seed, .goal = goal_of(request.loss)});
    if (!parts)
        return std::unexpected(std::move(parts).error());
    found = tuned_by_row(std::move(found), rows, *std::move(parts), request.seed);
    found.data.notes.push_back(rows_sentence(found));
    if (const std::size_t most = found.available_shots(); request.rows > most)
        found.data.notes.push_back(
            fmt::format("only {} of the {} {} that were asked for are learned from: the "
                        "others are kept for the test",
                        most, request.rows, found.shot().many));
    if (!request.shots.empty())
        found.data.notes.push_back(
            fmt::format("the curve is tested with {} that none of its points learns from",
                        counted(count_rows(found.data.set.tasks.front(), found.data.split.test),
                                found.shot().one, found.shot().many)));
    if (learned_on(model.checkpoint.model.training.machines, found.data.set.tasks.front()))
        found.data.notes.push_back(fmt::format("{} has learned from {} before: what it is tested with may be "
                                               "known to it",
                                               model.record.name, request.machine));
    found.model_ids[model.record.name] = static_cast<std::int64_t>(model.record.id);
    return found;
}

void note_few_workloads(const FinetuneRequest& request, FinetuneData& found) {
    const Noun& noun = found.data.set.words.workload;
    if (request.workloads.empty() && found.tuned.size() < request.workload_count)
        found.data.notes.push_back(fmt::format(
            "{} used: there are no more to learn from (at most {} would be)",
            counted(found.tuned.size(), noun.one + " is", noun.many + " are"), request.workload_count));
}

/// Its gain there says nothing of a new machine.
void note_known_machine(const StoredModel& model, const ModelLineage& lineage, FinetuneData& found) {
    const Task& task = found.data.set.tasks.front();
    for (const ModelRecord* record : lineage.ancestry(model.record.id)) {
        const Json description = Json::parse(record->description, nullptr, /*allow_exceptions=*/false);
        const Json training = description.is_object() ? description.value("training", Json()) : Json();
        if (!training.is_object() ||
            !learned_on(training.value("machines", std::vector<std::string>()), task))
            continue;
        found.data.notes.push_back(
            fmt::format("{} was already trained on {}: this is no test of a new machine", model.record.name,
                        task.machine));
        return;
    }
}

} // namespace

Result<FinetuneData> finetune_data(Workspace& workspace, const FinetuneRequest& request,
                                   const Setting& setting, const StoredModel& model,
                                   const std::stop_token& stop, const ProgressSink& progress) {
    auto tasks = machine_tasks(workspace, *model.domain,
                               {.setting = setting,
                                .machines = {request.machine},
                                .seed = request.seed,
                                .threads = request.threads,
                                .goal = goal_of(request.loss)},
                               stop, progress);
    if (!tasks)
        return std::unexpected(std::move(tasks).error());
    FinetuneData found;
    found.data = {std::move(tasks->set), {}, std::move(tasks->notes)};
    found.model_ids = Json::object();
    const auto lineage = ModelLineage::read(workspace);
    if (!lineage)
        return std::unexpected(lineage.error());
    if (request.rows > 0 ||
        (request.split.empty() && request.workloads.empty() && usual_split(found.data.set) == SplitBy::Row))
        return rows_of(std::move(found), request, model);
    auto split =
        choose_split(workspace, request, found.data.set, lineage->split(model.record.id), found.split);
    if (!split)
        return std::unexpected(std::move(split).error());
    found.data.split = *std::move(split);
    auto tuned = choose_workloads(request, found.data);
    if (!tuned)
        return std::unexpected(std::move(tuned).error());
    found.tuned = *std::move(tuned);
    leave_out_tuned(found.data.split, found.data.set, found.tuned);
    const auto seen = seen_before(workspace, request, model, *lineage, found.data.set.tasks.front());
    if (!seen)
        return std::unexpected(seen.error());
    leave_out_seen(found.data, *seen);
    found.validated = to_calibrate_with(found.data, *seen);
    if (found.data.split.test.empty()) {
        const auto known = std::ranges::count_if(
            found.data.set.workloads, [&](const auto& workload) { return seen->contains(workload.name); });
        return fail(
            Fault::Input,
            fmt::format(
                "no {4} is left to test with: {0} has seen {1} of the {2} that {3} has times of. "
                "Choose another model (train --machines, --split), learn from fewer, or measure others",
                model.record.name, known, found.data.set.workloads.size(), request.machine,
                found.data.set.words.workload.one));
    }
    note_few_workloads(request, found);
    note_known_machine(model, *lineage, found);
    found.model_ids[model.record.name] = static_cast<std::int64_t>(model.record.id);
    for (const std::string& word : request.against)
        if (const auto rival = find_model(workspace, model_of_contender(word).value_or("")); rival && *rival)
            found.model_ids[(*rival)->name] = static_cast<std::int64_t>((*rival)->id);
    return found;
}

std::string rows_sentence(const FinetuneData& data) {
    const Task& task = data.data.set.tasks.front();
    const Noun& noun = data.data.set.words.configuration;
    return fmt::format("learned from {} of {} and tested with the other {}: regret is against the fastest "
                       "known {} of each {}",
                       counted(count_rows(task, data.tuned), noun.one, noun.many), task.machine,
                       count_rows(task, data.other_rows), noun.one, data.data.set.words.workload.one);
}

std::vector<std::string> settings_without_effect(const RunSettings& settings, const FinetuneRequest& request,
                                                 const FinetuneData& data, const FineTuningOptions& options,
                                                 const StoredModel& model) {
    using Names = std::initializer_list<std::string_view>;
    std::vector<std::string> notes;
    const auto add = [&](Names names, const std::string& why) {
        if (auto note = settings.without_effect({names.begin(), names.size()}, why))
            notes.push_back(*std::move(note));
    };
    const DomainWords& words = data.data.set.words;
    if (!data.split.empty())
        add({"test_share"},
            fmt::format("the split {} says which {} are for what", data.split, words.workload.many));
    if (data.is_by_row())
        add({"matrices", "split"}, fmt::format("{} are learned from, whatever {} they are of",
                                               words.configuration.many, words.workload.one));
    if (options.rule != FineTuningRule::InnerSteps)
        add({"inner_rate"}, fmt::format("the rule {} has no inner steps", name(options.rule)));
    else
        add({"adam_rate"}, "the rule inner has steps of a length of its own (--inner-rate)");
    if (request.rule == FineTuningRule::InnerSteps && !is_meta(options.method))
        notes.push_back(fmt::format("{} was not meta-trained: the rule inner takes plain steps of {:.3g} "
                                    "(--inner-rate), and adam is usual for such a model",
                                    model.record.name, options.inner_rate));
    if (request.shots.empty())
        add({"seeds", "against", "scratch_epochs"}, "only the shot curve reads that (--shots)");
    else if (std::ranges::find(request.against, scratch_contender) == request.against.end())
        add({"scratch_epochs"}, "the curve has no model from scratch (--against scratch)");
    if (options.rule == FineTuningRule::ClosedForm)
        add({"loss", "epochs", "adam_rate", "schedules_per_matrix"},
            "the head of a gray box is solved for, and trees correct it, without steps");
    return notes;
}

} // namespace sparsight
