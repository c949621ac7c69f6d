// The options by which `failures` and `report` are told whose failures are meant.
#pragma once

#include "cli/failures_study.h"

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

/// --model, --evaluation, --recorded, --noise and --simulated-on.
void add_failures_options(CLI::App& command, FailuresRequest& request);

} // namespace sparsight
