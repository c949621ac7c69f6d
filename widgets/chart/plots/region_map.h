// A map that shows which owner each cell of a plane belongs to. A click or the arrow keys move to another
// cell; a click on an owner in the list picks that owner.
#pragma once

#include "widgets/chart/plots/cell_map.h"
#include "widgets/chart/plots/region_picture.h"

namespace sparsight {

/// The owner of the selected key is emphasised.
class RegionMap : public CellMap {
    Q_OBJECT

public:
    explicit RegionMap(QWidget* parent = nullptr);

    void set_picture(RegionPicture picture);
    [[nodiscard]] const RegionPicture& picture() const { return picture_; }
    /// Moves only the mark of the current position.
    void set_here(const std::optional<QPointF>& here);
    /// A stale map is drawn paler until a new picture comes.
    void set_stale(bool stale);

    [[nodiscard]] QPointF place_of_owner(std::size_t owner) const;
    [[nodiscard]] QString tooltip_of(const MapCell& cell) const override;
    [[nodiscard]] ExportedPicture exported() const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void went(double x, double y); ///< values of the cell
    void picked(const QString& key);

protected:
    [[nodiscard]] MapCell counts() const override;
    [[nodiscard]] QRectF box_of(const MapCell& cell) const override { return scene().cell(cell); }
    [[nodiscard]] std::optional<MapCell> cell_at(const QPointF& place) const override;
    [[nodiscard]] std::optional<MapCell> here() const override;
    void draw(QPainter& painter, const Theme& theme) const override;
    void go(const MapCell& cell) override;
    [[nodiscard]] bool is_clickable(const QPointF& place) const override;
    void click_beside(const QPointF& place) override;
    void drag_to(const MapCell& cell) override { go(cell); }

private:
    [[nodiscard]] RegionScene scene() const;

    RegionPicture picture_;
    bool is_stale_ = false;
};

} // namespace sparsight
