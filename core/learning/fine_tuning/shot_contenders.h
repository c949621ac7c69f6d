// What a model is compared with on a shot curve, beside other networks: each part of it alone, and the ways
// of using the same measurements that were there before.
#pragma once

#include "learning/fine_tuning/shot_curve.h"
#include "learning/learning_domain.h"
#include "model/boosted_trees.h"
#include "model/networks/encoder.h"

#include <functional>
#include <memory>
#include <string>

namespace sparsight {

/// The simulator that a gray box has, calibrated to the measurements. Without any it is as described. The
/// examples are those of a gray box.
[[nodiscard]] ShotContender calibrated_simulator(std::string name);

/// A fine-tuned network beside the calibrated simulator, weighed against each other on folds of the
/// measurements. Without any it is the network alone. `blending` must outlive it.
[[nodiscard]] ShotContender blended_network(std::string name,
                                            std::function<MetaParameters(std::uint64_t seed)> start,
                                            const FineTuningOptions& options,
                                            const SimulatorBlending& blending, int threads);

/// Boosted trees that know nothing but the measurements; without any they have no report (0 workloads).
[[nodiscard]] ShotContender trees_from_scratch(std::string name, std::shared_ptr<const TreeFeatures> features,
                                               const TreesOptions& options);

/// Boosted trees over the numbers that a gray box reads, whose scores are added to its calibrated
/// simulator's: what is left of a gray box without the network. The examples are those of a gray box.
[[nodiscard]] ShotContender trees_on_simulator(std::string name, const TreesOptions& options);

} // namespace sparsight
