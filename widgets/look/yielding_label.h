// A short text that is left out where there is no room for it, instead of lying over its neighbours.
#pragma once

#include <QLabel>

namespace sparsight {

class YieldingLabel : public QLabel {
public:
    using QLabel::QLabel;

    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }
    [[nodiscard]] bool has_room() const { return width() >= sizeHint().width(); }

protected:
    void paintEvent(QPaintEvent* event) override {
        if (has_room())
            QLabel::paintEvent(event);
    }
};

} // namespace sparsight
