#include "cli/shell_words.h"

#include <algorithm>
#include <cctype>

namespace sparsight {

std::string shell_word(std::string_view text) {
    const bool is_plain = !text.empty() && std::ranges::all_of(text, [](unsigned char each) {
        return std::isalnum(each) != 0 || each == '.' || each == '/' || each == '-' || each == '_';
    });
    if (is_plain)
        return std::string(text);
    std::string word = "'";
    for (const char each : text)
        word += each == '\'' ? std::string(R"('\'')") : std::string(1, each);
    return word + "'";
}

} // namespace sparsight
