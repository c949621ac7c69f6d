// A map that shows which owner each cell of a plane belongs to. A click or the arrow keys move to another
// cell; a click on an owner in the list picks that owner.
#pragma once

#include "widgets/chart/plots/region_picture.h"

#include <QWidget>

namespace sparsight {

class PlotMenuButton;
struct ExportedPicture;

class RegionMap : public QWidget {
    Q_OBJECT

public:
    explicit RegionMap(QWidget* parent = nullptr);

    void set_picture(RegionPicture picture);
    [[nodiscard]] const RegionPicture& picture() const { return picture_; }
    /// Moves only the mark of the current position.
    void set_here(const std::optional<QPointF>& here);
    void set_selected(const QString& key); ///< an empty key selects no owner
    void set_empty_text(const QString& text);
    /// A stale map is drawn paler until a new picture comes.
    void set_stale(bool stale);

    /// The centre of a cell, in pixels.
    [[nodiscard]] QPointF place_of(const RegionCell& cell) const;
    [[nodiscard]] QPointF place_of_owner(std::size_t owner) const;
    [[nodiscard]] QString tooltip_of(const RegionCell& cell) const;
    [[nodiscard]] ExportedPicture exported() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void went(double x, double y); ///< values of the cell
    void picked(const QString& key);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] RegionScene scene() const;
    void go(const RegionCell& cell);
    void step(int columns, int rows);

    RegionPicture picture_;
    QString selected_;
    QString empty_text_;
    std::optional<RegionCell> lit_;
    bool is_stale_ = false;
    PlotMenuButton* tools_;
};

} // namespace sparsight
