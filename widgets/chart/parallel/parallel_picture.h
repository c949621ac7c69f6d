// Parallel coordinates: one axis for each decision and a last one for a measured quantity, and a line across
// all of them for each configuration; as plain values. Its layout at a size, which lines brushes leave, which
// of them are drawn, and how it is painted.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QFont>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

class QPainter;

namespace sparsight {

struct Theme;

/// Of a decision.
struct ParallelAxis {
    QString title{};
    std::vector<QString> values{}; ///< from below upwards
};

struct ParallelLine {
    QString key{}; ///< which is its name, too
    double measure = 1;
};

struct ParallelPicture {
    QString title{};
    std::vector<ParallelAxis> axes{};
    ChartAxis measure{};                 ///< the last axis
    std::vector<ParallelLine> lines{};   ///< the best first
    std::vector<std::uint16_t> places{}; ///< line by line, those of the values on all axes
    QString noun{};                      ///< what lines are, for captions: "configurations"
    QString note{};                      ///< another sentence of the caption
    // More lines than these are not drawn.
    std::size_t most_best = 1000;
    std::size_t most_others = 1000; ///< a sample of those behind the best

    [[nodiscard]] bool empty() const { return lines.empty(); }
    [[nodiscard]] std::size_t axis_count() const { return axes.size() + 1; }
    [[nodiscard]] bool is_measure(std::size_t axis) const { return axis == axes.size(); }
    /// The smallest and the largest measure.
    [[nodiscard]] std::pair<double, double> extent() const;
    [[nodiscard]] std::uint16_t place(std::size_t line, std::size_t axis) const {
        return places[line * axes.size() + axis];
    }
};

/// What of an axis is wanted, both ends included: places of values, or measures on the last axis.
struct ParallelBrush {
    double low = 0;
    double high = 0;
    [[nodiscard]] bool has(double value) const { return value >= low && value <= high; }
    bool operator==(const ParallelBrush&) const = default;
};
/// One for each axis.
using ParallelBrushes = std::vector<std::optional<ParallelBrush>>;

[[nodiscard]] bool has_brush(const ParallelBrushes& brushes);
/// The lines that all brushes leave, the best first.
[[nodiscard]] std::vector<std::size_t> brushed_lines(const ParallelPicture& picture,
                                                     const ParallelBrushes& brushes);
/// Of these lines those that are drawn: the best and an even sample of the others.
[[nodiscard]] std::vector<std::size_t> drawn_lines(const ParallelPicture& picture,
                                                   std::span<const std::size_t> lines);
/// "Drawn: the 1 000 fastest and 1 000 of the other 16 956 configurations."
[[nodiscard]] QString parallel_caption(const ParallelPicture& picture, std::size_t fitting, bool has_brush);

/// One line for each of these: its decisions, its measure, its name.
[[nodiscard]] QString parallel_csv(const ParallelPicture& picture, std::span<const std::size_t> lines);

struct ParallelLayout {
    static constexpr double gap = 6; ///< between its parts

    QFont title_font;
    QFont text_font;
    QRectF title;
    QRectF area;                     ///< the first axis is its left border, the last one its right border
    std::vector<double> across;      ///< x of the axes
    std::vector<QRectF> axis_titles; ///< in two rows where one has no room for them
    QRectF caption;
    ChartScale measure;
    double share_of_slot = 0.6; ///< over which lines with the same value are spread

    [[nodiscard]] double slot(const ParallelPicture& picture, std::size_t axis) const;
    /// The middle of a value.
    [[nodiscard]] double y_of(const ParallelPicture& picture, std::size_t axis, std::size_t place) const;
    /// Where the line crosses an axis. Lines with the same value are spread by their rank, the best lowest.
    [[nodiscard]] double y_of_line(const ParallelPicture& picture, std::size_t axis, std::size_t line) const;
    [[nodiscard]] double y_of_measure(double measure) const;
    [[nodiscard]] double measure_at(double y) const;
    [[nodiscard]] std::size_t place_at(const ParallelPicture& picture, std::size_t axis, double y) const;
    /// The box of a brush.
    [[nodiscard]] QRectF box_of(const ParallelPicture& picture, std::size_t axis,
                                const ParallelBrush& brush) const;
    /// The axis within reach, if any.
    [[nodiscard]] std::optional<std::size_t> axis_at(const QPointF& place) const;
};

/// `tools`: kept free at the upper right corner.
[[nodiscard]] ParallelLayout lay_out_parallel(const ParallelPicture& picture, const QSizeF& size,
                                              const QSizeF& tools);
/// Of these lines the nearest one within a few pixels.
[[nodiscard]] std::optional<std::size_t> parallel_line_at(const ParallelPicture& picture,
                                                          const ParallelLayout& layout,
                                                          std::span<const std::size_t> lines,
                                                          const QPointF& place);

/// Where the keys are.
struct ParallelCursor {
    std::size_t axis = 0;
    double at = 0; ///< as of ParallelBrush
    bool operator==(const ParallelCursor&) const = default;
};

/// The lines without what changes under the mouse. Brushes leave `fitting`; the others are faint. A draft has
/// jagged lines, so that it follows a dragged brush.
void paint_parallel_lines(QPainter& painter, const ParallelPicture& picture, const ParallelLayout& layout,
                          std::span<const std::size_t> fitting, bool has_brush, bool is_draft,
                          const Theme& theme);

struct ParallelLook {
    const ParallelBrushes& brushes;
    std::optional<std::size_t> selected; ///< a line
    std::optional<std::size_t> lit;
    std::optional<ParallelCursor> cursor;
    QString caption;
};
/// Everything above the lines.
void paint_parallel_axes(QPainter& painter, const ParallelPicture& picture, const ParallelLayout& layout,
                         const ParallelLook& look, const Theme& theme);

} // namespace sparsight
