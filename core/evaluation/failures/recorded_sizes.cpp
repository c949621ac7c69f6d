#include "evaluation/failures/recorded_sizes.h"

#include "base/csv.h"
#include "base/trimmed.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <optional>

namespace sparsight {

namespace {

constexpr std::array<std::string_view, 4> size_columns{"matrix", "rows", "cols", "nnz"};
using ColumnPlaces = std::array<std::size_t, size_columns.size()>;

std::optional<ColumnPlaces> places_of_columns(const std::string& line) {
    std::vector<std::string> fields;
    if (!split_csv_line(trimmed(line), fields))
        return std::nullopt;
    ColumnPlaces places{};
    for (std::size_t column = 0; column < size_columns.size(); ++column) {
        const auto found = std::ranges::find(fields, size_columns[column],
                                             [](const std::string& field) { return trimmed(field); });
        if (found == fields.end())
            return std::nullopt;
        places[column] = static_cast<std::size_t>(found - fields.begin());
    }
    return places;
}

/// 0 or above, or nothing.
std::optional<std::int64_t> size_in(const std::string& field) {
    const std::string_view text = trimmed(field);
    std::int64_t size = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), size);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() && size >= 0 ? std::optional(size)
                                                                                        : std::nullopt;
}

} // namespace

Result<SizesByMatrix> read_sizes_beside(const std::filesystem::path& table) {
    const std::filesystem::path file = table.parent_path() / "matrices.csv";
    std::ifstream input(file);
    std::string line;
    SizesByMatrix sizes;
    if (!input || !std::getline(input, line))
        return sizes;
    const auto places = places_of_columns(line);
    if (!places)
        return sizes;
    std::vector<std::string> fields;
    for (std::int64_t number = 2; std::getline(input, line); ++number) {
        if (trimmed(line).empty())
            continue;
        const auto size = [&](std::size_t column) {
            return (*places)[column] < fields.size() ? size_in(fields[(*places)[column]]) : std::nullopt;
        };
        const bool is_whole = split_csv_line(trimmed(line), fields) && (*places)[0] < fields.size();
        const auto rows = is_whole ? size(1) : std::nullopt;
        const auto cols = is_whole ? size(2) : std::nullopt;
        const auto nnz = is_whole ? size(3) : std::nullopt;
        if (!rows || !cols || !nnz)
            return fail_in_file(
                Fault::Input, file.string(), number,
                fmt::format(
                    "'{}' has no name with rows, cols and nnz: expected three numbers that are not below 0",
                    trimmed(line)));
        sizes.emplace(trimmed(fields[(*places)[0]]), MatrixSizes{*rows, *cols, *nnz});
    }
    return sizes;
}

} // namespace sparsight
