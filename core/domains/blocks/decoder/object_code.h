// The machine code of a function in an object file.
#pragma once

#include "base/error.h"
#include "domains/blocks/code/machine_code.h"

#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// Whether these are the first bytes of an ELF file: an object file, a library or a program.
[[nodiscard]] bool is_object_file(std::string_view bytes);

struct ObjectFunction {
    std::string name;
    MachineCode code; ///< as it stands in the file: what a linker would fill in is 0
};
/// In the order of the table of symbols. Errors (Input): it is no object file of x86-64, or has no function.
[[nodiscard]] Result<std::vector<ObjectFunction>> functions_of_object(std::string_view bytes);

/// The code of the function of this name, as it stands in the file: what a linker would fill in is 0. An
/// empty name takes the only function. Errors (Input): it is no object file of x86-64; there is no such
/// function, or several and no name, with the names that there are.
[[nodiscard]] Result<MachineCode> read_object_code(std::string_view bytes, std::string_view function);

} // namespace sparsight
