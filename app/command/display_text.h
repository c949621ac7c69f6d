// Text as a terminal shows it. Names come from files, and files have any name they like: bytes that are not
// UTF-8, and control characters that would move the cursor.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sparsight {

/// UTF-8 without control characters: those, and bytes that are not UTF-8, become "?".
[[nodiscard]] std::string displayed(std::string_view text);

/// Columns that the text takes: combining marks none, East Asian wide characters two. Of displayed() text.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// The longest beginning that takes at most `width` columns.
[[nodiscard]] std::string_view fitting(std::string_view text, std::size_t width);

} // namespace sparsight
