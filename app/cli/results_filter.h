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

/// Sorted. A matrix, machine or protocol that nobody knows is an error, not an empty list. --dense is no
/// filter where the operator has no dense index.
[[nodiscard]] Result<std::vector<ResultRow>> find_results(Workspace& workspace, const ResultFilter& filter);

/// An error that names the known ones, unless this program measures by the protocol or something in the
/// workspace was measured by it.
[[nodiscard]] Result<void> check_protocol(Workspace& workspace, const std::string& protocol);

} // namespace sparsight
