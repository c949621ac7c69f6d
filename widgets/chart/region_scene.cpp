#include "widgets/chart/region_scene.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

constexpr double gap = 6;
constexpr double line_gap = 2; ///< between a letter and the lines through where one stands

/// For an owner whose every cell lies under the lines: beside both of them, at the side with more room.
QRectF beside_lines(QRectF box, const QPointF& cross, const QRectF& area) {
    const double ring = 8; // around the point where the lines meet
    if (std::abs(box.center().x() - cross.x()) < box.width() / 2 + ring) {
        const bool is_left = cross.x() > area.center().x();
        box.moveLeft(is_left ? cross.x() - ring - box.width() : cross.x() + ring);
    }
    if (std::abs(box.center().y() - cross.y()) < box.height() / 2 + ring) {
        const bool is_above = cross.y() > area.center().y();
        box.moveTop(is_above ? cross.y() - ring - box.height() : cross.y() + ring);
    }
    return box;
}

/// The nearest middle of something so long that leaves it between both ends, or half way where it is too
/// long.
double kept_between(double middle, double length, double low, double high) {
    return high - low < length ? (low + high) / 2 : std::clamp(middle, low + length / 2, high - length / 2);
}

/// The first and last place around one whose owner is the same.
template <typename OwnerAt>
std::pair<std::size_t, std::size_t> run_around(std::size_t place, std::size_t count,
                                               const OwnerAt& owner_at) {
    std::size_t first = place;
    std::size_t last = place;
    while (first > 0 && owner_at(first - 1) == owner_at(place))
        --first;
    while (last + 1 < count && owner_at(last + 1) == owner_at(place))
        ++last;
    return {first, last};
}

double legend_width(const RegionPicture& picture, const QFontMetricsF& metrics, double width) {
    double longest = 0;
    for (const RegionOwner& owner : picture.owners)
        longest = std::max(longest, metrics.horizontalAdvance(owner.name));
    const double letter_and_share =
        metrics.height() * 1.3 + metrics.horizontalAdvance(QStringLiteral("00.00 %"));
    return std::min(longest + letter_and_share + 7 * gap, 0.45 * width);
}

ChartScale scale_over(const std::vector<double>& edges, bool logarithmic) {
    ChartScale scale{logarithmic, 0, 1};
    scale.low = scale.drawn(edges.front());
    scale.high = scale.drawn(edges.back());
    return scale;
}

} // namespace

QRectF RegionScene::cell(const RegionCell& cell) const {
    const ChartTransform& transform = layout.transform;
    const double left = transform.pixel_x(x_edges[cell.column]);
    const double right = transform.pixel_x(x_edges[cell.column + 1]);
    const double bottom = transform.pixel_y(y_edges[cell.row]);
    const double top = transform.pixel_y(y_edges[cell.row + 1]);
    return {QPointF(left, top), QPointF(right, bottom)};
}

std::optional<QPointF> RegionScene::here() const {
    if (!picture.here)
        return std::nullopt;
    const ChartTransform& transform = layout.transform;
    return QPointF(
        std::clamp(transform.pixel_x(picture.here->x()), transform.area.left(), transform.area.right()),
        std::clamp(transform.pixel_y(picture.here->y()), transform.area.top(), transform.area.bottom()));
}

std::vector<std::optional<QRectF>> RegionScene::letters() const {
    const auto cross = here();
    const auto box_in = [&](const RegionCell& each) {
        const double side = QFontMetricsF(fonts.caption).height();
        const auto [left, right] = run_around(each.column, picture.x_values.size(), [&](std::size_t column) {
            return picture.owner(column, each.row);
        });
        const auto [low, high] = run_around(each.row, picture.y_values.size(),
                                            [&](std::size_t row) { return picture.owner(each.column, row); });
        const QPointF middle = cell(each).center();
        QRectF box(0, 0, side, side); // where a cell is smaller, it does not reach over the owner's border
        box.moveCenter(
            {kept_between(middle.x(), side, cell({left, each.row}).left(), cell({right, each.row}).right()),
             kept_between(middle.y(), side, cell({each.column, high}).top(),
                          cell({each.column, low}).bottom())});
        return box;
    };
    const auto is_covered = [&](const RegionCell& each) {
        const QRectF box = box_in(each).adjusted(-line_gap, -line_gap, line_gap, line_gap);
        return cross && ((box.left() < cross->x() && cross->x() < box.right()) ||
                         (box.top() < cross->y() && cross->y() < box.bottom()));
    };
    std::vector<std::optional<QRectF>> boxes;
    for (const auto& place : letter_cells(picture, is_covered)) {
        boxes.push_back(place ? std::optional(box_in(*place)) : std::nullopt);
        if (place && is_covered(*place))
            boxes.back() = beside_lines(*boxes.back(), *cross, layout.transform.area);
    }
    return boxes;
}

QRectF RegionScene::owner_row(std::size_t owner) const {
    const double height = QFontMetricsF(fonts.caption).height() * 1.35;
    return {legend.left(), legend.top() + height * static_cast<double>(owner), legend.width(), height};
}

RegionScene region_scene(const RegionPicture& picture, const QSizeF& size, const QSizeF& tools) {
    RegionScene scene{picture, {}, {}, {}, {}, {title_font(), caption_font()}, {}, {}};
    scene.x_edges = cell_edges(picture.x_values, picture.x.logarithmic);
    scene.y_edges = cell_edges(picture.y_values, picture.y.logarithmic);
    scene.content.title = picture.title;
    scene.content.x = picture.x;
    scene.content.y = picture.y;
    ScatterSeries any; // of a chart without a series nothing is painted
    any.points.push_back({});
    scene.content.series.emplace_back(std::move(any));
    const double legend = legend_width(picture, QFontMetricsF(scene.fonts.caption), size.width());
    scene.chart = QRectF(0, 0, std::max(1.0, size.width() - legend), size.height());
    scene.layout = lay_out_chart(scene.content, scale_over(scene.x_edges, picture.x.logarithmic),
                                 scale_over(scene.y_edges, picture.y.logarithmic), scene.chart.size(), {},
                                 scene.fonts, current_number_style());
    const double top = std::max(scene.layout.transform.area.top(), tools.height() + gap);
    scene.legend = QRectF(scene.chart.right() + gap, top, legend - 2 * gap, size.height() - top);
    return scene;
}

std::optional<RegionCell> cell_at(const RegionScene& scene, const QPointF& point) {
    const ChartTransform& transform = scene.layout.transform;
    if (scene.picture.empty() || !transform.area.contains(point))
        return std::nullopt;
    return RegionCell{cell_of(scene.x_edges, transform.value_x(point.x())),
                      cell_of(scene.y_edges, transform.value_y(point.y()))};
}

std::optional<std::size_t> owner_at(const RegionScene& scene, const QPointF& point) {
    for (std::size_t owner = 0; owner < scene.picture.owners.size(); ++owner)
        if (scene.owner_row(owner).contains(point))
            return owner;
    return std::nullopt;
}

} // namespace sparsight
