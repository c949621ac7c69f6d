// The two encodings that an HTML page with pictures inside needs.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sparsight {

/// & < > " ' as entities: safe in text and in quoted attributes.
[[nodiscard]] std::string html_text(std::string_view text);

/// RFC 4648 base64, padded.
[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

} // namespace sparsight
