#include "base/quantity.h"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace sparsight {

namespace {

struct NumberAndSuffix {
    double number = 0;
    std::string_view suffix; ///< what follows the number, blanks before it removed
};

std::optional<NumberAndSuffix> leading_number(std::string_view text) {
    double number = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc{} || number < 0 || !std::isfinite(number))
        return std::nullopt;
    std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
    while (suffix.starts_with(' '))
        suffix.remove_prefix(1);
    return NumberAndSuffix{number, suffix};
}

/// Three significant digits for a number in [1, 1000).
std::string three_digits(double number) {
    return fmt::format("{:.{}f}", number, number < 9.995 ? 2 : number < 99.95 ? 1 : 0);
}

} // namespace

std::string format_duration(Seconds duration) {
    const double seconds = duration.count();
    if (!std::isfinite(seconds))
        return "unknown";
    if (seconds < 0)
        return fmt::format("-{}", format_duration(-duration));
    if (seconds == 0)
        return "0 s";
    if (seconds < 999.5e-9)
        return three_digits(seconds * 1e9) + " ns";
    if (seconds < 999.5e-6)
        return three_digits(seconds * 1e6) + " µs";
    if (seconds < 0.9995)
        return three_digits(seconds * 1e3) + " ms";
    if (seconds < 59.95)
        return three_digits(seconds) + " s";
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    if (whole < 3600)
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_bytes(std::uint64_t bytes) {
    static constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024)
        return fmt::format("{} B", bytes);
    auto number = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (number >= 999.5 && unit + 1 < units.size()) {
        number /= 1024;
        ++unit;
    }
    return fmt::format("{:.{}f} {}", number, number < 9.995 ? 2 : number < 99.95 ? 1 : 0, units[unit]);
}

std::string format_count(std::int64_t count) {
    const std::string plain = fmt::to_string(count);
    const std::size_t sign = count < 0 ? 1 : 0;
    std::string grouped;
    for (std::size_t at = 0; at < plain.size(); ++at) {
        if (at > sign && (plain.size() - at) % 3 == 0)
            grouped += "\u202F";
        grouped += plain[at];
    }
    return grouped;
}

Result<Seconds> parse_duration(std::string_view text) {
    const auto refuse = [&] {
        return fail(Fault::Input,
                    fmt::format("'{}' is not a duration: expected a number of seconds or parts such as "
                                "250ms, 90s, 10m, 1h30m",
                                text));
    };
    std::string_view rest = text;
    double total = 0;
    if (rest.empty())
        return refuse();
    while (!rest.empty()) {
        const auto part = leading_number(rest);
        if (!part)
            return refuse();
        std::size_t letters = 0;
        while (letters < part->suffix.size() &&
               std::isalpha(static_cast<unsigned char>(part->suffix[letters])))
            ++letters;
        const std::string_view unit = part->suffix.substr(0, letters);
        if (unit == "ms")
            total += part->number / 1000;
        else if (unit == "s" || (unit.empty() && rest.size() == text.size()))
            total += part->number;
        else if (unit == "m" || unit == "min")
            total += part->number * 60;
        else if (unit == "h")
            total += part->number * 3600;
        else
            return refuse();
        rest = part->suffix.substr(letters);
        while (rest.starts_with(' '))
            rest.remove_prefix(1);
        if (unit.empty() && !rest.empty())
            return refuse();
    }
    return Seconds(total);
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
    struct Unit {
        std::string_view suffix;
        double factor;
    };
    static constexpr double ki = 1024;
    static constexpr std::array<Unit, 17> units{{{"", 1},
                                                 {"B", 1},
                                                 {"K", ki},
                                                 {"k", ki},
                                                 {"KiB", ki},
                                                 {"kB", 1e3},
                                                 {"KB", 1e3},
                                                 {"M", ki * ki},
                                                 {"MiB", ki * ki},
                                                 {"MB", 1e6},
                                                 {"G", ki * ki * ki},
                                                 {"GiB", ki * ki * ki},
                                                 {"GB", 1e9},
                                                 {"T", ki * ki * ki * ki},
                                                 {"TiB", ki * ki * ki * ki},
                                                 {"TB", 1e12},
                                                 {"b", 1}}};
    if (const auto part = leading_number(text)) {
        for (const Unit& unit : units) {
            const double bytes = part->number * unit.factor;
            if (unit.suffix == part->suffix && bytes < 0x1p63)
                return static_cast<std::uint64_t>(std::llround(bytes));
        }
    }
    return fail(
        Fault::Input,
        fmt::format("'{}' is not a size: expected a number of bytes or one such as 512K, 2G, 2GiB, 2GB",
                    text));
}

} // namespace sparsight
