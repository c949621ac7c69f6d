// Comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace sparsight {

/// A field of a line: quoted only where it must be.
[[nodiscard]] std::string csv_field(std::string_view text);

} // namespace sparsight
