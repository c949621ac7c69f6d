#include "store/runs.h"

#include "store/sqlite.h"
#include "store/workspace.h"

#include <array>
#include <utility>

namespace sparsight {

namespace {

constexpr std::array<std::pair<RunState, std::string_view>, 4> state_names{{
    {RunState::Running, "running"},
    {RunState::Finished, "finished"},
    {RunState::Stopped, "stopped"},
    {RunState::Failed, "failed"},
}};

RunState parse_state(std::string_view text) {
    for (const auto& [state, known] : state_names)
        if (known == text)
            return state;
    return RunState::Failed; // the schema admits no other text
}

RunRecord read_run(Statement& row) {
    return {row.id<RunId>(0), row.text(1), row.text(2), parse_state(row.text(3)),
            row.text(4),      row.text(5), row.text(6)};
}

} // namespace

std::string_view name(RunState state) {
    for (const auto& [known, text] : state_names)
        if (known == state)
            return text;
    return "";
}

Result<RunId> start_run(Workspace& workspace, std::string_view kind, std::string_view parameters) {
    Database& database = workspace.database();
    if (auto done = database.run("INSERT INTO runs (kind, parameters, state) VALUES (?, ?, 'running')", kind,
                                 parameters);
        !done)
        return std::unexpected(std::move(done).error());
    return static_cast<RunId>(database.last_inserted_id());
}

Result<void> end_run(Workspace& workspace, RunId run, RunState state, std::string_view message) {
    return workspace.database().run("UPDATE runs SET state = ?, message = ?, "
                                    "    ended = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = ?",
                                    name(state), message, run);
}

Result<std::optional<RunRecord>> unfinished_run(Workspace& workspace, std::string_view kind,
                                                std::string_view parameters) {
    return workspace.database().first(
        read_run,
        "SELECT id, kind, parameters, state, message, started, ended FROM runs "
        "WHERE kind = ? AND parameters = ? AND state <> 'finished' ORDER BY id DESC LIMIT 1",
        kind, parameters);
}

Result<void> resume_run(Workspace& workspace, RunId run) {
    return workspace.database().run(
        "UPDATE runs SET state = 'running', message = '', ended = NULL WHERE id = ?", run);
}

Result<std::vector<RunRecord>> list_runs(Workspace& workspace) {
    return workspace.database().all(
        read_run, "SELECT id, kind, parameters, state, message, started, ended FROM runs ORDER BY id");
}

Result<void> remove_run(Workspace& workspace, RunId run) {
    return workspace.database().run("DELETE FROM runs WHERE id = ?", run);
}

Result<void> record_metric(Workspace& workspace, RunId run, std::string_view name, const MetricPoint& point) {
    return workspace.database().run("INSERT INTO metrics (run_id, name, step, value) VALUES (?, ?, ?, ?) "
                                    "ON CONFLICT DO UPDATE SET value = excluded.value",
                                    run, name, point.step, point.value);
}

Result<void> record_metrics(Workspace& workspace, RunId run, std::span<const NamedMetric> metrics) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        for (const NamedMetric& metric : metrics)
            if (auto done = record_metric(workspace, run, metric.name, metric.point); !done)
                return done;
        return {};
    });
}

Result<void> remove_metric_beyond(Workspace& workspace, RunId run, std::string_view name, std::int64_t step) {
    return workspace.database().run("DELETE FROM metrics WHERE run_id = ? AND name = ? AND step > ?", run,
                                    name, step);
}

Result<std::vector<std::string>> metric_names(Workspace& workspace, RunId run) {
    return workspace.database().all([](Statement& row) { return row.text(0); },
                                    "SELECT DISTINCT name FROM metrics WHERE run_id = ? ORDER BY name", run);
}

Result<std::vector<MetricPoint>> list_metric(Workspace& workspace, RunId run, std::string_view name) {
    return workspace.database().all(
        [](Statement& row) { return MetricPoint{row.integer(0), row.real(1)}; },
        "SELECT step, value FROM metrics WHERE run_id = ? AND name = ? ORDER BY step", run, name);
}

} // namespace sparsight
