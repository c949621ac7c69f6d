// `hot-loop`: what the kernel of a schedule waits for at the instruction.
#pragma once

#include "base/error.h"
#include "code_analysis/loop_analyst.h"

#include <functional>
#include <memory>

namespace CLI {
class App;
} // namespace CLI

namespace sparsight {

class Session;

/// Another domain knows machine code: main() gives it.
using MakeLoopAnalyst = std::function<Result<std::unique_ptr<LoopAnalyst>>()>;

void add_hot_loop_command(CLI::App& app, Session& session, const MakeLoopAnalyst& make_analyst);

} // namespace sparsight
