// Runs: the jobs that fill a workspace (collect, train, evaluate …), what they were asked, how they ended,
// and the metrics that they wrote on the way.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

} // namespace sparsight
