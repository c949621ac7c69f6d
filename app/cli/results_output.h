// Measurements as a table, as JSON and as CSV.
#pragma once

#include "command/session.h"
#include "store/results.h"

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
