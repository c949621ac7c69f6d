// How one time became another one, decision by decision. Clicking or the arrow keys pick a bar; Ctrl with the
// wheel, or + and −, zoom, dragging moves, a double click shows all again.
#pragma once

#include "widgets/chart/plots/axis_plot.h"
#include "widgets/chart/plots/waterfall_picture.h"

namespace sparsight {

class WaterfallChart : public AxisPlot {
    Q_OBJECT

public:
    explicit WaterfallChart(QWidget* parent = nullptr);

    void set_picture(WaterfallPicture picture);
    [[nodiscard]] const WaterfallPicture& picture() const { return picture_; }
    void set_selected(const QString& key); ///< an empty one selects nothing
    [[nodiscard]] const QString& selected() const { return selected_; }

    /// The middle of a row's label, in pixels.
    [[nodiscard]] QPointF place_of(std::size_t row) const;
    [[nodiscard]] QString tooltip_of(std::size_t row) const;
    [[nodiscard]] ExportedPicture exported() const override; ///< unzoomed

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void picked(const QString& key);

protected:
    [[nodiscard]] bool is_empty() const override { return picture_.empty(); }
    [[nodiscard]] ChartScale whole() const override { return whole_scale(picture_); }
    [[nodiscard]] QRectF axis_area() const override { return laid_out().area(); }
    void draw(QPainter& painter, const Theme& theme) const override;
    [[nodiscard]] QString tooltip_at(const QPointF& place) const override;
    void light(const std::optional<QPointF>& place) override;
    void click(const QPointF& pressed, const QPointF& released) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] WaterfallLayout laid_out() const;
    void pick(std::size_t row);
    void describe();

    WaterfallPicture picture_;
    QString selected_;
    std::optional<std::size_t> lit_;
};

} // namespace sparsight
