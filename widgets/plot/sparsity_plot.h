// The sparsity plot: the widget that shows the pattern of a matrix and lets the user zoom, pan and export it.
#pragma once

#include "widgets/plot/pattern_source.h"
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

/// The wheel zooms at the cursor, a drag pans, Shift+drag or a drag with the right button zooms into a box, a
/// double click or Home shows the whole matrix; + − and the arrow keys zoom and pan, too. A thread of the
/// plot queries the source. Until the answer arrives, the last picture is moved and scaled, so that painting
/// never waits.
class SparsityPlot : public QWidget {
    Q_OBJECT

public:
    explicit SparsityPlot(QWidget* parent = nullptr);
    ~SparsityPlot() override;

    /// Shows the whole matrix; nullptr for none. Removes an error.
    void set_source(std::shared_ptr<const PatternSource> source);
    /// The matrix's name, for exported files.
    void set_title(const QString& title);
    /// What to do while there is no matrix. The title says why there is none; empty: none is selected.
    void set_hint(const QString& hint, const QString& title = {});
    /// What the plot waits for; empty: nothing.
    void set_busy(const QString& text);
    /// An error shown in place of the matrix; empty: none.
    void set_error(const QString& text);

    [[nodiscard]] const QString& error() const { return error_; }

    /// Lines after every `rows` rows and `cols` columns; 0 for none. Shown where tiles are large enough to be
    /// visible; otherwise the note says that they are not.
    void set_tile_guides(std::int64_t rows, std::int64_t cols);
    /// Text below the matrix, shown while there is no note about the guides.
    void set_note(const QString& note);
    [[nodiscard]] QString note() const;
    void set_overlay(std::vector<PlotOverlayRect> overlay);

    /// The visible rows and columns; empty without a matrix.
    [[nodiscard]] PatternArea current_area() const;
    /// Shows the area, and as much around it as the aspect ratio requires.
    void show_area(const PatternArea& area);
    void show_whole();
    void zoom(double factor);

    [[nodiscard]] bool equal_aspect() const { return view_.equal_aspect(); }
    /// Set anew for each source, see PlotView::suits_equal_aspect.
    void set_equal_aspect(bool equal_aspect);

    [[nodiscard]] const PlotView& view() const { return view_; }
    /// The area of the matrix, in the widget's coordinates.
    [[nodiscard]] QRectF viewport() const { return layout_.viewport; }
    /// Whether the fine picture of the current view is shown; of a matrix without rows or columns there is
    /// none to wait for.
    [[nodiscard]] bool picture_is_current() const {
        return is_of_nothing() || (picture_ != nullptr && shown_request_ == asked_request_);
    }
    /// The text of the chip below the plot; empty while the cursor is elsewhere.
    [[nodiscard]] QString readout() const { return readout_; }

    /// Copy image, save as PNG, SVG, CSV.
    [[nodiscard]] QList<QAction*> export_actions() const { return export_actions_; }
    /// Whole matrix, zoom in, zoom out, stretch.
    [[nodiscard]] QList<QAction*> view_actions() const { return view_actions_; }
    void copy_image();
    /// Writes in the background, then emits exported_to or export_failed.
    void export_to(const QString& path, PlotFileFormat format);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The row and column under the cursor (the first ones of a pixel that covers several) and the number of
    /// entries in that pixel or cell.
    void hovered(qint64 row, qint64 col, qint64 count);
    void hover_ended();
    void area_changed(const sparsight::PatternArea& area);
    /// The fine picture of the current view is shown.
    void picture_shown();
    void exported_to(const QString& path);
    void export_failed(const QString& reason);

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
    void place_buttons();
    void view_changed();
    void ask_for_picture();
    [[nodiscard]] bool picture_fits_screen() const;
    void ask_for_backdrop();
    void ask_for_readout();
    /// Shows the error of the source, unless another matrix is shown by then.
    [[nodiscard]] PlotWorker::Failure failure_of_source();
    void post_picture(PlotWorker::Lane lane, const PictureRequest& request, quint64 number);
    void take_picture(std::shared_ptr<const PlotPicture> picture, quint64 number);
    void update_actions();
    void end_hover();
    /// Whether the matrix has no rows or no columns.
    [[nodiscard]] bool is_of_nothing() const;
    [[nodiscard]] bool shows_matrix() const { return source_ != nullptr && error_.isEmpty(); }
    [[nodiscard]] QPointF in_viewport(QPointF widget) const { return widget - layout_.viewport.topLeft(); }

    // sparsity_plot_input.cpp
    template <typename Change>
    void change_view(const Change& change);
    void finish_box(bool accept);
    void leave_matrix();
    void update_cursor();

    // sparsity_plot_input.cpp
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
    std::optional<PatternArea> wanted_area_; ///< requested before the plot had its size on the screen
    PatternArea announced_area_;

    std::shared_ptr<const PlotPicture> picture_;
    std::shared_ptr<const PlotPicture> backdrop_;
    quint64 asked_request_ = 0;
    quint64 shown_request_ = 0; ///< the newest request whose fine picture has arrived
    quint64 source_number_ = 0; ///< answers about earlier sources are dropped
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
    QAction* stretch_action_ = nullptr;
    QToolButton* menu_button_ = nullptr;
    QToolButton* stretch_button_ = nullptr; ///< beside it, for a matrix that leaves much of the plot empty
    QToolButton* whole_button_ = nullptr;   ///< beside menu_button_, while only a part is shown
    PlotWorker worker_;                     // last: its thread ends first
};

} // namespace sparsight
