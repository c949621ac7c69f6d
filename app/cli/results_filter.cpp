#include "cli/results_filter.h"

#include "cli/matrix_source.h"
#include "cli/options.h"
#include "cli/results_output.h"
#include "store/machines.h"

#include <fmt/format.h>

namespace sparsight {

void add_filter_options(CLI::App& command, ResultFilter& filter) {
    command.add_option("--matrix", filter.matrix, "of this matrix only")->type_name("NAME");
    command.add_option("--machine", filter.machine, "of this machine only: its name or fingerprint")
        ->type_name("NAME");
    add_parsed_option(command, "--operator", filter.op, &read_operator,
                      "of this operator only: spmm, spmv or sddmm")
        ->type_name("OPERATOR");
    command.add_option("--dense", filter.dense, "of this dense extent only")->type_name("N");
    command.add_option("--protocol", filter.protocol, "of this protocol only: adaptive or waco")
        ->type_name("PROTOCOL");
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
    auto results = list_results(workspace, filter);
    if (results)
        sort_results(*results);
    return results;
}

} // namespace sparsight
