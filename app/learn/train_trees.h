// Boosted trees: as the model that is trained, or as the rival that stands beside a network.
#pragma once

#include "learn/training_data.h"
#include "model/boosted_trees.h"
#include "model/checkpoint.h"

#include <map>
#include <stop_token>
#include <string>

namespace sparsight {

struct TrainedTrees {
    BoostedTrees trees;
    std::map<std::string, double> metrics; ///< on the test matrices; none without such
};

[[nodiscard]] Result<TrainedTrees> train_and_test_trees(const TrainRequest& request, const TrainingData& data,
                                                        const std::stop_token& stop,
                                                        const ProgressSink& progress = {});

[[nodiscard]] Result<Checkpoint> checkpoint_of(const TrainRequest& request, const TrainingData& data,
                                               const TrainedTrees& trained);

} // namespace sparsight
