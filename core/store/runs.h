// Runs: the jobs that fill a workspace (collect, train, evaluate …), what they were asked, how they ended,
// and the metrics that they wrote on the way.
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
    Running, ///< or killed before it could say anything else
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
/// The newest run of this kind with these very parameters that did not finish, so that it can go on.
[[nodiscard]] Result<std::optional<RunRecord>> unfinished_run(Workspace& workspace, std::string_view kind,
                                                              std::string_view parameters);
/// An unfinished run is running again.
[[nodiscard]] Result<void> resume_run(Workspace& workspace, RunId run);
[[nodiscard]] Result<std::vector<RunRecord>> list_runs(Workspace& workspace);
/// With its metrics, its choices and where it stands. What it measured stays, and so does its model.
[[nodiscard]] Result<void> remove_run(Workspace& workspace, RunId run);

struct MetricPoint {
    std::int64_t step = 0;
    double value = 0; ///< may be infinite or not a number, as losses are at times
};

/// A value of the same run, name and step is replaced.
[[nodiscard]] Result<void> record_metric(Workspace& workspace, RunId run, std::string_view name,
                                         const MetricPoint& point);
struct NamedMetric {
    std::string name;
    MetricPoint point;
};
/// All of them in one transaction: what a training run writes of many steps at once.
[[nodiscard]] Result<void> record_metrics(Workspace& workspace, RunId run,
                                          std::span<const NamedMetric> metrics);
/// Forgets what stands behind this step: a run that was killed goes on from an earlier one.
[[nodiscard]] Result<void> remove_metric_beyond(Workspace& workspace, RunId run, std::string_view name,
                                                std::int64_t step);
[[nodiscard]] Result<std::vector<std::string>> metric_names(Workspace& workspace, RunId run);
/// By ascending step.
[[nodiscard]] Result<std::vector<MetricPoint>> list_metric(Workspace& workspace, RunId run,
                                                           std::string_view name);

// Who works at a run right now: one process at most, so that two never train the same in each other's way.
// The workspace says who it is; a process that has died, however it did, holds nothing.

struct RunHolder {
    RunId run{};
    std::int64_t process = 0; ///< its number on this computer
    std::string since;        ///< UTC, ISO 8601
};

/// Of the processes that live. One on another computer, or in another container, is not seen from here.
[[nodiscard]] Result<std::vector<RunHolder>> live_holders(Workspace& workspace);

/// A run that is this process's as long as this lives. The workspace has to live as long.
class RunHold {
public:
    /// An error (Fault::Environment) where another process that lives has it. Taken within a transaction, it
    /// is taken when that is committed.
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
    std::string text_; ///< that says so: another's is left alone
};

// From where a training run goes on after it was stopped or killed: bytes that learning/training_state.h
// understands.

struct StoredTrainingState {
    std::vector<std::byte> state;
    std::string saved; ///< UTC, ISO 8601
};

/// Replaces the one that the run had.
[[nodiscard]] Result<void> save_training_state(Workspace& workspace, RunId run,
                                               std::span<const std::byte> state);
/// Nothing for a run that has not come so far, or is finished.
[[nodiscard]] Result<std::optional<StoredTrainingState>> find_training_state(Workspace& workspace, RunId run);
[[nodiscard]] Result<void> remove_training_state(Workspace& workspace, RunId run);

} // namespace sparsight
