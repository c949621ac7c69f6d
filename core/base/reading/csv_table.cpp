#include "base/reading/csv_table.h"

#include "base/text.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

std::string quoted_excerpt(std::string_view text) {
    constexpr std::size_t shown = 40;
    std::string words = "\"";
    for (const char c : text.substr(0, shown))
        words += c >= ' ' && c != '\x7f' ? c : '?';
    return words + (text.size() > shown ? "…\"" : "\"");
}

bool is_utf8(std::string_view text) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    for (std::size_t at = 0; at < text.size();) {
        const unsigned char first = byte(at++);
        if (first == 0)
            return false; // no text has it
        if (first < 0x80)
            continue;
        // The ones it begins with count the bytes of the character.
        const int length = std::countl_one(first);
        if (length < 2 || length > 4 || text.size() - at < static_cast<std::size_t>(length - 1))
            return false;
        char32_t character = first & (0x7fU >> length);
        for (int more = 1; more < length; ++more) {
            const unsigned char next = byte(at++);
            if ((next & 0xc0U) != 0x80)
                return false;
            character = character << 6 | (next & 0x3fU);
        }
        constexpr char32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000}; // of so many bytes
        if (character < smallest[length] || character > 0x10ffff ||
            (character >= 0xd800 && character <= 0xdfff))
            return false;
    }
    return true;
}

Result<CsvTable> CsvTable::open(const std::filesystem::path& path, std::uint64_t limit) {
    auto file = open_unpacked(path, limit, table_files);
    if (!file)
        return std::unexpected(in_file(std::move(file).error(), path.string(), 0));
    return with_columns(CsvTable(TextLines(path.string(), std::move(file->bytes))));
}

Result<CsvTable> CsvTable::of_text(std::string name, std::string_view text) {
    return of_bytes(std::move(name), memory_source(text));
}

Result<CsvTable> CsvTable::of_bytes(std::string name, std::unique_ptr<ByteSource> bytes) {
    return with_columns(CsvTable(TextLines(std::move(name), std::move(bytes))));
}

Result<CsvTable> CsvTable::with_columns(CsvTable table) {
    const auto has_line = table.next();
    if (!has_line)
        return std::unexpected(has_line.error());
    if (!*has_line)
        return fail_in_file(Fault::Input, table.file(), 0,
                            "the table is empty, expected a first line with the names of the columns");
    // With no column yet the number of fields is not compared.
    if (table.defect_)
        return std::unexpected(*table.defect_);
    if (table.fields_.size() == 1)
        for (const auto& [separator, what] : {std::pair(';', "semicolons"), std::pair('\t', "tabs")})
            if (table.fields_.front().contains(separator))
                return fail_in_file(Fault::Input, table.file(), table.line(),
                                    fmt::format("fields are separated by {}, expected commas", what));
    for (const std::string_view name : table.fields_) {
        if (name.contains('\r'))
            return fail_in_file(Fault::Input, table.file(), table.line(),
                                "lines end in a carriage return alone, expected line feeds");
        if (name.empty())
            return fail_in_file(Fault::Input, table.file(), table.line(),
                                fmt::format("column {} has no name", table.columns_.size() + 1));
        if (table.column(name))
            return fail_in_file(Fault::Input, table.file(), table.line(),
                                fmt::format("there are two columns {}", quoted_excerpt(name)));
        table.columns_.emplace_back(name);
    }
    return table;
}

std::optional<std::size_t> CsvTable::column(std::string_view name) const {
    const auto found = std::ranges::find(columns_, name);
    return found == columns_.end() ? std::nullopt
                                   : std::optional(static_cast<std::size_t>(found - columns_.begin()));
}

Result<bool> CsvTable::next() {
    defect_.reset();
    const auto has_line = lines_.next();
    if (!has_line || !*has_line)
        return has_line;
    if (!is_utf8(lines_.text()))
        defect_ = Error{Fault::Input, "the line is not in UTF-8", file(), line()};
    else if (!split(lines_.text()))
        defect_ = Error{Fault::Input, "a quotation mark is neither around a field nor doubled inside one",
                        file(), line()};
    else if (!columns_.empty() && fields_.size() != columns_.size())
        defect_ = Error{Fault::Input,
                        fmt::format("there are {} fields, expected {} as in the first line", fields_.size(),
                                    columns_.size()),
                        file(), line()};
    return true;
}

bool CsvTable::split(std::string_view line) {
    fields_.clear();
    if (line.contains('"')) {
        if (!split_csv_line(line, unquoted_))
            return false;
        for (const std::string& field : unquoted_)
            fields_.push_back(trimmed(field));
        return true;
    }
    for (;;) {
        const std::size_t end = line.find(',');
        fields_.push_back(trimmed(line.substr(0, end)));
        if (end == std::string_view::npos)
            return true;
        line.remove_prefix(end + 1);
    }
}

Error CsvTable::unexpected_field(std::size_t column, std::string_view expected) const {
    return {Fault::Input,
            fmt::format("column {}: found {}, expected {}", columns_[column], quoted_excerpt(fields_[column]),
                        expected),
            file(), line()};
}

} // namespace sparsight
