// Parallel coordinates under the hand. Dragging along an axis, or a click on one of its values, brushes it:
// only the lines that pass all brushes keep their colours. A click on a line between the axes picks it.
// Keys: the arrows go over axes and values, Space brushes a value, Shift with the arrows extends the brush,
// Delete removes it, Escape removes all; Page Up and Page Down pick the next better and the next worse line.
#pragma once

#include "widgets/chart/parallel/parallel_picture.h"

#include <QHash>
#include <QPixmap>
#include <QWidget>

class QMenu;

namespace sparsight {

class PlotMenuButton;
struct ExportedPicture;

class ParallelPlot : public QWidget {
    Q_OBJECT

public:
    explicit ParallelPlot(QWidget* parent = nullptr);

    /// Brushes stay where the axes are the same.
    void set_picture(ParallelPicture picture);
    [[nodiscard]] const ParallelPicture& picture() const { return picture_; }
    /// An empty key selects nothing.
    void set_selected(const QString& key);
    [[nodiscard]] QString selected() const;
    void set_empty_text(const QString& text);

    [[nodiscard]] const ParallelBrushes& brushes() const { return brushes_; }
    void set_brush(std::size_t axis, const std::optional<ParallelBrush>& brush);
    void clear_brushes();
    /// The lines that the brushes leave, the best first.
    [[nodiscard]] const std::vector<std::size_t>& fitting() const { return fitting_; }

    // In pixels.
    [[nodiscard]] QPointF place_of(std::size_t axis, std::size_t line) const;
    [[nodiscard]] QPointF place_of_value(std::size_t axis, std::size_t value) const;
    /// Half way between an axis and the next one.
    [[nodiscard]] QPointF place_between(std::size_t axis, std::size_t line) const;
    [[nodiscard]] QString tooltip_at(const QPointF& place) const;
    [[nodiscard]] ExportedPicture exported() const; ///< in light colours, with its brushes
    /// Whether the lines are drawn smoothly. Of many a draft is shown first.
    [[nodiscard]] bool is_settled() const { return !is_draft_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void picked(const QString& key);
    void brushes_changed();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] ParallelLayout laid_out() const;
    [[nodiscard]] ParallelLook look() const;
    [[nodiscard]] QString tooltip_of_value(std::size_t axis, std::size_t value) const;
    void fill_menu(QMenu& menu);
    void brushes_are_others();
    void forget_lines();
    void paint_lines();
    void ask_for_smooth_lines();
    void light(const std::optional<std::size_t>& line);
    [[nodiscard]] bool is_dragging() const { return press_ && press_->axis && press_->brushes; }
    void drag_brush(const QPointF& to);
    void click(const QPointF& place);
    void pick(std::size_t line);
    void pick_next(int step);
    void go_to_axis(int step);
    void go_along_axis(int step, bool extends);
    void brush_here();
    void say_cursor();

    ParallelPicture picture_;
    QHash<QString, std::size_t> lines_;
    ParallelBrushes brushes_;
    std::vector<std::size_t> fitting_;
    std::vector<std::size_t> drawn_;
    std::optional<std::size_t> selected_;
    std::optional<std::size_t> lit_;
    std::optional<ParallelCursor> cursor_;
    double anchor_ = 0; ///< where a brush of the keys began
    QString empty_text_;
    QPixmap painted_;       ///< the lines; null when they are others
    bool is_draft_ = false; ///< `painted_`, until the smooth picture is done
    quint64 wanted_ = 0;    ///< number of the smooth picture that was asked for last
    struct Press {
        QPointF place;
        std::optional<std::size_t> axis;
        bool brushes = false;
    };
    std::optional<Press> press_;
    PlotMenuButton* tools_;
};

} // namespace sparsight
