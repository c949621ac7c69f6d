// What a training run tells while it runs; see `sparsight-learn train --help`.
#pragma once

#include "base/observer.h"
#include "learning/training/trainer.h"
#include "learning/training/tree_training.h"
#include "model/boosted_trees.h"
#include "model/checkpoints/checkpoint.h"
#include "model/networks/encoder.h"
#include "store/runs.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/training/training_journal.h"
#include "workflow/learning/training/training_request.h"

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
    std::size_t steps_per_epoch = 0; ///< 0: of trees
    const std::string& replaces;     ///< ClaimedRun::replaces
    const Json& resumed_at;          ///< null: it begins
    const Json& parameters;
};
/// What "start" tells.
[[nodiscard]] Json start_json(const TrainRequest& request, const TrainingData& data,
                              const TrainingStart& start);

/// Every step is told once, many of them in one line: twenty lines a second at most.
class StepEvents {
public:
    /// `done` steps were told by earlier runs.
    StepEvents(Observer& observer, std::int64_t done)
        : observer_(observer)
        , done_(done) {}

    void add(const StepReport& step, double seconds);
    void flush();

private:
    using Clock = std::chrono::steady_clock;

    Observer& observer_;
    std::int64_t done_; ///< before those that are kept here
    int epoch_ = 0;
    double seconds_ = 0;
    std::vector<double> losses_;
    std::vector<double> gradient_norms_;
    Clock::time_point told_{};
};

// How boosted trees became better round by round, told and kept as a network's epochs are.

/// An "epoch" after each tenth of the rounds: its number is that of the rounds, and so is its step. `seconds`
/// is what all of them took.
void tell_rounds(const TrainingData& data, const std::vector<TreesRound>& rounds, double seconds,
                 TrainingJournal& journal, Observer& observer);

// One training run of a network, from its first step or from where it was left, with everything that is told
// and kept on the way.

/// A network with its first weights: those of the parent, or new ones of the seed.
struct NetworkStart {
    std::shared_ptr<const Encoder> encoder;
    std::vector<NamedArray> weights;
    std::vector<NamedArray> rates; ///< of a parent that learned inner rates
};
/// `parent` may be nullptr. Errors: a parent of another operator or architecture.
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

    /// The first state, or that of an earlier run, whose metrics behind it are forgotten.
    [[nodiscard]] Result<void> begin(const std::optional<StoredTrainingState>& stored);
    [[nodiscard]] const TrainingState& state() const { return state_; }
    [[nodiscard]] std::size_t steps_per_epoch() const { return steps_per_epoch_; }
    /// Of this run, pauses left out.
    [[nodiscard]] double seconds() const;
    /// For when it is stopped behind its epochs.
    [[nodiscard]] Result<void> keep_seconds();

    /// As the first process of the group. All that was done is saved, whichever way it ends.
    [[nodiscard]] Result<TrainingEnd> run(const std::stop_token& stop, const ProcessGroup& group);

    /// Of the best weights, on the test workloads, as RankingReport::by_name(); none without such workloads.
    [[nodiscard]] Result<std::map<std::string, double>> test(const std::stop_token& stop);
    /// The best weights. The parent's name is the request's.
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
    std::int64_t steps_ = 0; ///< that were told
    double seconds_before_ = 0;
    std::chrono::steady_clock::time_point begun_;
    std::optional<StepEvents> step_events_;
};

// Boosted trees: as the model that is trained, or as the rival that stands beside a network.

struct TrainedTrees {
    BoostedTrees trees;
    std::map<std::string, double> metrics; ///< on the test workloads; none without such
};

[[nodiscard]] Result<TrainedTrees> train_and_test_trees(const TrainRequest& request, const TrainingData& data,
                                                        const std::stop_token& stop,
                                                        const ProgressSink& progress = {});

[[nodiscard]] Result<Checkpoint> checkpoint_of(const TrainRequest& request, const TrainingData& data,
                                               const TrainedTrees& trained);

} // namespace sparsight
