// Parts of a page one above the other, or side by side where there is too little height for that.
#pragma once

#include <QSplitter>
#include <algorithm>

namespace sparsight {

class StackingSplitter : public QSplitter {
public:
    /// Below `least_height` the parts stand side by side.
    explicit StackingSplitter(int least_height, QWidget* parent = nullptr)
        : QSplitter(Qt::Vertical, parent)
        , least_height_(least_height) {}

    /// As high as the highest part: the splitter stacks no parts that have no room.
    [[nodiscard]] QSize minimumSizeHint() const override {
        int highest = 0;
        for (int part = 0; part < count(); ++part)
            if (!widget(part)->isHidden())
                highest = std::max(
                    {highest, widget(part)->minimumSizeHint().height(), widget(part)->minimumHeight()});
        return {QSplitter::minimumSizeHint().width(), highest};
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        const Qt::Orientation wanted = height() < least_height_ ? Qt::Horizontal : Qt::Vertical;
        if (wanted != orientation()) {
            const QList<int> shares = sizes();
            setOrientation(wanted);
            setSizes(shares);
        }
        QSplitter::resizeEvent(event);
    }

private:
    int least_height_;
};

} // namespace sparsight
