// The pattern of a matrix as a picture that one can walk through.
#pragma once

#include "widgets/plot/pattern_source.h"
#include "widgets/plot/plot_export.h"
#include "widgets/plot/plot_picture.h"
#include "widgets/plot/plot_scene.h"

#include <QElapsedTimer>
#include <QList>
#include <QPoint>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

class QAction;
class QToolButton;

namespace sparsight {

/// Wheel zooms at the cursor, a drag pans, Shift+drag or a drag with the right button zooms into a box,
/// double click or Home shows the whole matrix; + − and the arrows do the same by keyboard.
///
/// The source is asked on a thread of the plot. Until the answer is there, the last picture is moved and
/// scaled, so that painting never waits.
class SparsityPlot : public QWidget {
    Q_OBJECT

public:
    explicit SparsityPlot(QWidget* parent = nullptr);
    ~SparsityPlot() override;

    /// Shows the whole matrix; nullptr for none. Takes away an error.
    void set_source(std::shared_ptr<const PatternSource> source);
    /// The matrix's name, for exported files.
    void set_title(const QString& title);
    /// What to do when there is no matrix. The title says why there is none, where it is not that none is
    /// selected.
    void set_hint(const QString& hint, const QString& title = {});
    /// What is being waited for; empty when nothing is.
    void set_busy(const QString& text);
    /// Shown in place of the matrix; empty for none.
    void set_error(const QString& text);

    [[nodiscard]] const QString& error() const { return error_; }

    /// A line every so many rows and columns; 0 for none. Shown where tiles are large enough to be seen;
    /// otherwise the note says so.
    void set_tile_guides(std::int64_t rows, std::int64_t cols);
    /// Stands below the matrix while there is nothing to say about the guides.
    void set_note(const QString& note);
    [[nodiscard]] QString note() const;
    void set_overlay(std::vector<PlotOverlayRect> overlay);

    /// Rows and columns that are visible, empty without a matrix.
    [[nodiscard]] PatternArea current_area() const;
    /// As much more is shown as the aspect asks for.
    void show_area(const PatternArea& area);
    void show_whole();
    void zoom(double factor);

    [[nodiscard]] bool equal_aspect() const { return view_.equal_aspect(); }
    /// Chosen anew for each source, see PlotView::suits_equal_aspect.
    void set_equal_aspect(bool equal_aspect);

    [[nodiscard]] const PlotView& view() const { return view_; }
    /// Where the matrix is painted, in the widget's coordinates.
    [[nodiscard]] QRectF viewport() const { return layout_.viewport; }
    /// Whether the fine picture of what is shown now is there.
    [[nodiscard]] bool picture_is_current() const {
        return picture_ != nullptr && shown_request_ == asked_request_;
    }
    /// What the chip under the plot says; empty while the cursor is elsewhere.
    [[nodiscard]] QString readout() const { return readout_; }

    /// Copy image, save as PNG, SVG, CSV.
    [[nodiscard]] QList<QAction*> export_actions() const { return export_actions_; }
    /// Whole matrix, zoom in, zoom out, square cells.
    [[nodiscard]] QList<QAction*> view_actions() const { return view_actions_; }
    void copy_image();
    /// Written in the background; then exported or export_failed.
    void export_to(const QString& path, PlotFileFormat format);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The row and column under the cursor (the first ones of a pixel that covers several) and the number of
    /// entries in that pixel or cell.
    void hovered(qint64 row, qint64 col, qint64 count);
    void hover_ended();
    void area_changed(const sparsight::PatternArea& area);
    /// The fine picture for what is shown now is there.
    void picture_shown();
    void exported(const QString& path);
    void export_failed(const QString& path, const QString& reason);

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    enum class Gesture { None, Pan, Box };

    // sparsity_plot.cpp
    void lay_out();
    void view_changed();
    void ask_for_picture();
    [[nodiscard]] bool picture_fits_screen() const;
    void ask_for_backdrop();
    void ask_for_readout();
    /// Shows what went wrong, unless another matrix is shown by then.
    [[nodiscard]] PlotWorker::Failure failure_of_source();
    void post_picture(PlotWorker::Lane lane, const PictureRequest& request, quint64 number);
    void take_picture(std::shared_ptr<const PlotPicture> picture, quint64 number);
    void update_actions();
    void end_hover();
    [[nodiscard]] bool shows_matrix() const { return source_ != nullptr && error_.isEmpty(); }
    [[nodiscard]] QPointF in_viewport(QPointF widget) const { return widget - layout_.viewport.topLeft(); }

    // sparsity_plot_input.cpp
    template <typename Change>
    void change_view(const Change& change);
    void finish_box(bool accept);
    void leave_matrix();
    void update_cursor();

    // sparsity_plot_actions.cpp
    void make_actions();
    void save_as(PlotFileFormat format);
    void show_way_back();
    void show_menu(QPoint global);
    [[nodiscard]] PlotExport export_of() const;

    // sparsity_plot_painting.cpp
    [[nodiscard]] PlotScene scene() const;
    void paint_message(QPainter& painter) const;
    void paint_chip(QPainter& painter, const PlotScene& now) const;
    void paint_note(QPainter& painter) const;
    void paint_box(QPainter& painter) const;
    void paint_busy(QPainter& painter) const;

    std::shared_ptr<const PatternSource> source_;
    QString title_;
    QString hint_;
    QString hint_title_;
    QString note_;
    QString busy_;
    QString error_;
    PlotView view_;
    PlotLayout layout_;
    TileGuides guides_;
    std::vector<PlotOverlayRect> overlay_;
    std::optional<PatternArea> wanted_area_; ///< asked for before the plot had its size on the screen
    PatternArea announced_area_;

    std::shared_ptr<const PlotPicture> picture_;
    std::shared_ptr<const PlotPicture> backdrop_;
    quint64 asked_request_ = 0;
    quint64 shown_request_ = 0; ///< the newest whose fine picture is there
    quint64 source_number_ = 0; ///< answers about an earlier source are dropped
    QElapsedTimer asked_at_;
    PictureRequest asked_;

    Gesture gesture_ = Gesture::None;
    Qt::MouseButton gesture_button_ = Qt::NoButton;
    QPointF gesture_start_;
    QPointF gesture_at_;
    std::optional<QPointF> cursor_; ///< within the viewport
    std::optional<PatternArea> hovered_area_;
    QString readout_;
    bool focus_by_key_ = false;

    QTimer busy_timer_;
    QElapsedTimer busy_since_;
    QList<QAction*> export_actions_;
    QList<QAction*> view_actions_;
    QAction* equal_aspect_action_ = nullptr;
    QToolButton* menu_button_ = nullptr;
    QToolButton* whole_button_ = nullptr; ///< beside it, while only a part is shown
    PlotWorker worker_;                   // last: its thread ends first
};

} // namespace sparsight
