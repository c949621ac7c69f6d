#include "learn/finetune_data.h"

#include "base/plural.h"
#include "learn/matrix_siblings.h"
#include "learning/siblings.h"
#include "learning/workspace_split.h"
#include "learning/workspace_tasks.h"
#include "store/model_lineage.h"
#include "store/runs.h"
#include "store/splits.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

/// The one that the model was trained by, where its test part was measured here too.
Result<MatrixSplit> choose_split(Workspace& workspace, const FinetuneRequest& request, const TaskSet& set,
                                 const std::string& own_split) {
    if (!request.split.empty())
        return load_split(workspace, request.split, set);
    const auto names = split_names(workspace);
    if (!names)
        return std::unexpected(names.error());
    if (std::ranges::find(*names, own_split) != names->end())
        if (auto own = load_split(workspace, own_split, set);
            own && !own->train.empty() && !own->test.empty())
            return own;
    return split_matrices(set.matrices, request.shares, request.seed);
}

Result<std::vector<std::size_t>> choose_matrices(const FinetuneRequest& request, const TrainingData& data) {
    if (request.matrices.empty())
        return training_subset(data.split, request.matrix_count, request.seed);
    std::vector<std::size_t> chosen;
    for (const std::string& name : request.matrices) {
        const auto found = std::ranges::find(data.set.matrices, name, &TaskMatrix::name);
        if (found == data.set.matrices.end())
            return fail(Fault::Input, fmt::format("the matrix '{}' was not measured on {}", name,
                                                  data.set.tasks.front().machine));
        chosen.push_back(static_cast<std::size_t>(found - data.set.matrices.begin()));
    }
    return chosen;
}

/// Nothing that is learned from is in the test, whoever chose it.
void leave_out_tuned(MatrixSplit& split, const TaskSet& set, const std::vector<std::size_t>& tuned) {
    const auto families = sibling_families(set.matrices);
    std::unordered_set<std::size_t> learned;
    for (const std::size_t matrix : tuned)
        learned.insert(families[matrix]);
    std::erase_if(split.test, [&](std::size_t matrix) { return learned.contains(families[matrix]); });
}

/// By the model, those that it was made from, and the models that it is compared with.
Result<std::set<std::string>> learned_before(Workspace& workspace, const FinetuneRequest& request,
                                             const StoredModel& model, const ModelLineage& lineage) {
    std::set<std::string> learned = lineage.learned_from(model.record.id);
    for (const std::string& name : request.against) {
        if (name == scratch_contender)
            continue;
        const auto rival = model_record(workspace, name);
        if (!rival)
            return std::unexpected(rival.error());
        learned.merge(lineage.learned_from(rival->id));
    }
    const auto siblings = MatrixSiblings::read(workspace, request.threads);
    if (!siblings)
        return std::unexpected(siblings.error());
    return siblings->with_siblings(learned);
}

/// A model that is tested with what it has seen is praised for its memory.
void leave_out_learned(TrainingData& data, const std::set<std::string>& learned) {
    const auto count = std::erase_if(data.split.test, [&](std::size_t matrix) {
        return learned.contains(data.set.matrices[matrix].name);
    });
    if (count > 0)
        data.notes.push_back(fmt::format("{} left out of the test: the model, or one that it is made from or "
                                         "compared with, has learned from them or their siblings",
                                         counted(count, "matrix is", "matrices are")));
}

void note_few_matrices(const FinetuneRequest& request, FinetuneData& found) {
    if (request.matrices.empty() && found.tuned.size() < request.matrix_count)
        found.data.notes.push_back(fmt::format("{} learned from: there are no more to learn from, of {} that "
                                               "were asked for",
                                               counted(found.tuned.size(), "matrix is", "matrices are"),
                                               request.matrix_count));
}

} // namespace

Result<FinetuneData> finetune_data(Workspace& workspace, const FinetuneRequest& request,
                                   const StoredModel& model, const std::stop_token& stop,
                                   const ProgressSink& progress) {
    const TaskRequest wanted{.op = model.checkpoint.model.op(),
                             .dense = request.dense,
                             .sources = {{request.machine}},
                             .threads = request.threads};
    auto tasks = workspace_tasks(workspace, wanted, stop, progress);
    if (!tasks)
        return std::unexpected(std::move(tasks).error());
    FinetuneData found{{std::move(tasks->set), {}, {}}, {}, Json::object()};
    for (const TaskReport& report : tasks->reports)
        std::ranges::move(sentences(report), std::back_inserter(found.data.notes));
    const auto lineage = ModelLineage::read(workspace);
    if (!lineage)
        return std::unexpected(lineage.error());
    auto split = choose_split(workspace, request, found.data.set, lineage->split(model.record.id));
    if (!split)
        return std::unexpected(std::move(split).error());
    found.data.split = *std::move(split);
    auto tuned = choose_matrices(request, found.data);
    if (!tuned)
        return std::unexpected(std::move(tuned).error());
    found.tuned = *std::move(tuned);
    leave_out_tuned(found.data.split, found.data.set, found.tuned);
    const auto learned = learned_before(workspace, request, model, *lineage);
    if (!learned)
        return std::unexpected(learned.error());
    leave_out_learned(found.data, *learned);
    if (found.data.split.test.empty()) {
        const auto known = std::ranges::count_if(
            found.data.set.matrices, [&](const auto& matrix) { return learned->contains(matrix.name); });
        return fail(
            Fault::Input,
            fmt::format("there is no matrix left to test with that neither {0} nor this fine-tuning "
                        "learns from; {0} has learned from {1} of the {2} that {3} has times of: take "
                        "a model that has not (train --machines, --split), learn from fewer, or "
                        "measure others there",
                        model.record.name, known, found.data.set.matrices.size(), request.machine));
    }
    note_few_matrices(request, found);
    found.model_ids[model.record.name] = static_cast<std::int64_t>(model.record.id);
    for (const std::string& name : request.against)
        if (const auto rival = find_model(workspace, name); rival && *rival)
            found.model_ids[name] = static_cast<std::int64_t>((*rival)->id);
    return found;
}

Result<FineTuningOptions> finetuning_options(Workspace& workspace, const FinetuneRequest& request,
                                             const StoredModel& model) {
    FineTuningOptions options;
    const auto method = parse_method(model.checkpoint.model.training.method);
    options.method = method.value_or(Method::Supervised);
    options.rule =
        request.rule.value_or(is_meta(options.method) ? FineTuningRule::InnerSteps : FineTuningRule::Adam);
    options.loss = request.loss;
    options.epochs = request.epochs > 0 ? request.epochs : fine_tuning_epochs(options.rule);
    options.schedules_per_matrix = request.schedules_per_matrix;
    options.adam_rate = request.adam_rate;
    options.seed = request.seed;
    if (request.inner_rate) {
        options.inner_rate = *request.inner_rate;
        return options;
    }
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    for (const RunRecord& run : *runs) {
        if (run.id != model.record.run)
            continue;
        const Json parameters = Json::parse(run.parameters, nullptr, /*allow_exceptions=*/false);
        if (parameters.is_object() && parameters.contains("inner_rate") &&
            parameters["inner_rate"].is_number())
            if (const auto rate = parameters["inner_rate"].get<double>(); rate > 0)
                options.inner_rate = rate;
    }
    return options;
}

MetaParameters parameters_of(const Checkpoint& checkpoint, at::Device device) {
    MetaParameters parameters{to_tensors(checkpoint.weights, true, at::kFloat, device), std::nullopt};
    if (!checkpoint.rates.empty())
        parameters.rates = to_tensors(checkpoint.rates, true, at::kFloat, device);
    return parameters;
}

} // namespace sparsight
