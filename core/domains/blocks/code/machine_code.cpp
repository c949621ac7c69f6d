#include "domains/blocks/code/machine_code.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace sparsight {
namespace {

std::optional<std::uint8_t> digit(char sign) {
    if (sign >= '0' && sign <= '9')
        return static_cast<std::uint8_t>(sign - '0');
    if (sign >= 'a' && sign <= 'f')
        return static_cast<std::uint8_t>(sign - 'a' + 10);
    if (sign >= 'A' && sign <= 'F')
        return static_cast<std::uint8_t>(sign - 'A' + 10);
    return std::nullopt;
}

bool is_space(char sign) {
    return sign == ' ' || sign == '\t' || sign == '\n' || sign == '\r';
}

std::string shown(char sign) {
    const auto code = static_cast<unsigned char>(sign);
    return code >= ' ' && code < 0x7f ? fmt::format("'{}'", sign) : fmt::format("the byte 0x{:02x}", code);
}

} // namespace

std::string to_hex(std::span<const std::uint8_t> code) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * code.size());
    for (const std::uint8_t byte : code) {
        text += digits[byte >> 4];
        text += digits[byte & 0xf];
    }
    return text;
}

Result<MachineCode> parse_hex(std::string_view text) {
    MachineCode code;
    code.reserve(text.size() / 2);
    std::uint8_t first = 0;
    bool has_first = false;
    for (std::size_t place = 0; place < text.size(); ++place) {
        if (is_space(text[place]) && !has_first)
            continue;
        const auto value = digit(text[place]);
        if (!value)
            return fail(Fault::Input, fmt::format("found {} at place {}, expected a hexadecimal digit",
                                                  shown(text[place]), place + 1));
        if (has_first)
            code.push_back(static_cast<std::uint8_t>(first << 4 | *value));
        first = *value;
        has_first = !has_first;
    }
    if (has_first)
        return fail(Fault::Input, "found an odd number of hexadecimal digits, expected two for each byte");
    if (code.empty())
        return fail(Fault::Input, "found no machine code, expected hexadecimal digits");
    return code;
}

bool is_hex(std::string_view text) {
    return std::ranges::any_of(text, [](char sign) { return digit(sign).has_value(); }) &&
           std::ranges::all_of(text, [](char sign) { return digit(sign) || is_space(sign); });
}

} // namespace sparsight
