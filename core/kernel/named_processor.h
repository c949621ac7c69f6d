// A processor that LLVM knows by name (clang's -mcpu), whatever this computer is: how loops are shaped for
// it, its code generator, and the scheduling model that says what its instructions take.
#pragma once

#include "base/error.h"
#include "kernel/kernel_target.h"

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

struct NamedProcessor {
    std::string cpu;
    std::string architecture; ///< "x86_64", "aarch64"
    KernelTarget shape;       ///< as KernelTarget::of_this_computer() would say there
    std::unique_ptr<llvm::TargetMachine> code_generator;

    [[nodiscard]] const llvm::MCSubtargetInfo& subtarget() const {
        return *code_generator->getMCSubtargetInfo();
    }
    [[nodiscard]] const llvm::Target& target() const { return code_generator->getTarget(); }
    [[nodiscard]] const llvm::Triple& triple() const { return code_generator->getTargetTriple(); }
};

/// "native" is this computer's. Errors (Fault::Input): no such name, with the names there are, or no
/// scheduling model for it; (Fault::Environment) LLVM was built without a code generator for either
/// architecture.
[[nodiscard]] Result<NamedProcessor> find_processor(std::string_view cpu);

/// Those with a scheduling model, of an architecture ("x86_64", "aarch64"); none where LLVM lacks it.
[[nodiscard]] std::vector<std::string> processors_with_model(std::string_view architecture);

} // namespace sparsight
