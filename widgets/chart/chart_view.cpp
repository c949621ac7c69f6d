#include "widgets/chart/chart_view.h"

#include "widgets/chart/decimation.h"
#include "widgets/look/theme.h"

#include <QChart>
#include <QEvent>
#include <QGraphicsItem>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLineSeries>
#include <QPainter>
#include <QScatterSeries>
#include <QValueAxis>
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

namespace sparsight {

/// Part of the picture that we paint ourselves.
class PaintedItem : public QGraphicsItem {
public:
    PaintedItem(QGraphicsItem* parent, double z, std::function<void(QPainter&)> paint_it)
        : QGraphicsItem(parent)
        , paint_it_(std::move(paint_it)) {
        setZValue(z);
    }

    void resize(const QRectF& rect) {
        prepareGeometryChange();
        rect_ = rect;
    }

    QRectF boundingRect() const override { return rect_; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/, QWidget* /*widget*/) override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, false);
        paint_it_(*painter);
        painter->restore();
    }

private:
    std::function<void(QPainter&)> paint_it_;
    QRectF rect_;
};

namespace {

// Qt Charts puts its series at 4 and a little above.
constexpr double below_series = 0.5;
constexpr double beside_series = 3.5;
constexpr double above_series = 100;
constexpr double topmost = 200;
constexpr std::size_t points_drawn_singly = 4000;
/// So many dots lie over one another: each is small and lets the others be seen.
constexpr std::size_t crowd = 300;

ChartFonts make_fonts() {
    return {title_font(), caption_font()};
}

} // namespace

ChartView::ChartView(QWidget* parent)
    : QChartView(parent)
    , fonts_(make_fonts())
    , theme_(&current_theme())
    , x_axis_(new QValueAxis(chart()))
    , y_axis_(new QValueAxis(chart())) {
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
    make_curves();
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
    fill_curves();
    set_mouse(mouse_);
    chart()->update();
    viewport()->update();
}

void ChartView::make_curves() {
    std::vector<Curve> wanted;
    for (std::size_t i = 0; i < content_.series.size(); ++i) {
        if (const auto* const line = std::get_if<LineSeries>(&content_.series[i])) {
            wanted.push_back({i, false, line->colour, nullptr});
            if (!content_.smooth[i].empty())
                wanted.push_back({i, true, line->colour, nullptr});
        } else if (const auto* const scatter = std::get_if<ScatterSeries>(&content_.series[i])) {
            std::set<std::tuple<ChartColour, std::optional<ChartColour>, bool>> looks{
                {scatter->colour, {}, false}};
            for (const ScatterPoint& point : scatter->points)
                looks.emplace(point.colour.value_or(scatter->colour), point.edge, point.muted);
            for (const auto& [colour, edge, muted] : looks)
                wanted.push_back({i, false, colour, nullptr, edge, muted});
        }
    }
    std::ranges::stable_partition(wanted, &Curve::muted); // what is drawn first lies below
    const auto is_scatter = [this](const Curve& curve) {
        return std::holds_alternative<ScatterSeries>(content_.series[curve.series]);
    };
    // Live curves keep their objects; only their points change.
    bool same = wanted.size() == curves_.size();
    for (std::size_t i = 0; same && i < wanted.size(); ++i)
        same = is_scatter(wanted[i]) == (curves_[i].points->type() == QAbstractSeries::SeriesTypeScatter);
    if (same) {
        for (std::size_t i = 0; i < wanted.size(); ++i)
            wanted[i].points = curves_[i].points;
    } else {
        chart()->removeAllSeries();
        for (Curve& curve : wanted) {
            curve.points = is_scatter(curve) ? static_cast<QXYSeries*>(new QScatterSeries(chart()))
                                             : static_cast<QXYSeries*>(new QLineSeries(chart()));
            chart()->addSeries(curve.points);
            curve.points->attachAxis(x_axis_);
            curve.points->attachAxis(y_axis_);
        }
    }
    curves_ = std::move(wanted);
    dress_curves();
}

void ChartView::dress_curves() {
    std::size_t dots = 0;
    for (const ChartSeries& series : content_.series)
        if (const auto* const scatter = std::get_if<ScatterSeries>(&series))
            dots += scatter->points.size();
    const bool is_crowded = dots > crowd;
    for (const Curve& curve : curves_) {
        QColor colour = colour_from(curve.colour, *theme_);
        if (auto* const scatter = qobject_cast<QScatterSeries*>(curve.points)) {
            if (curve.muted) {
                colour.setAlphaF(theme_->dark ? 0.4F : 0.3F);
                scatter->setMarkerSize(5);
                scatter->setBrush(colour);
                scatter->setPen(Qt::NoPen);
                continue;
            }
            if (is_crowded) {
                colour = colour_from(curve.edge.value_or(curve.colour), *theme_);
                colour.setAlphaF(0.5F);
                scatter->setMarkerSize(5);
                scatter->setBrush(colour);
                scatter->setPen(Qt::NoPen);
                continue;
            }
            scatter->setMarkerSize(9);
            scatter->setBrush(colour);
            scatter->setPen(curve.edge ? QPen(colour_from(*curve.edge, *theme_), 2)
                                       : QPen(theme_->surface, 1));
            continue;
        }
        const auto& line = std::get<LineSeries>(content_.series[curve.series]);
        const bool raw_beneath = !curve.smooth && !content_.smooth[curve.series].empty();
        if (raw_beneath)
            colour.setAlphaF(theme_->dark ? 0.45F : 0.35F);
        QPen pen(colour, curve.smooth ? 2.5 : raw_beneath ? 1.0 : 2.0);
        pen.setJoinStyle(Qt::RoundJoin);
        if (line.dashed && !raw_beneath)
            pen.setStyle(Qt::DashLine);
        curve.points->setPen(pen);
        curve.points->setPointsVisible(line.marked && !raw_beneath);
        curve.points->setMarkerSize(5);
    }
}

void ChartView::fill_curves() {
    const QRectF& area = layout_.transform.area;
    const int columns = std::max(1, static_cast<int>(area.width() * devicePixelRatioF()));
    for (const Curve& curve : curves_) {
        curve.points->setVisible(content_.shown(curve.series));
        if (!content_.shown(curve.series))
            continue;
        if (const auto* const line = std::get_if<LineSeries>(&content_.series[curve.series])) {
            const std::vector<double>& y = curve.smooth ? content_.smooth[curve.series] : line->y;
            curve.points->replace(decimated_line(line->x, y, x_, y_, columns));
            continue;
        }
        const auto& scatter = std::get<ScatterSeries>(content_.series[curve.series]);
        std::vector<QPointF> points;
        for (const ScatterPoint& point : scatter.points)
            if (point.colour.value_or(scatter.colour) == curve.colour && point.edge == curve.edge &&
                point.muted == curve.muted)
                points.emplace_back(point.x, point.y);
        const double cell = points.size() > points_drawn_singly ? 2 : 0.5;
        curve.points->replace(decimated_points(points, x_, y_, static_cast<int>(area.width() / cell) + 1,
                                               static_cast<int>(area.height() / cell) + 1));
    }
}

std::vector<const QXYSeries*> ChartView::drawn_series() const {
    std::vector<const QXYSeries*> series;
    for (const Curve& curve : curves_)
        series.push_back(curve.points);
    return series;
}

void ChartView::paint(QPainter& painter, const QSize& size, const Theme& theme) {
    const QSizeF before = chart()->size();
    const QSizeF tools = std::exchange(tools_, QSizeF());
    const QVariant selected = std::exchange(content_.selected, QVariant());
    const bool is_named_beside = std::exchange(content_.y.is_named_beside, false);
    theme_ = &theme;
    pointer_->setVisible(false);
    chart()->resize(size);
    dress_curves();
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
    dress_curves();
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
    case QEvent::LanguageChange: // the number style, too
        theme_ = &current_theme();
        fonts_ = make_fonts();
        dress_curves();
        arrange();
        break;
    default:
        break;
    }
}

} // namespace sparsight
