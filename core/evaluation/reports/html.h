// Self-contained HTML pages: their encodings, their style in light and dark mode, their frame, and a form
// for simple layout engines.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sparsight {

/// & < > " ' as entities: safe in text and in quoted attributes.
[[nodiscard]] std::string html_text(std::string_view text);

/// A cell of a table, aligned as numbers are; `text` is HTML.
[[nodiscard]] std::string number_cell(std::string_view text);

/// RFC 4648 base64, padded.
[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

/// A whole self-contained page; `title` is plain text, `body` is HTML.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body);

/// A figure of such a page as a file of its own: an SVG element that names its namespace.
[[nodiscard]] std::string svg_file(std::string_view figure);

/// A page of html_page() for simple layout engines (no variables, no inline SVG): with the rules for paper
/// in place of its own; figures and bars become images (data:image/svg+xml) with their width in pixels.
[[nodiscard]] std::string printable_html(std::string_view page);

} // namespace sparsight
