// The view inside a DataTable: it selects rows, not cells, shows a text where there are none, divides its
// width among the columns, and paints the cells.
#pragma once

#include <QStyledItemDelegate>
#include <QTableView>
#include <vector>

namespace sparsight {

struct ColumnNeed {
    int wanted = 0;          ///< shows the whole contents
    int least = 0;           ///< narrower is not readable; for numbers equal to `wanted`
    bool takes_rest = false; ///< the first such column takes the remaining width
};

/// Where the width is too small, the widest columns that can shrink become equally wide first. The sum
/// exceeds `room` only where every column is as narrow as it can be.
[[nodiscard]] std::vector<int> fitted_widths(const std::vector<ColumnNeed>& columns, int room);

/// Where columns leave the view, those that are seen take all of it, so that none is cut at its edge: the
/// name has what is left. Where it is not seen, nothing changes.
[[nodiscard]] std::vector<int> without_cut_column(std::vector<int> widths, int room, std::size_t name);

/// Paints cells: numbers at the right, thumbnails in a frame, a hairline below each row.
class TableDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void set_thumbnail_side(int side) { thumbnail_side_ = side; }
    [[nodiscard]] int thumbnail_side() const { return thumbnail_side_; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& cell) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& cell) const override;
    /// Shows the full text of a cell that is cut off.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& cell) override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& cell) const override;

private:
    int thumbnail_side_ = 0;
};

class TableHeader;

class TableView : public QTableView {
    Q_OBJECT
public:
    explicit TableView(QWidget* parent = nullptr);

    void set_empty_text(const QString& text);
    [[nodiscard]] QString empty_text() const { return empty_text_; }

    /// Sets widths that show the contents, and keeps them fitted when the table becomes wider until the user
    /// drags one. Where there is little room, titles take two lines.
    void fit_columns();
    /// It takes the room that is left, in the place of the first column of texts.
    void set_wide_column(int column);
    /// Its texts tell the rows apart: where there is little room, columns behind it leave the view before it
    /// cuts them, and none stands at the edge in part. They are reached by scrolling.
    void set_name_column(int column);
    /// Whether a shown number is wider than its column.
    [[nodiscard]] bool cuts_numbers() const;
    [[nodiscard]] bool columns_are_fitted() const { return fitted_; }

protected:
    void focusInEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] bool holds_texts(int column) const;
    [[nodiscard]] int least_width(int column) const;
    [[nodiscard]] int wanted_width(int column) const;
    [[nodiscard]] std::vector<ColumnNeed> needs_of(const std::vector<int>& columns) const;
    void paint_focus();

    TableHeader* header_;
    QString empty_text_;
    int wide_column_ = -1;
    int name_column_ = -1;
    bool fitting_ = false;
    bool fitted_ = false;
};

} // namespace sparsight
