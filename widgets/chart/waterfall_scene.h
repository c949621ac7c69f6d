// A waterfall at a size: where each bar stands, and how it is painted.
#pragma once

#include "widgets/chart/chart_scale.h"
#include "widgets/chart/waterfall_picture.h"

#include <QFont>
#include <optional>

class QPainter;

namespace sparsight {

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
