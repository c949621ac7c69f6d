// Parts of a page one above the other, or side by side where there is too little height for that.
#pragma once

#include <QSplitter>
#include <algorithm>
#include <cstdint>

namespace sparsight {

class StackingSplitter : public QSplitter {
public:
    enum class Shares : std::uint8_t {
        Kept,
        Swapped, ///< side by side the last part has the share that the first one has above it
    };

    /// Below `least_height` the parts stand side by side.
    explicit StackingSplitter(int least_height, QWidget* parent = nullptr, Shares shares = Shares::Kept)
        : QSplitter(Qt::Vertical, parent)
        , least_height_(least_height)
        , shares_(shares) {}

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
            QList<int> shares = sizes();
            if (shares_ == Shares::Swapped)
                std::ranges::reverse(shares);
            setOrientation(wanted);
            setSizes(shares);
        }
        QSplitter::resizeEvent(event);
    }

private:
    int least_height_;
    Shares shares_;
};

} // namespace sparsight
