#include "cli/sparse/schedule_options.h"

#include "base/parallel.h"
#include "command/options.h"
#include "domains/sparse/tensor/pattern.h"
#include "domains/sparse/workflow/explanation/explain_study.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

CLI::Option* add_operator_option(CLI::App& command, Operator& op) {
    return add_parsed_option(command, "--operator", op, &read_operator, "spmm (default), spmv or sddmm")
        ->type_name("OPERATOR");
}

CLI::Option* add_dense_option(CLI::App& command, std::int64_t& dense) {
    return command
        .add_option("--dense", dense,
                    "extent of the dense index: j of SpMM, k of SDDMM\n(default 256, as in WACO; SpMV has "
                    "none and ignores it)")
        ->type_name("N")
        ->check(whole_numbers(1, max_extent));
}

void add_extent_options(CLI::App& command, std::int64_t& rows, std::int64_t& cols) {
    command.add_option("--rows", rows, "rows of the sparse matrix")
        ->type_name("N")
        ->check(whole_numbers(1, max_extent));
    command.add_option("--cols", cols, "columns of the sparse matrix")
        ->type_name("N")
        ->check(whole_numbers(1, max_extent));
}

namespace {

Result<Sampler> read_sampler(std::string_view text) {
    if (const auto sampler = parse_sampler(text))
        return *sampler;
    return fail(Fault::Input, fmt::format("'{}' is no sampler: expected waco or uniform", text));
}

} // namespace

CLI::Option* add_sampler_option(CLI::App& command, Sampler& sampler) {
    return add_parsed_option(command, "--sampler", sampler, &read_sampler, "waco (default) or uniform")
        ->type_name("SAMPLER");
}

CLI::Option* add_schedule_options(CLI::App& command, ScheduleInput& form) {
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

SubjectOptions add_subject_options(CLI::App& command, ExplainRequest& request, const SubjectHelp& help) {
    command.add_option("--matrix", request.matrix, "a file, or a matrix of the workspace")
        ->type_name("MATRIX")
        ->required();
    auto* const schedule =
        command.add_option("--schedule", request.schedule, help.schedule)->type_name("SCHEDULE");
    add_operator_option(command, request.op);
    add_dense_option(command, request.dense);
    auto* const machine =
        command
            .add_option(
                "--machine", request.machine,
                "machine to simulate: one of the workspace, a preset, or\na file (default: this computer)")
            ->type_name("MACHINE");
    auto* const measured = command.add_flag("--measured", request.measured, help.measured);
    command.add_flag("--simulated")->description("simulate (default)")->excludes(measured);
    measured->excludes(machine);
    request.threads = available_threads();
    add_threads_option(command, request.threads, help.threads)->needs(measured);
    return {schedule, measured};
}

Json extents_json(const LoopNest& nest) {
    Json json = Json::object();
    for (const Index index : indices(nest.op))
        json[std::string(1, letter(index))] = nest.extents[index];
    return json;
}

} // namespace sparsight
