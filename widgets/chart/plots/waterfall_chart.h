// How one time became another one, decision by decision. Clicking or the arrow keys pick a bar; Ctrl with the
// wheel, or + and −, zoom, dragging moves, a double click shows all again.
#pragma once

#include "widgets/chart/plot_parts.h"
#include "widgets/chart/plots/waterfall_picture.h"

#include <QWidget>

class QMenu;

namespace sparsight {

class PlotMenuButton;
struct ExportedPicture;

class WaterfallChart : public QWidget {
    Q_OBJECT

public:
    explicit WaterfallChart(QWidget* parent = nullptr);

    void set_picture(WaterfallPicture picture);
    [[nodiscard]] const WaterfallPicture& picture() const { return picture_; }
    void set_selected(const QString& key); ///< an empty one selects nothing
    [[nodiscard]] const QString& selected() const { return selected_; }
    void set_empty_text(const QString& text);

    [[nodiscard]] bool is_zoomed() const { return scale_ != whole_scale(picture_); }
    void reset_zoom();
    /// The middle of a row's label, in pixels.
    [[nodiscard]] QPointF place_of(std::size_t row) const;
    [[nodiscard]] QString tooltip_of(std::size_t row) const;
    [[nodiscard]] ExportedPicture exported() const; ///< unzoomed, in light colours

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void picked(const QString& key);

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
    [[nodiscard]] WaterfallLayout laid_out() const;
    void light(const std::optional<std::size_t>& row);
    void pick(std::size_t row);
    void set_scale(const ChartScale& scale);
    void describe();
    void fill_menu(QMenu& menu);

    WaterfallPicture picture_;
    ChartScale scale_{};
    QString selected_;
    QString empty_text_;
    std::optional<std::size_t> lit_;
    PlotMenuButton* tools_;
    AxisHandling axis_;
};

} // namespace sparsight
