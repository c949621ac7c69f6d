// A what-if as text and as JSON.
#pragma once

#include "command/session.h"
#include "workflow/explanation/what_if_study.h"

#include <string>

namespace sparsight {

[[nodiscard]] Json what_if_json(const WhatIfRequest& request, const WhatIfAnswer& answer);
[[nodiscard]] std::string what_if_text(const WhatIfRequest& request, const WhatIfAnswer& answer);

} // namespace sparsight
