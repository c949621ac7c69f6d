// How one time became another, step by step, as a waterfall: a bar for the first time, a bar for each step
// that starts where the step before ended, and a bar for the last time. Plain values, the layout at a size,
// and how the bars are painted.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QFont>
#include <limits>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct Theme;

struct WaterfallEnd {
    QString key{}; ///< the argument of picked()
    QString label{};
    double value = 0;  ///< in the unit of the axis
    double spread = 0; ///< how far a repeated measurement may be off
    bool is_at_least = false;
    ChartColour colour = ChartColour::Reference;
};

struct WaterfallBar {
    QString key{};
    QString label{};   ///< the changed decision: "split of i"
    QString change{};  ///< the old and new value: "not split → 4"
    double amount = 0; ///< above 0: the step costs time
    double factor = 1; ///< of the value before, on a logarithmic axis; above 1: the step costs time
    /// How far the amount may be off; NaN: unknown.
    double uncertainty = std::numeric_limits<double>::quiet_NaN();
    bool is_significant = true;
    QString note{}; ///< another line of the tooltip
};

struct WaterfallPicture {
    QString title{};
    ChartAxis axis{};
    bool hatched = false; ///< simulated
    WaterfallEnd from{};
    WaterfallEnd to{};
    /// The amounts add up to the difference of both ends; on a logarithmic axis the factors multiply to their
    /// ratio instead.
    std::vector<WaterfallBar> steps{};

    [[nodiscard]] bool empty() const { return from.key.isEmpty(); }
    /// Both ends and the steps between them.
    [[nodiscard]] std::size_t rows() const { return empty() ? 0 : steps.size() + 2; }
    [[nodiscard]] const QString& key_of(std::size_t row) const;
};

/// The extent of a row's bar. A step starts where the one before ended; the last one ends exactly at `to`,
/// whatever rounding error the sum has. A logarithmic axis has no zero: there the bars of the ends are lines.
struct WaterfallSpan {
    double begin = 0;
    double end = 0;
};
[[nodiscard]] std::vector<WaterfallSpan> spans_of(const WaterfallPicture& picture);

/// The number of decimals that gives the longest bar four digits; with the same decimals for all bars the
/// shown numbers add up, too.
[[nodiscard]] int decimals_of(const WaterfallPicture& picture);

/// All rows with their amounts, or factors, in full precision.
[[nodiscard]] QString waterfall_csv(const WaterfallPicture& picture);

struct WaterfallLayout {
    QFont title_font;
    QFont text_font;
    QRectF title;
    QRectF rows; ///< of all rows, with labels and values
    double row_height = 24;
    double label_width = 160;
    double value_width = 80;
    QRectF axis;       ///< below the rows
    QRectF axis_title; ///< below the middle of the bars, as far as the picture goes
    ChartScale scale;

    [[nodiscard]] QRectF area() const; ///< the area of the bars
    [[nodiscard]] QRectF row(std::size_t at) const;
    [[nodiscard]] double pixel(double value) const;
};

/// The scale for all bars, from zero unless it is logarithmic.
[[nodiscard]] ChartScale whole_scale(const WaterfallPicture& picture);
/// `tools`: size kept free at the upper right corner.
[[nodiscard]] WaterfallLayout lay_out_waterfall(const WaterfallPicture& picture, const QSizeF& size,
                                                const QSizeF& tools, const ChartScale& scale);
/// The height that shows all rows.
[[nodiscard]] double waterfall_height(const WaterfallPicture& picture);

[[nodiscard]] std::optional<std::size_t> row_at(const WaterfallPicture& picture,
                                                const WaterfallLayout& layout, const QPointF& point);

/// The text at the right of a row: "4.10 ms", "+1.23 ms", "~ +0.02 ms" where it may be noise, "≥ 9.00 ms",
/// "×0.84" on a logarithmic axis.
[[nodiscard]] QString amount_text(const WaterfallPicture& picture, std::size_t row);

struct WaterfallLook {
    QString selected;
    std::optional<std::size_t> lit;
};
void paint_waterfall(QPainter& painter, const WaterfallPicture& picture, const WaterfallLayout& layout,
                     const Theme& theme, const WaterfallLook& look);

} // namespace sparsight
