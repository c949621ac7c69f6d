// How the blocks that loops begin with are named in the LLVM IR, so that the loops of a schedule are found
// again in the machine code that becomes of them.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace llvm {
class Module;
} // namespace llvm

namespace sparsight {

/// Of the loop over a variable ("k1"): "loop.k1.7".
[[nodiscard]] std::string block_of_loop(std::string_view variable, int number);
/// The variable again; empty for a block of another name.
[[nodiscard]] std::string loop_of_block(std::string_view block);

/// What one iteration of a loop computes, outside of the loops inside it.
struct LoopArithmetic {
    int multiply_adds = 0; ///< floats that are multiplied and added
    int lanes = 1;         ///< the most of them by one instruction
};

/// By the names of the loops' blocks.
[[nodiscard]] std::map<std::string, LoopArithmetic> arithmetic_of_loops(llvm::Module& module);

} // namespace sparsight
