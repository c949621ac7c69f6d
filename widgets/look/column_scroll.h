// A column of a page that scrolls where it needs more height than there is, and fills the height otherwise.
#pragma once

#include <QEvent>
#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <algorithm>

namespace sparsight {

class ColumnScroll : public QScrollArea {
public:
    explicit ColumnScroll(QWidget* column, QWidget* parent = nullptr)
        : QScrollArea(parent) {
        setFrameShape(QFrame::NoFrame);
        setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setFocusPolicy(Qt::NoFocus);
        setWidget(column);
        column->setAutoFillBackground(false);
        viewport()->setAutoFillBackground(false);
    }

    [[nodiscard]] QSize sizeHint() const override { return widget()->sizeHint(); }
    [[nodiscard]] QSize minimumSizeHint() const override {
        constexpr int least_lines = 8;
        return {widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width(),
                least_lines * fontMetrics().height()};
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QScrollArea::resizeEvent(event);
        fit();
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        const bool is_handled = QScrollArea::eventFilter(watched, event);
        if (watched == widget() && event->type() == QEvent::LayoutRequest) {
            updateGeometry();
            fit();
        }
        return is_handled;
    }

private:
    void fit() {
        const QLayout& column = *widget()->layout();
        const QSize room = viewport()->size();
        const int needed = column.hasHeightForWidth() ? column.totalMinimumHeightForWidth(room.width())
                                                      : column.totalMinimumSize().height();
        widget()->resize(room.width(), std::max(room.height(), needed));
    }
};

} // namespace sparsight
