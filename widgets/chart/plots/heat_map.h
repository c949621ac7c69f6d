// A matrix as coloured cells. A click or the arrow keys go to a cell.
#pragma once

#include "widgets/chart/plots/cell_map.h"
#include "widgets/chart/plots/heat_picture.h"

namespace sparsight {

/// The row of the selected key is framed, and its names are bold.
class HeatMap : public CellMap {
    Q_OBJECT

public:
    explicit HeatMap(QWidget* parent = nullptr);

    void set_picture(HeatPicture picture);
    [[nodiscard]] const HeatPicture& picture() const { return picture_; }

    /// Puts a ring on a cell of the picture.
    void set_marked(const std::optional<MapCell>& cell);
    [[nodiscard]] const std::optional<MapCell>& marked() const { return marked_; }

    [[nodiscard]] QString tooltip_of(const MapCell& cell) const override;
    [[nodiscard]] ExportedPicture exported() const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void went(const QString& row, const QString& column); ///< keys of the cell

protected:
    [[nodiscard]] MapCell counts() const override;
    [[nodiscard]] QRectF box_of(const MapCell& cell) const override { return laid_out().cell(cell); }
    [[nodiscard]] std::optional<MapCell> cell_at(const QPointF& place) const override;
    [[nodiscard]] std::optional<MapCell> here() const override { return here_; }
    void draw(QPainter& painter, const Theme& theme) const override;
    void go(const MapCell& cell) override;

private:
    [[nodiscard]] HeatLayout laid_out() const;

    HeatPicture picture_;
    std::optional<MapCell> here_;
    std::optional<MapCell> marked_;
};

} // namespace sparsight
