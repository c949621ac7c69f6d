// How the columns of a table share its width.
#pragma once

#include <QStyledItemDelegate>
#include <QTableView>
#include <vector>

namespace sparsight {

struct ColumnNeed {
    int wanted = 0;          ///< shows all that is in it
    int least = 0;           ///< below that it is no longer readable; numbers cannot give anything away
    bool takes_rest = false; ///< the first one of these takes the room that is left
};

/// Where there is not enough room, the widest of those that can give way become equally wide first. The sum
/// exceeds the room only where every column has become as narrow as it can be.
[[nodiscard]] std::vector<int> fitted_widths(const std::vector<ColumnNeed>& columns, int room);

// Cells: numbers to the right, thumbnails in a frame, a hairline under each row.

class TableDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void set_thumbnail_side(int side) { thumbnail_side_ = side; }
    [[nodiscard]] int thumbnail_side() const { return thumbnail_side_; }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& cell) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& cell) const override;
    /// Texts that are cut off are told in full.
    bool helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                   const QModelIndex& cell) override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& cell) const override;

private:
    int thumbnail_side_ = 0;
};

// The view inside a DataTable: rows, not cells, and a text where there are none.

class TableView : public QTableView {
    Q_OBJECT
public:
    explicit TableView(QWidget* parent = nullptr);

    void set_empty_text(const QString& text);
    [[nodiscard]] QString empty_text() const { return empty_text_; }

    /// Widths that show what is there, kept up when the table becomes wider until the user drags one.
    void fit_columns();
    /// Whether a number that is shown has become longer than its column is wide.
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
    void paint_focus();

    QString empty_text_;
    bool fitting_ = false;
    bool fitted_ = false;
};

} // namespace sparsight
