#include "widgets/look/labels.h"

#include "widgets/look/glyph.h"
#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QPainter>
#include <QToolTip>

namespace sparsight {

namespace {
constexpr int dot = grid_step;
constexpr int side_margin = grid_step;
} // namespace

Chip::Chip(const QString& text, QWidget* parent)
    : QAbstractButton(parent) {
    setText(text);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    set_clickable(false);
}

void Chip::set_colour(const std::optional<QColor>& colour) {
    colour_ = colour;
    updateGeometry();
    update();
}

void Chip::set_clickable(bool clickable) {
    clickable_ = clickable;
    setFocusPolicy(clickable ? Qt::StrongFocus : Qt::NoFocus);
    setAttribute(Qt::WA_Hover, clickable);
    // Clicks on a chip that is not clickable go to the widget below it.
    setAttribute(Qt::WA_TransparentForMouseEvents, !clickable);
    if (clickable)
        setCursor(Qt::PointingHandCursor);
    else
        unsetCursor();
}

void Chip::set_hatched(bool hatched) {
    hatched_ = hatched;
    update();
}

QSize Chip::sizeHint() const {
    const QFontMetrics metrics(caption_font());
    const int mark = colour_ ? dot + grid_step / 2 : 0;
    return {metrics.horizontalAdvance(text()) + mark + 2 * side_margin, metrics.height() + grid_step / 2 + 2};
}

void Chip::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    const double radius = height() / 2.0;
    const bool lit = clickable_ && (underMouse() || isDown());
    paint_rounded(painter, rect(), lit ? theme.hover : mixed(theme.surface, theme.text, 0.06), theme.border,
                  radius);
    if (hatched_) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QBrush(mixed(theme.surface, theme.text, 0.22), Qt::BDiagPattern));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius, radius);
        painter.restore();
    }
    QRect place = rect().adjusted(side_margin, 0, -side_margin, 0);
    if (colour_) {
        const QRectF circle(place.left(), height() / 2.0 - dot / 2.0, dot, dot);
        paint_rounded(painter, circle, *colour_, {}, dot / 2.0);
        place.setLeft(place.left() + dot + grid_step / 2);
    }
    painter.setFont(caption_font());
    painter.setPen(isEnabled() ? theme.text : theme.disabled_text);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft, text());
    if (hasFocus())
        paint_focus_ring(painter, rect(), radius - 1, theme);
}

InfoButton::InfoButton(const QString& explanation, const QString& topic, QWidget* parent)
    : QToolButton(parent)
    , topic_(topic) {
    setAutoRaise(true);
    setIcon(glyph_icon(Glyph::Question));
    setToolTip(
        explained_tooltip({}, topic.isEmpty() ? explanation : tr("%1 (click: Help)").arg(explanation)));
    setAccessibleName(tr("What is this?"));
    setAccessibleDescription(explanation);
    connect(this, &QToolButton::clicked, this, [this] {
        if (topic_.isEmpty())
            QToolTip::showText(mapToGlobal(rect().bottomLeft()), toolTip(), this);
        else
            Q_EMIT help_requested(topic_);
    });
}

QString explained_tooltip(const QString& title, const QString& text) {
    // Qt wraps the lines of a tooltip only when it is rich text.
    const QString body = text.toHtmlEscaped();
    if (title.isEmpty())
        return QStringLiteral("<qt>%1</qt>").arg(body);
    return QStringLiteral("<qt><b>%1</b><br>%2</qt>").arg(title.toHtmlEscaped(), body);
}

} // namespace sparsight
