// Pages of help in the manner of manual pages.
#pragma once

#include <string>
#include <string_view>

namespace sparsight {

/// A title and the text below it, indented, with an empty line behind; nothing for an empty text.
[[nodiscard]] std::string help_section(std::string_view title, std::string_view text);

/// Texts are written for sparsight-cli, which hands over to sparsight-learn; whoever calls that one by its
/// own name reads that.
[[nodiscard]] std::string in_the_name_of(std::string_view program, std::string text);

} // namespace sparsight
