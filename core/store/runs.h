// Runs: the jobs that fill a workspace (collect, train, evaluate …) with their parameters, how they ended,
// the metrics that they wrote, the process that works on one, and the state from which a training run
// resumes.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

class Workspace;

enum class RunId : std::int64_t {};

enum class RunState {
    Running, ///< or killed before it could store another state
    Finished,
    Stopped, ///< by the user
    Failed,
};

/// "running", "finished", "stopped", "failed".
[[nodiscard]] std::string_view name(RunState state);

struct RunRecord {
    RunId id{};
    std::string kind;       ///< "collect", "train" …
    std::string parameters; ///< JSON
    RunState state = RunState::Running;
    std::string message; ///< for the user, when it failed
    std::string started; ///< UTC, ISO 8601
    std::string ended;   ///< empty while running
};

[[nodiscard]] Result<RunId> start_run(Workspace& workspace, std::string_view kind,
                                      std::string_view parameters);
[[nodiscard]] Result<void> end_run(Workspace& workspace, RunId run, RunState state,
                                   std::string_view message = {});
/// The newest run of this kind with exactly these parameters that did not finish, to be resumed.
[[nodiscard]] Result<std::optional<RunRecord>> unfinished_run(Workspace& workspace, std::string_view kind,
                                                              std::string_view parameters);
/// Marks an unfinished run as running again.
[[nodiscard]] Result<void> resume_run(Workspace& workspace, RunId run);
[[nodiscard]] Result<std::vector<RunRecord>> list_runs(Workspace& workspace);
/// Removes a run with its metrics, its choices and its training state. Its measurements stay, and so does
/// its model.
[[nodiscard]] Result<void> remove_run(Workspace& workspace, RunId run);

struct MetricPoint {
    std::int64_t step = 0;
    double value = 0; ///< may be infinite or not a number, as losses sometimes are
};

/// Records a value, replacing that of the same run, name and step.
[[nodiscard]] Result<void> record_metric(Workspace& workspace, RunId run, std::string_view name,
                                         const MetricPoint& point);
struct NamedMetric {
    std::string name;
    MetricPoint point;
};
/// Records all of them in one transaction, for a training run that writes many steps at once.
[[nodiscard]] Result<void> record_metrics(Workspace& workspace, RunId run,
                                          std::span<const NamedMetric> metrics);
/// Removes the values after this step, since a killed run resumes from an earlier one.
[[nodiscard]] Result<void> remove_metric_beyond(Workspace& workspace, RunId run, std::string_view name,
                                                std::int64_t step);
[[nodiscard]] Result<std::vector<std::string>> metric_names(Workspace& workspace, RunId run);
/// The values of a metric by ascending step.
[[nodiscard]] Result<std::vector<MetricPoint>> list_metric(Workspace& workspace, RunId run,
                                                           std::string_view name);

struct RunHolder {
    RunId run{};
    std::int64_t process = 0; ///< its number on this computer
    std::string since;        ///< UTC, ISO 8601
};

/// The live processes that work on runs. A process on another computer, or in another container, is not
/// visible from here.
[[nodiscard]] Result<std::vector<RunHolder>> live_holders(Workspace& workspace);

/// Reserves a run for this process as long as the process lives: at most one process works on a run. The
/// workspace stores which process it is; a process that died reserves nothing. The workspace must outlive
/// this object.
class RunHold {
public:
    /// An error (Fault::Environment) where another live process has reserved the run. Within a transaction,
    /// the reservation takes effect with the commit.
    [[nodiscard]] static Result<RunHold> take(Workspace& workspace, RunId run);

    RunHold(RunHold&& other) noexcept
        : workspace_(std::exchange(other.workspace_, nullptr))
        , run_(other.run_)
        , text_(std::move(other.text_)) {}
    RunHold& operator=(RunHold&&) = delete;
    ~RunHold();

private:
    RunHold(Workspace& workspace, RunId run, std::string text)
        : workspace_(&workspace)
        , run_(run)
        , text_(std::move(text)) {}

    Workspace* workspace_; ///< nullptr: moved away
    RunId run_;
    std::string text_; ///< the stored text of this hold; that of another process is not changed
};

/// The state from which a training run resumes after it was stopped or killed, as bytes that
/// learning/training/training_state.h understands.
struct StoredTrainingState {
    std::vector<std::byte> state;
    std::string saved; ///< UTC, ISO 8601
};

/// Saves the state, replacing an earlier one of the run.
[[nodiscard]] Result<void> save_training_state(Workspace& workspace, RunId run,
                                               std::span<const std::byte> state);
/// Nothing for a run without a saved state, or a finished one.
[[nodiscard]] Result<std::optional<StoredTrainingState>> find_training_state(Workspace& workspace, RunId run);
[[nodiscard]] Result<void> remove_training_state(Workspace& workspace, RunId run);

} // namespace sparsight
