// What a workload would take otherwise, and what a domain with a simulator does of it by itself.
#pragma once

#include "cli/domain_part.h"
#include "workflow/explanation/configuration_changes.h"

namespace sparsight {

/// What is asked of every domain.
using WhatIfParts = DomainParts<ChangesRequest>;

} // namespace sparsight
