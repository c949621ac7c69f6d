// Loops of kernels as basic blocks: their bound by ports and chains, and LLVM's machine-code analyser.
#pragma once

#include "base/error.h"
#include "code_analysis/loop_analyst.h"

#include <memory>

namespace sparsight {

/// Error (Environment): LLVM was built without x86. Used by one thread at a time.
[[nodiscard]] Result<std::unique_ptr<LoopAnalyst>> make_block_loop_analyst();

} // namespace sparsight
