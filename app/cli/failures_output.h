// What `failures` found, for programs and for people.
#pragma once

#include "cli/failures_study.h"
#include "command/session.h"

#include <cstddef>

namespace sparsight {

[[nodiscard]] Json failures_json(const Session& session, const FailuresRequest& request,
                                 const FailuresAnswer& answer);

/// Stories with their cases, at most so many of each story.
[[nodiscard]] std::string failures_text(const Session& session, const FailuresRequest& request,
                                        const FailuresAnswer& answer, std::size_t shown_cases);

} // namespace sparsight
