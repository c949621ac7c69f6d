#include "widgets/chart/chart_view.h"

#include "widgets/look/theme.h"

#include <QChart>
#include <QContextMenuEvent>
#include <QEvent>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QLegend>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QValueAxis>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

namespace sparsight {

namespace {

// Qt Charts puts its series at z = 4 and slightly above.
constexpr double below_series = 0.5;
constexpr double beside_series = 3.5;
constexpr double above_series = 100;
constexpr double topmost = 200;

ChartFonts make_fonts() {
    return {title_font(), caption_font()};
}

} // namespace

ChartView::ChartView(QWidget* parent)
    : QChartView(parent)
    , fonts_(make_fonts())
    , theme_(&current_theme())
    , x_axis_(new QValueAxis(chart()))
    , y_axis_(new QValueAxis(chart()))
    , curves_(*chart(), *x_axis_, *y_axis_) {
    setFrameShape(NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setBackgroundBrush(Qt::NoBrush);
    setViewportUpdateMode(FullViewportUpdate);
    setMinimumSize(160, 120);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    chart()->setBackgroundVisible(false);
    chart()->legend()->hide();
    chart()->setMargins({});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    for (QValueAxis* const axis : {x_axis_, y_axis_}) {
        axis->setVisible(false);
        chart()->addAxis(axis, axis == x_axis_ ? Qt::AlignBottom : Qt::AlignLeft);
    }
    const auto item = [this](double z, std::function<void(QPainter&)> paint_it) {
        return std::make_unique<PaintedItem>(chart(), z, std::move(paint_it)).release(); // the chart owns it
    };
    grid_ = item(below_series, [this](QPainter& painter) {
        paint_chart_grid(painter, picture());
        paint_chart_bands(painter, picture());
    });
    bars_ = item(beside_series, [this](QPainter& painter) { paint_chart_bars(painter, picture()); });
    frame_ = item(above_series, [this](QPainter& painter) { paint_chart_frame(painter, picture()); });
    pointer_ = item(topmost, [this](QPainter& painter) {
        if (drag_ == Drag::Box)
            paint_zoom_box(painter, QRectF(pressed_, dragged_).normalized() & layout_.transform.area,
                           *theme_);
        else if (mouse_ && drag_ == Drag::None)
            paint_crosshair(painter, picture(), *mouse_, hover_, current_number_style());
    });
}

ChartView::~ChartView() = default;

ChartPicture ChartView::picture() const {
    return {content_, layout_, fonts_, *theme_, QRectF(QPointF(), chart()->size())};
}

void ChartView::set_series(std::vector<ChartSeries> series) {
    const bool same_kind = !series.empty() && !content_.series.empty() &&
                           series.front().index() == content_.series.front().index();
    const bool keep = same_kind && is_zoomed();
    content_.set_series(std::move(series));
    curves_.make(content_, *theme_);
    const ChartScale x = x_;
    const ChartScale y = y_;
    limits_changed();
    if (keep)
        zoom_to(x, y);
}

void ChartView::set_axes(const ChartAxis& x, const ChartAxis& y) {
    if (x == content_.x && y == content_.y)
        return;
    const auto tell_of_the_same = [](const ChartAxis& a, const ChartAxis& b) {
        return a.title == b.title && a.unit == b.unit && a.logarithmic == b.logarithmic;
    };
    const bool keep = is_zoomed() && tell_of_the_same(x, content_.x) && tell_of_the_same(y, content_.y);
    content_.x = x;
    content_.y = y;
    const ChartScale x_before = x_;
    const ChartScale y_before = y_;
    limits_changed();
    if (keep)
        zoom_to(x_before, y_before);
}

void ChartView::set_title(const QString& title) {
    content_.title = title;
    arrange();
}

void ChartView::set_reference(const std::optional<ReferenceLine>& reference) {
    const bool keep = is_zoomed();
    content_.reference = reference;
    if (keep)
        arrange();
    else
        limits_changed();
}

void ChartView::set_selected(const QVariant& key) {
    content_.selected = key;
    frame_->update();
}

void ChartView::set_empty_text(const QString& text) {
    content_.empty_text = text;
    frame_->update();
}

void ChartView::set_shown(std::size_t series, bool shown) {
    if (shown)
        content_.hidden.erase(series);
    else
        content_.hidden.insert(series);
    limits_changed();
}

void ChartView::set_tools_size(const QSizeF& size) {
    tools_ = size;
    arrange();
}

bool ChartView::is_zoomed() const {
    return x_ != x_limits_ || y_ != y_limits_;
}

bool ChartView::zooms_vertically() const {
    return !content_.has_bars() && !content_.has_histogram();
}

void ChartView::reset_zoom() {
    zoom_to(x_limits_, y_limits_);
}

void ChartView::zoom_to(const ChartScale& x, const ChartScale& y) {
    x_ = panned(x, 0, x_limits_);
    y_ = panned(y, 0, y_limits_);
    arrange();
    Q_EMIT zoom_changed();
}

void ChartView::zoom_by(double factor) {
    zoom_to(zoomed(x_, (x_.low + x_.high) / 2, factor, x_limits_),
            zooms_vertically() ? zoomed(y_, (y_.low + y_.high) / 2, factor, y_limits_) : y_);
}

void ChartView::limits_changed() {
    x_limits_ = x_limits(content_);
    y_limits_ = y_limits(content_);
    x_ = x_limits_;
    y_ = y_limits_;
    arrange();
    Q_EMIT zoom_changed();
}

void ChartView::arrange() {
    const QSizeF size = chart()->size();
    layout_ = lay_out_chart(content_, x_, y_, size, tools_, fonts_, current_number_style());
    chart()->setPlotArea(layout_.transform.area);
    x_axis_->setRange(x_.low, x_.high);
    y_axis_->setRange(y_.low, y_.high);
    for (PaintedItem* const item : {grid_, bars_, frame_, pointer_})
        item->resize(QRectF(QPointF(), size));
    curves_.fill(content_, x_, y_, layout_.transform.area.size(), devicePixelRatioF());
    set_mouse(mouse_);
    chart()->update();
    viewport()->update();
}

void ChartView::paint(QPainter& painter, const QSize& size, const Theme& theme) {
    const QSizeF before = chart()->size();
    const QSizeF tools = std::exchange(tools_, QSizeF());
    const QVariant selected = std::exchange(content_.selected, QVariant());
    const bool is_named_beside = std::exchange(content_.y.is_named_beside, false);
    theme_ = &theme;
    pointer_->setVisible(false);
    chart()->resize(size);
    curves_.dress(content_, *theme_);
    arrange();
    painter.fillRect(QRect(QPoint(), size), theme.surface);
    const QRectF rect({0, 0}, QSizeF(size));
    scene()->render(&painter, rect, rect);
    theme_ = &current_theme();
    tools_ = tools;
    content_.selected = selected;
    content_.y.is_named_beside = is_named_beside;
    pointer_->setVisible(true);
    chart()->resize(before);
    curves_.dress(content_, *theme_);
    arrange();
}

QSize ChartView::export_size() const {
    const bool readable = width() >= 480 && height() >= 280;
    return readable ? size() : QSize(960, 540);
}

void ChartView::resizeEvent(QResizeEvent* event) {
    QChartView::resizeEvent(event);
    arrange();
}

void ChartView::changeEvent(QEvent* event) {
    QChartView::changeEvent(event);
    switch (event->type()) {
    case QEvent::PaletteChange:
    case QEvent::StyleChange:
    case QEvent::FontChange:
    case QEvent::LanguageChange: // the number style may change, too
        theme_ = &current_theme();
        fonts_ = make_fonts();
        curves_.dress(content_, *theme_);
        arrange();
        break;
    default:
        break;
    }
}

namespace {

/// On a page that is longer than what is seen of it the wheel is the page's: who scrolls past a chart does
/// not want it changed.
bool is_on_scrolled_page(const QWidget& chart) {
    for (const QWidget* parent = chart.parentWidget(); parent != nullptr; parent = parent->parentWidget())
        if (const auto* page = qobject_cast<const QScrollArea*>(parent))
            if (page->verticalScrollBar()->maximum() > 0)
                return true;
    return false;
}

constexpr double drag_threshold = 5;
constexpr double smallest_box = 6;
constexpr double key_zoom = 1.25;
constexpr double key_pan = 0.1; ///< of the width

} // namespace

std::optional<std::size_t> ChartView::legend_at(const QPointF& place) const {
    for (const LegendEntry& entry : layout_.legend)
        if (entry.rect.contains(place))
            return entry.series;
    return std::nullopt;
}

void ChartView::set_mouse(const std::optional<QPointF>& mouse) {
    mouse_ = mouse;
    hover_.reset();
    if (mouse_ && drag_ == Drag::None && !content_.empty())
        hover_ = hover_at(content_, layout_.transform, *mouse_, current_number_style());
    const bool clickable = mouse_ && ((hover_ && hover_->key.isValid()) || legend_at(*mouse_));
    viewport()->setCursor(drag_ == Drag::Pan   ? Qt::ClosedHandCursor
                          : drag_ == Drag::Box ? Qt::CrossCursor
                          : clickable          ? Qt::PointingHandCursor
                                               : Qt::ArrowCursor);
    viewport()->update();
}

bool ChartView::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::Leave)
        set_mouse(std::nullopt);
    if (event->type() == QEvent::ToolTip)
        return true; // our own note is there already
    return QChartView::viewportEvent(event);
}

void ChartView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    pressed_ = dragged_ = event->position();
    const bool inside = layout_.transform.area.contains(pressed_) && !content_.empty();
    drag_ = !inside                                          ? Drag::None
            : event->modifiers().testFlag(Qt::ShiftModifier) ? Drag::Box
                                                             : Drag::Undecided;
    event->accept();
}

void ChartView::mouseMoveEvent(QMouseEvent* event) {
    const QPointF place = event->position();
    if (drag_ == Drag::Undecided && (place - pressed_).manhattanLength() > drag_threshold)
        drag_ = Drag::Pan;
    if (drag_ == Drag::Pan)
        pan_by(place - dragged_);
    dragged_ = place;
    if (drag_ != Drag::Undecided)
        set_mouse(place);
    event->accept();
}

void ChartView::pan_by(const QPointF& pixels) {
    const QRectF& area = layout_.transform.area;
    zoom_to(panned(x_, -pixels.x() / area.width() * (x_.high - x_.low), x_limits_),
            panned(y_, pixels.y() / area.height() * (y_.high - y_.low), y_limits_));
}

void ChartView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const Drag drag = std::exchange(drag_, Drag::None);
    const QPointF place = event->position();
    if (drag == Drag::Box) {
        const QRectF box = QRectF(pressed_, place).normalized() & layout_.transform.area;
        if (box.width() >= smallest_box && box.height() >= smallest_box) {
            const ChartTransform& transform = layout_.transform;
            const ChartScale x{x_.logarithmic, x_.drawn(transform.value_x(box.left())),
                               x_.drawn(transform.value_x(box.right()))};
            const ChartScale y{y_.logarithmic, y_.drawn(transform.value_y(box.bottom())),
                               y_.drawn(transform.value_y(box.top()))};
            zoom_to(x, zooms_vertically() ? y : y_);
        }
    }
    set_mouse(place);
    if (drag == Drag::Undecided && hover_ && hover_->key.isValid()) {
        const QVariant key = hover_->key; // the slot may change the chart
        Q_EMIT picked(key);
    } else if (const auto series = legend_at(place);
               drag == Drag::None && series && legend_at(pressed_) == series) {
        set_shown(*series, !content_.shown(*series));
        Q_EMIT legend_clicked(*series);
    }
    event->accept();
}

void ChartView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && !legend_at(event->position()))
        reset_zoom();
    event->accept();
}

void ChartView::wheelEvent(QWheelEvent* event) {
    const QRectF& area = layout_.transform.area;
    const QPointF place = event->position();
    const double turns =
        (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
    const bool across = place.x() >= area.left() && place.x() <= area.right();
    const bool along = place.y() >= area.top() && place.y() <= area.bottom();
    const bool is_for_page = is_on_scrolled_page(*this) && (event->modifiers() & Qt::ControlModifier) == 0;
    if (content_.empty() || turns == 0 || (!across && !along) || is_for_page) {
        event->ignore(); // the page may scroll
        return;
    }
    const double factor = std::pow(0.8, turns);
    const double x = x_.low + (place.x() - area.left()) / area.width() * (x_.high - x_.low);
    const double y = y_.low + (area.bottom() - place.y()) / area.height() * (y_.high - y_.low);
    // Over an axis only that axis is zoomed.
    zoom_to(across ? zoomed(x_, x, factor, x_limits_) : x_,
            along && (zooms_vertically() || !across) ? zoomed(y_, y, factor, y_limits_) : y_);
    event->accept();
}

void ChartView::keyPressEvent(QKeyEvent* event) {
    const QRectF& area = layout_.transform.area;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom_by(1 / key_zoom);
        break;
    case Qt::Key_Minus:
        zoom_by(key_zoom);
        break;
    case Qt::Key_0:
    case Qt::Key_Home:
        reset_zoom();
        break;
    case Qt::Key_Left:
        pan_by({key_pan * area.width(), 0});
        break;
    case Qt::Key_Right:
        pan_by({-key_pan * area.width(), 0});
        break;
    case Qt::Key_Up:
        pan_by({0, key_pan * area.height()});
        break;
    case Qt::Key_Down:
        pan_by({0, -key_pan * area.height()});
        break;
    case Qt::Key_Escape:
        if (drag_ == Drag::None) {
            event->ignore();
            return;
        }
        drag_ = Drag::None;
        set_mouse(mouse_);
        break;
    default:
        event->ignore();
        return;
    }
    event->accept();
}

void ChartView::contextMenuEvent(QContextMenuEvent* event) {
    event->ignore(); // the chart around the view has the menu
}

} // namespace sparsight
