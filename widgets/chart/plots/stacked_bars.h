// A ranking by a sum of parts: horizontal stacked bars that move to their new places when the numbers change.
// Clicking or the up and down keys pick one; what does not fit scrolls. Ctrl with the wheel, or + and −, zoom
// the axis, dragging and the left and right keys move it, a double click shows all again.
#pragma once

#include "widgets/chart/plot_parts.h"
#include "widgets/chart/plots/stacked_picture.h"

#include <QAbstractScrollArea>
#include <QVariantAnimation>

class QMenu;

namespace sparsight {

class PlotMenuButton;
struct ExportedPicture;

class StackedBars : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit StackedBars(QWidget* parent = nullptr);

    /// Moves there, unless the style moves nothing or `at_once`.
    void set_picture(StackedPicture picture, bool at_once = false);
    [[nodiscard]] const StackedPicture& picture() const { return picture_; }
    void set_selected(const QString& key); ///< an empty one selects nothing
    [[nodiscard]] const QString& selected() const { return selected_; }
    void set_empty_text(const QString& text);

    [[nodiscard]] bool is_zoomed() const { return zoom_.has_value(); }
    /// Where the axis begins and ends, at rest.
    [[nodiscard]] ChartScale axis() const { return {false, target_.start, target_.limit}; }
    void reset_zoom();

    [[nodiscard]] bool is_moving() const { return motion_.state() == QAbstractAnimation::Running; }
    /// The middle of a bar's row, in pixels of the viewport, at rest.
    [[nodiscard]] QPointF place_of(std::size_t bar) const;
    [[nodiscard]] QString tooltip_of(StackedPlace place) const;
    /// All bars, in light colours.
    [[nodiscard]] ExportedPicture exported() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void picked(const QString& key);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] StackedLayout laid_out() const;
    void light(const std::optional<StackedPlace>& place);
    void pick(std::size_t bar);
    void describe();
    void set_axis(const ChartScale& scale);
    void fit_scroll_bar();
    void fill_menu(QMenu& menu);

    StackedPicture picture_;
    StackedPose from_;
    StackedPose shown_;
    StackedPose target_;
    QVariantAnimation motion_;
    std::optional<ChartScale> zoom_;
    QString selected_;
    QString empty_text_;
    std::optional<StackedPlace> lit_;
    PlotMenuButton* tools_;
    AxisHandling axis_;
};

} // namespace sparsight
