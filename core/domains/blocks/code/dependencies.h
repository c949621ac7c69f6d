// What instructions of a block wait for, and what keeps them apart: true dependencies (read after write), and
// the two that renaming registers removes (write after read, write after write).
#pragma once

#include "domains/blocks/code/instruction.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

enum class DependencyKind {
    ReadAfterWrite,
    WriteAfterRead,
    WriteAfterWrite,
};
/// "RAW", "WAR", "WAW".
[[nodiscard]] std::string_view name(DependencyKind kind);

/// Between two instructions of a block, or of one iteration and the next.
struct Dependency {
    DependencyKind kind = DependencyKind::ReadAfterWrite;
    std::size_t from = 0;    ///< the earlier instruction
    std::size_t to = 0;      ///< the later one; where is_carried it may be the same, or stand before `from`
    std::string through;     ///< "rax", "eflags", "memory"
    bool is_carried = false; ///< from one iteration to the next

    bool operator==(const Dependency&) const = default;
};

/// Whether its result does not depend on its operands (xor eax, eax; vpxor xmm0, xmm1, xmm1), which
/// processors know.
[[nodiscard]] bool is_zero_idiom(const Instruction& instruction);

/// What counts as a dependency.
struct DependencyRules {
    bool between_iterations = false; ///< those from one iteration of the block to the next, too
    /// Only through operands that the text names, as written: flags and rsp of push make no dependency, and a
    /// zero idiom reads its operands.
    bool only_named = false;
};

/// Each pair of instructions with what lies between them once, by the later instruction, then the earlier
/// one. A read depends on the last write before it, a write on the last write and the reads since then.
///
/// Registers depend where they overlap; writing 8 or 16 bits of a general register reads the rest. Two memory
/// operands depend where address and size are written alike and no register of the address changed between
/// them: other addresses are taken to be different, as llvm-mca's -noalias does.
[[nodiscard]] std::vector<Dependency> dependencies_of(std::span<const Instruction> block,
                                                      const DependencyRules& rules = {});

} // namespace sparsight
