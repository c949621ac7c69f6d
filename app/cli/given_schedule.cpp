#include "cli/given_schedule.h"

#include "cli/matrix_source.h"
#include "command/options.h"
#include "schedule/text.h"

#include <CLI/CLI.hpp>

namespace sparsight {

CLI::Option* add_schedule_options(CLI::App& command, ScheduleForm& form) {
    auto* const line =
        command.add_option("line", form.line, "the schedule on one line, quoted")->type_name("LINE");
    add_operator_option(command, form.op);
    auto* const matrix = command.add_option("--matrix", form.matrix, "a file, or a matrix of the workspace")
                             ->type_name("MATRIX");
    add_extent_options(command, form.rows, form.cols);
    matrix->excludes("--rows", "--cols");
    add_dense_option(command, form.dense);
    return line;
}

Result<GivenSchedule> given_schedule(const Session& session, const ScheduleForm& form) {
    auto schedule = parse_schedule(form.op, form.line);
    if (!schedule)
        return std::unexpected(std::move(schedule).error());
    GivenSchedule given{*std::move(schedule), extents(form.op, form.rows, form.cols, form.dense), {}};
    if (form.matrix.empty())
        return given;
    auto matrix = load_named_matrix(session, form.matrix);
    if (!matrix)
        return std::unexpected(std::move(matrix).error());
    given.pattern = std::move(matrix->pattern);
    given.extents = extents(form.op, given.pattern->rows, given.pattern->cols, form.dense);
    return given;
}

Json extents_json(const LoopNest& nest) {
    Json json = Json::object();
    for (const Index index : indices(nest.op))
        json[std::string(1, letter(index))] = nest.extents[index];
    return json;
}

} // namespace sparsight
