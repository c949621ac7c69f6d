#include "widgets/schedule/editor/loop_chip.h"

#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace sparsight {

namespace {

constexpr int padding = grid_step;

QFontMetrics caption() {
    return QFontMetrics(caption_font());
}

int first_line() {
    return std::max(QFontMetrics(bold_monospace_font()).height(), caption().height() + 4);
}

int format_height() {
    return caption().height() + 6;
}

int format_cell() {
    return caption().horizontalAdvance(u'M') + 2 * padding;
}

} // namespace

LoopChip::LoopChip(QWidget* parent)
    : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::OpenHandCursor);
    setAttribute(Qt::WA_Hover);
}

void LoopChip::set_face(const LoopChipFace& face) {
    face_ = face;
    explain();
    updateGeometry();
    update();
}

QString LoopChip::count_label() const {
    return face_.is_there && face_.iterations > 0 ? QStringLiteral("× ") + count_text(face_.iterations)
                                                  : QString();
}

void LoopChip::explain() {
    QStringList lines;
    if (!face_.is_there)
        lines << tr("The index is not split, so this loop is not there. Split it to get the loop.");
    else if (face_.iterations > 0)
        lines << tr("Runs over %1, %2 times.").arg(face_.meaning, count_text(face_.iterations));
    else
        lines << tr("Runs over %1.").arg(face_.meaning);
    if (face_.is_there && face_.format)
        lines << (*face_.format == DraftFormat::Compressed
                      ? tr("C, compressed: A stores only the coordinates that occur on this level.")
                      : tr("U, uncompressed (dense): every coordinate of this level is there, zeros "
                           "included."));
    else if (face_.is_there)
        lines << tr("Only dense operands have this index, so it has no format.");
    if (face_.is_parallel)
        lines << tr("Runs in parallel: its iterations are handed to the threads in chunks.");
    else if (face_.may_be_parallel)
        lines << tr("∥ makes it the parallel loop.");
    lines << tr("Drag it, or press Alt+← and Alt+→, to move it.%1%2")
                 .arg(face_.is_there && face_.format ? tr(" F changes the format.") : QString(),
                      face_.may_be_parallel && !face_.is_parallel ? tr(" P makes it parallel.") : QString());
    setToolTip(explained_tooltip(tr("Loop %1").arg(face_.loop), lines.join(QStringLiteral("<br>"))));
    setAccessibleName(tr("Loop %1").arg(face_.loop));
    setAccessibleDescription(lines.join(u' '));
}

QSize LoopChip::sizeHint() const {
    const int marker = face_.may_be_parallel ? format_cell() + padding : 0;
    const int name = QFontMetrics(bold_monospace_font()).horizontalAdvance(face_.loop) + padding +
                     caption().horizontalAdvance(count_label()) + marker;
    const int meaning = caption().horizontalAdvance(face_.meaning);
    const int width = std::max({name, meaning, 2 * format_cell()}) + 2 * padding + 4;
    return {width, first_line() + caption().height() + format_height() + 2 * padding + padding};
}

QRect LoopChip::format_area() const {
    if (!face_.format || !face_.is_there)
        return {};
    return {padding + 4, height() - padding - format_height(), 2 * format_cell(), format_height()};
}

QRect LoopChip::parallel_area() const {
    if (!face_.may_be_parallel)
        return {};
    return {width() - padding - format_cell(), padding, format_cell(), first_line()};
}

void LoopChip::paintEvent(QPaintEvent*) {
    const Theme& theme = current_theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(rect()).adjusted(1, 1, -1, -1);
    const bool is_level = face_.format.has_value();
    QPen edge(hasFocus() || is_dragged_ ? theme.accent : theme.outline, hasFocus() || is_dragged_ ? 2 : 1);
    if (!face_.is_there)
        edge.setDashPattern({3, 3});
    painter.setPen(edge);
    painter.setBrush(!face_.is_there               ? theme.surface
                     : underMouse() || is_dragged_ ? theme.hover
                                                   : theme.raised);
    painter.drawRoundedRect(box, corner_radius, corner_radius);
    if (face_.is_there) {
        // Levels of A stand out from the loops over dense operands.
        painter.setPen(Qt::NoPen);
        painter.setBrush(is_level ? theme.accent : theme.reference);
        painter.drawRoundedRect(QRectF(box.left() + 3, box.top() + 6, 3, box.height() - 12), 1.5, 1.5);
    }
    const int left = padding + 4;
    painter.setFont(bold_monospace_font());
    painter.setPen(face_.is_there ? theme.text : theme.disabled_text);
    const QRect line(left, padding, width() - left - padding, first_line());
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, face_.loop);
    const int after_name = QFontMetrics(bold_monospace_font()).horizontalAdvance(face_.loop) + padding;
    painter.setFont(caption_font());
    painter.setPen(face_.is_there ? theme.dim_text : theme.disabled_text);
    painter.drawText(line.adjusted(after_name, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, count_label());
    painter.drawText(QRect(left, padding + first_line(), width() - left - padding, caption().height()),
                     Qt::AlignLeft | Qt::AlignVCenter, face_.meaning);
    paint_parallel(painter);
    paint_format(painter);
}

void LoopChip::paint_format(QPainter& painter) const {
    const Theme& theme = current_theme();
    if (!face_.is_there)
        return;
    if (!face_.format) {
        painter.setPen(theme.dim_text);
        painter.drawText(QRect(padding + 4, height() - padding - format_height(), width(), format_height()),
                         Qt::AlignLeft | Qt::AlignVCenter, tr("not in A"));
        return;
    }
    const QRectF area = QRectF(format_area()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(theme.outline, 1));
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(area, 4, 4);
    const bool is_compressed = *face_.format == DraftFormat::Compressed;
    const double half = area.width() / 2;
    const QRectF cells[] = {{area.left(), area.top(), half, area.height()},
                            {area.left() + half, area.top(), half, area.height()}};
    const QString letters[] = {tr("U", "uncompressed"), tr("C", "compressed")};
    for (const int cell : {0, 1}) {
        const bool is_chosen = (cell == 1) == is_compressed;
        if (is_chosen) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.accent);
            painter.drawRoundedRect(cells[cell], 4, 4);
        }
        painter.setPen(is_chosen ? theme.accent_text : theme.dim_text);
        painter.drawText(cells[cell], Qt::AlignCenter, letters[cell]);
    }
}

void LoopChip::paint_parallel(QPainter& painter) const {
    const QRect area = parallel_area();
    if (area.isEmpty())
        return;
    const Theme& theme = current_theme();
    const QRectF box = QRectF(area).adjusted(2, 0.5, -0.5, -0.5);
    painter.setPen(face_.is_parallel ? QPen(Qt::NoPen) : QPen(theme.outline, 1));
    painter.setBrush(face_.is_parallel ? theme.accent : theme.surface);
    painter.drawRoundedRect(box, 4, 4);
    // ∥ as two lines: not every font has the sign.
    painter.setPen(
        QPen(face_.is_parallel ? theme.accent_text : theme.dim_text, 1.8, Qt::SolidLine, Qt::RoundCap));
    const QPointF middle = box.center();
    const double reach = box.height() * 0.25;
    for (const double x : {-2.2, 2.2})
        painter.drawLine(middle + QPointF(x, -reach), middle + QPointF(x, reach));
}

bool LoopChip::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Alt+← is "back" in most windows; on a chip it moves the chip.
        const auto* const key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() == Qt::AltModifier &&
            (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right)) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void LoopChip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::FontChange)
        updateGeometry();
    if (event->type() == QEvent::LanguageChange)
        explain();
    update();
}

void LoopChip::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        pressed_ = event->globalPosition().toPoint();
}

void LoopChip::mouseMoveEvent(QMouseEvent* event) {
    if (!pressed_ || (event->buttons() & Qt::LeftButton) == 0)
        return;
    const QPoint offset = event->globalPosition().toPoint() - *pressed_;
    if (!is_dragged_ && offset.manhattanLength() < QApplication::startDragDistance())
        return;
    if (!is_dragged_)
        setCursor(Qt::ClosedHandCursor);
    is_dragged_ = true;
    Q_EMIT drag_moved(offset);
    update();
}

void LoopChip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !pressed_)
        return;
    if (is_dragged_) {
        end_drag(true);
        return;
    }
    pressed_.reset();
    if (format_area().contains(event->position().toPoint()))
        Q_EMIT format_flipped();
    else if (parallel_area().contains(event->position().toPoint()) && !face_.is_parallel)
        Q_EMIT parallel_wanted();
}

void LoopChip::end_drag(bool dropped) {
    pressed_.reset();
    is_dragged_ = false;
    setCursor(Qt::OpenHandCursor);
    update();
    Q_EMIT drag_ended(dropped);
}

void LoopChip::keyPressEvent(QKeyEvent* event) {
    const int key = event->key();
    const bool is_sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const int step = key == Qt::Key_Left ? -1 : 1;
    const bool may_flip = face_.format && face_.is_there;
    if (key == Qt::Key_Escape && is_dragged_)
        end_drag(false);
    else if (is_sideways && event->modifiers() == Qt::AltModifier)
        Q_EMIT shift_wanted(step);
    else if (is_sideways && event->modifiers() == Qt::NoModifier)
        Q_EMIT neighbour_wanted(step);
    else if (may_flip && (key == Qt::Key_F || key == Qt::Key_Space))
        Q_EMIT format_flipped();
    else if (may_flip && key == Qt::Key_C && *face_.format == DraftFormat::Uncompressed &&
             event->modifiers() == Qt::NoModifier)
        Q_EMIT format_flipped();
    else if (may_flip && key == Qt::Key_U && *face_.format == DraftFormat::Compressed &&
             event->modifiers() == Qt::NoModifier)
        Q_EMIT format_flipped();
    else if (key == Qt::Key_P && face_.may_be_parallel && !face_.is_parallel)
        Q_EMIT parallel_wanted();
    else
        QWidget::keyPressEvent(event);
}

void LoopChip::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void LoopChip::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void LoopChip::enterEvent(QEnterEvent* event) {
    QWidget::enterEvent(event);
    update();
}

void LoopChip::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    update();
}

} // namespace sparsight
