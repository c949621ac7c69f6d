// The failures of models that chose schedules: simulated, also of a table that others recorded, with a page
// for a pair of schedules.
#pragma once

#include "cli/explanation/domain_diagnosis.h"

#include <memory>

namespace sparsight {

[[nodiscard]] std::unique_ptr<const DiagnosingDomain> make_sparse_diagnosis();

} // namespace sparsight
