#include "widgets/chart/plots/region_picture.h"

#include "widgets/chart/chart_values.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace sparsight {

namespace {

/// The distance from a cell to the nearest cell of another owner, or to the edge, in cells; slightly larger
/// in the middle of a strip than at its ends.
int depth_of(const RegionPicture& picture, const MapCell& cell) {
    const std::size_t owner = picture.owner(cell.column, cell.row);
    const auto width = static_cast<int>(picture.x_values.size());
    const auto height = static_cast<int>(picture.y_values.size());
    std::array<int, 4> steps{};
    constexpr std::array<std::array<int, 2>, 4> ways{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
    for (std::size_t way = 0; way < ways.size(); ++way) {
        int column = static_cast<int>(cell.column) + ways[way][0];
        int row = static_cast<int>(cell.row) + ways[way][1];
        while (column >= 0 && column < width && row >= 0 && row < height &&
               picture.owner(static_cast<std::size_t>(column), static_cast<std::size_t>(row)) == owner) {
            ++steps[way];
            column += ways[way][0];
            row += ways[way][1];
        }
    }
    const int across = std::min(steps[0], steps[1]);
    const int along = std::min(steps[2], steps[3]);
    return 64 * std::min(across, along) + std::max(across, along);
}

} // namespace

std::vector<double> cell_edges(const std::vector<double>& values, bool logarithmic) {
    const ChartScale scale{logarithmic, 0, 1};
    std::vector<double> drawn(values.size());
    std::ranges::transform(values, drawn.begin(), [&](double value) { return scale.drawn(value); });
    std::vector<double> edges;
    const auto edge = [&](double place) { edges.push_back(scale.value(place)); };
    if (drawn.size() == 1) {
        edge(drawn[0] - 0.5);
        edge(drawn[0] + 0.5);
        return edges;
    }
    for (std::size_t i = 0; i < drawn.size(); ++i)
        edge(i == 0 ? drawn[0] - (drawn[1] - drawn[0]) / 2 : (drawn[i - 1] + drawn[i]) / 2);
    if (!drawn.empty())
        edge(drawn.back() + (drawn.back() - drawn[drawn.size() - 2]) / 2);
    return edges;
}

std::size_t cell_of(const std::vector<double>& edges, double value) {
    const auto above = std::ranges::upper_bound(edges, value) - edges.begin();
    const auto last = static_cast<std::ptrdiff_t>(edges.size()) - 2;
    return static_cast<std::size_t>(
        std::clamp(above - 1, std::ptrdiff_t{0}, std::max(std::ptrdiff_t{0}, last)));
}

std::vector<double> owner_shares(const RegionPicture& picture) {
    std::vector<double> shares(picture.owners.size());
    for (const std::size_t owner : picture.cells)
        shares[owner] += 1.0 / static_cast<double>(picture.cells.size());
    return shares;
}

std::vector<std::optional<MapCell>> letter_cells(const RegionPicture& picture,
                                                 const std::function<bool(const MapCell&)>& is_covered) {
    std::vector<std::optional<MapCell>> cells(picture.owners.size());
    std::vector<int> deepest(picture.owners.size(), std::numeric_limits<int>::min());
    constexpr int covered = 1 << 20; // larger than any distance to a border
    for (std::size_t row = 0; row < picture.y_values.size(); ++row)
        for (std::size_t column = 0; column < picture.x_values.size(); ++column) {
            const std::size_t owner = picture.owner(column, row);
            const bool is_free = !is_covered || !is_covered({column, row});
            const int depth = depth_of(picture, {column, row}) - (is_free ? 0 : covered);
            if (depth > deepest[owner]) {
                deepest[owner] = depth;
                cells[owner] = MapCell{column, row};
            }
        }
    return cells;
}

QString owner_letter(std::size_t owner) {
    const QChar letter(static_cast<char16_t>(u'A' + owner % 26));
    return owner < 26 ? QString(letter) : owner_letter(owner / 26 - 1) + letter;
}

QString region_csv(const RegionPicture& picture) {
    QString csv = QStringList{quoted_field(axis_title(picture.x)), quoted_field(axis_title(picture.y)),
                              QStringLiteral("key"), QStringLiteral("name")}
                      .join(u',') +
                  u'\n';
    const std::size_t width = picture.x_values.size();
    for (std::size_t at = 0; at < picture.cells.size(); ++at) {
        const RegionOwner& owner = picture.owners[picture.cells[at]];
        csv += QStringList{QString::number(picture.x_values[at % width], 'g', 17),
                           QString::number(picture.y_values[at / width], 'g', 17), quoted_field(owner.key),
                           quoted_field(owner.name)}
                   .join(u',') +
               u'\n';
    }
    return csv;
}

namespace {

constexpr double region_gap = 6;
constexpr double line_gap = 2; ///< between a letter and the lines through the current position

/// For an owner whose cells all lie under the lines: beside both lines, on the side with more space.
QRectF beside_lines(QRectF box, const QPointF& cross, const QRectF& area) {
    const double ring = 8; // radius around the crossing of the lines
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

/// The centre nearest to `middle` at which an object of this length fits between both ends, or half way where
/// it is too long.
double kept_between(double middle, double length, double low, double high) {
    return high - low < length ? (low + high) / 2 : std::clamp(middle, low + length / 2, high - length / 2);
}

/// The first and last index around one that have the same owner.
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
    return std::min(longest + letter_and_share + 7 * region_gap, 0.45 * width);
}

ChartScale scale_over(const std::vector<double>& edges, bool logarithmic) {
    ChartScale scale{logarithmic, 0, 1};
    scale.low = scale.drawn(edges.front());
    scale.high = scale.drawn(edges.back());
    return scale;
}

} // namespace

QRectF RegionScene::cell(const MapCell& cell) const {
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
    const auto box_in = [&](const MapCell& each) {
        const double side = QFontMetricsF(fonts.caption).height();
        const auto [left, right] = run_around(each.column, picture.x_values.size(), [&](std::size_t column) {
            return picture.owner(column, each.row);
        });
        const auto [low, high] = run_around(each.row, picture.y_values.size(),
                                            [&](std::size_t row) { return picture.owner(each.column, row); });
        const QPointF middle = cell(each).center();
        QRectF box(0, 0, side, side); // a letter larger than its cell may cross the owner's border
        box.moveCenter(
            {kept_between(middle.x(), side, cell({left, each.row}).left(), cell({right, each.row}).right()),
             kept_between(middle.y(), side, cell({each.column, high}).top(),
                          cell({each.column, low}).bottom())});
        return box;
    };
    const auto is_covered = [&](const MapCell& each) {
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
    ScatterSeries any; // a chart without a series is not painted
    any.points.push_back({});
    scene.content.series.emplace_back(std::move(any));
    const double legend = legend_width(picture, QFontMetricsF(scene.fonts.caption), size.width());
    scene.chart = QRectF(0, 0, std::max(1.0, size.width() - legend), size.height());
    scene.layout = lay_out_chart(scene.content, scale_over(scene.x_edges, picture.x.logarithmic),
                                 scale_over(scene.y_edges, picture.y.logarithmic), scene.chart.size(), {},
                                 scene.fonts, current_number_style());
    const double top = std::max(scene.layout.transform.area.top(), tools.height() + region_gap);
    scene.legend =
        QRectF(scene.chart.right() + region_gap, top, legend - 2 * region_gap, size.height() - top);
    return scene;
}

std::optional<MapCell> region_cell_at(const RegionScene& scene, const QPointF& point) {
    const ChartTransform& transform = scene.layout.transform;
    if (scene.picture.empty() || !transform.area.contains(point))
        return std::nullopt;
    return MapCell{cell_of(scene.x_edges, transform.value_x(point.x())),
                   cell_of(scene.y_edges, transform.value_y(point.y()))};
}

std::optional<std::size_t> owner_at(const RegionScene& scene, const QPointF& point) {
    for (std::size_t owner = 0; owner < scene.picture.owners.size(); ++owner)
        if (scene.owner_row(owner).contains(point))
            return owner;
    return std::nullopt;
}

} // namespace sparsight
