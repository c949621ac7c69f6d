// How one time became another one, step by step: a bar where it begins, one for each step from where the one
// before ended, a bar where it ends. As plain values.
#pragma once

#include "widgets/chart/chart_values.h"

#include <QFont>
#include <limits>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct WaterfallEnd {
    QString key{}; ///< what picked() says
    QString label{};
    double value = 0;  ///< in the unit of the axis
    double spread = 0; ///< how far off the same may be when it is measured again
    bool is_at_least = false;
    ChartColour colour = ChartColour::Reference;
};

struct WaterfallBar {
    QString key{};
    QString label{};   ///< what is changed: "split of i"
    QString change{};  ///< from what to what: "not split → 4"
    double amount = 0; ///< above 0: a cost
    /// How far off it may be; NaN: unknown.
    double uncertainty = std::numeric_limits<double>::quiet_NaN();
    bool is_significant = true;
    QString note{}; ///< a further line for hovering
};

struct WaterfallPicture {
    QString title{};
    ChartAxis axis{};
    bool hatched = false; ///< simulated
    WaterfallEnd from{};
    WaterfallEnd to{};
    std::vector<WaterfallBar> steps{}; ///< their amounts add up to the difference of both ends

    [[nodiscard]] bool empty() const { return from.key.isEmpty(); }
    /// Both ends and the steps between them.
    [[nodiscard]] std::size_t rows() const { return empty() ? 0 : steps.size() + 2; }
    [[nodiscard]] const QString& key_of(std::size_t row) const;
};

/// Where a row's bar begins and ends. A step begins where the one before ended; the last one ends exactly at
/// `to`, whatever rounding left of the sum.
struct WaterfallSpan {
    double begin = 0;
    double end = 0;
};
[[nodiscard]] std::vector<WaterfallSpan> spans_of(const WaterfallPicture& picture);

/// The number of decimals at which the longest bar has four digits: texts of all bars then add up on the
/// screen, too.
[[nodiscard]] int decimals_of(const WaterfallPicture& picture);

/// All rows with their amounts in full precision.
[[nodiscard]] QString waterfall_csv(const WaterfallPicture& picture);

// A waterfall at a size: where each bar stands, and how it is painted.

struct Theme;

struct WaterfallLayout {
    QFont title_font;
    QFont text_font;
    QRectF title;
    QRectF rows; ///< all of them, with labels and values
    double row_height = 24;
    double label_width = 160;
    double value_width = 80;
    QRectF axis; ///< below them
    ChartScale scale;

    [[nodiscard]] QRectF area() const; ///< of the bars
    [[nodiscard]] QRectF row(std::size_t at) const;
    [[nodiscard]] double pixel(double value) const;
};

/// What all bars need, from zero.
[[nodiscard]] ChartScale whole_scale(const WaterfallPicture& picture);
/// `tools`: kept free at the upper right corner.
[[nodiscard]] WaterfallLayout lay_out_waterfall(const WaterfallPicture& picture, const QSizeF& size,
                                                const QSizeF& tools, const ChartScale& scale);
/// In which all rows stand.
[[nodiscard]] double waterfall_height(const WaterfallPicture& picture);

[[nodiscard]] std::optional<std::size_t> row_at(const WaterfallPicture& picture,
                                                const WaterfallLayout& layout, const QPointF& point);

/// What stands at the right of a row: "4.10 ms", "+1.23 ms", "~ +0.02 ms" where it may be noise, "≥ 9.00 ms".
[[nodiscard]] QString amount_text(const WaterfallPicture& picture, std::size_t row);

struct WaterfallLook {
    QString selected;
    std::optional<std::size_t> lit;
};
void paint_waterfall(QPainter& painter, const WaterfallPicture& picture, const WaterfallLayout& layout,
                     const Theme& theme, const WaterfallLook& look);

} // namespace sparsight
