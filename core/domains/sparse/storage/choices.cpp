#include "domains/sparse/storage/choices.h"

#include "domains/sparse/storage/measurements.h"
#include "store/sqlite.h"
#include "store/workspace.h"
#include "study/measurement.h"
#include "study/timing.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace sparsight {

namespace {

/// A choice whose schedule is still text.
struct ChoiceRow {
    ModelChoice choice;
    std::string op;
    std::string text;
};

ChoiceRow read_choice(Statement& row) {
    ChoiceRow read;
    read.choice = {row.id<ModelId>(0), row.id<WorkloadId>(1), static_cast<int>(row.integer(2)), {}};
    read.choice.chosen.score = row.real(3);
    read.op = row.text(4);
    read.text = row.text(5);
    return read;
}

Result<std::vector<ModelChoice>> parse(const Workspace& workspace, Result<std::vector<ChoiceRow>> rows) {
    if (!rows)
        return std::unexpected(std::move(rows).error());
    std::vector<ModelChoice> choices;
    for (ChoiceRow& row : *rows) {
        auto schedule = read_stored_schedule(workspace, row.op, row.text);
        if (!schedule)
            return std::unexpected(std::move(schedule).error());
        row.choice.chosen.schedule = *std::move(schedule);
        choices.push_back(std::move(row.choice));
    }
    return choices;
}

} // namespace

Result<void> record_choices(Workspace& workspace, RunId run, ModelId model, WorkloadId matrix,
                            std::span<const ChosenSchedule> chosen) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        Database& database = workspace.database();
        if (auto done =
                database.run("DELETE FROM choices WHERE run_id = ? AND model_id = ? AND matrix_id = ?", run,
                             model, matrix);
            !done)
            return done;
        int rank = 0;
        for (const ChosenSchedule& each : chosen) {
            const auto schedule = record_schedule(workspace, each.schedule);
            if (!schedule)
                return std::unexpected(schedule.error());
            if (auto done = database.run(
                    "INSERT INTO choices (run_id, model_id, matrix_id, rank, schedule_id, score) "
                    "VALUES (?, ?, ?, ?, ?, ?)",
                    run, model, matrix, ++rank, *schedule, each.score);
                !done)
                return done;
        }
        return {};
    });
}

Result<std::vector<ModelChoice>> list_choices(Workspace& workspace, RunId run) {
    return parse(workspace, workspace.database().all(
                                read_choice,
                                "SELECT c.model_id, c.matrix_id, c.rank, c.score, s.operator, s.text "
                                "FROM choices c JOIN schedules s ON s.id = c.schedule_id "
                                "WHERE c.run_id = ? ORDER BY c.model_id, c.matrix_id, c.rank",
                                run));
}

Result<std::vector<ChosenSchedule>> list_choices(Workspace& workspace, RunId run, ModelId model,
                                                 WorkloadId matrix) {
    const auto choices = parse(
        workspace,
        workspace.database().all(read_choice,
                                 "SELECT c.model_id, c.matrix_id, c.rank, c.score, s.operator, s.text "
                                 "FROM choices c JOIN schedules s ON s.id = c.schedule_id "
                                 "WHERE c.run_id = ? AND c.model_id = ? AND c.matrix_id = ? ORDER BY c.rank",
                                 run, model, matrix));
    if (!choices)
        return std::unexpected(choices.error());
    std::vector<ChosenSchedule> chosen;
    for (const ModelChoice& choice : *choices)
        chosen.push_back(choice.chosen);
    return chosen;
}

namespace {

/// One turn of a schedule, or none where it has no time.
struct RematchRow {
    std::int64_t schedule = 0;
    std::string op;
    std::string text;
    std::string error;
    std::optional<double> turn_ms;
};

RematchRow read_rematch(Statement& row) {
    RematchRow read;
    read.schedule = row.integer(0);
    read.op = row.text(1);
    read.text = row.text(2);
    read.error = row.text(3);
    read.turn_ms = row.optional_real(4);
    return read;
}

Result<void> record_time(Workspace& workspace, RunId run, WorkloadId matrix, const RematchTime& time) {
    const auto schedule = record_schedule(workspace, time.schedule);
    if (!schedule)
        return std::unexpected(schedule.error());
    Database& database = workspace.database();
    if (auto done =
            database.run("INSERT INTO rematches (run_id, matrix_id, schedule_id, error) VALUES (?, ?, ?, ?)",
                         run, matrix, *schedule, time.error);
        !done)
        return done;
    std::int64_t turn = 0;
    for (const double median_ms : time.turns_ms)
        if (auto done =
                database.run("INSERT INTO rematch_turns (run_id, matrix_id, schedule_id, turn, median_ms) "
                             "VALUES (?, ?, ?, ?, ?)",
                             run, matrix, *schedule, ++turn, median_ms);
            !done)
            return done;
    return {};
}

bool is_listed_before(const RematchTime& a, const RematchTime& b) {
    if (a.has_time() != b.has_time())
        return a.has_time();
    return a.has_time() && a.median_ms() < b.median_ms();
}

} // namespace

double RematchTime::median_ms() const {
    return median_of(std::vector<Milliseconds>(turns_ms.begin(), turns_ms.end())).count();
}

Result<void> record_rematch(Workspace& workspace, RunId run, WorkloadId matrix,
                            std::span<const RematchTime> times) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        if (auto done = workspace.database().run("DELETE FROM rematches WHERE run_id = ? AND matrix_id = ?",
                                                 run, matrix);
            !done)
            return done;
        for (const RematchTime& time : times)
            if (auto done = record_time(workspace, run, matrix, time); !done)
                return done;
        return {};
    });
}

Result<std::vector<RematchTime>> list_rematch(Workspace& workspace, RunId run, WorkloadId matrix) {
    const auto rows =
        workspace.database().all(read_rematch,
                                 "SELECT s.id, s.operator, s.text, r.error, t.median_ms "
                                 "FROM rematches r JOIN schedules s ON s.id = r.schedule_id "
                                 "LEFT JOIN rematch_turns t USING (run_id, matrix_id, schedule_id) "
                                 "WHERE r.run_id = ? AND r.matrix_id = ? ORDER BY s.text, s.id, t.turn",
                                 run, matrix);
    if (!rows)
        return std::unexpected(rows.error());
    std::vector<RematchTime> times;
    std::optional<std::int64_t> last;
    for (const RematchRow& row : *rows) {
        if (last != row.schedule) {
            auto schedule = read_stored_schedule(workspace, row.op, row.text);
            if (!schedule)
                return std::unexpected(std::move(schedule).error());
            times.push_back({*std::move(schedule), {}, row.error});
            last = row.schedule;
        }
        if (row.turn_ms)
            times.back().turns_ms.push_back(*row.turn_ms);
    }
    std::ranges::stable_sort(times, is_listed_before);
    return times;
}

} // namespace sparsight
