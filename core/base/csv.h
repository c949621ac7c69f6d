// Comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// A field of a line: quoted only where it must be.
[[nodiscard]] std::string csv_field(std::string_view text);

/// The fields of a line, which has no line break, in `fields`, whose memory is used again. False where a
/// quoted field does not end as it should.
[[nodiscard]] bool split_csv_line(std::string_view line, std::vector<std::string>& fields);

} // namespace sparsight
