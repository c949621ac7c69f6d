// Our HTML pages for layout engines that know little: no variables, no inline SVG, simple rules.
#pragma once

#include <string>
#include <string_view>

namespace sparsight {

/// A page of html_page() with the rules for paper in place of its own; figures and bars become images
/// (data:image/svg+xml) with their width in pixels.
[[nodiscard]] std::string printable_html(std::string_view page);

} // namespace sparsight
