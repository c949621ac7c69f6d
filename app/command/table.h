// A table for people: a header, columns aligned by display width, no lines.
#pragma once

#include <string>
#include <vector>

namespace sparsight {

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

} // namespace sparsight
