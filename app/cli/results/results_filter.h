// The options that say which measurements a command is about.
#pragma once

#include "study/domain.h"
#include "workflow/evaluation/stored_results.h"

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

struct ResultsOptions {
    std::string domain{}; ///< empty: that of the workspace
    ResultsFilter filter;
};

/// --domain, --workload (as --matrix, too), --machine, --protocol and the parts of a setting; the options
/// must live as long as the application.
void add_filter_options(CLI::App& command, const DomainRegistry& domains, ResultsOptions& options);

/// The domain that is meant, and the filter in its words.
struct ChosenResults {
    const Domain* domain = nullptr;
    ResultsFilter filter;
};
/// Errors: no such domain; a value that a part of the setting can't have.
[[nodiscard]] Result<ChosenResults> chosen_results(Workspace& workspace, const DomainRegistry& domains,
                                                   const ResultsOptions& options);

/// What the options ask for, and of which domain. Errors: those of chosen_results() and find_results().
struct SelectedResults {
    const Domain* domain = nullptr;
    std::vector<ResultRecord> results;
};
[[nodiscard]] Result<SelectedResults> select_results(Workspace& workspace, const DomainRegistry& domains,
                                                     const ResultsOptions& options);

} // namespace sparsight
