// One line of the help's contents: a group's heading, a page, or what was found with a piece of its text.
#pragma once

#include <QStyledItemDelegate>

namespace sparsight {

class HelpLineDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    enum Role { TopicRole = Qt::UserRole, AnchorRole, ExcerptRole };

    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace sparsight
