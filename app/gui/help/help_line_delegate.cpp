#include "gui/help/help_line_delegate.h"

#include "widgets/look/theme.h"

#include <QPainter>

namespace sparsight {

namespace {

constexpr int padding = grid_step;

QFont title_of_match(const QFont& text) {
    QFont font = text;
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont group_font() {
    QFont font = caption_font();
    font.setWeight(QFont::DemiBold);
    return font;
}

int text_line_height(const QFont& font) {
    return QFontMetrics(font).height();
}

} // namespace

void HelpLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    const Theme& theme = current_theme();
    const QString title = index.data(Qt::DisplayRole).toString();
    const QString excerpt = index.data(ExcerptRole).toString();
    const bool is_group = index.data(TopicRole).isNull();
    const QRect inside = option.rect.adjusted(padding, 0, -padding, 0);
    painter->save();
    if (is_group) {
        painter->setFont(group_font());
        painter->setPen(theme.dim_text);
        painter->drawText(inside.adjusted(0, 0, 0, -padding / 2), Qt::AlignLeft | Qt::AlignBottom, title);
        painter->restore();
        return;
    }
    const bool is_current = option.state.testFlag(QStyle::State_Selected);
    if (is_current || option.state.testFlag(QStyle::State_MouseOver)) {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(is_current ? theme.selection : theme.hover);
        painter->drawRoundedRect(option.rect.adjusted(0, 1, 0, -1), corner_radius, corner_radius);
    }
    painter->setPen(theme.text);
    if (excerpt.isEmpty()) {
        painter->setFont(option.font);
        painter->drawText(inside, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(option.font).elidedText(title, Qt::ElideRight, inside.width()));
    } else {
        const QFont font = title_of_match(option.font);
        QRect line(inside.left(), inside.top() + padding / 2 + 1, inside.width(), text_line_height(font));
        painter->setFont(font);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(font).elidedText(title, Qt::ElideRight, line.width()));
        line.moveTop(line.bottom() + 2);
        line.setHeight(text_line_height(caption_font()));
        painter->setFont(caption_font());
        painter->setPen(theme.dim_text);
        painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetrics(caption_font()).elidedText(excerpt, Qt::ElideRight, line.width()));
    }
    painter->restore();
}

QSize HelpLineDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const int text = text_line_height(option.font);
    if (index.data(TopicRole).isNull())
        return {1, text_line_height(group_font()) + (index.row() == 0 ? padding : 2 * padding)};
    if (index.data(ExcerptRole).toString().isEmpty())
        return {1, text + padding + 2};
    return {1, text + text_line_height(caption_font()) + padding + 6};
}

} // namespace sparsight
