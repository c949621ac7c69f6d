// How the style paints what it has laid out (style.cpp).
#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QSlider>
#include <algorithm>

namespace sparsight {

namespace {

bool is_primary(const QStyleOption* option, const QWidget* widget) {
    if (widget != nullptr && widget->property(primary_property).isValid())
        return widget->property(primary_property).toBool();
    const auto* const button = qstyleoption_cast<const QStyleOptionButton*>(option);
    return button != nullptr && button->features.testFlag(QStyleOptionButton::DefaultButton);
}

bool enabled(const QStyleOption* option) {
    return option->state.testFlag(QStyle::State_Enabled);
}

QColor mark_colour(const QStyleOption* option, const Theme& theme) {
    return enabled(option) ? theme.dim_text : theme.disabled_text;
}

} // namespace

void SparsightStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                                   const QWidget* widget) const {
    const Theme& theme = current_theme();
    switch (element) {
    case PE_PanelButtonCommand:
        paint_button(*painter, *option, is_primary(option, widget), theme);
        return;
    case PE_PanelButtonTool:
        paint_tool_button(*painter, *option, theme);
        return;
    case PE_PanelLineEdit: {
        const auto* const frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        if (frame != nullptr && frame->lineWidth <= 0)
            painter->fillRect(option->rect, option->palette.brush(QPalette::Base));
        else
            paint_input(*painter, *option, theme);
        return;
    }
    case PE_FrameLineEdit:
        return; // the panel has it
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        paint_check_box(*painter, *option, theme);
        return;
    case PE_IndicatorRadioButton:
        paint_radio_button(*painter, *option, theme);
        return;
    case PE_FrameFocusRect:
        if (qobject_cast<const QAbstractItemView*>(widget) !=
            nullptr) { // the selection shows the row already
            painter->save();
            painter->setPen(QPen(theme.accent, 1));
            painter->drawRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5));
            painter->restore();
        } else {
            paint_focus_ring(*painter, option->rect, corner_radius - 1, theme);
        }
        return;
    case PE_IndicatorArrowDown:
        paint_chevron(*painter, option->rect, Chevron::Down, mark_colour(option, theme));
        return;
    case PE_IndicatorArrowUp:
        paint_chevron(*painter, option->rect, Chevron::Up, mark_colour(option, theme));
        return;
    case PE_IndicatorArrowLeft:
        paint_chevron(*painter, option->rect, Chevron::Left, mark_colour(option, theme));
        return;
    case PE_IndicatorArrowRight:
        paint_chevron(*painter, option->rect, Chevron::Right, mark_colour(option, theme));
        return;
    case PE_IndicatorHeaderArrow: {
        const auto* const header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (header != nullptr && header->sortIndicator != QStyleOptionHeader::None)
            paint_chevron(*painter, option->rect,
                          header->sortIndicator == QStyleOptionHeader::SortUp ? Chevron::Down : Chevron::Up,
                          theme.accent);
        return;
    }
    case PE_IndicatorBranch:
        if (option->state.testFlag(State_Children))
            paint_chevron(*painter, option->rect,
                          option->state.testFlag(State_Open) ? Chevron::Down : Chevron::Right,
                          mark_colour(option, theme));
        return;
    case PE_Frame:
    case PE_FrameMenu:
        painter->save();
        painter->setPen(theme.border);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
        return;
    case PE_FrameTabWidget: // a line under the tabs is enough
        painter->save();
        painter->setPen(theme.border);
        painter->drawLine(option->rect.topLeft(), option->rect.topRight());
        painter->restore();
        return;
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, theme.raised);
        painter->setPen(theme.outline);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    case PE_FrameStatusBarItem:
    case PE_FrameTabBarBase:
    case PE_PanelScrollAreaCorner: // Fusion draws a small frame between two scroll bars
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void SparsightStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                                 const QWidget* widget) const {
    const Theme& theme = current_theme();
    if (element == CE_PushButtonLabel) {
        const auto* const button = qstyleoption_cast<const QStyleOptionButton*>(option);
        if (button != nullptr && is_primary(option, widget) && enabled(option)) {
            QStyleOptionButton copy = *button;
            copy.palette.setColor(QPalette::ButtonText, theme.accent_text);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
    }
    if (element == CE_Header) { // Fusion would not ask us where its parts are
        if (const auto* const header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            QStyleOptionHeader part = *header;
            if (!(part.textAlignment & Qt::AlignVertical_Mask))
                part.textAlignment |= Qt::AlignVCenter;
            drawControl(CE_HeaderSection, &part, painter, widget);
            part.rect = header_parts(*header).label;
            QStringList lines = part.text.split(u'\n');
            for (QString& line : lines)
                line = part.fontMetrics.elidedText(line, Qt::ElideRight, part.rect.width());
            part.text = lines.join(u'\n');
            drawControl(CE_HeaderLabel, &part, painter, widget);
            part.rect = header_parts(*header).arrow;
            drawPrimitive(PE_IndicatorHeaderArrow, &part, painter, widget);
            return;
        }
    }
    if (element == CE_HeaderSection) {
        if (const auto* const header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            paint_header_section(*painter, *header, theme);
            return;
        }
    }
    if (element == CE_HeaderEmptyArea) {
        painter->fillRect(option->rect, mixed(theme.surface, theme.window, 0.6));
        painter->setPen(theme.border);
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
        return;
    }
    if (element == CE_HeaderLabel) {
        if (const auto* const header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            QStyleOptionHeader copy = *header;
            copy.palette.setColor(QPalette::ButtonText, header->sortIndicator == QStyleOptionHeader::None
                                                            ? theme.dim_text
                                                            : theme.text);
            copy.state.setFlag(State_On, false); // Fusion would make the headers of selected cells bold
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
    }
    if (element == CE_TabBarTabShape) {
        if (const auto* const tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            paint_tab(*painter, *tab, theme);
            return;
        }
    }
    if (element == CE_TabBarTabLabel) {
        if (const auto* const tab = qstyleoption_cast<const QStyleOptionTab*>(option)) {
            QStyleOptionTab copy = *tab;
            copy.state.setFlag(State_HasFocus, false); // the ring belongs to the shape
            if (enabled(option) && !copy.state.testFlag(State_Selected))
                copy.palette.setColor(QPalette::WindowText, theme.dim_text);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
    }
    if (element == CE_ToolButtonLabel) {
        const auto* const button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        if (button != nullptr && button->toolButtonStyle == Qt::ToolButtonTextBesideIcon &&
            !button->state.testFlag(State_AutoRaise)) { // within a frame; Fusion would keep to its left
            constexpr int between = 4;
            const int used = button->iconSize.width() + between +
                             button->fontMetrics.size(Qt::TextShowMnemonic, button->text).width();
            const int spare = std::max(0, button->rect.width() - used) / 2;
            QStyleOptionToolButton copy = *button;
            copy.rect.adjust(spare, 0, -spare, 0);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
    }
    if (element == CE_ComboBoxLabel) {
        const auto* const combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
        if (combo != nullptr && !combo->editable) { // names differ at both ends; Fusion would cut them off
            constexpr int inset = 4;                // of the text in its field
            QStyleOptionComboBox copy = *combo;
            const int icon = combo->currentIcon.isNull() ? 0 : combo->iconSize.width() + inset;
            const int room =
                proxy()->subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget).width() -
                2 * inset - icon;
            copy.currentText = combo->fontMetrics.elidedText(combo->currentText, Qt::ElideMiddle, room);
            QProxyStyle::drawControl(element, &copy, painter, widget);
            return;
        }
    }
    if (element == CE_ProgressBarGroove)
        return;
    if (element == CE_ProgressBarContents) {
        if (const auto* const bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            paint_progress(*painter, *bar, theme);
            return;
        }
    }
    if (element == CE_Splitter) {
        if (option->state.testFlag(State_MouseOver) && enabled(option)) {
            const QRectF rect = option->rect;
            const bool upright = option->state.testFlag(State_Horizontal);
            const QRectF line = upright ? QRectF(rect.center().x() - 1, rect.top(), 2, rect.height())
                                        : QRectF(rect.left(), rect.center().y() - 1, rect.width(), 2);
            painter->fillRect(line, theme.accent);
        }
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void SparsightStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                        QPainter* painter, const QWidget* widget) const {
    const Theme& theme = current_theme();
    if (control == CC_ComboBox) {
        if (const auto* const combo = qstyleoption_cast<const QStyleOptionComboBox*>(option)) {
            if (combo->editable)
                paint_input(*painter, *option, theme);
            else
                paint_button(*painter, *option, false, theme);
            if (!combo->editable && option->state.testFlag(State_HasFocus) && enabled(option))
                paint_focus_ring(*painter, option->rect, corner_radius - 1, theme);
            paint_chevron(*painter, proxy()->subControlRect(control, option, SC_ComboBoxArrow, widget),
                          Chevron::Down, mark_colour(option, theme));
            return;
        }
    }
    if (control == CC_SpinBox) {
        if (const auto* const spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option)) {
            if (spin->frame)
                paint_input(*painter, *option, theme);
            else
                painter->fillRect(option->rect, option->palette.brush(QPalette::Base));
            if (spin->buttonSymbols == QAbstractSpinBox::NoButtons)
                return;
            const auto arrow = [&](SubControl part, QAbstractSpinBox::StepEnabledFlag flag,
                                   Chevron direction) {
                const QRect rect = proxy()->subControlRect(control, option, part, widget);
                const bool possible = spin->stepEnabled.testFlag(flag) && enabled(option);
                if (possible && option->activeSubControls == part && option->state.testFlag(State_MouseOver))
                    paint_rounded(*painter, QRectF(rect).adjusted(1, 1, -1, -1), theme.hover, {}, 3);
                paint_chevron(*painter, rect, direction, possible ? theme.dim_text : theme.disabled_text);
            };
            arrow(SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, Chevron::Up);
            arrow(SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, Chevron::Down);
            return;
        }
    }
    if (control == CC_ToolButton) {
        const auto* const button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        if (button != nullptr && button->toolButtonStyle == Qt::ToolButtonIconOnly &&
            !button->features.testFlag(QStyleOptionToolButton::MenuButtonPopup)) {
            QStyleOptionToolButton copy = *button; // its sign says already that there is a menu
            copy.features.setFlag(QStyleOptionToolButton::HasMenu, false);
            QProxyStyle::drawComplexControl(control, &copy, painter, widget);
            return;
        }
        if (button != nullptr && has_menu_mark(*button)) { // Fusion would put it into the lower corner
            paint_tool_button(*painter, *option, theme);
            QStyleOptionToolButton label = *button;
            label.features.setFlag(QStyleOptionToolButton::HasMenu, false);
            label.rect = visualRect(option->direction, option->rect,
                                    option->rect.adjusted(2, 2, -menu_mark_width, -2));
            proxy()->drawControl(CE_ToolButtonLabel, &label, painter, widget);
            QRect mark = option->rect;
            mark.setLeft(mark.right() - menu_mark_width);
            paint_chevron(*painter, visualRect(option->direction, option->rect, mark), Chevron::Down,
                          mark_colour(option, theme));
            if (option->state.testFlag(State_HasFocus))
                paint_focus_ring(*painter, option->rect, corner_radius - 1, theme);
            return;
        }
    }
    if (control == CC_ScrollBar) {
        if (const auto* const bar = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
            paint_scroll_bar(*painter, *bar,
                             proxy()->subControlRect(control, option, SC_ScrollBarSlider, widget), theme);
            return;
        }
    }
    if (control == CC_Slider) {
        if (const auto* const slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
            if (slider->tickPosition == QSlider::NoTicks) {
                paint_slider(*painter, *slider,
                             proxy()->subControlRect(control, option, SC_SliderGroove, widget),
                             proxy()->subControlRect(control, option, SC_SliderHandle, widget), theme);
                return;
            }
        }
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace sparsight
