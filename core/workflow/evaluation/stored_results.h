// Measurements of the workspace: which of them are meant, in what order, and as JSON and as CSV.
#pragma once

#include "base/observer.h"
#include "domains/sparse/storage/runtimes.h"

#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// What no machine ran is not called measured: its reason says which simulator it is from.
[[nodiscard]] std::string_view shown_status(const ResultRow& row);

/// By matrix, then by median; those without a time last.
void sort_results(std::vector<ResultRow>& results);
/// Of sorted results: the fastest measured one for each matrix, machine, operator, dense extent and protocol.
[[nodiscard]] std::vector<ResultRow> best_results(const std::vector<ResultRow>& sorted);

[[nodiscard]] Json results_json(const std::vector<ResultRow>& results);
[[nodiscard]] std::string results_csv(const std::vector<ResultRow>& results);

/// Sorted. A matrix, machine or protocol that nobody knows is an error, not an empty list. --dense is no
/// filter where the operator has no dense index.
[[nodiscard]] Result<std::vector<ResultRow>> find_results(Workspace& workspace, const ResultFilter& filter);

/// An error that names the known ones, unless this program measures by the protocol or something in the
/// workspace was measured by it.
[[nodiscard]] Result<void> check_protocol(Workspace& workspace, const std::string& protocol);

} // namespace sparsight
