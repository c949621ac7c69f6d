// The drawing surface of a chart: Qt Charts draws curves and points, our own items draw everything else, and
// the view handles the mouse itself because the items of Qt Charts would swallow its events.
#pragma once

#include "widgets/chart/chart_curves.h"
#include "widgets/chart/chart_painting.h"

#include <QChartView>
#include <QGraphicsItem>
#include <QPainter>
#include <functional>
#include <utility>

class QValueAxis;

namespace sparsight {

/// An item in the scene of Qt Charts that we paint ourselves.
class PaintedItem : public QGraphicsItem {
public:
    PaintedItem(QGraphicsItem* parent, double z, std::function<void(QPainter&)> paint_it)
        : QGraphicsItem(parent)
        , paint_it_(std::move(paint_it)) {
        setZValue(z);
    }

    void resize(const QRectF& rect) {
        prepareGeometryChange();
        rect_ = rect;
    }

    QRectF boundingRect() const override { return rect_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, false);
        paint_it_(*painter);
        painter->restore();
    }

private:
    std::function<void(QPainter&)> paint_it_;
    QRectF rect_;
};

class ChartView : public QChartView {
    Q_OBJECT
public:
    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    [[nodiscard]] const ChartContent& content() const { return content_; }
    /// Replaces the series. The zoom stays if the kind of chart is the same.
    void set_series(std::vector<ChartSeries> series);
    void set_axes(const ChartAxis& x, const ChartAxis& y);
    void set_title(const QString& title);
    void set_reference(const std::optional<ReferenceLine>& reference);
    void set_selected(const QVariant& key);
    void set_empty_text(const QString& text);
    void set_shown(std::size_t series, bool shown);
    void set_tools_size(const QSizeF& size);

    [[nodiscard]] const ChartLayout& chart_layout() const { return layout_; }
    [[nodiscard]] const std::optional<ChartHover>& hover() const { return hover_; }
    [[nodiscard]] bool is_zoomed() const;
    void reset_zoom();
    void zoom_to(const ChartScale& x, const ChartScale& y);
    void zoom_by(double factor); ///< about the centre

    /// Paints without the crosshair, in the colours of the theme.
    void paint(QPainter& painter, const QSize& size, const Theme& theme);
    [[nodiscard]] QSize export_size() const;

    /// For tests: the series passed to Qt Charts.
    [[nodiscard]] std::vector<const QXYSeries*> drawn_series() const { return curves_.series(); }

Q_SIGNALS:
    void picked(const QVariant& key);
    void zoom_changed();
    void legend_clicked(std::size_t series);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    enum class Drag { None, Undecided, Pan, Box };

    [[nodiscard]] ChartPicture picture() const;
    [[nodiscard]] bool zooms_vertically() const;
    void limits_changed();
    void arrange(); ///< computes the layout and everything that depends on the ranges
    void set_mouse(const std::optional<QPointF>& mouse);
    void pan_by(const QPointF& pixels);
    [[nodiscard]] std::optional<std::size_t> legend_at(const QPointF& place) const;

    ChartContent content_;
    ChartScale x_limits_;
    ChartScale y_limits_;
    ChartScale x_;
    ChartScale y_;
    ChartFonts fonts_;
    ChartLayout layout_;
    const Theme* theme_;
    QSizeF tools_;
    std::optional<ChartHover> hover_;
    std::optional<QPointF> mouse_;
    Drag drag_ = Drag::None;
    QPointF pressed_;
    QPointF dragged_;

    QValueAxis* x_axis_;
    QValueAxis* y_axis_;
    ChartCurves curves_;
    PaintedItem* grid_;
    PaintedItem* bars_;
    PaintedItem* frame_;
    PaintedItem* pointer_;
};

} // namespace sparsight
