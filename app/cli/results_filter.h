// Which results a command is about: the options, and what they find in the workspace.
#pragma once

#include "base/error.h"
#include "store/results.h"

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

/// --matrix, --machine, --operator, --dense, --protocol; the filter must live as long as the application.
void add_filter_options(CLI::App& command, ResultFilter& filter);

/// Sorted. A matrix or machine that the workspace does not know is an error, not an empty list.
[[nodiscard]] Result<std::vector<ResultRow>> find_results(Workspace& workspace, const ResultFilter& filter);

} // namespace sparsight
