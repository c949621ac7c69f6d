// The events of a training run; see `sparsight-learn train --help`.
#pragma once

#include "base/observer.h"
#include "learning/training/trainer.h"
#include "learning/training/tree_training.h"
#include "model/boosted_trees.h"
#include "model/checkpoints/checkpoint.h"
#include "model/networks/encoder.h"
#include "store/runs.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/training/training_data.h"
#include "workflow/learning/training/training_journal.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

struct TrainingStart {
    RunId run{};
    std::size_t steps_per_epoch = 0; ///< 0 for boosted trees
    const std::string& replaces;     ///< ClaimedRun::replaces
    const Json& resumed_at;          ///< null: the run starts from the beginning
    const Json& parameters;
};
/// The event "start".
[[nodiscard]] Json start_json(const TrainRequest& request, const TrainingData& data,
                              const TrainingStart& start);

/// Reports every step once, with many steps in one line: at most twenty lines a second.
class StepEvents {
public:
    /// `done` steps were reported by earlier runs.
    StepEvents(Observer& observer, std::int64_t done)
        : observer_(observer)
        , done_(done) {}

    void add(const StepReport& step, double seconds);
    void flush();

private:
    using Clock = std::chrono::steady_clock;

    Observer& observer_;
    std::int64_t done_; ///< steps before the pending ones
    int epoch_ = 0;
    double seconds_ = 0;
    std::vector<double> losses_;
    std::vector<double> gradient_norms_;
    Clock::time_point told_{};
};

// Reports and stores how boosted trees improve round by round, in the form of a network's epochs.

/// An "epoch" after each tenth of the rounds; its number and its step are the number of rounds. `seconds` is
/// the time of all rounds.
void tell_rounds(const TrainingData& data, const std::vector<TreesRound>& rounds, double seconds,
                 TrainingJournal& journal, Observer& observer);

// Trains a network from its first step, or from where it was stopped, and reports and stores the progress.

/// A network with its first weights: those of the parent, or new ones from the seed.
struct NetworkStart {
    std::shared_ptr<const Encoder> encoder;
    std::vector<NamedArray> weights;
    std::vector<NamedArray> rates; ///< inner rates of a parent that has learned them
};
/// `parent` may be nullptr. Errors: the parent has another operator or architecture.
[[nodiscard]] Result<NetworkStart> start_of_network(const TrainRequest& request, const TrainingData& data,
                                                    const StoredModel* parent);

struct TrainedNetwork {
    TrainingEnd end = TrainingEnd::Finished;
    TrainingState state;
};

class NetworkTraining {
public:
    NetworkTraining(const TrainRequest& request, const TrainingData& data, NetworkStart start,
                    TrainingJournal& journal, Observer& observer);

    /// Starts from the first state, or from that of an earlier run, whose later metrics are removed.
    [[nodiscard]] Result<void> begin(const std::optional<StoredTrainingState>& stored);
    [[nodiscard]] const TrainingState& state() const { return state_; }
    [[nodiscard]] std::size_t steps_per_epoch() const { return steps_per_epoch_; }
    /// Training time of this run, without pauses.
    [[nodiscard]] double seconds() const;
    /// Stores the time, if the run is stopped after its epochs.
    [[nodiscard]] Result<void> keep_seconds();

    /// Trains as the first process of the group. All progress is saved, however the run ends.
    [[nodiscard]] Result<TrainingEnd> run(const std::stop_token& stop, const ProcessGroup& group);

    /// Tests the best weights on the test workloads, as RankingReport::by_name(); empty without such
    /// workloads.
    [[nodiscard]] Result<std::map<std::string, double>> test(const std::stop_token& stop);
    /// The best weights. The parent's name is taken from the request.
    [[nodiscard]] Checkpoint checkpoint(const std::map<std::string, double>& metrics) const;

private:
    [[nodiscard]] MetaParameters best() const;
    void tell_step(const StepReport& step);
    void tell_epoch(const EpochReport& report);
    [[nodiscard]] Result<void> keep(const TrainingState& state);

    const TrainRequest& request_;
    const TrainingData& data_;
    NetworkStart start_;
    TrainingJournal& journal_;
    Observer& observer_;
    at::Device device_;
    ExampleStore examples_;
    TrainingState state_;
    std::size_t steps_per_epoch_ = 0;
    std::int64_t steps_ = 0; ///< number of reported steps
    double seconds_before_ = 0;
    std::chrono::steady_clock::time_point begun_;
    std::optional<StepEvents> step_events_;
};

// Boosted trees: as the model itself, or as the baseline beside a network.

struct TrainedTrees {
    BoostedTrees trees;
    std::map<std::string, double> metrics; ///< on the test workloads; empty without such
};

[[nodiscard]] Result<TrainedTrees> train_and_test_trees(const TrainRequest& request, const TrainingData& data,
                                                        const std::stop_token& stop,
                                                        const ProgressSink& progress = {});

[[nodiscard]] Result<Checkpoint> checkpoint_of(const TrainRequest& request, const TrainingData& data,
                                               const TrainedTrees& trained);

} // namespace sparsight
