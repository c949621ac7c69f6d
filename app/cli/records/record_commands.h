// What sparsight-cli has for tuning records alone.
#pragma once

#include "cli/commands.h"

namespace sparsight {

/// The domain with its files and its commands.
void add_records(CommandLine& program);

} // namespace sparsight
