// From values to pixels and back, and where the marks of an axis stand.
#pragma once

#include "widgets/chart/chart_series.h"
#include "widgets/look/number_style.h"

#include <QPointF>
#include <QRectF>
#include <vector>

namespace sparsight {

/// One direction of a chart. Ranges are kept in the drawn scale: log10 of the values on a logarithmic axis.
struct ChartScale {
    bool logarithmic = false;
    double low = 0; ///< drawn scale, low < high
    double high = 1;

    [[nodiscard]] double drawn(double value) const; ///< NaN where a logarithm does not exist
    [[nodiscard]] double value(double drawn) const;
    [[nodiscard]] double share(double value) const; ///< 0 at low, 1 at high
    bool operator==(const ChartScale&) const = default;
};

struct ChartTransform {
    ChartScale x;
    ChartScale y;
    QRectF area;

    [[nodiscard]] double pixel_x(double value) const;
    [[nodiscard]] double pixel_y(double value) const;
    [[nodiscard]] double value_x(double pixel) const;
    [[nodiscard]] double value_y(double pixel) const;
};

struct ChartTick {
    double value = 0;
    QString label; ///< empty for the small marks between
};

/// At round values, at most about `wanted` with a label; never more than twice as many.
[[nodiscard]] std::vector<ChartTick> chart_ticks(const ChartScale& scale, ValueFormat format, int wanted,
                                                 const NumberStyle& style);

/// For tooltips: three significant digits, counts exact.
[[nodiscard]] QString value_text(double value, ValueFormat format, const NumberStyle& style);

/// "time [ms]"
[[nodiscard]] QString axis_title(const ChartAxis& axis);

/// A range around values with some air; usable (low < high, finite) for any input. Zero is kept where it is
/// already the end.
[[nodiscard]] ChartScale fitted_scale(double smallest, double largest, bool logarithmic);

/// factor < 1 comes closer; what lies at `fixed` (drawn scale) stays there. Never outside of `limits` widened
/// to themselves, never so close that doubles run out.
[[nodiscard]] ChartScale zoomed(const ChartScale& scale, double fixed, double factor,
                                const ChartScale& limits);
[[nodiscard]] ChartScale panned(const ChartScale& scale, double drawn_distance, const ChartScale& limits);

} // namespace sparsight
