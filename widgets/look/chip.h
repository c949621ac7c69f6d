// A short word in a rounded field, with a dot in the colour of what it stands for: a machine, a family, a
// state.
#pragma once

#include <QAbstractButton>
#include <optional>

namespace sparsight {

class Chip : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(const QString& text = {}, QWidget* parent = nullptr);

    void set_colour(const std::optional<QColor>& colour); ///< of the dot; none without one
    void set_clickable(bool clickable);                   ///< takes the focus and lights up under the mouse
    void set_hatched(bool hatched);                       ///< "sim", "pred": never mistaken for measured

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<QColor> colour_;
    bool clickable_ = false;
    bool hatched_ = false;
};

} // namespace sparsight
