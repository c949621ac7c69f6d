// Cells: numbers to the right, thumbnails in a frame, a hairline under each row.
#pragma once

#include <QStyledItemDelegate>

namespace sparsight {

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

} // namespace sparsight
