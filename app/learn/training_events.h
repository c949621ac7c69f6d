// What a training run tells while it runs; see `sparsight-learn train --help`.
#pragma once

#include "command/job_events.h"
#include "learn/training_data.h"
#include "learning/trainer.h"
#include "store/runs.h"

#include <chrono>
#include <cstdint>
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

/// {"overall": {NAME: NUMBER}, MACHINE: {NAME: NUMBER}}.
[[nodiscard]] Json validation_json(const TaskSet& set, const std::vector<RankingReport>& tasks,
                                   const RankingReport& overall);

/// Bytes of memory that this process occupies now; 0 where the system does not tell.
[[nodiscard]] std::uint64_t occupied_memory();

/// Every step is told once, many of them in one line: twenty lines a second at most.
class StepEvents {
public:
    /// `done` steps were told by earlier runs.
    StepEvents(const JobEvents& events, std::int64_t done)
        : events_(events)
        , done_(done) {}

    void add(const StepReport& step, double seconds);
    void flush();

private:
    using Clock = std::chrono::steady_clock;

    const JobEvents& events_;
    std::int64_t done_; ///< before those that are kept here
    int epoch_ = 0;
    double seconds_ = 0;
    std::vector<double> losses_;
    std::vector<double> gradient_norms_;
    Clock::time_point told_{};
};

} // namespace sparsight
