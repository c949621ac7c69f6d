#include "widgets/chart/region_scene.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <algorithm>

namespace sparsight {

namespace {

constexpr double gap = 6;

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
