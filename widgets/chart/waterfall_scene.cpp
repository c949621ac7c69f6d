#include "widgets/chart/waterfall_scene.h"

#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double gap = 6;

QString signed_text(double value, int decimals) {
    const QString text = fixed_text(value, decimals);
    return value >= 0 ? u'+' + text : text;
}

QString with_unit(const QString& text, const ChartAxis& axis) {
    return axis.unit.isEmpty() ? text : text + u' ' + axis.unit;
}

/// What a step changes stands in the caption's size behind its name.
double room_for_labels(const WaterfallPicture& picture, const QFontMetricsF& metrics, double width) {
    double longest =
        std::max(metrics.horizontalAdvance(picture.from.label), metrics.horizontalAdvance(picture.to.label));
    for (const WaterfallBar& step : picture.steps)
        longest =
            std::max(longest, metrics.horizontalAdvance(step.label + QStringLiteral("  ") + step.change));
    return std::min(1.06 * longest + 3 * gap, 0.44 * width); // both ends are bold
}

double room_for_values(const WaterfallPicture& picture, const QFontMetricsF& metrics) {
    double longest = 0;
    for (std::size_t row = 0; row < picture.rows(); ++row)
        longest = std::max(longest, metrics.horizontalAdvance(amount_text(picture, row)));
    return 1.06 * longest + 2.5 * gap;
}

double row_height_of(const QFontMetricsF& text) {
    return std::ceil(text.height() * 1.65);
}

double axis_height_of(const QFontMetricsF& text) {
    return 2 * text.height() + 2 * gap;
}

double title_height(const WaterfallPicture& picture) {
    return picture.title.isEmpty() ? 0 : QFontMetricsF(title_font()).height() + gap;
}

} // namespace

QRectF WaterfallLayout::area() const {
    return rows.adjusted(label_width, 0, -value_width, 0);
}

QRectF WaterfallLayout::row(std::size_t at) const {
    return {rows.left(), rows.top() + static_cast<double>(at) * row_height, rows.width(), row_height};
}

double WaterfallLayout::pixel(double value) const {
    const QRectF bars = area();
    return bars.left() + scale.share(value) * bars.width();
}

ChartScale whole_scale(const WaterfallPicture& picture) {
    double smallest = 0;
    double largest = 0;
    for (const WaterfallSpan& span : spans_of(picture)) {
        smallest = std::min({smallest, span.begin, span.end});
        largest = std::max({largest, span.begin, span.end});
    }
    for (const WaterfallEnd* const end : {&picture.from, &picture.to})
        largest = std::max(largest, end->value + end->spread);
    return fitted_scale(smallest, largest, false);
}

WaterfallLayout lay_out_waterfall(const WaterfallPicture& picture, const QSizeF& size, const QSizeF& tools,
                                  const ChartScale& scale) {
    WaterfallLayout layout;
    layout.title_font = title_font();
    layout.text_font = caption_font();
    layout.scale = scale;
    const QFontMetricsF text(layout.text_font);
    double top = gap;
    if (!picture.title.isEmpty()) {
        layout.title = QRectF(gap, top, size.width() - 2 * gap - tools.width(),
                              QFontMetricsF(layout.title_font).height());
        top = layout.title.bottom() + gap;
    } else if (tools.height() > 0) {
        top = tools.height();
    }
    layout.row_height = row_height_of(text);
    layout.label_width = room_for_labels(picture, text, size.width());
    layout.value_width = room_for_values(picture, text);
    const double height = layout.row_height * static_cast<double>(picture.rows());
    layout.rows = QRectF(0, top, size.width(), height);
    layout.axis = QRectF(0, layout.rows.bottom(), size.width(), axis_height_of(text));
    return layout;
}

double waterfall_height(const WaterfallPicture& picture) {
    const QFontMetricsF text(caption_font());
    const double head = picture.title.isEmpty() ? text.height() * 1.8 : gap + title_height(picture);
    return std::ceil(head + row_height_of(text) * static_cast<double>(picture.rows()) + axis_height_of(text));
}

std::optional<std::size_t> row_at(const WaterfallPicture& picture, const WaterfallLayout& layout,
                                  const QPointF& point) {
    if (!layout.rows.contains(point))
        return std::nullopt;
    const auto row = static_cast<std::size_t>((point.y() - layout.rows.top()) / layout.row_height);
    return row < picture.rows() ? std::optional(row) : std::nullopt;
}

QString amount_text(const WaterfallPicture& picture, std::size_t row) {
    const int decimals = decimals_of(picture);
    if (row == 0 || row > picture.steps.size()) {
        const WaterfallEnd& end = row == 0 ? picture.from : picture.to;
        const QString text = with_unit(fixed_text(end.value, decimals), picture.axis);
        return end.is_at_least ? QStringLiteral("≥ ") + text : text;
    }
    const WaterfallBar& step = picture.steps[row - 1];
    // Differences of rounded levels add up to that of both ends as they are written, rounded differences need
    // not.
    const double unit = std::pow(10.0, decimals);
    const WaterfallSpan span = spans_of(picture)[row];
    const double amount = (std::round(span.end * unit) - std::round(span.begin * unit)) / unit;
    const QString text = with_unit(signed_text(amount, decimals), picture.axis);
    return step.is_significant ? text : QStringLiteral("~ ") + text;
}

} // namespace sparsight
