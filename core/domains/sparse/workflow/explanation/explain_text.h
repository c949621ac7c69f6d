// What `explain` found, for programs and for people.
#pragma once

#include "domains/sparse/workflow/explanation/explain_study.h"

namespace sparsight {

[[nodiscard]] Json explain_json(const WorkspaceLocation& location, const ExplainRequest& request,
                                const ExplainAnswer& answer);

/// What happened, which decision, by what mechanism, what would change it, and the command that says so
/// again.
[[nodiscard]] std::string explain_text(const WorkspaceLocation& location, const ExplainRequest& request,
                                       const ExplainAnswer& answer);

/// "sparsight-cli explain --matrix … --seed 1": says the same again.
[[nodiscard]] std::string explain_command(const WorkspaceLocation& location, const ExplainRequest& request,
                                          const ExplainAnswer& answer);
/// Likewise "sparsight-cli report", of a page that asks the model of this name; empty: none.
[[nodiscard]] std::string page_command(const WorkspaceLocation& location, const ExplainRequest& request,
                                       const ExplainAnswer& answer, const std::string& model);

} // namespace sparsight
