// A plane of two quantities, each cell of which belongs to somebody. As plain values.
#pragma once

#include "widgets/chart/chart_layout.h"
#include "widgets/chart/chart_values.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct RegionOwner {
    QString key{};
    QString name{};
    QString letter{};       ///< on the map and in its list
    std::size_t colour = 0; ///< as owner_look() counts
};

struct RegionPicture {
    QString title{};
    ChartAxis x{};
    ChartAxis y{};
    std::vector<double> x_values{}; ///< of the columns of cells, rising, above 0 on a logarithmic axis
    std::vector<double> y_values{}; ///< of the rows
    std::vector<RegionOwner> owners{};
    std::vector<std::size_t> cells{}; ///< place among the owners; of the first y all x, then of the next …
    std::vector<QString> notes{};     ///< of each cell, for hovering; or none at all
    std::optional<QPointF> here{};    ///< the point that one stands at
    QString here_name{};              ///< "EPYC 7543"

    [[nodiscard]] bool empty() const { return cells.empty(); }
    [[nodiscard]] std::size_t owner(std::size_t column, std::size_t row) const {
        return cells[row * x_values.size() + column];
    }
};

struct RegionCell {
    std::size_t column = 0;
    std::size_t row = 0;
    bool operator==(const RegionCell&) const = default;
};

/// Where cells end, one more than there are values: half way between neighbours, as the axis is drawn.
[[nodiscard]] std::vector<double> cell_edges(const std::vector<double>& values, bool logarithmic);
/// The one that holds a value; the first or last one for values outside.
[[nodiscard]] std::size_t cell_of(const std::vector<double>& edges, double value);

/// Share of the cells of each owner.
[[nodiscard]] std::vector<double> owner_shares(const RegionPicture& picture);
/// The cell of each owner that is farthest from all others, where its letter stands; none where it has no
/// cell. Not one of those that are covered by something, where it has others.
[[nodiscard]] std::vector<std::optional<RegionCell>>
letter_cells(const RegionPicture& picture, const std::function<bool(const RegionCell&)>& is_covered = {});
/// "A", "B", … "AA".
[[nodiscard]] QString owner_letter(std::size_t owner);

/// A line for each cell: x, y, owner.
[[nodiscard]] QString region_csv(const RegionPicture& picture);

// A plane of regions at a size, with its axes and the list of owners beside it, and how it is painted.

struct Theme;

struct RegionScene {
    const RegionPicture& picture;
    std::vector<double> x_edges;
    std::vector<double> y_edges;
    ChartContent content; ///< of the chart around the cells
    ChartLayout layout;
    ChartFonts fonts;
    QRectF chart;  ///< with titles and axes
    QRectF legend; ///< at its right

    [[nodiscard]] QRectF cell(const RegionCell& cell) const;
    /// Where one stands, in pixels; at the border where it lies outside.
    [[nodiscard]] std::optional<QPointF> here() const;
    /// Where the letter of each owner stands: never across the lines through here().
    [[nodiscard]] std::vector<std::optional<QRectF>> letters() const;
    /// A row of the list of owners.
    [[nodiscard]] QRectF owner_row(std::size_t owner) const;
};

[[nodiscard]] RegionScene region_scene(const RegionPicture& picture, const QSizeF& size, const QSizeF& tools);

/// Nothing beside the cells.
[[nodiscard]] std::optional<RegionCell> cell_at(const RegionScene& scene, const QPointF& point);
[[nodiscard]] std::optional<std::size_t> owner_at(const RegionScene& scene, const QPointF& point);

struct RegionLook {
    QString selected; ///< key of an owner
    std::optional<RegionCell> lit;
};
void paint_regions(QPainter& painter, const RegionScene& scene, const Theme& theme, const RegionLook& look);

} // namespace sparsight
