// Runs a training: finds earlier runs, trains, tests beside the baseline, and stores the model. Several
// processes may train one model together.
#pragma once

#include "base/observer.h"
#include "learning/processes/joint_training.h"
#include "learning/processes/process_group.h"
#include "store/workspace.h"
#include "workflow/learning/settings.h"
#include "workflow/learning/training/training_journal.h"
#include "workflow/learning/training/training_request.h"
#include "workflow/learning/training/training_result.h"

#include <optional>
#include <stop_token>
#include <string>

namespace sparsight {

/// This process among those that train one model together; usually it is the only one. The first process
/// announces once what all do. If it is destroyed before that, it announces a failure, so that no process
/// waits for it.
class TrainingProcess {
public:
    /// Joins the group that the environment describes (mpirun, srun, torchrun): waits for the others,
    /// prepares LibTorch, and sets the device of the request to that of this process. Errors: the environment
    /// is contradictory (Fault::Input); those of ProcessGroup::join().
    [[nodiscard]] static Result<TrainingProcess> join(TrainRequest& request, const std::stop_token& stop);

    TrainingProcess(TrainingProcess&& other) noexcept;
    TrainingProcess& operator=(TrainingProcess&&) = delete;
    ~TrainingProcess();

    /// The first process reads and writes the workspace, and reports and stores the results.
    [[nodiscard]] bool is_first() const { return rank_ == 0; }
    /// One of several processes, of which only the first has work.
    [[nodiscard]] bool is_idle() const { return !group_; }
    /// The group; the process must not be idle.
    [[nodiscard]] ProcessGroup& group() { return *group_; }
    /// Advice about a slow LibTorch; empty where it is fast.
    [[nodiscard]] const std::string& warning() const { return warning_; }

    /// Agrees on what all processes do; the process must not be idle.
    Result<SharedStart> agree(Result<SharedStart> mine);

private:
    TrainingProcess(int rank, std::stop_token stop);

    int rank_ = 0;
    std::optional<ProcessGroup> group_;
    std::string warning_;
    std::stop_token stop_;
    bool has_agreed_ = false;
};

struct TrainOrder {
    RunSettings settings;
    TrainRequest request;
    Redo redo = Redo::Never;
    bool keep = false;   ///< when it is stopped, the best weights so far become the model
    bool finish = false; ///< make the model of the best weights now, without further training
};

/// Runs as the first process. If the user stops it, that is an outcome: the same order resumes it.
[[nodiscard]] Result<TrainOutcome> run_training(Workspace& workspace, const LearningDomains& domains,
                                                const TrainOrder& order, TrainingProcess& process,
                                                Observer& observer, const std::stop_token& stop);

/// Runs as a later process: it computes its share of every step, and leaves reports and results to the first.
/// It only reads the workspace. Errors name the process.
[[nodiscard]] Result<TrainingEnd> join_training(const WorkspaceLocation& location,
                                                const LearningDomains& domains, const TrainRequest& request,
                                                TrainingProcess& process, const std::stop_token& stop);

} // namespace sparsight
