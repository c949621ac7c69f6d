#include "cli/schedules/schedule_options.h"

#include "command/options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sparsight {

namespace {

Result<Protocol> read_protocol(std::string_view text) {
    if (const auto protocol = parse_protocol(text))
        return *protocol;
    return fail(Fault::Input, fmt::format("'{}' is no protocol: expected adaptive or waco", text));
}

} // namespace

CLI::Option* add_protocol_option(CLI::App& command, Protocol& protocol) {
    return add_parsed_option(command, "--protocol", protocol, &read_protocol, "adaptive (default) or waco")
        ->type_name("PROTOCOL");
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

Json extents_json(const LoopNest& nest) {
    Json json = Json::object();
    for (const Index index : indices(nest.op))
        json[std::string(1, letter(index))] = nest.extents[index];
    return json;
}

} // namespace sparsight
