#include "base/atomic_file.h"
#include "matrix/writing.h"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

void append_comment(fmt::memory_buffer& buffer, std::string_view comment) {
    while (!comment.empty()) {
        const std::string_view line = comment.substr(0, comment.find('\n'));
        fmt::format_to(std::back_inserter(buffer), "% {}\n", line);
        comment.remove_prefix(std::min(line.size() + 1, comment.size()));
    }
}

void append_entry(fmt::memory_buffer& buffer, const CsrPattern& pattern, std::int64_t row, std::size_t e) {
    const std::int64_t column = std::int64_t{pattern.column_ids[e]} + 1;
    if (pattern.has_values())
        fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{} {} {}\n"), row + 1, column,
                       pattern.values[e]);
    else
        fmt::format_to(std::back_inserter(buffer), FMT_COMPILE("{} {}\n"), row + 1, column);
}

} // namespace

Result<void> write_matrix_market(const std::filesystem::path& path, const CsrPattern& pattern,
                                 std::string_view comment) {
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file)
        return std::unexpected(std::move(file.error()));
    fmt::memory_buffer buffer;
    fmt::format_to(std::back_inserter(buffer), "%%MatrixMarket matrix coordinate {} general\n",
                   pattern.has_values() ? "real" : "pattern");
    append_comment(buffer, comment);
    fmt::format_to(std::back_inserter(buffer), "{} {} {}\n", pattern.rows, pattern.cols, pattern.nnz());
    for (std::int64_t row = 0; row < pattern.rows; ++row) {
        const auto begin = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]);
        for (std::size_t e = begin; e < end; ++e) {
            append_entry(buffer, pattern, row, e);
            if (buffer.size() < buffer_bytes)
                continue;
            if (Result<void> written = file->write({buffer.data(), buffer.size()}); !written)
                return written;
            buffer.clear();
        }
    }
    if (Result<void> written = file->write({buffer.data(), buffer.size()}); !written)
        return written;
    return file->commit();
}

} // namespace sparsight
