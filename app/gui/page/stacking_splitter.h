// Parts of a page one above the other, or side by side where there is too little height for that.
#pragma once

#include <QSplitter>
#include <algorithm>
#include <utility>

namespace sparsight {

class StackingSplitter : public QSplitter {
public:
    /// Below `least_height` the parts stand side by side, but for a splitter narrower than `least_width`:
    /// that needs the height of both, and the page scrolls.
    explicit StackingSplitter(int least_height, QWidget* parent = nullptr, int least_width = 0)
        : QSplitter(Qt::Vertical, parent)
        , least_height_(least_height)
        , least_width_(least_width) {}

    /// As high as the highest part: the splitter stacks no parts that have no room.
    [[nodiscard]] QSize minimumSizeHint() const override {
        int highest = 0;
        int all = 0;
        for (int part = 0; part < count(); ++part) {
            if (widget(part)->isHidden())
                continue;
            const int least =
                std::max(widget(part)->minimumSizeHint().height(), widget(part)->minimumHeight());
            highest = std::max(highest, least);
            all += least + (all > 0 ? handleWidth() : 0);
        }
        return {QSplitter::minimumSizeHint().width(), is_narrow_ ? all : highest};
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        const bool is_narrow = width() < least_width_;
        if (std::exchange(is_narrow_, is_narrow) != is_narrow)
            updateGeometry();
        const Qt::Orientation wanted = height() < least_height_ && !is_narrow ? Qt::Horizontal : Qt::Vertical;
        if (wanted != orientation()) {
            const QList<int> shares = sizes();
            setOrientation(wanted);
            setSizes(shares);
        }
        QSplitter::resizeEvent(event);
    }

private:
    int least_height_;
    int least_width_;
    bool is_narrow_ = false;
};

} // namespace sparsight
