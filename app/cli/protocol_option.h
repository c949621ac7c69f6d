// How times are taken, as an option.
#pragma once

#include "kernel/timing.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sparsight {

CLI::Option* add_protocol_option(CLI::App& command, Protocol& protocol);

} // namespace sparsight
