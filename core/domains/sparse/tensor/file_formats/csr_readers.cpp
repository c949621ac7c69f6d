#include "domains/sparse/tensor/file_formats/csr_readers.h"

#include "base/parallel.h"
#include "domains/sparse/tensor/file_formats/matrix_market_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sparsight {

CsrAssembly::CsrAssembly(std::int64_t rows, std::int64_t cols, std::int64_t entries)
    : entries_(entries) {
    pattern_.rows = rows;
    pattern_.cols = cols;
    pattern_.row_pointers.clear();
}

void CsrAssembly::reserve() {
    pattern_.row_pointers.reserve(static_cast<std::size_t>(pattern_.rows) + 1);
    pattern_.column_ids.reserve(static_cast<std::size_t>(entries_));
}

Result<void> CsrAssembly::add_row_pointer(std::int64_t pointer) {
    const auto row = static_cast<std::int64_t>(pattern_.row_pointers.size());
    const std::int64_t lowest = row == 0 ? 0 : pattern_.row_pointers.back();
    const std::int64_t highest = row == 0 ? 0 : entries_;
    if (pointer < lowest || pointer > highest)
        return fail(Fault::Input,
                    lowest == highest
                        ? fmt::format("row pointer {} is {}; expected {}", row, pointer, lowest)
                        : fmt::format("row pointer {} is {}; expected {}..{}, from the pointer before it "
                                      "to the number of entries",
                                      row, pointer, lowest, highest));
    if (row == pattern_.rows && pointer != entries_)
        return fail(
            Fault::Input,
            fmt::format("the last row pointer is {}; expected {}, the number of entries", pointer, entries_));
    pattern_.row_pointers.push_back(pointer);
    return {};
}

Result<void> CsrAssembly::add_column(std::int64_t column) {
    if (column < 0 || column >= pattern_.cols) {
        const std::vector<std::int64_t>& pointers = pattern_.row_pointers;
        const auto row = std::ranges::upper_bound(pointers, pattern_.nnz()) - pointers.begin() - 1;
        return fail(Fault::Input, fmt::format("column id {} (entry {} of {}, in row {}) is outside 0..{}",
                                              column, pattern_.nnz() + 1, entries_, row, pattern_.cols - 1));
    }
    pattern_.column_ids.push_back(static_cast<std::int32_t>(column));
    return {};
}

LoadedMatrix CsrAssembly::finish(MatrixFileFormat format, int threads) && {
    LoadedMatrix loaded;
    loaded.pattern = std::move(pattern_);
    loaded.pattern.row_pointers.shrink_to_fit();
    loaded.pattern.column_ids.shrink_to_fit();
    loaded.report.format = format;
    loaded.report.field = ValueField::Pattern;
    loaded.report.stored_entries = entries_;
    loaded.report.duplicates_merged = sort_rows(loaded.pattern, threads);
    return loaded;
}

namespace {

constexpr std::uint64_t header_bytes = 3 * sizeof(std::int32_t);

std::int32_t int_at(const char* bytes) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    if constexpr (std::endian::native == std::endian::big)
        word = __builtin_bswap32(word);
    return std::bit_cast<std::int32_t>(word);
}

struct WacoSizes {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t entries = 0;
    std::uint64_t file_bytes() const {
        return header_bytes + sizeof(std::int32_t) * static_cast<std::uint64_t>(rows + 1 + entries);
    }
};

Result<WacoSizes> read_waco_sizes(ByteSource& source, const ReadLimits& limits) {
    std::array<char, header_bytes> bytes{};
    const Result<std::size_t> got = source.read(bytes);
    if (!got)
        return std::unexpected(got.error());
    if (*got < bytes.size())
        return fail(
            Fault::Input,
            fmt::format(
                "the file is truncated: it has {} bytes, but the header of a WACO csr file alone has {}",
                *got, header_bytes));
    const WacoSizes sizes{int_at(bytes.data()), int_at(bytes.data() + 4), int_at(bytes.data() + 8)};
    if (sizes.rows < 0 || sizes.cols < 0 || sizes.entries < 0)
        return fail(Fault::Input,
                    fmt::format("the header says {} rows, {} columns, {} entries; none can be negative",
                                sizes.rows, sizes.cols, sizes.entries));
    if (const Result<void> allowed = check_size(sizes.rows, sizes.cols, sizes.entries, limits); !allowed)
        return std::unexpected(allowed.error());
    return sizes;
}

std::unexpected<Error> wrong_length(const WacoSizes& sizes, std::uint64_t actual) {
    return fail(
        Fault::Input,
        fmt::format(
            "the file {}: its header promises {} rows and {} entries, which take {} bytes, but it has {}",
            actual < sizes.file_bytes() ? "is truncated" : "does not end where it should", sizes.rows,
            sizes.entries, sizes.file_bytes(), actual));
}

/// Hands the rest of a file to `take`, one int32 after the other.
class Numbers {
public:
    Numbers(ByteSource& source, const WacoSizes& sizes, const ReadOptions& options)
        : source_(source)
        , sizes_(sizes)
        , options_(options)
        , buffer_(std::clamp<std::size_t>(options.block_bytes, sizeof(std::int32_t), std::size_t{1} << 20)) {}

    template <typename Take>
    Result<void> read(std::int64_t count, Take&& take) {
        while (count > 0) {
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "reading was stopped");
            const auto room = static_cast<std::int64_t>(buffer_.size() / sizeof(std::int32_t));
            const std::int64_t now = std::min(count, room);
            const auto wanted = static_cast<std::size_t>(now) * sizeof(std::int32_t);
            const Result<std::size_t> got = source_.read({buffer_.data(), wanted});
            if (!got)
                return std::unexpected(got.error());
            bytes_ += *got;
            if (*got < wanted)
                return wrong_length(sizes_, bytes_);
            for (std::size_t at = 0; at < wanted; at += sizeof(std::int32_t))
                if (Result<void> taken = take(int_at(buffer_.data() + at)); !taken)
                    return taken;
            count -= now;
            if (options_.progress)
                options_.progress({"reading", source_.consumed(), source_.total()});
        }
        return {};
    }

    Result<void> expect_end() {
        const Result<std::size_t> got = source_.read({buffer_.data(), 1});
        if (!got)
            return std::unexpected(got.error());
        if (*got > 0)
            return fail(Fault::Input,
                        fmt::format("more bytes follow the {} that its header promises: {} rows and {} "
                                    "entries; expected the end of the file",
                                    sizes_.file_bytes(), sizes_.rows, sizes_.entries));
        return {};
    }

private:
    ByteSource& source_;
    WacoSizes sizes_;
    const ReadOptions& options_;
    std::vector<char> buffer_;
    std::uint64_t bytes_ = header_bytes;
};

} // namespace

Result<LoadedMatrix> read_waco_csr(ByteSource& source, const ReadOptions& options) {
    const Result<WacoSizes> sizes = read_waco_sizes(source, options.limits);
    if (!sizes)
        return std::unexpected(sizes.error());
    CsrAssembly assembly(sizes->rows, sizes->cols, sizes->entries);
    if (const std::optional<std::uint64_t> bytes = source.content_bytes()) {
        if (*bytes != sizes->file_bytes())
            return wrong_length(*sizes, *bytes);
        assembly.reserve();
    }
    Numbers numbers(source, *sizes, options);
    Result<void> read = numbers.read(sizes->rows + 1,
                                     [&](std::int32_t pointer) { return assembly.add_row_pointer(pointer); });
    if (read)
        read = numbers.read(sizes->entries, [&](std::int32_t column) { return assembly.add_column(column); });
    if (read)
        read = numbers.expect_end();
    if (!read)
        return std::unexpected(read.error());
    const int threads = options.threads > 0 ? options.threads : available_threads();
    return std::move(assembly).finish(MatrixFileFormat::WacoCsr, threads);
}

namespace {

/// The words of a text of few, very long lines.
class Words {
public:
    Words(ByteSource& source, const ReadOptions& options)
        : source_(source)
        , options_(options)
        , buffer_(std::clamp<std::size_t>(options.block_bytes, 1, std::size_t{1} << 20)) {}

    std::int64_t line() const { return line_; }

    /// The next word of this line, which is valid until the next call; nothing at its end. Blanks and commas
    /// part words.
    Result<std::optional<std::string_view>> next() {
        word_.clear();
        for (;;) {
            const Result<std::optional<char>> c = peek();
            if (!c)
                return std::unexpected(c.error());
            if (!*c || **c == '\n')
                break;
            const bool parts_words = **c == ' ' || **c == '\t' || **c == '\r' || **c == ',';
            if (parts_words && !word_.empty())
                break;
            ++at_;
            if (!parts_words)
                word_ += **c;
            if (word_.size() > longest_word)
                break;
        }
        return word_.empty() ? std::nullopt : std::optional<std::string_view>(word_);
    }

    /// Goes on to the next line; false where the text ends.
    Result<bool> next_line() {
        const Result<std::optional<char>> c = peek();
        if (!c)
            return std::unexpected(c.error());
        if (!*c)
            return false;
        ++at_;
        ++line_;
        return true;
    }

    std::unexpected<Error> defect(std::string message) const {
        return fail_in_file(Fault::Input, {}, line_, std::move(message));
    }

private:
    static constexpr std::size_t longest_word = 64;

    Result<std::optional<char>> peek() {
        if (at_ == filled_) {
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "reading was stopped");
            const Result<std::size_t> got = source_.read(buffer_);
            if (!got)
                return std::unexpected(got.error());
            at_ = 0;
            filled_ = *got;
            if (options_.progress)
                options_.progress({"reading", source_.consumed(), source_.total()});
        }
        return at_ == filled_ ? std::nullopt : std::optional(buffer_[at_]);
    }

    ByteSource& source_;
    const ReadOptions& options_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;
    std::size_t filled_ = 0;
    std::string word_;
    std::int64_t line_ = 1;
};

Result<std::int64_t> to_number(const Words& words, std::string_view word, std::string_view what) {
    std::int64_t number = 0;
    const auto [stopped, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc::result_out_of_range)
        return words.defect(fmt::format("the {} {} overflows 64 bits", what, quote(word)));
    if (error != std::errc{} || stopped != word.data() + word.size())
        return words.defect(fmt::format("the {} is {}; expected a whole number", what, quote(word)));
    return number;
}

/// One line of exactly `count` numbers.
template <typename Take>
Result<void> read_line(Words& words, std::int64_t count, std::string_view what, Take&& take) {
    for (std::int64_t i = 0;; ++i) {
        const Result<std::optional<std::string_view>> word = words.next();
        if (!word)
            return std::unexpected(word.error());
        if (!*word && i < count)
            return words.defect(fmt::format("the line ends after {} {}s; expected {}", i, what, count));
        if (!*word)
            return {};
        if (i == count)
            return words.defect(fmt::format("{} stands behind {} {}s; expected the end of the line",
                                            quote(**word), count, what));
        const Result<std::int64_t> number = to_number(words, **word, what);
        if (!number)
            return std::unexpected(number.error());
        if (Result<void> taken = take(*number); !taken)
            return words.defect(std::move(taken.error().message));
    }
}

Result<void> expect_line(Words& words, std::string_view what) {
    const Result<bool> more = words.next_line();
    if (!more)
        return std::unexpected(more.error());
    if (!*more)
        return words.defect(fmt::format("the file ends; expected a line of {}", what));
    return {};
}

Result<void> expect_end(Words& words) {
    for (;;) {
        const Result<std::optional<std::string_view>> word = words.next();
        if (!word)
            return std::unexpected(word.error());
        if (*word)
            return words.defect(
                fmt::format("{} follows the column ids; expected the end of the file", quote(**word)));
        const Result<bool> more = words.next_line();
        if (!more)
            return std::unexpected(more.error());
        if (!*more)
            return {};
    }
}

struct SmtxSizes {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t entries = 0;
};

Result<SmtxSizes> read_smtx_sizes(Words& words, const ReadLimits& limits) {
    std::vector<std::int64_t> numbers;
    Result<void> read = read_line(words, 3, "size", [&](std::int64_t number) -> Result<void> {
        if (number < 0)
            return fail(Fault::Input, fmt::format("the size {} is negative", number));
        numbers.push_back(number);
        return {};
    });
    if (!read) {
        read.error().message += " (the first line is \"rows, columns, entries\")";
        return std::unexpected(std::move(read.error()));
    }
    Result<void> allowed = check_size(numbers[0], numbers[1], numbers[2], limits);
    if (!allowed) {
        allowed.error().line = 1;
        return std::unexpected(std::move(allowed.error()));
    }
    return SmtxSizes{numbers[0], numbers[1], numbers[2]};
}

} // namespace

Result<LoadedMatrix> read_smtx(ByteSource& source, const ReadOptions& options) {
    Words words(source, options);
    const Result<SmtxSizes> sizes = read_smtx_sizes(words, options.limits);
    if (!sizes)
        return std::unexpected(sizes.error());
    CsrAssembly assembly(sizes->rows, sizes->cols, sizes->entries);
    Result<void> read = expect_line(words, "row pointers");
    if (read)
        read = read_line(words, sizes->rows + 1, "row pointer",
                         [&](std::int64_t pointer) { return assembly.add_row_pointer(pointer); });
    // Without entries there need not be a line for them.
    if (read && sizes->entries > 0)
        read = expect_line(words, "column ids");
    if (read && sizes->entries > 0)
        read = read_line(words, sizes->entries, "column id",
                         [&](std::int64_t column) { return assembly.add_column(column); });
    if (read)
        read = expect_end(words);
    if (!read)
        return std::unexpected(std::move(read.error()));
    const int threads = options.threads > 0 ? options.threads : available_threads();
    return std::move(assembly).finish(MatrixFileFormat::DlmcSmtx, threads);
}

} // namespace sparsight
