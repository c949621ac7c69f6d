#include "store/choices.h"

#include "store/measurements.h"
#include "store/sqlite.h"
#include "store/workspace.h"

#include <cstdint>
#include <utility>

namespace sparsight {

namespace {

Result<void> record_choice(Workspace& workspace, RunId run, ModelId model, WorkloadId workload, int rank,
                           const ConfigurationChoice& chosen) {
    const auto configuration = record_configuration(workspace, chosen.configuration);
    if (!configuration)
        return std::unexpected(configuration.error());
    return workspace.database().run(
        "INSERT INTO choices (run_id, model_id, workload_id, rank, configuration_id, score) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        run, model, workload, rank, *configuration, chosen.score);
}

} // namespace

Result<void> record_choices(Workspace& workspace, RunId run, ModelId model, WorkloadId workload,
                            std::span<const ConfigurationChoice> chosen) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        if (auto done = workspace.database().run(
                "DELETE FROM choices WHERE run_id = ? AND model_id = ? AND workload_id = ?", run, model,
                workload);
            !done)
            return done;
        int rank = 0;
        for (const ConfigurationChoice& each : chosen)
            if (auto done = record_choice(workspace, run, model, workload, ++rank, each); !done)
                return done;
        return {};
    });
}

Result<std::vector<ChoiceRecord>> list_choice_records(Workspace& workspace, RunId run,
                                                      std::optional<ModelId> model,
                                                      std::optional<WorkloadId> workload) {
    return workspace.database().all(
        [](Statement& row) {
            return ChoiceRecord{row.id<ModelId>(0),
                                row.id<WorkloadId>(1),
                                static_cast<int>(row.integer(2)),
                                {read_configuration(row, 4), row.real(3)}};
        },
        "SELECT h.model_id, h.workload_id, h.rank, h.score, c.domain, c.family, c.text, c.canonical, "
        "    c.threads, c.is_baseline "
        "FROM choices h JOIN configurations c ON c.id = h.configuration_id "
        "WHERE h.run_id = ?1 AND (?2 IS NULL OR h.model_id = ?2) AND (?3 IS NULL OR h.workload_id = ?3) "
        "ORDER BY h.model_id, h.workload_id, h.rank",
        run, model, workload);
}

namespace {

Result<void> record_times(Workspace& workspace, RunId run, WorkloadId workload,
                          const ConfigurationTurns& times) {
    const auto configuration = record_configuration(workspace, times.configuration);
    if (!configuration)
        return std::unexpected(configuration.error());
    Database& database = workspace.database();
    if (auto done = database.run(
            "INSERT INTO rematches (run_id, workload_id, configuration_id, error) VALUES (?, ?, ?, ?)", run,
            workload, *configuration, times.error);
        !done)
        return done;
    std::int64_t turn = 0;
    for (const double median_ms : times.turns_ms)
        if (auto done = database.run(
                "INSERT INTO rematch_turns (run_id, workload_id, configuration_id, turn, median_ms) "
                "VALUES (?, ?, ?, ?, ?)",
                run, workload, *configuration, ++turn, median_ms);
            !done)
            return done;
    return {};
}

/// One turn of a configuration, or none where it has no time.
struct TurnRow {
    std::int64_t id = 0;
    ConfigurationTurns times;
    std::optional<double> turn_ms;
};

} // namespace

Result<void> record_turn_times(Workspace& workspace, RunId run, WorkloadId workload,
                               std::span<const ConfigurationTurns> times) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        if (auto done = workspace.database().run("DELETE FROM rematches WHERE run_id = ? AND workload_id = ?",
                                                 run, workload);
            !done)
            return done;
        for (const ConfigurationTurns& each : times)
            if (auto done = record_times(workspace, run, workload, each); !done)
                return done;
        return {};
    });
}

Result<std::vector<ConfigurationTurns>> list_turn_times(Workspace& workspace, RunId run,
                                                        WorkloadId workload) {
    auto rows = workspace.database().all(
        [](Statement& row) {
            return TurnRow{
                row.integer(0), {read_configuration(row, 3), {}, row.text(1)}, row.optional_real(2)};
        },
        "SELECT c.id, r.error, t.median_ms, c.domain, c.family, c.text, c.canonical, c.threads, "
        "    c.is_baseline "
        "FROM rematches r JOIN configurations c ON c.id = r.configuration_id "
        "LEFT JOIN rematch_turns t USING (run_id, workload_id, configuration_id) "
        "WHERE r.run_id = ? AND r.workload_id = ? ORDER BY c.text, c.id, t.turn",
        run, workload);
    if (!rows)
        return std::unexpected(std::move(rows).error());
    std::vector<ConfigurationTurns> times;
    std::optional<std::int64_t> last;
    for (TurnRow& row : *rows) {
        if (last != row.id)
            times.push_back(std::move(row.times));
        last = row.id;
        if (row.turn_ms)
            times.back().turns_ms.push_back(*row.turn_ms);
    }
    return times;
}

Result<std::map<RunId, std::set<WorkloadId>>> workloads_with_turns(Workspace& workspace) {
    const auto rows = workspace.database().all(
        [](Statement& row) { return std::pair(row.id<RunId>(0), row.id<WorkloadId>(1)); },
        "SELECT DISTINCT t.run_id, t.workload_id "
        "FROM rematch_turns t JOIN configurations c ON c.id = t.configuration_id WHERE c.is_baseline");
    if (!rows)
        return std::unexpected(rows.error());
    std::map<RunId, std::set<WorkloadId>> workloads;
    for (const auto& [run, workload] : *rows)
        workloads[run].insert(workload);
    return workloads;
}

} // namespace sparsight
