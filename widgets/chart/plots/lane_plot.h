// Who was busy when, as lanes over time. The wheel, + and −, zoom the time; dragging and the left and right
// keys move it; 0 and a double click show all again. The bar under the mouse says what it is.
#pragma once

#include "widgets/chart/plots/axis_plot.h"
#include "widgets/chart/plots/lane_picture.h"

namespace sparsight {

class LanePlot : public AxisPlot {
    Q_OBJECT

public:
    explicit LanePlot(QWidget* parent = nullptr);

    void set_picture(LanePicture picture);
    [[nodiscard]] const LanePicture& picture() const { return picture_; }

    /// In pixels.
    [[nodiscard]] QPointF place_of(std::size_t group, std::size_t lane, double time) const;
    [[nodiscard]] QString tooltip_of(const LaneHit& hit) const;
    [[nodiscard]] ExportedPicture exported() const override; ///< as it is zoomed

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    [[nodiscard]] bool is_empty() const override { return picture_.empty(); }
    [[nodiscard]] ChartScale whole() const override { return whole_scale(picture_); }
    [[nodiscard]] QRectF axis_area() const override { return laid_out().area; }
    void draw(QPainter& painter, const Theme& theme) const override;
    [[nodiscard]] QString tooltip_at(const QPointF& place) const override;
    void light(const std::optional<QPointF>& place) override;

private:
    [[nodiscard]] LaneLayout laid_out() const;

    LanePicture picture_;
    std::optional<LaneHit> lit_;
};

} // namespace sparsight
