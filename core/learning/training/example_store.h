// The workloads and configurations of a task set as inputs of one network. Each is encoded once and cached
// while there is room.
#pragma once

#include "base/observer.h"
#include "learning/tasks/task.h"
#include "learning/training/learning_method.h"
#include "learning/training/training_plan.h"
#include "model/networks/encoder.h"
#include "model/networks/physics.h"
#include "model/tensors/losses.h"

#include <ATen/core/Tensor.h>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

class ConvolutionWorkspaces;
class RowTrees;

/// What a calibration depends on, within one task set.
struct CalibrationQuestion {
    std::string physics; ///< Physics::subject()
    std::size_t task = 0;
    std::set<std::size_t> workloads;
    std::uint64_t seed = 1;
    auto operator<=>(const CalibrationQuestion&) const = default;
};
using KnownCalibrations = std::map<CalibrationQuestion, MachineParameters>;

struct PairNumbers; // model/networks/gray_box.h

/// The limit of the cache, as the sum of EncodedWorkload::kept_size() and what gray boxes keep: coordinates
/// of convolution pyramids, about 100 bytes each.
inline constexpr std::int64_t default_kept_coordinates = 20'000'000;

/// Only one thread may use it at a time.
class ExampleStore {
public:
    /// The task set must outlive it. `threads` threads encode a workload. Its tensors are on the device,
    /// where the weights must be, too.
    ExampleStore(const TaskSet& tasks, std::shared_ptr<const Encoder> encoder, int threads,
                 std::int64_t kept_coordinates = default_kept_coordinates,
                 at::Device device = at::Device(at::kCPU));

    /// A store of other tasks for the same network on the same device. The task set must outlive it.
    [[nodiscard]] ExampleStore store_of(const TaskSet& tasks) const {
        return {tasks, encoder_, threads_, kept_coordinates_, device_};
    }

    /// A store of the same tasks for another network. What either calibrates, both know; only one of them may
    /// be used at a time.
    [[nodiscard]] ExampleStore store_for(std::shared_ptr<const Encoder> encoder) const;

    /// From now on the scores of a gray box include what these trees add; nullptr: nothing.
    void use_trees(std::shared_ptr<const RowTrees> trees);

    [[nodiscard]] const TaskSet& tasks() const { return tasks_; }
    [[nodiscard]] const Encoder& encoder() const { return *encoder_; }
    [[nodiscard]] int threads() const { return threads_; }

    /// The loss over the chosen configurations. It holds its inputs and may outlive the store. Fails when the
    /// data of its workload can't be had or there is not enough memory for it.
    [[nodiscard]] Result<ObjectiveTerm> term(Loss loss, std::size_t task, const ExampleChoice& choice);
    [[nodiscard]] Result<Objective> objective(Loss loss, std::size_t task,
                                              std::span<const ExampleChoice> choices);
    /// The measured rows of the chosen configurations, but for those that the simulator refuses, for the head
    /// of a gray box; errors likewise, and Fault::Cancelled. `progress` counts workloads.
    [[nodiscard]] Result<std::vector<LinearTerm>> linear_terms(std::size_t task,
                                                               std::span<const ExampleChoice> choices,
                                                               const std::stop_token& stop = {},
                                                               const ProgressSink& progress = {});
    /// Support and query set as the method reads them.
    [[nodiscard]] Result<Episode> episode(Method method, Loss loss, const EpisodePlan& plan);

    /// The machine of a task whose simulator explains the runtimes of these workloads best, for a gray box.
    /// Errors: they say nothing of the machine (Input); as term(); Fault::Cancelled. `progress` counts
    /// workloads that are looked at, and then the steps of the fit. It takes seconds, so it is known from
    /// then on.
    [[nodiscard]] Result<MachineParameters> calibrate(std::size_t task,
                                                      std::span<const std::size_t> workloads,
                                                      std::uint64_t seed, const std::stop_token& stop = {},
                                                      const ProgressSink& progress = {});

    /// Scores of the configurations of each of these runtimes, without a graph; many at once where the
    /// encoder is a BatchEncoder.
    [[nodiscard]] Result<std::vector<at::Tensor>> scores_each(const NamedTensors& weights, std::size_t task,
                                                              std::span<const std::size_t> runtimes,
                                                              const std::stop_token& stop = {},
                                                              const ProgressSink& progress = {});
    /// Scores of all configurations of these runtimes, without a graph; [configurations].
    [[nodiscard]] Result<at::Tensor> scores(const NamedTensors& weights, std::size_t task,
                                            std::size_t runtimes);
    /// What a gray box with these weights reads of them.
    [[nodiscard]] Result<PairNumbers> pair_numbers(const NamedTensors& weights, std::size_t task,
                                                   std::size_t runtimes, const std::stop_token& stop = {});

private:
    struct Profiled {
        std::vector<Configuration> configurations;
        std::shared_ptr<const PhysicsProfile> profile;
    };
    /// All that is kept of a workload, and leaves together.
    struct Prepared {
        std::shared_ptr<const EncodedWorkload> input;
        std::vector<Profiled> profiles; ///< of a gray box
        /// By task and place of their runtimes.
        std::map<std::pair<std::size_t, std::size_t>, std::shared_ptr<const EncodedConfigurations>>
            configurations;
        std::int64_t size = 0;
        std::uint64_t last_use = 0;
    };

    /// For use now: it is the last one to leave.
    [[nodiscard]] Prepared& prepared(std::size_t workload);
    /// The last one for use has grown; others leave until there is room.
    void has_grown(Prepared& last, std::int64_t size);
    [[nodiscard]] Result<std::shared_ptr<const EncodedWorkload>> workload(std::size_t place);
    /// The machine as the encoder reads it; undefined where the encoder reads no machine.
    [[nodiscard]] at::Tensor machine(std::size_t task) const;
    [[nodiscard]] Result<std::shared_ptr<const EncodedConfigurations>>
    configurations(std::size_t task, std::size_t runtimes, const std::stop_token& stop = {});
    /// Of a gray box. Machines that are simulated share configurations, and so profiles.
    [[nodiscard]] Result<std::shared_ptr<const PhysicsProfile>> profile(const WorkloadRuntimes& runtimes,
                                                                        const std::stop_token& stop);
    /// The loss over all of these choices together, of a BatchEncoder that predicts times.
    [[nodiscard]] Result<ObjectiveTerm> batch_term(Loss loss, std::size_t task,
                                                   std::span<const ExampleChoice> choices);
    struct Inputs {
        std::shared_ptr<const EncodedWorkload> workload;
        std::shared_ptr<const EncodedConfigurations> configurations;
    };
    [[nodiscard]] Result<Inputs> inputs(std::size_t task, std::size_t runtimes,
                                        const std::stop_token& stop = {});

    const TaskSet& tasks_;
    std::shared_ptr<const Encoder> encoder_;
    int threads_;
    at::Device device_;
    std::int64_t kept_coordinates_;
    std::shared_ptr<ConvolutionWorkspaces> workspaces_;
    std::shared_ptr<KnownCalibrations> calibrations_; ///< stores of the same tasks share it
    std::map<std::size_t, Prepared> workloads_;
    std::int64_t held_coordinates_ = 0;
    std::uint64_t uses_ = 0;
};

} // namespace sparsight
