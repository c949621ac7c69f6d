// What the commands that show and write measurements share.
#pragma once

#include "command/session.h"
#include "study/domain.h"
#include "workflow/evaluation/stored_results.h"

#include <string>
#include <vector>

namespace sparsight {

/// As CSV; says how many.
[[nodiscard]] Result<void> write_results(const Session& session, const Domain& domain,
                                         const std::vector<ResultRecord>& results, const std::string& file);

/// Tells of what has no time any more, which is listed without one and is never the best; and of times that
/// can't be compared.
void tell_doubts(const Session& session, const std::vector<ResultRecord>& results);

} // namespace sparsight
