#include "widgets/chart/region_picture.h"

#include <algorithm>
#include <array>
#include <limits>

namespace sparsight {

namespace {

QString field(const QString& text) {
    return u'"' + QString(text).replace(u'"', QStringLiteral("\"\"")) + u'"';
}

/// How far it is from a cell to the nearest one of another owner, or to the edge, counted in cells; in the
/// middle of a strip a little more than at its ends.
int depth_of(const RegionPicture& picture, const RegionCell& cell) {
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

std::vector<std::optional<RegionCell>>
letter_cells(const RegionPicture& picture, const std::function<bool(const RegionCell&)>& is_covered) {
    std::vector<std::optional<RegionCell>> cells(picture.owners.size());
    std::vector<int> deepest(picture.owners.size(), std::numeric_limits<int>::min());
    constexpr int covered = 1 << 20; // farther than any cell is from a border
    for (std::size_t row = 0; row < picture.y_values.size(); ++row)
        for (std::size_t column = 0; column < picture.x_values.size(); ++column) {
            const std::size_t owner = picture.owner(column, row);
            const bool is_free = !is_covered || !is_covered({column, row});
            const int depth = depth_of(picture, {column, row}) - (is_free ? 0 : covered);
            if (depth > deepest[owner]) {
                deepest[owner] = depth;
                cells[owner] = RegionCell{column, row};
            }
        }
    return cells;
}

QString owner_letter(std::size_t owner) {
    const QChar letter(static_cast<char16_t>(u'A' + owner % 26));
    return owner < 26 ? QString(letter) : owner_letter(owner / 26 - 1) + letter;
}

QString region_csv(const RegionPicture& picture) {
    QString csv = QStringList{field(axis_title(picture.x)), field(axis_title(picture.y)),
                              QStringLiteral("key"), QStringLiteral("name")}
                      .join(u',') +
                  u'\n';
    const std::size_t width = picture.x_values.size();
    for (std::size_t at = 0; at < picture.cells.size(); ++at) {
        const RegionOwner& owner = picture.owners[picture.cells[at]];
        csv += QStringList{QString::number(picture.x_values[at % width], 'g', 17),
                           QString::number(picture.y_values[at / width], 'g', 17), field(owner.key),
                           field(owner.name)}
                   .join(u',') +
               u'\n';
    }
    return csv;
}

} // namespace sparsight
