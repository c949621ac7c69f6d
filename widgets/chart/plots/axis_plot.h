// A plot along one horizontal axis that is zoomed and moved by hand: what its kinds share of mouse, wheel,
// keys, menu, tooltip and emphasis. A kind says what it draws, and what stands at a place.
#pragma once

#include "widgets/chart/plot_parts.h"

#include <QWidget>
#include <optional>

class QMenu;

namespace sparsight {

class PlotMenuButton;
struct ExportedPicture;
struct Theme;

class AxisPlot : public QWidget {
    Q_OBJECT

public:
    void set_empty_text(const QString& text);

    [[nodiscard]] const ChartScale& shown() const { return scale_; }
    [[nodiscard]] bool is_zoomed() const { return scale_ != whole(); }
    void reset_zoom();
    [[nodiscard]] virtual ExportedPicture exported() const = 0; ///< in light colours

protected:
    enum class Wheel { WithCtrl, Alone }; ///< alone: nothing around the plot scrolls

    /// `menu_name` is for screen readers.
    AxisPlot(const QString& menu_name, Wheel wheel, QWidget* parent);

    /// Call it when the picture is another one: shows all of it.
    void picture_changed();
    /// What the plot leaves free in its corner.
    [[nodiscard]] QSizeF room_of_tools() const;

    [[nodiscard]] virtual bool is_empty() const = 0;
    [[nodiscard]] virtual ChartScale whole() const = 0; ///< of the picture
    [[nodiscard]] virtual QRectF axis_area() const = 0; ///< in pixels
    virtual void draw(QPainter& painter, const Theme& theme) const = 0;
    /// Empty where nothing stands.
    [[nodiscard]] virtual QString tooltip_at(const QPointF& place) const = 0;
    /// Emphasises what stands at the place; without a place nothing.
    virtual void light(const std::optional<QPointF>& place) = 0;
    /// The mouse was pressed and released without moving the axis.
    virtual void click(const QPointF& /*pressed*/, const QPointF& /*released*/) {}

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void set_scale(const ChartScale& scale);
    void fill_menu(QMenu& menu);

    ChartScale scale_{};
    QString empty_text_;
    PlotMenuButton* tools_;
    AxisHandling axis_;
};

} // namespace sparsight
