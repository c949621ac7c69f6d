#include "domains/sparse/tensor/file_formats/matrix_market_entries.h"

#include "domains/sparse/tensor/file_formats/text_parsing.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace sparsight {

namespace {

std::string described(const char* p) {
    const std::string_view word = word_at(p);
    return word.empty() ? "missing" : quote(word);
}

std::string index_defect(const char* p, std::string_view what, std::int64_t extent) {
    const std::string_view word = word_at(p);
    if (word.empty())
        return fmt::format("the {} is missing; expected a number in 1..{}", what, extent);
    const bool is_number =
        word.find_first_not_of("0123456789", word.starts_with('-') ? 1 : 0) == std::string_view::npos &&
        word != "-";
    if (!is_number)
        return fmt::format("the {} is {}; expected a whole number in 1..{}", what, quote(word), extent);
    const bool is_zero = word.find_first_not_of('0') == std::string_view::npos;
    return fmt::format("{} {} is outside 1..{}{}", what, word.substr(0, 60), extent,
                       is_zero ? " (indices start at 1; this file seems to count from 0)" : "");
}

std::string value_defect(const char* p, std::string_view what, ValueField field) {
    const bool is_whole = field == ValueField::Integer || field == ValueField::UnsignedInteger;
    return fmt::format("the {} is {}; expected a {} since the banner says {}", what, described(p),
                       is_whole ? "whole number" : "number", to_text(field));
}

std::string trailing_defect(const char* p, ValueField field) {
    if (field == ValueField::Pattern)
        return fmt::format(
            "{} stands behind row and column; expected the end of the line, since the banner says "
            "pattern, which has no values",
            quote(word_at(p)));
    return fmt::format("{} stands behind the value; expected the end of the line", quote(word_at(p)));
}

/// Whether a number whose float32 is zero is also written so (1e-300 is not).
bool is_written_as_zero(const char* begin, const char* end) {
    const std::string_view word(begin, static_cast<std::size_t>(end - begin));
    return word.substr(0, word.find_first_of("eEdD")).find_first_of("123456789") == std::string_view::npos;
}

struct EntryValue {
    float value = 0;
    bool is_zero = false;
};

/// Reads the value of an entry (none of a pattern, two numbers where it is complex) at p, which is then at
/// the next character that is not blank.
template <ValueField field>
inline bool read_value(const char*& p, EntryValue& entry, std::string& defect) {
    if constexpr (field == ValueField::Pattern)
        return true;
    const char* const begin = p;
    if (!read_float(p, entry.value) || !ends_word(*p)) [[unlikely]] {
        defect = value_defect(begin, field == ValueField::Complex ? "real part" : "value", field);
        return false;
    }
    entry.is_zero = entry.value == 0 && is_written_as_zero(begin, p);
    if constexpr (field == ValueField::Integer || field == ValueField::UnsignedInteger) {
        const bool is_whole = entry.value == std::trunc(entry.value) || std::isnan(entry.value);
        if (!is_whole || (field == ValueField::UnsignedInteger && entry.value < 0)) [[unlikely]] {
            defect = value_defect(begin, "value", field);
            return false;
        }
    }
    p = skip_blanks(p);
    if constexpr (field == ValueField::Complex) {
        const char* const imaginary = p;
        float part = 0;
        if (!read_float(p, part) || !ends_word(*p)) [[unlikely]] {
            defect = value_defect(imaginary, "imaginary part", field);
            return false;
        }
        entry.is_zero = entry.is_zero && part == 0 && is_written_as_zero(imaginary, p);
        p = skip_blanks(p);
    }
    return true;
}

inline bool read_index(const char*& p, std::uint64_t& index, std::uint64_t extent) {
    const char* const begin = p;
    if (read_whole_number(p, index) && index - 1 < extent && ends_word(*p)) [[likely]]
        return true;
    p = begin;
    return false;
}

/// Steps over a line without content. False if there is content.
inline bool skip_empty_line(const char*& p, const char* end) {
    if (*p == '%')
        p = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
    if (*p != '\n')
        return false;
    ++p;
    return true;
}

std::string position_defect(const MatrixMarketHeader& header, std::uint64_t row, std::uint64_t column) {
    if (column > row)
        return fmt::format("row {}, column {} is above the diagonal; a {} file holds the lower triangle only",
                           row, column, to_text(header.symmetry));
    return fmt::format("row {}, column {} is on the diagonal, where a skew-symmetric matrix is zero", row,
                       column);
}

template <ValueField field>
ParsedBlock parse_coordinates(std::string_view text, const MatrixMarketHeader& header,
                              EntryScratch& scratch) {
    ParsedBlock parsed;
    const auto rows = static_cast<std::uint64_t>(header.rows);
    const auto cols = static_cast<std::uint64_t>(header.cols);
    const bool lower_only = header.symmetry != MatrixSymmetry::General;
    const bool without_diagonal = header.symmetry == MatrixSymmetry::SkewSymmetric;
    auto fail_with = [&](std::string message) {
        parsed.defect = LineDefect{parsed.lines, std::move(message)};
        return parsed;
    };
    std::string defect;
    std::size_t kept = 0;
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
        ++parsed.lines;
        p = skip_blanks(p);
        std::uint64_t row = 0;
        std::uint64_t column = 0;
        if (!read_index(p, row, rows)) [[unlikely]] {
            if (skip_empty_line(p, end))
                continue;
            return fail_with(index_defect(p, "row", header.rows));
        }
        p = skip_blanks(p);
        if (!read_index(p, column, cols)) [[unlikely]]
            return fail_with(index_defect(p, "column", header.cols));
        p = skip_blanks(p);
        EntryValue entry;
        if (!read_value<field>(p, entry, defect)) [[unlikely]]
            return fail_with(std::move(defect));
        if constexpr (field != ValueField::Pattern) {
            scratch.values[kept] = entry.value;
            parsed.zeros += entry.is_zero ? 1 : 0;
            parsed.not_finite += std::isfinite(entry.value) ? 0 : 1;
        }
        if (*p != '\n') [[unlikely]]
            return fail_with(trailing_defect(p, field));
        if (lower_only && (column > row || (without_diagonal && column == row && !entry.is_zero)))
            [[unlikely]]
            return fail_with(position_defect(header, row, column));
        scratch.row_ids[kept] = static_cast<std::int32_t>(row - 1);
        scratch.column_ids[kept] = static_cast<std::int32_t>(column - 1);
        ++kept;
        ++p;
        parsed.entries = parsed.kept = static_cast<std::int64_t>(kept);
    }
    return parsed;
}

template <ValueField field>
ParsedBlock parse_array(std::string_view text, EntryScratch& scratch) {
    ParsedBlock parsed;
    std::string defect;
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
        ++parsed.lines;
        p = skip_blanks(p);
        if (skip_empty_line(p, end))
            continue;
        EntryValue entry;
        const bool is_right = read_value<field>(p, entry, defect);
        if (!is_right || *p != '\n') [[unlikely]] {
            parsed.defect =
                LineDefect{parsed.lines, is_right ? trailing_defect(p, field) : std::move(defect)};
            return parsed;
        }
        ++p;
        if (entry.is_zero) {
            ++parsed.zeros;
        } else {
            scratch.places[static_cast<std::size_t>(parsed.kept)] =
                static_cast<std::uint32_t>(parsed.entries);
            scratch.values[static_cast<std::size_t>(parsed.kept)] = entry.value;
            parsed.not_finite += std::isfinite(entry.value) ? 0 : 1;
            ++parsed.kept;
        }
        ++parsed.entries;
    }
    return parsed;
}

template <ValueField field>
ParsedBlock parse_field(std::string_view text, const MatrixMarketHeader& header, EntryScratch& scratch) {
    if constexpr (field != ValueField::Pattern)
        if (header.format == MatrixFileFormat::MatrixMarketArray)
            return parse_array<field>(text, scratch);
    return parse_coordinates<field>(text, header, scratch);
}

} // namespace

void EntryScratch::reserve(std::size_t entries) {
    if (entries <= capacity_)
        return;
    row_ids = std::make_unique_for_overwrite<std::int32_t[]>(entries);
    column_ids = std::make_unique_for_overwrite<std::int32_t[]>(entries);
    values = std::make_unique_for_overwrite<float[]>(entries);
    places = std::make_unique_for_overwrite<std::uint32_t[]>(entries);
    capacity_ = entries;
}

ParsedBlock parse_entries(std::string_view text, const MatrixMarketHeader& header, EntryScratch& scratch) {
    const bool is_array = header.format == MatrixFileFormat::MatrixMarketArray;
    const std::size_t shortest_line =
        is_array ? std::string_view("0\n").size() : std::string_view("1 1\n").size();
    scratch.reserve(text.size() / shortest_line + 1);
    switch (header.field) {
    case ValueField::Real:
        return parse_field<ValueField::Real>(text, header, scratch);
    case ValueField::Integer:
        return parse_field<ValueField::Integer>(text, header, scratch);
    case ValueField::UnsignedInteger:
        return parse_field<ValueField::UnsignedInteger>(text, header, scratch);
    case ValueField::Complex:
        return parse_field<ValueField::Complex>(text, header, scratch);
    case ValueField::Pattern:
        break;
    }
    return parse_field<ValueField::Pattern>(text, header, scratch);
}

EntryLine find_entry(std::string_view text, std::int64_t entry) {
    EntryLine found;
    while (!text.empty()) {
        ++found.line;
        found.text = text.substr(0, text.find('\n'));
        text.remove_prefix(found.text.size() + 1);
        if (!is_comment_or_blank(found.text) && entry-- == 0)
            break;
    }
    return found;
}

} // namespace sparsight
