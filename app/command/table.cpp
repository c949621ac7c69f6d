#include "command/table.h"

#include "command/display_text.h"

#include <algorithm>

namespace sparsight {

namespace {

constexpr std::size_t gap = 2;

void add_cell(std::string& line, const std::string& cell, std::size_t width, Align align) {
    const std::size_t used = display_width(cell);
    const std::string filler(width - std::min(width, used), ' ');
    line += align == Align::Right ? filler + cell : cell + filler;
}

} // namespace

Table::Table(std::vector<Column> columns)
    : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    for (std::string& cell : cells)
        cell = displayed(cell);
    rows_.push_back(std::move(cells));
}

std::string Table::text() const {
    std::vector<std::string> titles;
    std::vector<std::size_t> widths;
    for (const Column& column : columns_) {
        titles.push_back(column.title);
        widths.push_back(display_width(column.title));
    }
    for (const auto& row : rows_)
        for (std::size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], display_width(row[i]));

    std::string text;
    const auto add_line = [&](const std::vector<std::string>& cells) {
        std::string line;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (i > 0)
                line.append(gap, ' ');
            add_cell(line, cells[i], widths[i], columns_[i].align);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    };
    add_line(titles);
    for (const auto& row : rows_)
        add_line(row);
    return text;
}

} // namespace sparsight
