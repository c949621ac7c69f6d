// Whole tunings in the experiment on transfer between machines: what they have found after each measurement,
// and what that took, of workloads and of networks.
#pragma once

#include "base/error.h"
#include "evaluation/estimates.h"

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct TunedStep {
    std::size_t measurements = 0;
    double milliseconds = 0; ///< the fastest so far
    double spent = 0;        ///< milliseconds of all runs so far
};
using TunedSteps = std::vector<TunedStep>; ///< one for each measurement; at least one
/// After so many measurements, or after all where there are fewer.
[[nodiscard]] const TunedStep& step_within(const TunedSteps& steps, std::size_t measurements);
/// The first that is at least this fast; null where none is.
[[nodiscard]] const TunedStep* first_within(const TunedSteps& steps, double milliseconds);

struct WorkloadTuning {
    std::size_t target = 0; ///< place in HardwareExperiment::targets
    std::string rule;
    int seed = 1;
    TunedSteps steps;
};

/// The rule with transfer, and those from scratch that it is held against.
inline constexpr std::string_view transfer_rule = "corrected";
[[nodiscard]] const std::vector<std::string>& scratch_rules();

/// What transfer saves on one target until it is as fast as tuning from scratch has become. Both are counted
/// until they first have that time. Means over seeds.
struct TargetSaving {
    std::size_t target = 0;
    double scratch = 0;      ///< measurements
    double transfer = 0;     ///< measurements
    double measurements = 0; ///< share of them saved; below 0: more were needed
    double time = 0;         ///< likewise of the tuning time
    bool is_reached = true;  ///< otherwise all measurements of transfer count
};
[[nodiscard]] std::vector<TargetSaving> target_savings(const std::vector<WorkloadTuning>& tunings,
                                                       std::string_view scratch_rule);

/// What tunings by a rule end with, summed up over targets: means over seeds.
struct TunedSum {
    double milliseconds = 0; ///< of the fastest that were found
    double spent = 0;        ///< milliseconds of all runs
};
[[nodiscard]] TunedSum tuned_sum(const std::vector<WorkloadTuning>& tunings, std::string_view rule,
                                 const std::vector<std::size_t>& targets);

struct TunedLayer {
    std::string workload;
    int occurrences = 1;
    double gflop = 0;
    bool is_significant = false; ///< measured when only some layers are

    [[nodiscard]] double work() const { return occurrences * gflop; }
};

/// A layer in one of its spaces.
struct TunedTask {
    std::size_t layer = 0;
    std::string space;
    double best = 0; ///< milliseconds of the fastest that was recorded
};

struct TaskTuning {
    TunedSteps scratch;
    TunedSteps transfer;
    double unmeasured = 0; ///< milliseconds of the choice without a measurement
    bool is_chosen = true; ///< whether the layer takes this choice
};

struct TunedNetwork {
    std::string network;
    std::string source;
    std::string machine;
    std::vector<std::string> missing; ///< layers without times
    std::vector<TunedLayer> layers;
    std::vector<TunedTask> tasks;
    std::map<int, std::vector<TaskTuning>> tunings; ///< of each seed, as the tasks

    /// Sum over the layers of occurrences × the fastest recorded time.
    [[nodiscard]] double optimum() const;
    [[nodiscard]] std::size_t most_measurements() const; ///< of a task
};

enum class NetworkWay {
    Scratch,   ///< all layers, without transfer
    Transfer,  ///< all layers
    Selective, ///< significant layers; the others run what transfer chooses unmeasured
};
inline constexpr std::string_view network_way_title(NetworkWay way) {
    return way == NetworkWay::Scratch    ? "from scratch, all layers"
           : way == NetworkWay::Transfer ? "transfer, all layers"
                                         : "transfer, significant layers";
}

/// After so many measurements of each task.
struct NetworkFigure {
    double measurements = 0; ///< of all tasks
    double spent = 0;        ///< milliseconds of all runs
    double inference = 0;    ///< milliseconds
};
/// Of one seed.
[[nodiscard]] NetworkFigure network_figure(const TunedNetwork& network, int seed, NetworkWay way,
                                           std::size_t measurements);
/// Of each seed.
[[nodiscard]] std::vector<NetworkFigure> network_figures(const TunedNetwork& network, NetworkWay way,
                                                         std::size_t measurements);
/// When a way is first as fast as tuning from scratch has become in the end: of the seeds in which it is.
[[nodiscard]] std::vector<NetworkFigure> figures_on_reach(const TunedNetwork& network, NetworkWay way);
/// At least one.
[[nodiscard]] NetworkFigure mean_figure(const std::vector<NetworkFigure>& figures);

/// Reads what `sparsight-learn hardware` prints of them. They throw exceptions of nlohmann::json.
[[nodiscard]] TunedSteps read_steps(const nlohmann::ordered_json& json);
[[nodiscard]] TunedNetwork read_network(const nlohmann::ordered_json& json);

} // namespace sparsight
