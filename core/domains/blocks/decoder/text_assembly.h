// Assembly text to the bytes of its code.
#pragma once

#include "base/error.h"
#include "domains/blocks/code/machine_code.h"
#include "domains/blocks/decoder/code_target.h"

#include <string_view>

namespace sparsight {

/// Errors as of BlockDecoder::assemble().
[[nodiscard]] Result<MachineCode> assemble_text(const CodeTarget& target, std::string_view text,
                                                AssemblySyntax syntax);

} // namespace sparsight
