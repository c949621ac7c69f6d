// A sparsity plot in a window of its own, with a hand at the mouse.
#pragma once

#include "picture_source.h"
#include "widgets/look/theme.h"
#include "widgets/plot/sparsity_plot.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>

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
