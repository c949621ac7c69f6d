// How all our HTML pages look, by day and by night, and the frame of such a page.
#pragma once

#include <string>
#include <string_view>

namespace sparsight {

/// A whole page that needs nothing from outside; `title` is plain text, `body` is HTML.
[[nodiscard]] std::string html_page(std::string_view title, std::string_view body);

} // namespace sparsight
