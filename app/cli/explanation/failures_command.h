// The options by which `failures` and `report` are told whose failures are meant.
#pragma once

#include "command/session.h"
#include "domains/sparse/workflow/explanation/failures_study.h"
#include "study/domain.h"

#include <cstddef>
#include <stop_token>
#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

/// By the domain that is asked for, else that of the workspace; a table is of schedules. Errors: those of
/// answer_failures() and answer_sparse_failures().
[[nodiscard]] Result<FailuresAnswer> find_failures_of(const Session& session, const std::string& domain,
                                                      const SparseFailuresRequest& request,
                                                      Observer& observer, const std::stop_token& stop);

/// --model, --evaluation, --recorded, --noise and --simulated-on.
void add_failures_options(CLI::App& command, SparseFailuresRequest& request);

/// "--evaluation 6 --workspace W": behind the name of a command it says the same again.
[[nodiscard]] std::string failures_options(const Session& session, const SparseFailuresRequest& request,
                                           const FailuresAnswer& answer);

// What `failures` found, for programs and for people.

[[nodiscard]] Json failures_json(const Session& session, const SparseFailuresRequest& request,
                                 const FailuresAnswer& answer);

/// Stories with their cases, at most so many of each story.
[[nodiscard]] std::string failures_text(const Session& session, const SparseFailuresRequest& request,
                                        const FailuresAnswer& answer, std::size_t shown_cases);

} // namespace sparsight
