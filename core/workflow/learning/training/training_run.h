// A whole training run: what is there already, the training, the test beside the baseline, the model. Several
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

/// This process among those that train one model together; mostly it is alone. The first of them says once
/// what all do: at the latest, when this is gone, that it failed, so that nobody waits for it.
class TrainingProcess {
public:
    /// As the environment says (mpirun, srun, torchrun). Waits for the others, prepares LibTorch, and sets
    /// the device of the request to that of this process. Errors: what the environment says is contradictory
    /// (Fault::Input); those of ProcessGroup::join().
    [[nodiscard]] static Result<TrainingProcess> join(TrainRequest& request, const std::stop_token& stop);

    TrainingProcess(TrainingProcess&& other) noexcept;
    TrainingProcess& operator=(TrainingProcess&&) = delete;
    ~TrainingProcess();

    /// It reads and writes the workspace, tells and keeps what comes out.
    [[nodiscard]] bool is_first() const { return rank_ == 0; }
    /// One of several, of which the first alone has something to do.
    [[nodiscard]] bool is_idle() const { return !group_; }
    /// Of one that is not idle.
    [[nodiscard]] ProcessGroup& group() { return *group_; }
    /// What to do about a slow LibTorch; empty where it is none.
    [[nodiscard]] const std::string& warning() const { return warning_; }

    /// Of one that is not idle: what all do.
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
    bool keep = false;   ///< the best so far becomes the model when it is stopped
    bool finish = false; ///< … without training on
};

/// As the first process. Work that the user stopped is an outcome: the same order goes on with it.
[[nodiscard]] Result<TrainOutcome> run_training(Workspace& workspace, const LearningDomains& domains,
                                                const TrainOrder& order, TrainingProcess& process,
                                                Observer& observer, const std::stop_token& stop);

/// What the processes after the first do: they work on their share of every step, and leave it to the first
/// to tell and to keep what comes out. The workspace is only read. Errors say which process it is.
[[nodiscard]] Result<TrainingEnd> join_training(const WorkspaceLocation& location,
                                                const LearningDomains& domains, const TrainRequest& request,
                                                TrainingProcess& process, const std::stop_token& stop);

} // namespace sparsight
