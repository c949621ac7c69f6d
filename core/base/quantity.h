// Numbers with their unit in the type, and the texts that users read and write for them.
#pragma once

#include "base/error.h"

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace sparsight {

using Milliseconds = std::chrono::duration<double, std::milli>;
using Nanoseconds = std::chrono::duration<double, std::nano>;
using Seconds = std::chrono::duration<double>;

/// A number of one unit; the tag keeps gigabytes a second from being added to gigahertz.
template <typename Unit>
struct Quantity {
    double value = 0;
    auto operator<=>(const Quantity&) const = default;
};

using GigabytesPerSecond = Quantity<struct GigabytesPerSecondUnit>; ///< 1e9 bytes a second
using Gigahertz = Quantity<struct GigahertzUnit>;                   ///< 1e9 cycles a second
using GigaflopsPerSecond =
    Quantity<struct GigaflopsUnit>; ///< 1e9 float32 operations a second, FMA counts two

/// "1.50 ms", "12.3 s", "4 min 05 s": three significant digits, a unit that keeps the number readable.
[[nodiscard]] std::string format_duration(Seconds duration);
/// "312 B", "1.21 MiB": powers of 1024.
[[nodiscard]] std::string format_bytes(std::uint64_t bytes);

/// "25 600": digits in groups of three, with narrow no-break spaces (U+202F) between them, as in the window.
[[nodiscard]] std::string format_count(std::int64_t count);

/// "90", "90s", "10m", "1h30m", "250ms"; a bare number is in seconds.
[[nodiscard]] Result<Seconds> parse_duration(std::string_view text);
/// "4096", "512K", "2G", "2GiB", "2 MiB": powers of 1024 (a suffix MB, GB … is a power of 1000).
[[nodiscard]] Result<std::uint64_t> parse_bytes(std::string_view text);

} // namespace sparsight
