// Tables of comma-separated values whose first line names the columns, plain or compressed, read line by
// line: memory does not depend on the size of the table.
#pragma once

#include "base/error.h"
#include "base/reading/text_lines.h"
#include "base/reading/unpacked_file.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sparsight {

inline constexpr std::array<std::string_view, 1> table_suffixes{".csv"};
/// What may stand in an archive of tables.
inline constexpr ArchiveMembers table_files{"table", table_suffixes};

/// The text in quotation marks for a message: its first 40 bytes, without control characters.
[[nodiscard]] std::string quoted_excerpt(std::string_view text);

/// As of RFC 3629: shortest forms alone, no surrogates, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

/// A field does not contain a line break, quoted or not. Blank lines are skipped.
class CsvTable {
public:
    /// What a compressed table may unpack to, unless another limit is given: bytes.
    static constexpr std::uint64_t unpacked_bytes = std::uint64_t{64} << 30;

    /// Errors, with the file: not there, not readable, without a first line, a column without a name, two
    /// columns of one name.
    [[nodiscard]] static Result<CsvTable> open(const std::filesystem::path& path,
                                               std::uint64_t limit = unpacked_bytes);
    /// `text` must outlive the table; `name` stands in messages where a file's path would.
    [[nodiscard]] static Result<CsvTable> of_text(std::string name, std::string_view text);
    [[nodiscard]] static Result<CsvTable> of_bytes(std::string name, std::unique_ptr<ByteSource> bytes);

    [[nodiscard]] const std::string& file() const { return lines_.file(); }
    [[nodiscard]] std::span<const std::string> columns() const { return columns_; }
    [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;

    /// Moves on to the next line; false behind the last one. Error: the rest of the file cannot be read.
    [[nodiscard]] Result<bool> next();
    /// Why the line that was read has no fields, with file and line: bytes that are no UTF-8, a quotation
    /// mark in the wrong place, more or fewer fields than columns. Absent for a good line.
    [[nodiscard]] const std::optional<Error>& defect() const { return defect_; }
    /// Without white space around it. Valid until next(), and where there is no defect.
    [[nodiscard]] std::string_view field(std::size_t column) const { return fields_[column]; }
    [[nodiscard]] std::int64_t line() const { return lines_.line(); }

    /// With file and line: "column time_ms: found "abc", expected a number above 0".
    [[nodiscard]] Error unexpected_field(std::size_t column, std::string_view expected) const;

    /// Bytes of the file taken so far and all of them (0: not known), for progress.
    [[nodiscard]] std::uint64_t consumed() const { return lines_.bytes().consumed(); }
    [[nodiscard]] std::uint64_t total() const { return lines_.bytes().total(); }

private:
    explicit CsvTable(TextLines lines)
        : lines_(std::move(lines)) {}
    [[nodiscard]] static Result<CsvTable> with_columns(CsvTable table);
    [[nodiscard]] bool split(std::string_view line);

    TextLines lines_;
    std::vector<std::string> columns_;
    std::vector<std::string_view> fields_; ///< of the line that was read
    std::vector<std::string> unquoted_;    ///< what they point into where the line has quotation marks
    std::optional<Error> defect_;
};

} // namespace sparsight
