// Fast functions that read the numbers of a text block.
#pragma once

#include "base/reading/byte_source.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sparsight {

// Reading numbers out of text, eight digits at a time. Every function relies on TextBlock::padding readable
// bytes behind the text and on a character other than a digit ('\n') at its end.

[[nodiscard]] inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

[[nodiscard]] inline const char* skip_blanks(const char* p) {
    while (is_blank(*p))
        ++p;
    return p;
}

[[nodiscard]] inline bool ends_word(char c) {
    return is_blank(c) || c == '\n';
}

/// What stands at p, up to the next blank or the end of the line.
[[nodiscard]] inline std::string_view word_at(const char* p) {
    const char* end = p;
    while (!ends_word(*end))
        ++end;
    return {p, static_cast<std::size_t>(end - p)};
}

/// The decimal digits at the front of eight characters: how many (0 … 8) and their value.
struct DigitRun {
    unsigned count;
    std::uint64_t value;
};

/// D. Lemire, "Number parsing at a gigabyte per second" (2021): digits are found and added up within one
/// word.
[[nodiscard]] inline DigitRun digit_run(const char* p) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    if constexpr (std::endian::native == std::endian::big)
        word = __builtin_bswap64(word);
    word ^= 0x3030303030303030; // digits become 0 … 9
    const std::uint64_t others = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    const unsigned count = static_cast<unsigned>(std::countr_zero(others)) / 8;
    if (count == 0)
        return {0, 0};
    word <<= 64 - 8 * count; // the first digit moves to where eight digits would have zeros in front of them
    word = word * 10 + (word >> 8);
    constexpr std::uint64_t mask = 0x000000FF000000FF;
    const std::uint64_t value =
        ((word & mask) * 0x000F424000000064 + ((word >> 16) & mask) * 0x0000271000000001) >> 32;
    return {count, value & 0xFFFFFFFF};
}

inline constexpr std::array<std::uint64_t, 9> powers_of_ten{1,      10,      100,      1000,     10000,
                                                            100000, 1000000, 10000000, 100000000};

/// Appends the digits at p to `value` (which wraps around beyond 19 of them) and moves p behind them.
inline void read_digits(const char*& p, std::uint64_t& value) {
    for (;;) {
        const DigitRun run = digit_run(p);
        value = value * powers_of_ten[run.count] + run.value;
        p += run.count;
        if (run.count < 8)
            return;
    }
}

/// Digits only. False where there is none, or more than 19; p then still points to the first digit.
[[nodiscard]] inline bool read_whole_number(const char*& p, std::uint64_t& value) {
    const DigitRun run = digit_run(p);
    value = run.value;
    if (run.count - 1U < 7U) [[likely]] {
        p += run.count;
        return true;
    }
    if (run.count == 0)
        return false;
    const char* const begin = p;
    value = 0;
    read_digits(p, value);
    if (p - begin <= 19)
        return true;
    p = begin;
    return false;
}

/// 'e' or 'd', the latter as Fortran writes a double precision exponent (1.5D-3), in any case.
[[nodiscard]] inline bool is_exponent_mark(char c) {
    return static_cast<unsigned char>((c | 0x20) - 'd') < 2;
}

/// Any spelling of a number up to the next blank or '\n', also nan and inf; values out of range become 0 or
/// inf.
[[nodiscard]] bool read_unusual_float(const char*& p, float& value);

/// 10^-37 … 10^19 as doubles.
inline constexpr int smallest_power = -37;
inline constexpr int largest_power = 19;
extern const std::array<double, largest_power - smallest_power + 1> scales;

/// A decimal number as the nearest float32 (ties to even, as strtof). False where there is no number at p.
///
/// The 64-bit mantissa times a power of ten in double arithmetic is off by at most 3 units in the last place
/// (three roundings). Rounding that to float is right unless a midpoint of two floats lies as near, which the
/// lower 29 bits of the double show; those cases, and unusual spellings, go to a slower and always exact
/// function.
[[nodiscard]] inline bool read_float(const char*& p, float& value) {
    const char* at = p;
    const bool negative = *at == '-';
    at += negative || *at == '+';
    std::uint64_t mantissa = 0;
    const char* const digits = at;
    read_digits(at, mantissa);
    std::int64_t count = at - digits;
    std::int64_t exponent = 0;
    if (*at == '.') {
        const char* const fraction = ++at;
        read_digits(at, mantissa);
        exponent = fraction - at;
        count -= exponent;
    }
    if (count == 0 || count > 19) [[unlikely]]
        return read_unusual_float(p, value);
    if (is_exponent_mark(*at)) {
        ++at;
        const bool below = *at == '-';
        at += below || *at == '+';
        const DigitRun power = digit_run(at);
        if (power.count - 1U >= 4U) [[unlikely]]
            return read_unusual_float(p, value);
        at += power.count;
        const auto magnitude = static_cast<std::int64_t>(power.value);
        exponent += below ? -magnitude : magnitude;
    }
    const auto scale = static_cast<std::uint64_t>(exponent - smallest_power);
    if (scale >= scales.size()) [[unlikely]]
        return read_unusual_float(p, value);
    const double product = static_cast<double>(mantissa) * scales[scale];
    constexpr std::uint64_t lower_bits = (std::uint64_t{1} << 29) - 1;
    constexpr std::uint64_t midpoint = std::uint64_t{1} << 28;
    constexpr std::uint64_t tolerance = 8;
    const std::uint64_t below_float = std::bit_cast<std::uint64_t>(product) & lower_bits;
    if (below_float - (midpoint - tolerance) <= 2 * tolerance) [[unlikely]]
        return read_unusual_float(p, value);
    const auto magnitude = static_cast<float>(product);
    value = negative ? -magnitude : magnitude;
    p = at;
    return true;
}

} // namespace sparsight
