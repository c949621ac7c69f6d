// How schedules are drawn, as an option.
#pragma once

#include "collection/schedule_choice.h"

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sparsight {

CLI::Option* add_sampler_option(CLI::App& command, Sampler& sampler);

} // namespace sparsight
