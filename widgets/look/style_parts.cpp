#include "widgets/look/style.h"

#include "widgets/look/theme.h"

#include <QApplication>
#include <QStyle>
#include <algorithm>

namespace sparsight {

namespace {

constexpr int header_arrow = 12;

bool has(const QStyleOption& option, QStyle::StateFlag flag) {
    return option.state.testFlag(flag);
}

/// Lines of one pixel lie on the middle of pixels.
QRectF crisp(const QRectF& rect) {
    return rect.adjusted(0.5, 0.5, -0.5, -0.5);
}

QRectF centred_square(const QRectF& rect) {
    const double side = std::min(rect.width(), rect.height());
    return {rect.center().x() - side / 2, rect.center().y() - side / 2, side, side};
}

QColor button_fill(const QStyleOption& option, bool primary, const Theme& theme) {
    if (!has(option, QStyle::State_Enabled))
        return theme.window;
    const bool pressed = has(option, QStyle::State_Sunken);
    const bool over = has(option, QStyle::State_MouseOver);
    if (primary)
        return pressed ? mixed(theme.accent, Qt::black, 0.2)
               : over  ? mixed(theme.accent, Qt::white, 0.14)
                       : theme.accent;
    if (has(option, QStyle::State_On))
        return theme.selection;
    return pressed ? mixed(theme.hover, theme.text, 0.08) : over ? theme.hover : theme.raised;
}

/// Of the text of a header and its icon.
int title_width(const QStyleOptionHeader& option) {
    int text = 0;
    for (const QString& line : option.text.split(u'\n'))
        text = std::max(text, option.fontMetrics.horizontalAdvance(line));
    return option.icon.isNull()
               ? text
               : text + QApplication::style()->pixelMetric(QStyle::PM_SmallIconSize) + grid_step;
}

} // namespace

void paint_rounded(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& line,
                   double radius) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter.setPen(line.isValid() ? QPen(line, 1) : QPen(Qt::NoPen));
    painter.drawRoundedRect(line.isValid() ? crisp(rect) : rect, radius, radius);
    painter.restore();
}

void paint_focus_ring(QPainter& painter, const QRectF& rect, double radius, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 2));
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius, radius);
    painter.restore();
}

void paint_chevron(QPainter& painter, const QRectF& rect, Chevron direction, const QColor& colour) {
    const double arm = std::clamp(std::min(rect.width(), rect.height()) * 0.25, 2.5, 4.5);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.translate(rect.center());
    painter.rotate(direction == Chevron::Down   ? 0
                   : direction == Chevron::Left ? 90
                   : direction == Chevron::Up   ? 180
                                                : 270);
    painter.drawPolyline(QPolygonF({{-arm, -arm / 2}, {0, arm / 2}, {arm, -arm / 2}}));
    painter.restore();
}

void paint_button(QPainter& painter, const QStyleOption& option, bool primary, const Theme& theme) {
    const bool enabled = has(option, QStyle::State_Enabled);
    const QColor fill = button_fill(option, primary, theme);
    const QColor line = primary && enabled ? fill : enabled ? theme.outline : theme.border;
    paint_rounded(painter, option.rect, fill, line, corner_radius);
    const bool focused =
        has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange);
    if (!focused || !enabled)
        return;
    Theme seen = theme; // on the accent a ring of its own colour would not be
    if (primary)
        seen.accent = theme.accent_text;
    const double inset = primary ? 2 : 0;
    paint_focus_ring(painter, QRectF(option.rect).adjusted(inset, inset, -inset, -inset), corner_radius - 1,
                     seen);
}

void paint_tool_button(QPainter& painter, const QStyleOption& option, const Theme& theme) {
    const bool on = has(option, QStyle::State_On);
    const bool pressed = has(option, QStyle::State_Sunken);
    const bool over = has(option, QStyle::State_MouseOver) && has(option, QStyle::State_Enabled);
    if (!has(option, QStyle::State_AutoRaise)) {
        paint_button(painter, option, false, theme);
        return;
    }
    if (on || pressed || over)
        paint_rounded(painter, option.rect,
                      on        ? theme.selection
                      : pressed ? mixed(theme.hover, theme.text, 0.08)
                                : theme.hover,
                      {}, corner_radius);
}

bool has_menu_mark(const QStyleOptionToolButton& option) {
    return option.toolButtonStyle != Qt::ToolButtonIconOnly &&
           option.features.testFlag(QStyleOptionToolButton::HasMenu) &&
           !option.features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
}

void paint_input(QPainter& painter, const QStyleOption& option, const Theme& theme) {
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool focused = has(option, QStyle::State_HasFocus) && enabled;
    const bool over = has(option, QStyle::State_MouseOver) && enabled;
    paint_rounded(painter, option.rect, enabled ? theme.surface : theme.window,
                  !enabled ? theme.border
                  : over   ? mixed(theme.outline, theme.text, 0.3)
                           : theme.outline,
                  corner_radius);
    if (focused)
        paint_focus_ring(painter, option.rect, corner_radius - 1, theme);
}

void paint_check_box(QPainter& painter, const QStyleOption& option, const Theme& theme) {
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool filled = has(option, QStyle::State_On) || has(option, QStyle::State_NoChange);
    const QRectF box = centred_square(option.rect);
    const QColor mark = enabled ? theme.accent : theme.disabled_text;
    const QColor edge = has(option, QStyle::State_MouseOver) && enabled
                            ? theme.accent
                            : mixed(theme.outline, theme.text, 0.2);
    paint_rounded(painter, box, filled ? mark : theme.surface, filled ? mark : edge, 3.5);
    if (!filled)
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(enabled ? theme.accent_text : theme.window, box.width() / 8, Qt::SolidLine,
                        Qt::RoundCap, Qt::RoundJoin));
    const auto at = [&box](double x, double y) {
        return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    if (has(option, QStyle::State_NoChange))
        painter.drawLine(at(0.28, 0.5), at(0.72, 0.5));
    else
        painter.drawPolyline(QPolygonF({at(0.25, 0.52), at(0.43, 0.7), at(0.76, 0.32)}));
    painter.restore();
}

void paint_radio_button(QPainter& painter, const QStyleOption& option, const Theme& theme) {
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool on = has(option, QStyle::State_On);
    const QRectF circle = centred_square(option.rect);
    const QColor mark = enabled ? theme.accent : theme.disabled_text;
    const QColor edge = has(option, QStyle::State_MouseOver) && enabled
                            ? theme.accent
                            : mixed(theme.outline, theme.text, 0.2);
    paint_rounded(painter, circle, on ? mark : theme.surface, on ? mark : edge, circle.width() / 2);
    if (on) {
        const double inset = circle.width() * 0.31;
        paint_rounded(painter, circle.adjusted(inset, inset, -inset, -inset),
                      enabled ? theme.accent_text : theme.window, {}, circle.width());
    }
}

HeaderParts header_parts(const QStyleOptionHeader& option) {
    const QRect room = option.rect.adjusted(grid_step, 0, -grid_step, 0);
    if (option.sortIndicator == QStyleOptionHeader::None)
        return {room, {}};
    const bool at_right = option.textAlignment.testFlag(Qt::AlignRight);
    const int text = std::min(title_width(option), room.width() - header_arrow);
    const QRect label =
        at_right ? room.adjusted(room.width() - text, 0, 0, 0) : room.adjusted(0, 0, text - room.width(), 0);
    const int left = at_right ? label.left() - header_arrow : label.right() + 1;
    return {label, QRect(left, room.center().y() - header_arrow / 2, header_arrow, header_arrow)};
}

int header_width(const QStyleOptionHeader& option) {
    const int text = title_width(option) + 2 * grid_step;
    return option.sortIndicator == QStyleOptionHeader::None ? text : text + header_arrow;
}

void paint_header_section(QPainter& painter, const QStyleOptionHeader& option, const Theme& theme) {
    const bool over = has(option, QStyle::State_MouseOver) && has(option, QStyle::State_Enabled);
    const bool pressed = has(option, QStyle::State_Sunken);
    const QColor calm = mixed(theme.surface, theme.window, 0.6);
    painter.fillRect(option.rect, pressed || over ? theme.hover : calm);
    painter.setPen(theme.border);
    if (option.orientation == Qt::Horizontal) {
        painter.drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        const bool last = option.position == QStyleOptionHeader::End ||
                          option.position == QStyleOptionHeader::OnlyOneSection;
        if (!last)
            painter.drawLine(option.rect.right(), option.rect.top() + option.rect.height() / 4,
                             option.rect.right(), option.rect.bottom() - option.rect.height() / 4);
    } else {
        painter.drawLine(option.rect.topRight(), option.rect.bottomRight());
    }
}

void paint_tab(QPainter& painter, const QStyleOptionTab& option, const Theme& theme) {
    const bool selected = has(option, QStyle::State_Selected);
    const bool over = has(option, QStyle::State_MouseOver) && has(option, QStyle::State_Enabled);
    const QRectF rect = option.rect;
    if (over && !selected)
        paint_rounded(painter, rect.adjusted(2, 2, -2, -3), theme.hover, {}, corner_radius);
    if (selected) {
        const bool vertical = option.shape == QTabBar::RoundedWest || option.shape == QTabBar::RoundedEast ||
                              option.shape == QTabBar::TriangularWest ||
                              option.shape == QTabBar::TriangularEast;
        const bool south = option.shape == QTabBar::RoundedSouth || option.shape == QTabBar::TriangularSouth;
        const QRectF bar = vertical ? QRectF(rect.left(), rect.top() + 4, 3, rect.height() - 8)
                           : south  ? QRectF(rect.left() + 8, rect.top(), rect.width() - 16, 3)
                                    : QRectF(rect.left() + 8, rect.bottom() - 3, rect.width() - 16, 3);
        paint_rounded(painter, bar, theme.accent, {}, 1.5);
    }
    if (has(option, QStyle::State_HasFocus) && selected)
        paint_focus_ring(painter, rect.adjusted(2, 2, -2, -4), corner_radius - 1, theme);
}

void paint_progress(QPainter& painter, const QStyleOptionProgressBar& option, const Theme& theme) {
    const double height = std::min(option.rect.height(), 8);
    const QRectF groove(option.rect.left(), option.rect.center().y() + 0.5 - height / 2, option.rect.width(),
                        height);
    paint_rounded(painter, groove, mixed(theme.surface, theme.text, 0.14), {}, height / 2);
    if (option.maximum <= option.minimum) { // busy: how much is left is not known
        paint_rounded(painter, groove, mixed(theme.surface, theme.accent, 0.45), {}, height / 2);
        return;
    }
    const double share = std::clamp(static_cast<double>(option.progress - option.minimum) /
                                        (static_cast<double>(option.maximum) - option.minimum),
                                    0.0, 1.0);
    if (share <= 0)
        return;
    const double width = std::max(height, groove.width() * share);
    const bool from_right = option.direction == Qt::RightToLeft;
    paint_rounded(painter,
                  QRectF(from_right ? groove.right() - width : groove.left(), groove.top(), width, height),
                  theme.accent, {}, height / 2);
}

void paint_scroll_bar(QPainter& painter, const QStyleOptionSlider& option, const QRect& handle,
                      const Theme& theme) {
    if (option.maximum <= option.minimum)
        return;
    const bool held =
        option.activeSubControls.testFlag(QStyle::SC_ScrollBarSlider) && has(option, QStyle::State_Sunken);
    const bool over = has(option, QStyle::State_MouseOver);
    const double inset = held || over ? 2 : 3;
    const QRectF bar = option.orientation == Qt::Horizontal ? QRectF(handle).adjusted(1, inset, -1, -inset)
                                                            : QRectF(handle).adjusted(inset, 1, -inset, -1);
    const double strength = held ? 0.6 : over ? 0.45 : 0.28;
    paint_rounded(painter, bar, mixed(theme.surface, theme.text, strength), {},
                  std::min(bar.width(), bar.height()) / 2);
}

void paint_slider(QPainter& painter, const QStyleOptionSlider& option, const QRect& groove,
                  const QRect& handle, const Theme& theme) {
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool horizontal = option.orientation == Qt::Horizontal;
    const QPointF centre = QRectF(handle).center();
    QRectF line = groove;
    QRectF done = groove;
    if (horizontal) {
        line = QRectF(groove.left(), centre.y() - 2, groove.width(), 4);
        done = line;
        option.upsideDown ? done.setLeft(centre.x()) : done.setRight(centre.x());
    } else {
        line = QRectF(centre.x() - 2, groove.top(), 4, groove.height());
        done = line;
        option.upsideDown ? done.setTop(centre.y()) : done.setBottom(centre.y());
    }
    const QColor mark = enabled ? theme.accent : theme.disabled_text;
    paint_rounded(painter, line, mixed(theme.surface, theme.text, 0.16), {}, 2);
    paint_rounded(painter, done, mark, {}, 2);
    const double radius = std::min(handle.width(), handle.height()) / 2.0 - 1;
    const QRectF knob(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius);
    paint_rounded(painter, knob, theme.raised, mark, radius);
    if (has(option, QStyle::State_HasFocus) && enabled)
        paint_focus_ring(painter, knob, radius, theme);
}

} // namespace sparsight
