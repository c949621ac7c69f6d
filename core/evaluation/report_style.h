// How all our HTML pages and figures look, by day and by night, and the frame of such a page.
#pragma once

#include <string>
#include <string_view>

namespace sparsight {

/// A whole page that needs nothing from outside; `title` is plain text, `body` is HTML.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body);

/// A figure of such a page as a file of its own: an SVG element that names its namespace.
[[nodiscard]] std::string svg_file(std::string_view figure);

} // namespace sparsight
