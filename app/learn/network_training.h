// One training run of a network, from its first step or from where it was left, with everything that is told
// and kept on the way.
#pragma once

#include "command/job_events.h"
#include "learn/training_data.h"
#include "learn/training_events.h"
#include "learn/training_journal.h"
#include "learning/trainer.h"
#include "model/checkpoint.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>

namespace sparsight {

/// A network with its first weights: those of the parent, or new ones of the seed.
struct NetworkStart {
    NetworkDescription network;
    std::vector<NamedArray> weights;
    std::vector<NamedArray> rates; ///< of a parent that learned inner rates
};
/// `parent` may be nullptr. Errors: a parent of another operator or architecture.
[[nodiscard]] Result<NetworkStart> start_of_network(const TrainRequest& request, const TrainingData& data,
                                                    const Checkpoint* parent);

struct TrainedNetwork {
    TrainingEnd end = TrainingEnd::Finished;
    TrainingState state;
};

class NetworkTraining {
public:
    NetworkTraining(const TrainRequest& request, const TrainingData& data, NetworkStart start,
                    TrainingJournal& journal, JobEvents& events, ProgressDisplay& display);

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

    /// Of the best weights, on the test matrices, as RankingReport::by_name(); none without such matrices.
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
    JobEvents& events_;
    ProgressDisplay& display_;
    at::Device device_;
    ExampleStore examples_;
    TrainingState state_;
    std::size_t steps_per_epoch_ = 0;
    std::int64_t steps_ = 0; ///< that were told
    double seconds_before_ = 0;
    std::chrono::steady_clock::time_point begun_;
    std::optional<StepEvents> step_events_;
};

} // namespace sparsight
