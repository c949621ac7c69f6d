#include "learn/train_trees.h"

#include "learning/tree_training.h"

#include <utility>

namespace sparsight {

Result<TrainedTrees> train_and_test_trees(const TrainRequest& request, const TrainingData& data,
                                          const std::stop_token& stop, const ProgressSink& progress) {
    auto trees = train_trees(data.set, data.split.train,
                             {.seed = request.options.seed, .threads = request.threads}, stop, progress);
    if (!trees)
        return std::unexpected(std::move(trees).error());
    std::map<std::string, double> metrics;
    if (!data.split.test.empty()) {
        const auto report = report_trees(data.set, *trees, request.options.loss, data.split.test, stop);
        if (!report)
            return std::unexpected(report.error());
        metrics = report->by_name();
    }
    return TrainedTrees{*std::move(trees), std::move(metrics)};
}

Result<Checkpoint> checkpoint_of(const TrainRequest& request, const TrainingData& data,
                                 const TrainedTrees& trained) {
    auto bytes = trained.trees.save();
    if (!bytes)
        return std::unexpected(std::move(bytes).error());
    Checkpoint checkpoint;
    checkpoint.model.architecture = TreesDescription{request.op};
    checkpoint.model.training = {.method = "trees",
                                 .machines = machine_names(data.set),
                                 .matrices = matrix_names(data.set, data.split.train),
                                 .seed = request.options.seed,
                                 .metrics = trained.metrics,
                                 .parent = {}};
    checkpoint.trees = *std::move(bytes);
    return checkpoint;
}

} // namespace sparsight
