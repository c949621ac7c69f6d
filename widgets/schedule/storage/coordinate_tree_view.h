// The coordinate tree of a small part of the matrix, and below it the arrays that hold it in memory. What has
// entries is filled, padding is hollow. The mouse or the arrow keys light up a node with its path.
#pragma once

#include "widgets/schedule/storage/tree_picture.h"

#include <QAbstractScrollArea>

class QMenu;

namespace sparsight {

struct ExportedPicture;

class CoordinateTreeView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit CoordinateTreeView(QWidget* parent = nullptr);

    void set_picture(const TreePicture& picture);
    /// What stands there while there is no tree, and what to do about it.
    void set_empty_text(const QString& text);

    [[nodiscard]] std::optional<TreePlace> lit_node() const { return lit_; }
    void light(std::optional<TreePlace> place);
    /// Where a node stands now, in the viewport.
    [[nodiscard]] QRectF node_rect(TreePlace place) const;
    [[nodiscard]] ExportedPicture exported() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The part of the matrix that a node stands for is pointed at.
    void range_hovered(const MatrixRange& range);
    void hover_ended();
    void exported_to(const QString& path);
    void export_failed(const QString& reason);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void lay_out_again();
    void update_scroll_bars();
    void set_zoom(double zoom);
    void show_node(TreePlace place);
    void say_where(TreePlace place);
    [[nodiscard]] bool is_empty() const;
    [[nodiscard]] double header_height() const;
    /// From the viewport to the picture.
    [[nodiscard]] QPointF in_picture(QPointF point) const;
    [[nodiscard]] QPointF origin() const;
    /// What of the picture is in view, and its layout kept there.
    [[nodiscard]] QRectF visible() const;
    [[nodiscard]] TreeLayout shown_layout() const;
    [[nodiscard]] std::optional<TreePlace> place_at(QPointF point) const;
    [[nodiscard]] QString tooltip_at(QPoint point) const;

    TreePicture picture_;
    TreeLayout layout_;
    double captions_ = 0; ///< width of their column
    double zoom_ = 1;
    std::optional<TreePlace> lit_;
    QString empty_text_;
};

} // namespace sparsight
