// The bytes of x86-64 instructions, and their text form: two hexadecimal digits a byte.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

using MachineCode = std::vector<std::uint8_t>;

/// "4801d8", lower case.
[[nodiscard]] std::string to_hex(std::span<const std::uint8_t> code);

/// Upper and lower case; blanks and line breaks may stand between bytes. Errors (Input): a sign that is no
/// digit, with its place; half a byte; no byte at all.
[[nodiscard]] Result<MachineCode> parse_hex(std::string_view text);

/// Whether there is nothing but hexadecimal digits and blanks, and a digit.
[[nodiscard]] bool is_hex(std::string_view text);

} // namespace sparsight
