// A walk through a graph of schedules, drawn on the plane along which they differ most. Wheel zooms at the
// cursor, dragging moves, a double click shows everything; + − 0 and the arrow keys do the same.
#pragma once

#include "widgets/chart/plots/walk_picture.h"

#include <QWidget>

class QMenu;

namespace sparsight {

class PlotMenuButton;
struct ExportedPicture;

class WalkPlot : public QWidget {
    Q_OBJECT
public:
    explicit WalkPlot(QWidget* parent = nullptr);

    /// Shows all of it, unless it is the one that is shown already.
    void set_picture(WalkPicture picture);
    [[nodiscard]] const WalkPicture& picture() const { return picture_; }
    void set_selected(const QVariant& key); ///< an invalid one selects nothing
    [[nodiscard]] QVariant selected() const { return selected_; }
    /// What stands there while there is nothing to draw.
    void set_empty_text(const QString& text);

    void reset_zoom();
    [[nodiscard]] bool is_zoomed() const;
    /// Where a node stands now, in pixels.
    [[nodiscard]] QPointF place_of(std::size_t node) const;
    [[nodiscard]] std::optional<std::size_t> hovered() const { return hovered_; }
    /// By the ending: .png, .svg or .csv.
    [[nodiscard]] ExportedPicture exported() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void picked(const QVariant& key);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] WalkScene scene() const;
    [[nodiscard]] bool is_empty() const { return picture_.nodes.empty(); }
    [[nodiscard]] std::optional<std::size_t> selected_node() const;
    void hover(const std::optional<QPointF>& mouse);
    void pan_by(const QPointF& pixels);
    void zoom_at(const QPointF& place, double factor);
    void fill_menu(QMenu& menu);

    WalkPicture picture_;
    ScoreColours colours_;
    std::vector<std::size_t> path_;
    WalkView whole_;
    WalkView view_;
    QVariant selected_;
    QString empty_text_;
    std::optional<QPointF> mouse_;
    std::optional<std::size_t> hovered_;
    QPointF pressed_;
    QPointF dragged_;
    bool is_pressed_ = false;
    bool is_panning_ = false;
    PlotMenuButton* tools_;
};

} // namespace sparsight
