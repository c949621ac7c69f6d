#include "widgets/chart/plots/walk_plot.h"

#include "widgets/chart/chart_painting.h"
#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/glyph.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

constexpr double drag_threshold = 5;
constexpr double key_zoom = 1.25;
constexpr double key_pan = 0.1; ///< of the width

std::vector<double> scores_of(const WalkPicture& picture) {
    std::vector<double> scores;
    for (const WalkNode& node : picture.nodes)
        scores.push_back(node.score);
    return scores;
}

std::optional<double> reference_of(const WalkPicture& picture) {
    const auto reference = std::ranges::find(picture.nodes, true, &WalkNode::reference);
    return reference == picture.nodes.end() ? std::nullopt : std::optional(reference->score);
}

bool is_same(const WalkNode& a, const WalkNode& b) {
    return a.x == b.x && a.y == b.y && a.key == b.key;
}

ChartFonts chart_fonts() {
    return {title_font(), caption_font()};
}

/// Only the titles and the signs of the nodes, in light colours.
void paint_alone(QPainter& painter, const WalkPicture& picture, const WalkView& view, const QSizeF& size) {
    const ScoreColours colours(scores_of(picture), reference_of(picture));
    const std::vector<std::size_t> path = path_to_best(picture);
    paint_walk(painter,
               walk_scene(picture, colours, path, view, size, {}, chart_fonts(), current_number_style()),
               light_theme(), std::nullopt);
}

} // namespace

WalkPlot::WalkPlot(QWidget* parent)
    : QWidget(parent)
    , colours_({}, std::nullopt)
    , tools_(new PlotMenuButton(
          *this, tr("Zoom, copy, export"), tr("Menu of the walk"), [this](QMenu& menu) { fill_menu(menu); },
          [this] { return exported(); })) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Walk of the search"));
    tools_->set_offered(false);
}

void WalkPlot::set_picture(WalkPicture picture) {
    const bool is_as_before = std::ranges::equal(picture.nodes, picture_.nodes, is_same);
    picture_ = std::move(picture);
    colours_ = ScoreColours(scores_of(picture_), reference_of(picture_));
    path_ = path_to_best(picture_);
    whole_ = whole_view(picture_);
    if (!is_as_before)
        view_ = whole_;
    hover(std::nullopt);
    tools_->set_offered(!is_empty());
    update();
}

void WalkPlot::set_selected(const QVariant& key) {
    selected_ = key;
    update();
}

void WalkPlot::set_empty_text(const QString& text) {
    empty_text_ = text;
    update();
}

std::optional<std::size_t> WalkPlot::selected_node() const {
    if (!selected_.isValid())
        return std::nullopt;
    const auto found = std::ranges::find(picture_.nodes, selected_, &WalkNode::key);
    return found == picture_.nodes.end()
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(found - picture_.nodes.begin()));
}

WalkScene WalkPlot::scene() const {
    return walk_scene(picture_, colours_, path_, view_, size(), tools_->room(), chart_fonts(),
                      current_number_style());
}

void WalkPlot::reset_zoom() {
    view_ = whole_;
    hover(mouse_);
    update();
}

bool WalkPlot::is_zoomed() const {
    return view_.x != whole_.x || view_.y != whole_.y;
}

QPointF WalkPlot::place_of(std::size_t node) const {
    const ChartTransform transform = scene().layout.transform;
    return {transform.pixel_x(picture_.nodes[node].x), transform.pixel_y(picture_.nodes[node].y)};
}

ExportedPicture WalkPlot::exported() const {
    const bool is_readable = width() >= 480 && height() >= 320;
    const QSizeF picture_size = is_readable ? QSizeF(size()) : QSizeF(960, 640);
    return {picture_size,
            [picture = picture_, view = view_, picture_size](QPainter& painter) {
                paint_alone(painter, picture, view, picture_size);
            },
            walk_csv(picture_),
            picture_.title.isEmpty() ? tr("walk") : QString(picture_.title).replace(u'/', u'-')};
}

QSize WalkPlot::sizeHint() const {
    return {560, 380};
}

QSize WalkPlot::minimumSizeHint() const {
    const QFontMetrics metrics(caption_font());
    return {metrics.averageCharWidth() * 36, metrics.height() * 9};
}

void WalkPlot::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    if (is_empty()) {
        painter.fillRect(rect(), theme.surface);
        paint_empty_plot(painter, rect(), empty_text_, theme);
        return;
    }
    const WalkScene shown = scene();
    paint_walk(painter, shown, theme, selected_node());
    if (mouse_ && hovered_)
        paint_crosshair(painter, {shown.content, shown.layout, shown.fonts, theme, QRectF(rect())}, *mouse_,
                        hover_of(shown, *hovered_), current_number_style());
    if (hasFocus())
        paint_plot_focus(painter, rect(), theme);
}

void WalkPlot::hover(const std::optional<QPointF>& mouse) {
    mouse_ = mouse;
    hovered_.reset();
    if (mouse_ && !is_panning_ && !is_empty())
        hovered_ = node_at(scene(), *mouse_);
    setCursor(is_panning_ ? Qt::ClosedHandCursor : hovered_ ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void WalkPlot::pan_by(const QPointF& pixels) {
    const QRectF area = scene().layout.transform.area;
    view_.x = panned(view_.x, -pixels.x() / area.width() * (view_.x.high - view_.x.low), whole_.x);
    view_.y = panned(view_.y, pixels.y() / area.height() * (view_.y.high - view_.y.low), whole_.y);
    update();
}

void WalkPlot::zoom_at(const QPointF& place, double factor) {
    const ChartTransform transform = scene().layout.transform;
    view_.x = zoomed(view_.x, view_.x.drawn(transform.value_x(place.x())), factor, whole_.x);
    view_.y = zoomed(view_.y, view_.y.drawn(transform.value_y(place.y())), factor, whole_.y);
    hover(mouse_);
}

void WalkPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || is_empty()) {
        event->ignore();
        return;
    }
    is_pressed_ = true;
    pressed_ = dragged_ = event->position();
}

void WalkPlot::mouseMoveEvent(QMouseEvent* event) {
    const QPointF place = event->position();
    if (is_pressed_ && (place - pressed_).manhattanLength() > drag_threshold)
        is_panning_ = true;
    if (is_panning_)
        pan_by(place - dragged_);
    dragged_ = place;
    hover(place);
}

void WalkPlot::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const bool was_click = std::exchange(is_pressed_, false) && !std::exchange(is_panning_, false);
    hover(event->position());
    if (was_click && hovered_) {
        const QVariant key = picture_.nodes[*hovered_].key; // the slot may change the picture
        Q_EMIT picked(key);
    }
}

void WalkPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        reset_zoom();
}

void WalkPlot::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    hover(std::nullopt);
}

void WalkPlot::wheelEvent(QWheelEvent* event) {
    const double turns = event->angleDelta().y() / 120.0;
    if (is_empty() || turns == 0 || !scene().layout.transform.area.contains(event->position())) {
        event->ignore(); // the page may scroll
        return;
    }
    zoom_at(event->position(), std::pow(0.8, turns));
    event->accept();
}

void WalkPlot::keyPressEvent(QKeyEvent* event) {
    const QRectF area = scene().layout.transform.area;
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom_at(area.center(), 1 / key_zoom);
        break;
    case Qt::Key_Minus:
        zoom_at(area.center(), key_zoom);
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
    default:
        QWidget::keyPressEvent(event);
    }
}

void WalkPlot::fill_menu(QMenu& menu) {
    QAction* const reset =
        menu.addAction(glyph_icon(Glyph::ZoomFit), tr("&Reset zoom"), this, &WalkPlot::reset_zoom);
    reset->setEnabled(is_zoomed());
}

void WalkPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        updateGeometry();
    update();
}

} // namespace sparsight
