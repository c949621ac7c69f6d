// A line that gives way: a long text, or one of several lines, is cut off at its end instead of making the
// window wider or higher.
#pragma once

#include <QLabel>
#include <QPainter>

namespace sparsight {

class ElidedLabel : public QLabel {
public:
    explicit ElidedLabel(QWidget* parent = nullptr)
        : QLabel(parent) {
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    }

    [[nodiscard]] QSize minimumSizeHint() const override {
        return {fontMetrics().averageCharWidth() * 6, fontMetrics().height()};
    }
    [[nodiscard]] QSize sizeHint() const override {
        return {fontMetrics().horizontalAdvance(text().simplified()) + 1, fontMetrics().height()};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(palette().color(foregroundRole()));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(text().simplified(), Qt::ElideRight, width()));
    }
};

} // namespace sparsight
