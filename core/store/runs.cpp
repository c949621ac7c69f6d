#include "store/runs.h"

#include "base/process.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

namespace {

using Json = nlohmann::json;

/// Among the settings of the workspace: "run holder 12".
constexpr std::string_view prefix = "run holder ";

std::string setting_of(RunId run) {
    return fmt::format("{}{}", prefix, static_cast<std::int64_t>(run));
}

struct StoredHolder {
    RunHolder holder;
    ProcessIdentity process;
    std::string text;
};

/// Nothing for a text of another program.
std::optional<StoredHolder> parse_holder(const std::string& text) {
    const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object())
        return std::nullopt;
    try {
        const auto process = json.at("process").get<std::int64_t>();
        return StoredHolder{{static_cast<RunId>(json.at("run").get<std::int64_t>()), process,
                             json.at("since").get<std::string>()},
                            {process, json.at("start").get<std::string>()},
                            text};
    } catch (const Json::exception&) {
        return std::nullopt;
    }
}

/// Dead ones, too.
Result<std::vector<StoredHolder>> stored_holders(Workspace& workspace) {
    const auto texts = workspace.database().all([](Statement& row) { return row.text(0); },
                                                "SELECT value FROM settings WHERE name GLOB ? ORDER BY name",
                                                fmt::format("{}*", prefix));
    if (!texts)
        return std::unexpected(texts.error());
    std::vector<StoredHolder> holders;
    for (const std::string& text : *texts)
        if (auto holder = parse_holder(text))
            holders.push_back(*std::move(holder));
    return holders;
}

Result<std::string> now(Workspace& workspace) {
    auto time = workspace.database().first([](Statement& row) { return row.text(0); },
                                           "SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now')");
    if (!time)
        return std::unexpected(std::move(time).error());
    return time->value_or("");
}

/// Removes the hold unless another process has taken it since.
Result<void> forget(Workspace& workspace, RunId run, const std::string& text) {
    return workspace.database().run("DELETE FROM settings WHERE name = ? AND value = ?", setting_of(run),
                                    text);
}

} // namespace

Result<std::vector<RunHolder>> live_holders(Workspace& workspace) {
    const auto stored = stored_holders(workspace);
    if (!stored)
        return std::unexpected(stored.error());
    std::vector<RunHolder> holders;
    for (const StoredHolder& each : *stored)
        if (is_alive(each.process))
            holders.push_back(each.holder);
    return holders;
}

Result<RunHold> RunHold::take(Workspace& workspace, RunId run) {
    std::string text;
    auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const auto stored = stored_holders(workspace);
        if (!stored)
            return std::unexpected(stored.error());
        for (const StoredHolder& each : *stored) {
            if (!is_alive(each.process)) { // was killed
                if (auto forgotten = forget(workspace, each.holder.run, each.text); !forgotten)
                    return forgotten;
            } else if (each.holder.run == run) {
                return fail(Fault::Environment, fmt::format("run {} is worked at by process {} since {}",
                                                            static_cast<std::int64_t>(run),
                                                            each.holder.process, each.holder.since));
            }
        }
        const ProcessIdentity process = this_process();
        const auto since = now(workspace);
        if (!since)
            return std::unexpected(since.error());
        const Json json{{"run", static_cast<std::int64_t>(run)},
                        {"process", process.id},
                        {"start", process.start},
                        {"since", *since}};
        text = json.dump();
        return set_setting(workspace, setting_of(run), text);
    });
    if (!done)
        return std::unexpected(std::move(done).error());
    return RunHold(workspace, run, std::move(text));
}

RunHold::~RunHold() {
    // Where this fails, the end of the process frees the run all the same.
    if (workspace_ != nullptr) [[maybe_unused]]
        const auto forgotten = forget(*workspace_, run_, text_);
}

Result<void> save_training_state(Workspace& workspace, RunId run, std::span<const std::byte> state) {
    return workspace.database().run(
        "INSERT INTO training_states (run_id, state) VALUES (?, ?) "
        "ON CONFLICT DO UPDATE SET state = excluded.state, saved = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')",
        run, state);
}

Result<std::optional<StoredTrainingState>> find_training_state(Workspace& workspace, RunId run) {
    return workspace.database().first(
        [](Statement& row) {
            const auto bytes = row.blob(0);
            return StoredTrainingState{{bytes.begin(), bytes.end()}, row.text(1)};
        },
        "SELECT state, saved FROM training_states WHERE run_id = ?", run);
}

Result<void> remove_training_state(Workspace& workspace, RunId run) {
    return workspace.database().run("DELETE FROM training_states WHERE run_id = ?", run);
}

} // namespace sparsight
