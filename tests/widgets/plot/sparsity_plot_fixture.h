// A sparsity plot in a window of its own, with a hand at the mouse, and matrices drawn in ASCII for it.
#pragma once

#include "widgets/look/theme.h"
#include "widgets/plot/pattern_source.h"
#include "widgets/plot/sparsity_plot.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <atomic>
#include <gmock/gmock.h>
#include <string>
#include <utility>
#include <vector>

namespace sparsight::testing {

/// '.' for nothing, '#' for an entry, a digit for as many at one place.
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

namespace sparsight {

using testing::PictureSource;

inline constexpr int deadline = 10'000;

/// Diagonals and a dense corner, large enough that a pixel covers several cells.
inline std::shared_ptr<const PictureSource> large_source(std::int64_t size = 1200) {
    std::vector<std::string> lines(static_cast<std::size_t>(size),
                                   std::string(static_cast<std::size_t>(size), '.'));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i][i] = '#';
        for (std::size_t j = 0; j < 200 && i < 200; ++j)
            lines[i][j] = '#';
    }
    return std::make_shared<PictureSource>(std::move(lines));
}

class SparsityPlotTest : public ::testing::Test {
protected:
    SparsityPlotTest() {
        plot.resize(900, 640);
        plot.show();
    }

    void wait_for_picture() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return plot.picture_is_current(); }, deadline));
    }

    QPoint at(double across, double down) const {
        const QRectF room = plot.viewport();
        return QPointF(room.left() + across * room.width(), room.top() + down * room.height()).toPoint();
    }

    void wheel(QPoint place, int units) {
        QWheelEvent event(place, plot.mapToGlobal(place), QPoint(), QPoint(0, units), Qt::NoButton,
                          Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&plot, &event);
    }

    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton,
              Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QTest::mousePress(&plot, button, modifiers, from);
        for (int step = 1; step <= 4; ++step) {
            const QPoint place = from + (to - from) * step / 4;
            QMouseEvent move(QEvent::MouseMove, place, plot.mapToGlobal(place), Qt::NoButton, button,
                             modifiers);
            QApplication::sendEvent(&plot, &move);
        }
        QTest::mouseRelease(&plot, button, modifiers, to);
    }

    void hover(QPoint place) {
        QMouseEvent move(QEvent::MouseMove, place, plot.mapToGlobal(place), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(&plot, &move);
    }

    QPointF matrix_at(QPoint place) const {
        return plot.view().to_matrix(QPointF(place) - plot.viewport().topLeft());
    }

    /// Of a picture of the plot, at a point of the matrix.
    QRgb pixel(const QImage& image, double col, double row) const {
        const QPointF place = plot.view().to_pixels(QPointF(col, row)) + plot.viewport().topLeft();
        return image.pixel((place * image.width() / plot.width()).toPoint()) | 0xff000000;
    }

    SparsityPlot plot;
};

} // namespace sparsight
