// Measurements as a table, and the options that say which ones a command is about.
#pragma once

#include "evaluation/stored_turns.h"
#include "study/domain.h"
#include "workflow/evaluation/changed_times.h"
#include "workflow/evaluation/stored_results.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

/// What changed since those results were measured before: the summary, and a table.
[[nodiscard]] std::string changes_text(const Domain& domain, const TimeChanges& changes);
/// With the fastest in turns of each (evaluation/stored_turns.h), where there are some, and what tells both
/// figures apart.
[[nodiscard]] std::string results_text(const Domain& domain, const std::vector<ResultRecord>& results,
                                       const std::vector<std::optional<FastestInTurns>>& in_turns = {});

struct ResultsOptions {
    std::string domain{}; ///< empty: that of the workspace
    ResultsFilter filter;
};

/// --domain, --workload (as --matrix, too), --machine, --protocol and the parts of a setting; the options
/// must live as long as the application.
void add_filter_options(CLI::App& command, const DomainRegistry& domains, ResultsOptions& options);

/// What the options ask for, and of which domain. Errors: as of find_results(); no such domain; a value that
/// a part of the setting can't have.
struct SelectedResults {
    const Domain* domain = nullptr;
    std::vector<ResultRecord> results;
};
[[nodiscard]] Result<SelectedResults> select_results(Workspace& workspace, const DomainRegistry& domains,
                                                     const ResultsOptions& options);

} // namespace sparsight
