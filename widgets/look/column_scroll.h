// A column of a page, or a splitter, that scrolls where it needs more height than there is, and fills the
// height otherwise.
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
        const QSize room = viewport()->size();
        widget()->resize(room.width(), std::max(room.height(), needed_height(room.width())));
    }
    [[nodiscard]] int needed_height(int width) const {
        const QLayout* const column = widget()->layout();
        if (column == nullptr) // a splitter
            return std::max(widget()->minimumHeight(), widget()->minimumSizeHint().height());
        return column->hasHeightForWidth() ? column->totalMinimumHeightForWidth(width)
                                           : column->totalMinimumSize().height();
    }
};

} // namespace sparsight
