#include "cli/results_filter.h"

#include "cli/matrix_source.h"
#include "cli/results_output.h"
#include "command/options.h"
#include "kernel/timing.h"
#include "store/machines.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sparsight {

void add_filter_options(CLI::App& command, ResultFilter& filter) {
    command.add_option("--matrix", filter.matrix, "of this matrix only")->type_name("NAME");
    command.add_option("--machine", filter.machine, "of this machine only: its name or fingerprint")
        ->type_name("NAME");
    add_parsed_option(command, "--operator", filter.op, &read_operator,
                      "of this operator only: spmm, spmv or sddmm")
        ->type_name("OPERATOR");
    command.add_option("--dense", filter.dense, "of this dense extent only")->type_name("N");
    command.add_option("--protocol", filter.protocol, "of this protocol only: adaptive, waco or simulated")
        ->type_name("PROTOCOL");
}

Result<void> check_protocol(Workspace& workspace, const std::string& protocol) {
    if (parse_protocol(protocol))
        return {};
    auto known = measured_protocols(workspace);
    if (!known)
        return std::unexpected(known.error());
    if (std::ranges::find(*known, protocol) != known->end())
        return {};
    for (const Protocol own : {Protocol::Adaptive, Protocol::Waco})
        if (std::ranges::find(*known, name(own)) == known->end())
            known->emplace_back(name(own));
    return fail(Fault::Input, fmt::format("nothing is measured by a protocol '{}'; there are {}", protocol,
                                          fmt::join(*known, ", ")));
}

Result<std::vector<ResultRow>> find_results(Workspace& workspace, const ResultFilter& filter) {
    if (!filter.matrix.empty())
        if (const auto matrix = matrix_named(workspace, filter.matrix); !matrix)
            return std::unexpected(matrix.error());
    if (!filter.machine.empty()) {
        const auto machine = find_machine(workspace, filter.machine);
        if (!machine)
            return std::unexpected(machine.error());
        if (!*machine)
            return fail(Fault::Input,
                        fmt::format("the workspace knows no machine '{}'; `machine list` shows those it "
                                    "knows",
                                    filter.machine));
    }
    if (!filter.protocol.empty())
        if (const auto known = check_protocol(workspace, filter.protocol); !known)
            return std::unexpected(known.error());
    ResultFilter admitted = filter;
    if (filter.op && !dense_index(*filter.op))
        admitted.dense.reset();
    auto results = list_results(workspace, admitted);
    if (results)
        sort_results(*results);
    return results;
}

} // namespace sparsight
