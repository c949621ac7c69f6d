#include "study/name_stem.h"

#include <array>

namespace sparsight {

namespace {

/// The text without the digits at its end; the same where there is none.
std::string_view without_digits(std::string_view text) {
    while (!text.empty() && text.back() >= '0' && text.back() <= '9')
        text.remove_suffix(1);
    return text;
}

/// Without digits and then the letter before them; empty where they do not stand there.
std::string_view without_number(std::string_view text, char before) {
    const std::string_view rest = without_digits(text);
    if (rest.size() == text.size() || !rest.ends_with(before))
        return {};
    return rest.substr(0, rest.size() - 1);
}

/// "Trec6" of "Trec6_16x16_9"; empty where the name has no such end.
std::string_view without_resizing(std::string_view name) {
    return without_number(without_number(without_number(name, '_'), 'x'), '_');
}

} // namespace

std::string name_stem(std::string_view name) {
    constexpr std::array<std::string_view, 3> transposed{"_t", "_T", "_transposed"};
    for (;;) {
        std::string_view stem = without_resizing(name);
        for (const std::string_view suffix : transposed)
            if (stem.empty() && name.ends_with(suffix))
                stem = name.substr(0, name.size() - suffix.size());
        if (stem.empty())
            return std::string(name);
        name = stem;
    }
}

} // namespace sparsight
