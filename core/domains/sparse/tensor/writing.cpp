#include "domains/sparse/tensor/writing.h"

#include "base/files.h"

#include <array>
#include <bit>
#include <fmt/compile.h>
#include <fmt/format.h>
#include <iterator>
#include <span>
#include <string>
#include <vector>

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

namespace {

/// Little-endian int32, handed to the file in pieces.
class Int32Writer {
public:
    explicit Int32Writer(AtomicFile& file)
        : file_(file) {}

    template <typename Integer>
    Result<void> write(std::span<const Integer> numbers) {
        for (const Integer number : numbers) {
            auto word = static_cast<std::uint32_t>(static_cast<std::int32_t>(number));
            if constexpr (std::endian::native == std::endian::big)
                word = __builtin_bswap32(word);
            words_.push_back(word);
            if (words_.size() < piece)
                continue;
            if (Result<void> flushed = flush(); !flushed)
                return flushed;
        }
        return {};
    }

    Result<void> flush() {
        const std::span<const char> bytes(reinterpret_cast<const char*>(words_.data()),
                                          words_.size() * sizeof(std::uint32_t));
        Result<void> written = file_.write({bytes.data(), bytes.size()});
        words_.clear();
        return written;
    }

private:
    static constexpr std::size_t piece = std::size_t{1} << 16;
    AtomicFile& file_;
    std::vector<std::uint32_t> words_;
};

} // namespace

Result<void> write_waco_csr(const std::filesystem::path& path, const CsrPattern& pattern) {
    constexpr std::int64_t limit = INT32_MAX;
    if (pattern.rows > limit || pattern.cols > limit || pattern.nnz() > limit)
        return fail_in_file(
            Fault::Limit, path.string(), 0,
            fmt::format("cannot be written as WACO csr, which counts in 32 bits: {} rows, {} columns, "
                        "{} non-zeros; the limit for each is {}",
                        pattern.rows, pattern.cols, pattern.nnz(), limit));
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file)
        return std::unexpected(std::move(file.error()));
    Int32Writer writer(*file);
    const std::array<std::int64_t, 3> sizes{pattern.rows, pattern.cols, pattern.nnz()};
    Result<void> written = writer.write(std::span<const std::int64_t>(sizes));
    if (written)
        written = writer.write(std::span<const std::int64_t>(pattern.row_pointers));
    if (written)
        written = writer.write(std::span<const std::int32_t>(pattern.column_ids));
    if (written)
        written = writer.flush();
    return written ? file->commit() : written;
}

} // namespace sparsight
