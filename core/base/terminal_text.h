// Text as a terminal shows it. Names come from files, and files have any name they like: bytes that are not
// UTF-8, and control characters that would move the cursor.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight {

/// UTF-8 without control characters: those, and bytes that are not UTF-8, become "?".
[[nodiscard]] std::string displayed(std::string_view text);

/// Columns that the text takes: combining marks none, East Asian wide characters two. Of displayed() text.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// The longest beginning that takes at most `width` columns.
[[nodiscard]] std::string_view fitting(std::string_view text, std::size_t width);

// A table for people: a header, columns aligned by display width, no lines.

enum class Align { Left, Right };

class Table {
public:
    struct Column {
        std::string title; ///< with the unit, where there is one
        Align align = Align::Left;
    };

    explicit Table(std::vector<Column> columns);

    /// One cell a column.
    void add_row(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    /// Every line ends with a line break and has no blanks before it.
    [[nodiscard]] std::string text() const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

// Words as a shell takes them: for the commands that answers give to be run again.

/// In single quotes where it is more than a plain word.
[[nodiscard]] std::string shell_word(std::string_view text);

} // namespace sparsight
