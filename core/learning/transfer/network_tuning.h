// The tuning of a whole network on one machine: from scratch, and with what is known from elsewhere. Only the
// layers that work the most need measurements then (Verma et al., "Transfer Learning Across Heterogeneous
// Features For Efficient Tensor Program Generation", 2023, section 4.4).
#pragma once

#include "base/error.h"
#include "learning/transfer/few_measurements.h"
#include "learning/transfer/networks.h"
#include "learning/transfer/tuning_trace.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// A layer on the machine, in one of its spaces: compilers have several templates for some layers, and a
/// layer runs the fastest of them.
struct NetworkTask {
    std::size_t layer = 0; ///< place in NetworkTarget::layers
    TransferTarget target;
};

/// A network on a machine that is taken for new.
struct NetworkTarget {
    std::string network;
    std::string source; ///< of the occurrences
    std::string machine;
    std::vector<NetworkLayer> layers{}; ///< with times on the machine, in descending order of their work
    std::vector<std::string> missing{}; ///< layers without times there
    std::vector<NetworkTask> tasks{};   ///< in the order of their layers
    std::size_t significant = 0;        ///< layers, from the first on
};

/// Those with times of at least two layers. The spaces must outlive them.
[[nodiscard]] std::vector<NetworkTarget> network_targets(const std::vector<TimedSpace>& spaces,
                                                         std::span<const Network> networks, double share);

struct NetworkTuningOptions {
    std::size_t measurements = 100; ///< of each task
    std::uint64_t seed = 1;
    MeasuringOptions measuring{};
    /// Of the trees by which a task learns from the tasks before it.
    TreesOptions trees{.goal = TreesGoal::Times, .rounds = 60, .depth = 6, .rate = 0.15};
};

/// One for each task of the target.
struct NetworkTaskTuning {
    std::vector<TuningStep> scratch{};  ///< MeasuringRule::Plain
    std::vector<TuningStep> transfer{}; ///< the same search, on what is known from elsewhere
    /// Time of the choice without a measurement of a layer that is not significant; 0 for the others.
    double unmeasured = 0;
    bool is_chosen = true; ///< whether this choice is the one of its layer
};

/// What is known from elsewhere are other machines' times of the task, where there are any. Otherwise trees
/// learn from what the tasks before were measured with on this machine: the first task starts from scratch.
/// A layer without a measurement runs the template that was the fastest of the first layer that has both.
[[nodiscard]] Result<std::vector<NetworkTaskTuning>> tune_network(const NetworkTarget& target,
                                                                  const KnownSheets& sheets,
                                                                  const NetworkTuningOptions& options,
                                                                  const std::stop_token& stop = {});

} // namespace sparsight
