// What sparsight-cli has for tuning records alone.
#pragma once

#include "cli/commands.h"

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

/// Part of `export`.
void add_export_records(CLI::App& parent, Session& session);

/// The domain with its files and its commands.
void add_records(CommandLine& program);

} // namespace sparsight
