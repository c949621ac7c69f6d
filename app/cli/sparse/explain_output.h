// What `explain` found, for programs and for people.
#pragma once

#include "command/session.h"
#include "domains/sparse/workflow/explanation/explain_study.h"

namespace sparsight {

[[nodiscard]] Json explain_json(const Session& session, const ExplainRequest& request,
                                const ExplainAnswer& answer);

/// What happened, which decision, by what mechanism, what would change it, and the command that says so
/// again.
[[nodiscard]] std::string explain_text(const Session& session, const ExplainRequest& request,
                                       const ExplainAnswer& answer);

/// "sparsight-cli explain --matrix … --seed 1": says the same again.
[[nodiscard]] std::string explain_command(const Session& session, const ExplainRequest& request,
                                          const ExplainAnswer& answer);

} // namespace sparsight
