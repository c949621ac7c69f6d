#include "domains/sparse/tensor/file_formats/matrix_market_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

constexpr std::string_view banner_mark = "%%MatrixMarket";
constexpr std::string_view banner_form =
    "\"%%MatrixMarket matrix coordinate|array real|integer|complex|pattern "
    "general|symmetric|skew-symmetric|hermitian\"";

/// Some editors put UTF-8's byte order mark in front of a text.
std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view mark = "\xef\xbb\xbf";
    if (text.starts_with(mark))
        text.remove_prefix(mark.size());
    return text;
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_in_any_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

std::vector<std::string_view> words_of(std::string_view line) {
    constexpr std::string_view blanks = " \t\r\v\f";
    std::vector<std::string_view> words;
    for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;
         at = line.find_first_not_of(blanks, at)) {
        const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
        words.push_back(line.substr(at, end - at));
        at = end;
    }
    return words;
}

template <typename Value>
using Spelling = std::pair<std::string_view, Value>;

constexpr std::array formats{
    Spelling<MatrixFileFormat>{"coordinate", MatrixFileFormat::MatrixMarketCoordinate},
    Spelling<MatrixFileFormat>{"array", MatrixFileFormat::MatrixMarketArray}};
constexpr std::array fields{Spelling<ValueField>{"real", ValueField::Real},
                            Spelling<ValueField>{"double", ValueField::Real},
                            Spelling<ValueField>{"integer", ValueField::Integer},
                            Spelling<ValueField>{"unsigned-integer", ValueField::UnsignedInteger},
                            Spelling<ValueField>{"complex", ValueField::Complex},
                            Spelling<ValueField>{"pattern", ValueField::Pattern}};
constexpr std::array symmetries{Spelling<MatrixSymmetry>{"general", MatrixSymmetry::General},
                                Spelling<MatrixSymmetry>{"symmetric", MatrixSymmetry::Symmetric},
                                Spelling<MatrixSymmetry>{"skew-symmetric", MatrixSymmetry::SkewSymmetric},
                                Spelling<MatrixSymmetry>{"hermitian", MatrixSymmetry::Hermitian}};

/// The banner's word number `place`, as one of the spellings.
template <typename Value, std::size_t count>
Result<Value> read_word(std::string_view word, std::string_view role,
                        const std::array<Spelling<Value>, count>& spellings) {
    for (const auto& [spelling, value] : spellings)
        if (equal_in_any_case(word, spelling))
            return value;
    std::vector<std::string_view> names;
    std::ranges::transform(spellings, std::back_inserter(names), &Spelling<Value>::first);
    return fail(Fault::Input,
                fmt::format("the banner's {} is {}; expected {}", role, quote(word), fmt::join(names, ", ")));
}

Result<void> check_combination(const MatrixMarketHeader& header) {
    const bool mirrored_with_sign =
        header.symmetry == MatrixSymmetry::SkewSymmetric || header.symmetry == MatrixSymmetry::Hermitian;
    if (header.format == MatrixFileFormat::MatrixMarketArray && header.field == ValueField::Pattern)
        return fail(Fault::Input, "the banner says array and pattern, but an array consists of values; "
                                  "a pattern must be coordinate");
    if (header.field == ValueField::Pattern && mirrored_with_sign)
        return fail(Fault::Input,
                    fmt::format("the banner says pattern and {}; a pattern has no values and can only "
                                "be general or symmetric",
                                to_text(header.symmetry)));
    if (header.symmetry == MatrixSymmetry::Hermitian && header.field != ValueField::Complex)
        return fail(Fault::Input,
                    fmt::format("the banner says {} and hermitian; only complex matrices are hermitian",
                                to_text(header.field)));
    if (header.symmetry == MatrixSymmetry::SkewSymmetric && header.field == ValueField::UnsignedInteger)
        return fail(Fault::Input, "the banner says unsigned-integer and skew-symmetric, but one half of a "
                                  "skew-symmetric matrix is the other with its sign changed");
    return {};
}

Result<std::int64_t> read_size(std::string_view word, std::string_view what) {
    std::int64_t size = 0;
    const auto [stopped, error] = std::from_chars(word.data(), word.data() + word.size(), size);
    if (stopped != word.data() + word.size() || error == std::errc::invalid_argument)
        return fail(Fault::Input,
                    fmt::format("the number of {} is {}; expected a whole number", what, quote(word)));
    if (error == std::errc::result_out_of_range)
        return fail(Fault::Limit,
                    fmt::format("the number of {} is {}, which overflows 64 bits; no more than {} fit", what,
                                quote(word), INT64_MAX));
    if (size < 0)
        return fail(Fault::Input, fmt::format("the number of {} is {}; it cannot be negative", what, size));
    return size;
}

/// How many values an array file holds: of a symmetric one the lower triangle with the diagonal, of a
/// skew-symmetric one without it.
std::int64_t array_entries(const MatrixMarketHeader& header) {
    switch (header.symmetry) {
    case MatrixSymmetry::General:
        return header.rows * header.cols;
    case MatrixSymmetry::SkewSymmetric:
        return header.rows % 2 == 0 ? header.rows / 2 * (header.rows - 1)
                                    : (header.rows - 1) / 2 * header.rows;
    case MatrixSymmetry::Symmetric:
    case MatrixSymmetry::Hermitian:
        return header.rows % 2 == 0 ? header.rows / 2 * (header.rows + 1)
                                    : (header.rows + 1) / 2 * header.rows;
    }
    return 0;
}

} // namespace

std::string quote(std::string_view text) {
    constexpr std::size_t longest = 60;
    std::string result = "\"";
    for (const char c : text.substr(0, longest)) {
        if (c >= ' ' && c <= '~')
            result += c;
        else if (c == '\t')
            result += "\\t";
        else
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return result + (text.size() > longest ? "…\"" : "\"");
}

bool has_matrix_market_banner(std::string_view head) {
    return equal_in_any_case(without_byte_order_mark(head).substr(0, banner_mark.size()), banner_mark);
}

bool is_comment_or_blank(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first == std::string_view::npos || line[first] == '%';
}

Result<MatrixMarketHeader> parse_banner(std::string_view line) {
    const std::vector<std::string_view> words = words_of(without_byte_order_mark(line));
    if (!has_matrix_market_banner(line) || words.front().size() != banner_mark.size())
        return fail(
            Fault::Input,
            words.empty()
                ? fmt::format("the first line is blank; expected the banner {}", banner_form)
                : fmt::format("the first line is {}; expected the banner {}", quote(line), banner_form));
    if (words.size() > 1 && !equal_in_any_case(words[1], "matrix"))
        return fail(Fault::Input, fmt::format("the banner's object is {}; expected matrix", quote(words[1])));
    MatrixMarketHeader header;
    if (words.size() > 2) {
        const auto format = read_word(words[2], "format", formats);
        if (!format)
            return std::unexpected(format.error());
        header.format = *format;
    }
    if (words.size() > 3) {
        const auto field = read_word(words[3], "field", fields);
        if (!field)
            return std::unexpected(field.error());
        header.field = *field;
    }
    if (words.size() > 4) {
        const auto symmetry = read_word(words[4], "symmetry", symmetries);
        if (!symmetry)
            return std::unexpected(symmetry.error());
        header.symmetry = *symmetry;
    }
    if (words.size() != 5)
        return fail(Fault::Input, fmt::format("the banner has {} words, {}; expected the 5 words {}",
                                              words.size(), quote(line), banner_form));
    if (const Result<void> combination = check_combination(header); !combination)
        return std::unexpected(combination.error());
    return header;
}

Result<void> parse_size_line(std::string_view line, const ReadLimits& limits, MatrixMarketHeader& header) {
    const bool is_array = header.format == MatrixFileFormat::MatrixMarketArray;
    const std::size_t expected = is_array ? 2 : 3;
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() != expected)
        return fail(Fault::Input,
                    fmt::format("the size line {} has {} number{}; expected {}", quote(line), words.size(),
                                words.size() == 1 ? "" : "s",
                                is_array ? "2: rows and columns" : "3: rows, columns and entries"));
    constexpr std::array<std::string_view, 3> roles{"rows", "columns", "entries"};
    std::array<std::int64_t, 3> sizes{};
    for (std::size_t i = 0; i < expected; ++i) {
        const Result<std::int64_t> size = read_size(words[i], roles[i]);
        if (!size)
            return std::unexpected(size.error());
        sizes[i] = *size;
    }
    std::tie(header.rows, header.cols, header.entries) = std::tie(sizes[0], sizes[1], sizes[2]);
    // Rows and columns first: within their limits the product below cannot overflow.
    if (const Result<void> extents = check_size(header.rows, header.cols, 0, limits); !extents)
        return extents;
    if (header.symmetry != MatrixSymmetry::General && header.rows != header.cols)
        return fail(Fault::Input,
                    fmt::format("a {} matrix must be square, but this one has {} rows and {} columns",
                                to_text(header.symmetry), header.rows, header.cols));
    if (is_array)
        header.entries = array_entries(header);
    return check_size(header.rows, header.cols, header.entries, limits);
}

namespace {

class StartReader {
public:
    StartReader(TextBlocks& blocks, const ReadOptions& options)
        : blocks_(blocks)
        , options_(options) {}

    Result<MatrixMarketStart> read() {
        std::string_view line;
        if (const Result<bool> first = next_line(line); !first || !*first)
            return first ? here({Fault::Input, "the file is empty; expected a Matrix Market banner", {}, 0})
                         : std::unexpected(first.error());
        const Result<MatrixMarketHeader> banner = parse_banner(line);
        if (!banner)
            return here(banner.error());
        start_.header = *banner;
        do {
            const Result<bool> more = next_line(line);
            if (!more)
                return std::unexpected(more.error());
            if (!*more)
                return here({Fault::Input, "the file ends before the size line", {}, 0});
        } while (is_comment_or_blank(line));
        if (const Result<void> sizes = parse_size_line(line, options_.limits, start_.header); !sizes)
            return here(sizes.error());
        return std::move(start_);
    }

private:
    Result<bool> next_line(std::string_view& line) {
        while (start_.rest.text().empty()) {
            if (options_.stop.stop_requested())
                return fail(Fault::Cancelled, "reading was stopped");
            const Result<bool> more = blocks_.next(start_.rest);
            if (!more)
                return std::unexpected(with_file_line(more.error(), start_.size_line));
            if (!*more)
                return false;
        }
        line = start_.rest.take_line();
        ++start_.size_line;
        return true;
    }

    std::unexpected<Error> here(Error error) const {
        error.line = std::max<std::int64_t>(start_.size_line, 1);
        return std::unexpected(std::move(error));
    }

    TextBlocks& blocks_;
    const ReadOptions& options_;
    MatrixMarketStart start_;
};

} // namespace

Result<MatrixMarketStart> read_matrix_market_start(TextBlocks& blocks, const ReadOptions& options) {
    return StartReader(blocks, options).read();
}

Error with_file_line(Error error, std::int64_t lines_before) {
    if (error.line > 0)
        error.line += lines_before;
    return error;
}

} // namespace sparsight
