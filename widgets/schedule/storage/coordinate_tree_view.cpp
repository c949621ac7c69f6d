#include "widgets/schedule/storage/coordinate_tree_view.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/number_text.h"
#include "widgets/schedule/storage/tree_picture.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace sparsight {

CoordinateTreeView::CoordinateTreeView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , empty_text_(tr("Choose a matrix and a schedule to see how the matrix is stored.")) {
    setFrameShape(NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Coordinate tree"));
    viewport()->setMouseTracking(true);
    lay_out_again();
}

void CoordinateTreeView::set_picture(const TreePicture& picture) {
    picture_ = picture;
    zoom_ = 1;
    light(std::nullopt);
    lay_out_again();
    horizontalScrollBar()->setValue(0);
    verticalScrollBar()->setValue(0);
    setAccessibleDescription(is_empty() ? empty_text_ : tree_summary(picture_));
}

void CoordinateTreeView::set_empty_text(const QString& text) {
    empty_text_ = text;
    viewport()->update();
}

bool CoordinateTreeView::is_empty() const {
    return picture_.levels.empty();
}

void CoordinateTreeView::lay_out_again() {
    const TreeFonts fonts = tree_fonts();
    layout_ = lay_out(picture_, tree_metrics(fonts));
    captions_ = caption_width(picture_, layout_, fonts);
    update_scroll_bars();
    updateGeometry();
    viewport()->update();
}

double CoordinateTreeView::header_height() const {
    return QFontMetricsF(caption_font()).height() + 1.5 * grid_step;
}

void CoordinateTreeView::update_scroll_bars() {
    const QSizeF room(viewport()->width() - captions_ * zoom_, viewport()->height() - header_height());
    const auto set = [](QScrollBar* bar, double size, double page) {
        bar->setPageStep(std::max(1, static_cast<int>(page)));
        bar->setSingleStep(3 * grid_step);
        bar->setRange(0, std::max(0, static_cast<int>(std::ceil(size - page))));
    };
    set(horizontalScrollBar(), is_empty() ? 0 : layout_.size.width() * zoom_, room.width());
    set(verticalScrollBar(), is_empty() ? 0 : layout_.size.height() * zoom_, room.height());
}

QPointF CoordinateTreeView::origin() const {
    return {captions_ * zoom_ - horizontalScrollBar()->value(),
            header_height() - verticalScrollBar()->value()};
}

QPointF CoordinateTreeView::in_picture(QPointF point) const {
    return (point - origin()) / zoom_;
}

QRectF CoordinateTreeView::node_rect(TreePlace place) const {
    const QRectF box = shown_layout().nodes[place.level][place.node];
    return {origin() + box.topLeft() * zoom_, box.size() * zoom_};
}

QRectF CoordinateTreeView::visible() const {
    const QRectF body(captions_ * zoom_, header_height(), viewport()->width() - captions_ * zoom_,
                      viewport()->height() - header_height());
    return {in_picture(body.topLeft()), body.size() / zoom_};
}

TreeLayout CoordinateTreeView::shown_layout() const {
    const QRectF view = visible();
    return kept_in_view(layout_, {view.left() + grid_step, view.right() - grid_step});
}

std::optional<TreePlace> CoordinateTreeView::place_at(QPointF point) const {
    if (is_empty() || point.x() < captions_ * zoom_ || point.y() < header_height())
        return std::nullopt;
    const TreeLayout layout = shown_layout();
    const auto node = layout.node_at(in_picture(point));
    return node ? node : layout.cell_at(in_picture(point));
}

QSize CoordinateTreeView::sizeHint() const {
    const QSizeF wanted(captions_ + layout_.size.width(), header_height() + layout_.size.height());
    return wanted.toSize().boundedTo({900, 560}).expandedTo(minimumSizeHint());
}

QSize CoordinateTreeView::minimumSizeHint() const {
    return {static_cast<int>(captions_) + 12 * grid_step, 18 * grid_step};
}

void CoordinateTreeView::light(std::optional<TreePlace> place) {
    if (place == lit_)
        return;
    lit_ = place;
    viewport()->update();
    if (lit_)
        Q_EMIT range_hovered(picture_.levels[lit_->level].nodes[lit_->node].covers);
    else
        Q_EMIT hover_ended();
}

void CoordinateTreeView::paintEvent(QPaintEvent*) {
    const Theme& theme = current_theme();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), theme.surface);
    if (is_empty()) {
        paint_empty_plot(painter, viewport()->rect(), empty_text_, theme);
        return;
    }
    const TreeLayout layout = shown_layout();
    const TreePainting painting(picture_, layout, tree_fonts(), theme);
    painter.save();
    const QRectF body(captions_ * zoom_, header_height(), viewport()->width() - captions_ * zoom_,
                      viewport()->height() - header_height());
    painter.setClipRect(body);
    painter.translate(origin());
    painter.scale(zoom_, zoom_);
    painting.paint(painter, visible(), lit_);
    painter.restore();

    painter.save();
    painter.setClipRect(QRectF(0, header_height(), captions_ * zoom_, body.height()));
    painter.translate(0, origin().y());
    painter.scale(zoom_, zoom_);
    painting.paint_captions(painter, captions_);
    painter.restore();
    if (horizontalScrollBar()->value() > 0) {
        painter.setPen(theme.border);
        painter.drawLine(QPointF(body.left(), body.top()), body.bottomLeft());
    }

    painter.setFont(caption_font());
    painter.setPen(theme.dim_text);
    QString header = tree_summary(picture_);
    if (picture_.left_out > 0)
        header += tr(" · %1 more nodes are not shown").arg(count_text(picture_.left_out));
    const QRectF line(1.5 * grid_step, 0, viewport()->width() - 3.0 * grid_step, header_height());
    painter.drawText(
        line, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(header, Qt::ElideRight, static_cast<int>(line.width())));
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1), corner_radius,
                                corner_radius);
    }
}

void CoordinateTreeView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    update_scroll_bars();
}

void CoordinateTreeView::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
    case QEvent::FontChange:
    case QEvent::ApplicationFontChange:
    case QEvent::LanguageChange:
        lay_out_again();
        break;
    default:
        break;
    }
}

void CoordinateTreeView::mouseMoveEvent(QMouseEvent* event) {
    light(place_at(event->position()));
}

void CoordinateTreeView::wheelEvent(QWheelEvent* event) {
    if ((event->modifiers() & Qt::ControlModifier) != 0) {
        set_zoom(zoom_ * std::pow(1.1, event->angleDelta().y() / 120.0));
        event->accept();
        return;
    }
    QAbstractScrollArea::wheelEvent(event);
}

void CoordinateTreeView::set_zoom(double zoom) {
    zoom_ = std::clamp(zoom, 0.4, 3.0);
    update_scroll_bars();
    viewport()->update();
}

void CoordinateTreeView::keyPressEvent(QKeyEvent* event) {
    const bool is_arrow = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right ||
                          event->key() == Qt::Key_Up || event->key() == Qt::Key_Down;
    if (event->key() == Qt::Key_Escape && lit_) {
        light(std::nullopt);
        return;
    }
    if (event->matches(QKeySequence::ZoomIn) || event->matches(QKeySequence::ZoomOut)) {
        set_zoom(zoom_ * (event->matches(QKeySequence::ZoomIn) ? 1.1 : 1 / 1.1));
        return;
    }
    if (!is_arrow || is_empty() || picture_.levels.front().nodes.empty()) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const TreePlace place =
        lit_ ? beside(picture_, *lit_, static_cast<Qt::Key>(event->key())) : TreePlace{0, 0};
    light(place);
    show_node(place);
    say_where(place);
}

void CoordinateTreeView::show_node(TreePlace place) {
    // Where it stands by itself, not where it is kept: its children should come into view too.
    const QRectF node = layout_.nodes[place.level][place.node];
    const QRectF box = QRectF(origin() + node.topLeft() * zoom_, node.size() * zoom_)
                           .adjusted(-2 * grid_step, -grid_step, 2 * grid_step, grid_step);
    const QRectF room(captions_ * zoom_, header_height(), viewport()->width() - captions_ * zoom_,
                      viewport()->height() - header_height());
    const auto shift = [](double begin, double end, double first, double last) {
        return begin < first ? begin - first : end > last ? end - last : 0.0;
    };
    horizontalScrollBar()->setValue(
        horizontalScrollBar()->value() +
        static_cast<int>(shift(box.left(), box.right(), room.left(), room.right())));
    verticalScrollBar()->setValue(
        verticalScrollBar()->value() +
        static_cast<int>(shift(box.top(), box.bottom(), room.top(), room.bottom())));
}

void CoordinateTreeView::say_where(TreePlace place) {
    setAccessibleDescription(tr("%1, coordinate %2")
                                 .arg(level_title(picture_.levels[place.level]),
                                      count_text(picture_.levels[place.level].nodes[place.node].coordinate)));
}

void CoordinateTreeView::focusOutEvent(QFocusEvent* event) {
    QAbstractScrollArea::focusOutEvent(event);
    light(std::nullopt);
}

QString CoordinateTreeView::tooltip_at(QPoint point) const {
    if (is_empty())
        return {};
    const QPointF at = in_picture(point);
    if (point.x() < captions_ * zoom_) {
        for (std::size_t level = 0; level < picture_.levels.size(); ++level) {
            const double top = layout_.level_tops[level];
            if (at.y() > top - grid_step / 2.0 && at.y() < top + 6 * grid_step)
                return level_explanation(picture_.levels[level]);
        }
        for (const TreeArrayRow& row : layout_.arrays)
            if (at.y() >= row.top && at.y() < row.top + layout_.root.height())
                return array_explanation(picture_, row);
        return {};
    }
    const std::optional<TreePlace> place = place_at(point);
    if (!place)
        return {};
    return node_explanation(picture_, *place);
}

bool CoordinateTreeView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        light(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        const QString text = tooltip_at(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

ExportedPicture CoordinateTreeView::exported() const {
    const double header = header_height();
    const QSizeF size(captions_ + layout_.size.width(), header + layout_.size.height());
    return {size,
            [picture = picture_, layout = layout_, captions = captions_, header, size](QPainter& painter) {
                const Theme& theme = light_theme();
                painter.fillRect(QRectF({0, 0}, size), theme.surface);
                const TreePainting painting(picture, layout, tree_fonts(), theme);
                painter.setFont(caption_font());
                painter.setPen(theme.dim_text);
                painter.drawText(QRectF(1.5 * grid_step, 0, size.width(), header), Qt::AlignVCenter,
                                 tree_summary(picture));
                painter.translate(0, header);
                painting.paint_captions(painter, captions);
                painter.translate(captions, 0);
                painting.paint(painter, QRectF({0, 0}, layout.size), std::nullopt);
            },
            tree_csv(picture_), QStringLiteral("coordinate-tree")};
}

void CoordinateTreeView::contextMenuEvent(QContextMenuEvent* event) {
    if (is_empty())
        return;
    pop_up_export_menu(
        *this, event->globalPos(), [this] { return exported(); },
        [this](const std::expected<QString, QString>& saved) {
            if (saved)
                Q_EMIT exported_to(*saved);
            else
                Q_EMIT export_failed(saved.error());
        });
}

} // namespace sparsight
