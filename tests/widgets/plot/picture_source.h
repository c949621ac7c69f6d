// A matrix drawn in ASCII: '.' for nothing, '#' for an entry, a digit for as many at one place.
#pragma once

#include "widgets/plot/pattern_source.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

namespace sparsight::testing {

class PictureSource final : public PatternSource {
public:
    /// Lines of equal length.
    explicit PictureSource(std::vector<std::string> lines, std::int64_t cols_without_lines = 0)
        : lines_(std::move(lines))
        , cols_(lines_.empty() ? cols_without_lines : std::ssize(lines_.front())) {}

    /// The same mark everywhere.
    static PictureSource filled(std::int64_t rows, std::int64_t cols, char mark = '#') {
        return PictureSource(std::vector<std::string>(static_cast<std::size_t>(rows),
                                                      std::string(static_cast<std::size_t>(cols), mark)));
    }

    [[nodiscard]] std::int64_t rows() const override { return std::ssize(lines_); }
    [[nodiscard]] std::int64_t cols() const override { return cols_; }
    [[nodiscard]] std::int64_t nnz() const override { return sum({0, rows(), 0, cols()}); }

    [[nodiscard]] PatternCounts counts(const PatternArea& area, int width, int height) const override {
        ++questions;
        PatternCounts counts;
        counts.row_edges = divided(area.row_begin, area.row_end, height);
        counts.col_edges = divided(area.col_begin, area.col_end, width);
        for (std::size_t y = 0; y + 1 < counts.row_edges.size(); ++y)
            for (std::size_t x = 0; x + 1 < counts.col_edges.size(); ++x)
                counts.counts.push_back(
                    static_cast<std::uint32_t>(sum({counts.row_edges[y], counts.row_edges[y + 1],
                                                    counts.col_edges[x], counts.col_edges[x + 1]})));
        return counts;
    }

    [[nodiscard]] PatternEntries entries(const PatternArea& area, std::int64_t limit) const override {
        ++questions;
        PatternEntries list;
        for (std::int64_t row = area.row_begin; row < area.row_end; ++row)
            for (std::int64_t col = area.col_begin; col < area.col_end; ++col)
                for (std::int64_t i = 0; i < at(row, col); ++i, ++list.total)
                    if (std::ssize(list.entries) < limit)
                        list.entries.push_back(
                            {static_cast<std::int32_t>(row), static_cast<std::int32_t>(col)});
        return list;
    }

    mutable std::atomic<int> questions{0};

    PictureSource(PictureSource&& other) noexcept
        : lines_(std::move(other.lines_))
        , cols_(other.cols_) {}

private:
    [[nodiscard]] std::int64_t at(std::int64_t row, std::int64_t col) const {
        const char mark = lines_[static_cast<std::size_t>(row)][static_cast<std::size_t>(col)];
        if (mark == '#')
            return 1;
        return mark == '.' ? 0 : mark - '0';
    }

    [[nodiscard]] std::int64_t sum(const PatternArea& area) const {
        std::int64_t total = 0;
        for (std::int64_t row = area.row_begin; row < area.row_end; ++row)
            for (std::int64_t col = area.col_begin; col < area.col_end; ++col)
                total += at(row, col);
        return total;
    }

    /// Uneven where it does not divide, as in the engine.
    static std::vector<std::int64_t> divided(std::int64_t begin, std::int64_t end, int count) {
        const std::int64_t parts = std::min<std::int64_t>(count, end - begin);
        std::vector<std::int64_t> edges;
        for (std::int64_t part = 0; part <= parts; ++part)
            edges.push_back(begin + (end - begin) * part / parts);
        return edges;
    }

    std::vector<std::string> lines_;
    std::int64_t cols_ = 0;
};

} // namespace sparsight::testing
