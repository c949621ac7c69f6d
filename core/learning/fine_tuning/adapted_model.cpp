#include "learning/fine_tuning/adapted_model.h"

#include "learning/training/closed_form.h"
#include "learning/training/tree_training.h"
#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"

#include <algorithm>
#include <c10/core/GradMode.h>
#include <map>
#include <utility>
#include <vector>

namespace sparsight {
namespace {

/// Chosen on recorded machines, where 200 shallow trees at a low rate were no worse than others.
constexpr TreesOptions usual_trees{.rounds = 200, .depth = 6, .rate = 0.06};
constexpr std::size_t most_folds = 8;
/// With fewer workloads a head that was solved for without one of them errs more than the simulator does: on
/// recorded machines choices from two were worse for it.
constexpr std::size_t fewest_for_the_head = 3;

/// For each workload the weights whose head was solved for without it.
using WeightsWithout = std::map<std::size_t, NamedTensors>;

Result<WeightsWithout> solved_without(ExampleStore& examples, std::size_t task,
                                      std::span<const std::size_t> workloads, const NamedTensors& weights,
                                      const std::stop_token& stop, const ProgressSink& progress) {
    const c10::AutoGradMode no_graph(false);
    const std::size_t folds = std::min(workloads.size(), most_folds);
    WeightsWithout without;
    for (std::size_t fold = 0; fold < folds; ++fold) {
        if (progress)
            progress({.stage = "solving for the last layer", .done = fold, .total = folds});
        std::vector<std::size_t> others;
        for (std::size_t at = 0; at < workloads.size(); ++at)
            if (at % folds != fold)
                others.push_back(workloads[at]);
        const auto rows =
            examples.linear_terms(task, all_configurations(examples.tasks().tasks[task], others), stop);
        if (!rows)
            return std::unexpected(rows.error());
        const NamedTensors solved = with_posterior_head(weights, *rows);
        for (std::size_t at = fold; at < workloads.size(); at += folds)
            without.emplace(workloads[at], solved);
    }
    return without;
}

} // namespace

Result<AdaptedModel> adapt(ExampleStore& examples, std::size_t task, std::span<const std::size_t> workloads,
                           const FineTuningOptions& options, const MetaParameters& parameters,
                           const FineTuningObserver& observer, const std::stop_token& stop,
                           const ProgressSink& progress) {
    auto weights = fine_tune(examples, task, workloads, options, parameters, observer, stop, progress);
    if (!weights)
        return std::unexpected(std::move(weights).error());
    if (options.rule != FineTuningRule::ClosedForm || workloads.empty())
        return AdaptedModel{*std::move(weights)};
    return guarded([&]() -> Result<AdaptedModel> {
        const bool has_head = workloads.size() >= fewest_for_the_head;
        AdaptedModel model{has_head ? *weights : leaves(without_correction(*weights))};
        WeightsWithout without;
        if (has_head) {
            auto solved = solved_without(examples, task, workloads, model.weights, stop, progress);
            if (!solved)
                return std::unexpected(std::move(solved).error());
            without = *std::move(solved);
        }
        TreesOptions of_trees = usual_trees;
        of_trees.seed = options.seed;
        of_trees.threads = examples.threads();
        const auto first = [&](std::size_t workload) -> const NamedTensors& {
            return has_head ? without.at(workload) : model.weights;
        };
        auto trees = train_correcting_trees(examples, first, task, workloads, of_trees, stop, progress);
        if (!trees)
            return std::unexpected(std::move(trees).error());
        model.trees = *std::move(trees);
        return model;
    });
}

Result<RankingReport> report_adapted(ExampleStore& examples, const AdaptedModel& model, Loss loss,
                                     std::size_t task, std::span<const std::size_t> workloads,
                                     const std::stop_token& stop, const ProgressSink& progress) {
    const UsedTrees used(examples, model.trees);
    return report_ranking(examples, model.weights, loss, task, workloads, stop, progress);
}

} // namespace sparsight
