// Who was busy when, as lanes over time. The wheel, + and −, zoom the time; dragging and the left and right
// keys move it; 0 and a double click show all again. The bar under the mouse says what it is.
#pragma once

#include "widgets/chart/plot_parts.h"
#include "widgets/chart/plots/lane_picture.h"

#include <QWidget>

class QMenu;

namespace sparsight {

class PlotMenuButton;
struct ExportedPicture;

class LanePlot : public QWidget {
    Q_OBJECT

public:
    explicit LanePlot(QWidget* parent = nullptr);

    void set_picture(LanePicture picture);
    [[nodiscard]] const LanePicture& picture() const { return picture_; }
    void set_empty_text(const QString& text);

    [[nodiscard]] const ChartScale& shown() const { return scale_; }
    [[nodiscard]] bool is_zoomed() const { return scale_ != whole_scale(picture_); }
    void reset_zoom();
    /// In pixels.
    [[nodiscard]] QPointF place_of(std::size_t group, std::size_t lane, double time) const;
    [[nodiscard]] QString tooltip_of(const LaneHit& hit) const;
    [[nodiscard]] ExportedPicture exported() const; ///< as it is zoomed, in light colours

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
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
    [[nodiscard]] LaneLayout laid_out() const;
    void light(const std::optional<LaneHit>& hit);
    void set_scale(const ChartScale& scale);
    void fill_menu(QMenu& menu);

    LanePicture picture_;
    ChartScale scale_{};
    QString empty_text_;
    std::optional<LaneHit> lit_;
    PlotMenuButton* tools_;
    AxisHandling axis_;
};

} // namespace sparsight
