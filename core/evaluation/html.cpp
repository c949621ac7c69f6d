#include "evaluation/html.h"

#include <algorithm>
#include <cstdint>

namespace sparsight {

std::string html_text(std::string_view text) {
    std::string safe;
    for (const char letter : text) {
        switch (letter) {
        case '&':
            safe += "&amp;";
            break;
        case '<':
            safe += "&lt;";
            break;
        case '>':
            safe += "&gt;";
            break;
        case '"':
            safe += "&quot;";
            break;
        case '\'':
            safe += "&#39;";
            break;
        default:
            safe += letter;
        }
    }
    return safe;
}

std::string base64(std::span<const std::byte> bytes) {
    static constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t group = 0;
        for (std::size_t byte = 0; byte < 3; ++byte)
            group = group << 8 | (byte < count ? std::to_integer<std::uint32_t>(bytes[at + byte]) : 0);
        for (std::size_t sextet = 0; sextet < 4; ++sextet)
            text += sextet <= count ? alphabet[group >> (18 - 6 * sextet) & 63] : '=';
    }
    return text;
}

} // namespace sparsight
