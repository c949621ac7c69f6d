#include "store/choices.h"

#include "store/schedules.h"
#include "store/sqlite.h"
#include "store/workspace.h"

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
    read.choice = {row.id<ModelId>(0), row.id<MatrixId>(1), static_cast<int>(row.integer(2)), {}};
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

Result<void> record_choices(Workspace& workspace, RunId run, ModelId model, MatrixId matrix,
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
                                                 MatrixId matrix) {
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

} // namespace sparsight
