// Measurements as a table, as JSON and as CSV.
#pragma once

#include "base/error.h"
#include "command/session.h"
#include "store/runtimes.h"

#include <string>
#include <vector>

namespace sparsight {

/// By matrix, then by median; those without a time last.
void sort_results(std::vector<ResultRow>& results);
/// Of sorted results: the fastest measured one for each matrix, machine, operator, dense extent and protocol.
[[nodiscard]] std::vector<ResultRow> best_results(const std::vector<ResultRow>& sorted);

[[nodiscard]] std::string results_text(const std::vector<ResultRow>& results);
[[nodiscard]] Json results_json(const std::vector<ResultRow>& results);
[[nodiscard]] std::string results_csv(const std::vector<ResultRow>& results);

} // namespace sparsight

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

// Which results a command is about: the options, and what they find in the workspace.

/// --matrix, --machine, --operator, --dense, --protocol; the filter must live as long as the application.
void add_filter_options(CLI::App& command, ResultFilter& filter);

/// Sorted. A matrix, machine or protocol that nobody knows is an error, not an empty list. --dense is no
/// filter where the operator has no dense index.
[[nodiscard]] Result<std::vector<ResultRow>> find_results(Workspace& workspace, const ResultFilter& filter);

/// An error that names the known ones, unless this program measures by the protocol or something in the
/// workspace was measured by it.
[[nodiscard]] Result<void> check_protocol(Workspace& workspace, const std::string& protocol);

} // namespace sparsight
