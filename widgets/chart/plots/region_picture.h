// A plane of two quantities whose cells each belong to an owner, as plain values; its layout at a size, with
// axes and the list of owners; and how it is painted.
#pragma once

#include "widgets/chart/chart_layout.h"
#include "widgets/chart/chart_values.h"
#include "widgets/chart/plot_parts.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct Theme;

struct RegionOwner {
    QString key{};
    QString name{};
    QString letter{};       ///< on the map and in the list
    std::size_t colour = 0; ///< an index as for owner_look()
};

struct RegionPicture {
    QString title{};
    ChartAxis x{};
    ChartAxis y{};
    std::vector<double> x_values{}; ///< x of the columns of cells, rising, above 0 on a logarithmic axis
    std::vector<double> y_values{}; ///< y of the rows of cells
    std::vector<RegionOwner> owners{};
    std::vector<std::size_t> cells{}; ///< indices of owners: all x of the first y, then of the next y …
    std::vector<QString> notes{};     ///< one per cell, for tooltips; or none at all
    std::optional<QPointF> here{};    ///< the current position
    QString here_name{};              ///< "EPYC 7543"

    [[nodiscard]] bool empty() const { return cells.empty(); }
    [[nodiscard]] std::size_t owner(std::size_t column, std::size_t row) const {
        return cells[row * x_values.size() + column];
    }
};

/// The borders of the cells, one more than there are values: half way between neighbours in the drawn scale.
[[nodiscard]] std::vector<double> cell_edges(const std::vector<double>& values, bool logarithmic);
/// The cell that contains a value; the first or last cell for values outside.
[[nodiscard]] std::size_t cell_of(const std::vector<double>& edges, double value);

/// Share of the cells that belong to each owner.
[[nodiscard]] std::vector<double> owner_shares(const RegionPicture& picture);
/// The cell of each owner for its letter: the cell farthest from other owners, preferably not a covered one;
/// nothing for an owner without cells.
[[nodiscard]] std::vector<std::optional<MapCell>>
letter_cells(const RegionPicture& picture, const std::function<bool(const MapCell&)>& is_covered = {});
/// "A", "B", … "AA".
[[nodiscard]] QString owner_letter(std::size_t owner);

/// One line per cell: x, y, owner.
[[nodiscard]] QString region_csv(const RegionPicture& picture);

struct RegionScene {
    const RegionPicture& picture;
    std::vector<double> x_edges;
    std::vector<double> y_edges;
    ChartContent content; ///< the chart around the cells
    ChartLayout layout;
    ChartFonts fonts;
    QRectF chart;  ///< with titles and axes
    QRectF legend; ///< at the right of the chart

    [[nodiscard]] QRectF cell(const MapCell& cell) const;
    /// The current position in pixels; at the border where it lies outside.
    [[nodiscard]] std::optional<QPointF> here() const;
    /// The place of each owner's letter: never across the lines through here().
    [[nodiscard]] std::vector<std::optional<QRectF>> letters() const;
    /// A row of the list of owners.
    [[nodiscard]] QRectF owner_row(std::size_t owner) const;
};

[[nodiscard]] RegionScene region_scene(const RegionPicture& picture, const QSizeF& size, const QSizeF& tools);

/// Nothing beside the cells.
[[nodiscard]] std::optional<MapCell> region_cell_at(const RegionScene& scene, const QPointF& point);
[[nodiscard]] std::optional<std::size_t> owner_at(const RegionScene& scene, const QPointF& point);

struct RegionLook {
    QString selected; ///< key of an owner
    std::optional<MapCell> lit;
};
void paint_regions(QPainter& painter, const RegionScene& scene, const Theme& theme, const RegionLook& look);

} // namespace sparsight
