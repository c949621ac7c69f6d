// A map of cells: what its kinds share of mouse, keys, menu, tooltip and emphasis. A kind says what it draws,
// where its cells are, and what going to one means.
#pragma once

#include "widgets/chart/plot_parts.h"

#include <QWidget>
#include <optional>

namespace sparsight {

class PlotMenuButton;
struct ExportedPicture;
struct Theme;

/// A click, or the arrow keys, go to a cell.
class CellMap : public QWidget {
    Q_OBJECT

public:
    /// The key of what is emphasised, a row or an owner; an empty key selects nothing.
    void set_selected(const QString& key);
    [[nodiscard]] const QString& selected() const { return selected_; }
    void set_empty_text(const QString& text);

    /// The centre of a cell, in pixels.
    [[nodiscard]] QPointF place_of(const MapCell& cell) const { return box_of(cell).center(); }
    [[nodiscard]] virtual QString tooltip_of(const MapCell& cell) const = 0;
    [[nodiscard]] virtual ExportedPicture exported() const = 0; ///< in light colours

protected:
    enum class Rows { Downwards, Upwards }; ///< where the row behind the first one lies

    CellMap(const QString& name, Rows rows, QWidget* parent);

    /// Call it when the picture is another one.
    void picture_changed();
    /// What the map leaves free in its corner.
    [[nodiscard]] QSizeF room_of_tools() const;
    [[nodiscard]] const std::optional<MapCell>& lit() const { return lit_; } ///< under the mouse

    /// How many columns and rows there are; 0 and 0 in an empty map.
    [[nodiscard]] virtual MapCell counts() const = 0;
    [[nodiscard]] virtual QRectF box_of(const MapCell& cell) const = 0;
    [[nodiscard]] virtual std::optional<MapCell> cell_at(const QPointF& place) const = 0;
    /// Where the keys go from; nothing until they are used.
    [[nodiscard]] virtual std::optional<MapCell> here() const = 0;
    virtual void draw(QPainter& painter, const Theme& theme) const = 0;
    virtual void go(const MapCell& cell) = 0;
    /// Whether something beside the cells can be clicked.
    [[nodiscard]] virtual bool is_clickable(const QPointF& /*place*/) const { return false; }
    virtual void click_beside(const QPointF& /*place*/) {}
    /// The mouse was moved to another cell with its button pressed.
    virtual void drag_to(const MapCell& /*cell*/) {}

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] bool is_empty() const { return counts() == MapCell(); }
    void step(int columns, int rows);

    Rows rows_;
    QString selected_;
    QString empty_text_;
    std::optional<MapCell> lit_;
    PlotMenuButton* tools_;
};

} // namespace sparsight
