#include "machine/probe/system_files.h"

#include <algorithm>
#include <charconv>
#include <fstream>

namespace sparsight {

namespace {

template <typename Number>
std::optional<Number> whole_number(std::string_view text) {
    Number number{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

} // namespace

std::optional<std::vector<int>> parse_processor_list(std::string_view text) {
    std::vector<int> processors;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view range = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        const std::size_t dash = range.find('-');
        const auto first = whole_number<std::uint16_t>(range.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : whole_number<std::uint16_t>(range.substr(dash + 1));
        if (!first || !last || *first > *last)
            return std::nullopt;
        for (int processor = *first; processor <= *last; ++processor)
            processors.push_back(processor);
    }
    std::ranges::sort(processors);
    const auto repeated = std::ranges::unique(processors);
    processors.erase(repeated.begin(), repeated.end());
    return processors;
}

std::optional<std::string> SystemFiles::text(const std::filesystem::path& file) const {
    // Files of /proc and /sys say that they have size 0, so this reads until there is no more.
    std::ifstream stream(root_ / file, std::ios::binary);
    std::string text;
    std::string block(64 << 10, '\0');
    while (text.size() < (4u << 20) && stream) {
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (text.empty())
        return std::nullopt;
    text.erase(text.find_last_not_of(" \t\r\n") + 1);
    return text;
}

std::optional<std::int64_t> SystemFiles::number(const std::filesystem::path& file) const {
    const auto digits = text(file);
    return digits ? whole_number<std::int64_t>(*digits) : std::nullopt;
}

std::optional<std::uint64_t> SystemFiles::size(const std::filesystem::path& file) const {
    const auto digits = text(file);
    if (!digits || digits->empty())
        return std::nullopt;
    const int shift = digits->back() == 'K'   ? 10
                      : digits->back() == 'M' ? 20
                      : digits->back() == 'G' ? 30
                                              : 0;
    const auto units = whole_number<std::uint32_t>(
        std::string_view(*digits).substr(0, digits->size() - (shift != 0 ? 1 : 0)));
    return units ? std::optional(std::uint64_t{*units} << shift) : std::nullopt;
}

std::optional<std::vector<int>> SystemFiles::processors(const std::filesystem::path& file) const {
    const auto list = text(file);
    return list ? parse_processor_list(*list) : std::nullopt;
}

std::vector<std::string> SystemFiles::names(const std::filesystem::path& folder) const {
    std::vector<std::string> found;
    std::error_code ignored; // no such folder: nothing is in it
    for (std::filesystem::directory_iterator entry(root_ / folder, ignored), end; !ignored && entry != end;
         entry.increment(ignored))
        found.push_back(entry->path().filename().string());
    std::ranges::sort(found);
    return found;
}

} // namespace sparsight
