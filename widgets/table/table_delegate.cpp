#include "widgets/table/table_delegate.h"

#include "widgets/look/theme.h"
#include "widgets/table/raw_value.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

namespace sparsight {

namespace {

constexpr int cell_margin = grid_step;

bool has_picture(const QModelIndex& cell) {
    const int type = cell.data(Qt::DecorationRole).typeId();
    return type == QMetaType::QImage || type == QMetaType::QPixmap;
}

/// In whole pixels of the screen, so that single entries of a pattern stay crisp.
void paint_thumbnail(QPainter& painter, const QRect& place, const QVariant& value) {
    const QImage image =
        value.typeId() == QMetaType::QImage ? value.value<QImage>() : value.value<QPixmap>().toImage();
    if (image.isNull())
        return;
    QSize size = image.size().scaled(place.size(), Qt::KeepAspectRatio).expandedTo({1, 1});
    QRect target({}, size);
    target.moveCenter(place.center());
    const double ratio = painter.device()->devicePixelRatioF();
    painter.save();
    QPainterPath corners;
    corners.addRoundedRect(target, 3, 3);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipPath(corners);
    painter.drawImage(target, image.scaled(size * ratio, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    painter.setClipping(false);
    painter.setPen(QPen(current_theme().border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(target).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.restore();
}

} // namespace

void TableDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& cell) const {
    QStyledItemDelegate::initStyleOption(option, cell);
    if (!cell.data(Qt::TextAlignmentRole).isValid())
        option->displayAlignment =
            Qt::AlignVCenter | (is_number(cell.data(raw_value_role)) ? Qt::AlignRight : Qt::AlignLeft);
}

void TableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given,
                          const QModelIndex& cell) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, cell);
    const QWidget* const view = option.widget;
    const QStyle* const style = view == nullptr ? QApplication::style() : view->style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, view);

    const Theme& theme = current_theme();
    painter->save();
    painter->setPen(theme.grid);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());

    QRect place = option.rect.adjusted(cell_margin, 0, -cell_margin, 0);
    if (has_picture(cell)) {
        const int side = std::max(8, option.rect.height() - cell_margin);
        const QRect square(place.left(), option.rect.center().y() - side / 2, side, side);
        paint_thumbnail(*painter, square, cell.data(Qt::DecorationRole));
        place.setLeft(square.right() + cell_margin);
    } else if (option.features.testFlag(QStyleOptionViewItem::HasDecoration)) {
        const int side = option.fontMetrics.height();
        const QRect square(place.left(), option.rect.center().y() - side / 2, side, side);
        option.icon.paint(painter, square);
        place.setLeft(square.right() + cell_margin);
    }
    if (option.features.testFlag(QStyleOptionViewItem::HasCheckIndicator)) {
        QStyleOptionViewItem box = option;
        box.rect = style->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, view);
        box.state.setFlag(QStyle::State_On, option.checkState == Qt::Checked);
        box.state.setFlag(QStyle::State_NoChange, option.checkState == Qt::PartiallyChecked);
        box.state.setFlag(QStyle::State_Off, option.checkState == Qt::Unchecked);
        style->drawPrimitive(QStyle::PE_IndicatorItemViewItemCheck, &box, painter, view);
        place.setLeft(box.rect.right() + cell_margin);
    }

    const bool enabled = option.state.testFlag(QStyle::State_Enabled);
    painter->setFont(option.font);
    painter->setPen(option.palette.color(enabled ? QPalette::Active : QPalette::Disabled, QPalette::Text));
    painter->drawText(place, static_cast<int>(option.displayAlignment) | Qt::TextSingleLine,
                      option.fontMetrics.elidedText(option.text, option.textElideMode, place.width()));
    painter->restore();
}

bool TableDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view, const QStyleOptionViewItem& option,
                              const QModelIndex& cell) {
    const bool has_hint = !cell.data(Qt::ToolTipRole).toString().isEmpty();
    if (event->type() == QEvent::ToolTip && !has_hint &&
        sizeHint(option, cell).width() > option.rect.width()) {
        QToolTip::showText(event->globalPos(), cell.data(Qt::DisplayRole).toString(), view);
        return true;
    }
    return QStyledItemDelegate::helpEvent(event, view, option, cell);
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem& given, const QModelIndex& cell) const {
    QStyleOptionViewItem option = given;
    initStyleOption(&option, cell);
    int width = option.fontMetrics.horizontalAdvance(option.text) + 2 * cell_margin + 2;
    int height = option.fontMetrics.height() + 3 * grid_step / 2;
    if (has_picture(cell)) {
        const int side = thumbnail_side_ > 0 ? thumbnail_side_ : height - cell_margin;
        width += side + cell_margin;
        height = std::max(height, side + cell_margin);
    } else if (option.features.testFlag(QStyleOptionViewItem::HasDecoration)) {
        width += option.fontMetrics.height() + cell_margin;
    }
    if (option.features.testFlag(QStyleOptionViewItem::HasCheckIndicator))
        width += 3 * grid_step;
    return {width, height};
}

} // namespace sparsight
