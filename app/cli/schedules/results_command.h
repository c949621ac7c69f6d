// Measurements as a table, and the options that say which ones a command is about.
#pragma once

#include "domains/sparse/storage/runtimes.h"

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

[[nodiscard]] std::string results_text(const std::vector<ResultRow>& results);

/// --matrix, --machine, --operator, --dense, --protocol; the filter must live as long as the application.
void add_filter_options(CLI::App& command, ResultFilter& filter);

} // namespace sparsight
