// Which workloads of a new machine to measure first, so that a gray box learns most from them: optimal
// experimental design, as its head is a linear regression (Chaloner and Verdinelli: Bayesian experimental
// design, Statistical Science 1995).
#pragma once

#include "learning/training/example_store.h"
#include "model/tensors/named_tensors.h"

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

namespace sparsight {

struct TellingWorkload {
    std::size_t workload = 0; ///< place in the task set
    /// What measuring it and those before it leaves of the doubt about all: from 1, before anything of this
    /// list is measured, towards 0.
    double doubt_left = 1;

    bool operator==(const TellingWorkload&) const = default;
};

/// The first `count` of `candidates`, in the order in which they should be measured: each leaves the smallest
/// mean variance of the differences of scores, over the promising configurations of all workloads
/// (A-optimality, greedily). What `known` tell is subtracted before. The runtimes of the task stand for those
/// that will be measured: simulated ones, as only the inputs of the head and how promising a configuration is
/// are read.
///
/// Errors: those of ExampleStore::linear_terms(); Fault::Cancelled. The examples are those of a gray box.
[[nodiscard]] Result<std::vector<TellingWorkload>>
telling_workloads(ExampleStore& examples, std::size_t task, std::span<const std::size_t> known,
                  std::span<const std::size_t> candidates, const NamedTensors& weights, std::size_t count,
                  const std::stop_token& stop = {});

} // namespace sparsight
