// A matrix of numbers as coloured cells with named rows and columns, as plain values; its layout at a size,
// and how it is painted.
#pragma once

#include "widgets/chart/chart_values.h"
#include "widgets/chart/plot_parts.h"

#include <QFont>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct Theme;

struct HeatEntry {
    QString key{};
    QString name{};
};

struct HeatPicture {
    QString title{};
    QString x_title{}; ///< of the columns
    QString y_title{}; ///< of the rows
    QString value_title{};
    ValueFormat format = ValueFormat::Number;
    std::vector<HeatEntry> columns{};
    std::vector<HeatEntry> rows{};
    std::vector<double>
        values{};            ///< row by row; NaN where nothing is known, infinite as `infinite_text` says
    QString infinite_text{}; ///< "fails"
    std::vector<QString> notes{}; ///< one for each cell, for tooltips; or none at all
    double good = 0;              ///< the value with the best colour
    double bad = 1;               ///< with the worst one; values beyond both have these colours
    bool logarithmic = false;     ///< the colours; both ends are above 0

    [[nodiscard]] bool empty() const { return values.empty(); }
    [[nodiscard]] std::size_t place(const MapCell& cell) const {
        return cell.row * columns.size() + cell.column;
    }
    [[nodiscard]] double value(const MapCell& cell) const { return values[place(cell)]; }
    [[nodiscard]] QString text_of(const MapCell& cell) const;
    /// From −1 at `good` to 1 at `bad`, as of score_colour_at(); nothing where nothing is known.
    [[nodiscard]] std::optional<double> colour_place(double value) const;
};

/// One line for each cell: row, column, value.
[[nodiscard]] QString heat_csv(const HeatPicture& picture);

struct HeatLayout {
    QFont title_font;
    QFont text_font;
    QRectF title;
    QRectF x_title;      ///< above the names of the columns
    QRectF y_title;      ///< written upwards
    QRectF column_names; ///< written upwards
    QRectF row_names;
    QRectF cells;
    QRectF scale;      ///< the bar of colours with its ends, below the cells
    double side_x = 1; ///< of a cell
    double side_y = 1;

    [[nodiscard]] QRectF cell(const MapCell& cell) const;
};

/// `tools`: kept free at the upper right corner.
[[nodiscard]] HeatLayout lay_out_heat(const HeatPicture& picture, const QSizeF& size, const QSizeF& tools);
/// Nothing beside the cells.
[[nodiscard]] std::optional<MapCell> heat_cell_at(const HeatPicture& picture, const HeatLayout& layout,
                                                  const QPointF& point);

struct HeatLook {
    QString selected;              ///< the key of a row and a column
    std::optional<MapCell> here;   ///< of the keyboard
    std::optional<MapCell> lit;    ///< under the mouse
    std::optional<MapCell> marked; ///< has a ring
};
void paint_heat(QPainter& painter, const HeatPicture& picture, const HeatLayout& layout, const Theme& theme,
                const HeatLook& look);

} // namespace sparsight
