// The options by which `failures` and `report` are told whose failures are meant.
#pragma once

#include "command/session.h"
#include "workflow/explanation/failures_study.h"

#include <cstddef>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

/// --model, --evaluation, --recorded, --noise and --simulated-on.
void add_failures_options(CLI::App& command, FailuresRequest& request);

/// "--evaluation 6 --workspace W": behind the name of a command it says the same again.
[[nodiscard]] std::string failures_options(const Session& session, const FailuresRequest& request,
                                           const FailuresAnswer& answer);

// What `failures` found, for programs and for people.

[[nodiscard]] Json failures_json(const Session& session, const FailuresRequest& request,
                                 const FailuresAnswer& answer);

/// Stories with their cases, at most so many of each story.
[[nodiscard]] std::string failures_text(const Session& session, const FailuresRequest& request,
                                        const FailuresAnswer& answer, std::size_t shown_cases);

} // namespace sparsight
