#include "matrix/smtx_reader.h"

#include "base/parallel.h"
#include "matrix/csr_assembly.h"
#include "matrix/matrix_market_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <vector>

namespace sparsight {

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

struct Sizes {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::int64_t entries = 0;
};

Result<Sizes> read_sizes(Words& words, const ReadLimits& limits) {
    std::vector<std::int64_t> numbers;
    Result<void> read = read_line(words, 3, "size", [&](std::int64_t number) -> Result<void> {
        if (number < 0)
            return fail(Fault::Input, fmt::format("the size {} is negative", number));
        numbers.push_back(number);
        return {};
    });
    if (!read) {
        read.error().message += " (the first line is \"rows, columns, non-zeros\")";
        return std::unexpected(std::move(read.error()));
    }
    Result<void> allowed = check_size(numbers[0], numbers[1], numbers[2], limits);
    if (!allowed) {
        allowed.error().line = 1;
        return std::unexpected(std::move(allowed.error()));
    }
    return Sizes{numbers[0], numbers[1], numbers[2]};
}

} // namespace

Result<LoadedMatrix> read_smtx(ByteSource& source, const ReadOptions& options) {
    Words words(source, options);
    const Result<Sizes> sizes = read_sizes(words, options.limits);
    if (!sizes)
        return std::unexpected(sizes.error());
    CsrAssembly assembly(sizes->rows, sizes->cols, sizes->entries);
    Result<void> read = expect_line(words, "row pointers");
    if (read)
        read = read_line(words, sizes->rows + 1, "row pointer",
                         [&](std::int64_t pointer) { return assembly.add_row_pointer(pointer); });
    // Without non-zeros there need not be a line for them.
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
