#include "widgets/chart/chart_layout.h"

#include "widgets/chart/bar_columns.h"
#include "widgets/look/number_text.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double margin = 8;
constexpr double label_gap = 6;       ///< between a label and its axis
constexpr double between_labels = 16; ///< along the x axis
constexpr std::size_t most_category_labels = 40;
constexpr qsizetype most_category_lines = 3;
constexpr double least_height_of_two_lines = 180; ///< of a chart, for its title

/// Returns the lower edge of the legend.
double place_legend(ChartLayout& layout, const ChartContent& content, double top, double width,
                    const QFontMetricsF& metrics) {
    if (content.series.size() < 2)
        return top;
    const double height = metrics.height() + 4;
    double left = margin;
    for (std::size_t i = 0; i < content.series.size(); ++i) {
        const double wanted =
            legend_swatch + legend_text_gap + metrics.horizontalAdvance(name_of(content.series[i])) + 4;
        const double extent = std::min(wanted, width - 2 * margin);
        if (left > margin && left + extent > width - margin) {
            left = margin;
            top += height;
        }
        layout.legend.push_back({i, QRectF(left, top, extent, height)});
        left += extent + 12;
    }
    return top + height + 4;
}

/// The parts of a text behind which a line may break.
QStringList pieces_of(const QString& text, QStringView ends) {
    QStringList pieces{QString()};
    for (const QChar letter : text) {
        pieces.back() += letter;
        if (ends.contains(letter))
            pieces << QString();
    }
    return pieces;
}

/// A text in at most as many lines, which break behind these letters; only what is wider than a line, or has
/// no line left, is elided.
QStringList wrapped(const QString& text, QStringView ends, double width, qsizetype most,
                    const QFontMetricsF& metrics) {
    QStringList lines{QString()};
    for (const QString& piece : pieces_of(text, ends)) {
        const bool fits = metrics.horizontalAdvance((lines.back() + piece).trimmed()) <= width;
        if (fits || lines.back().isEmpty() || lines.size() == most)
            lines.back() += piece;
        else
            lines << piece;
    }
    for (QString& line : lines)
        line = metrics.elidedText(line.trimmed(), Qt::ElideRight, width);
    return lines;
}

/// The categories of a bar chart, as long as there is room to read some of each; nothing where there is none.
struct Categories {
    std::vector<QStringList> names{}; ///< in lines
    double place = 0;                 ///< the width of a bar's
    qsizetype lines = 1;              ///< of the longest name
};

std::optional<Categories> categories_of(const ChartTransform& transform, const ChartContent& content,
                                        qsizetype most_lines, const QFontMetricsF& metrics) {
    const std::vector<const BarSeries*> series = content.shown_bars();
    if (series.empty())
        return std::nullopt;
    const std::vector<Bar>& bars = series.front()->bars;
    Categories found{.place = transform.area.width() / (transform.x.high - transform.x.low)};
    double widest = 0;
    for (const Bar& bar : bars)
        widest = std::max(widest, metrics.horizontalAdvance(bar.label));
    const bool readable = widest > 0 && found.place >= std::min(widest, 44.0) + 4;
    if (!readable || bars.size() > most_category_labels)
        return std::nullopt;
    for (const Bar& bar : bars) {
        found.names.push_back(wrapped(bar.label, u" -_/", found.place - 4, most_lines, metrics));
        found.lines = std::max(found.lines, found.names.back().size());
    }
    return found;
}

void place_categories(ChartLayout& layout, const Categories& categories, const QFontMetricsF& metrics) {
    const ChartTransform& transform = layout.transform;
    for (std::size_t i = 0; i < categories.names.size(); ++i) {
        const double centre = transform.pixel_x(static_cast<double>(i) + 0.5);
        if (centre < transform.area.left() || centre > transform.area.right())
            continue;
        const QRectF rect(centre - categories.place / 2 + 2, transform.area.bottom() + label_gap,
                          categories.place - 4, static_cast<double>(categories.lines) * metrics.height());
        layout.x_ticks.push_back(
            {static_cast<double>(i) + 0.5, categories.names[i].join(u'\n'), rect, centre});
    }
}

/// Bars without categories are numbered from one, in the middle of their places.
std::vector<ChartTick> rank_ticks(const ChartScale& x, int wanted, const NumberStyle& style) {
    const ChartScale ranks{false, std::max(1.0, x.low + 0.5), std::max(1.5, x.high + 0.5)};
    std::vector<ChartTick> ticks = chart_ticks(ranks, ValueFormat::Count, wanted, style);
    if (x.low <= 0.5 && (ticks.empty() || ticks.front().value > 1))
        ticks.insert(ticks.begin(), {1, count_text(1, style)});
    for (ChartTick& tick : ticks)
        tick.value -= 0.5;
    std::erase_if(ticks, [&x](const ChartTick& tick) { return tick.value < x.low || tick.value > x.high; });
    return ticks;
}

/// At the right of the line of the y title, or on a line of its own where both are too long for one. Returns
/// the lower edge.
double place_reference(ChartLayout& layout, const ChartContent& content, double top, double right,
                       const QFontMetricsF& metrics) {
    const double below_title = std::max(top, layout.y_title.bottom());
    if (!content.reference || content.reference->label.isEmpty() || content.empty())
        return below_title;
    const double wanted =
        legend_swatch + legend_text_gap + metrics.horizontalAdvance(content.reference->label) + 1;
    const double width = std::min(wanted, right - margin);
    const double title_end = margin + metrics.horizontalAdvance(axis_title(content.y)) + between_labels;
    const bool fits_beside_title = layout.y_title.isEmpty() || title_end <= right - width;
    layout.reference = QRectF(right - width, fits_beside_title ? top : below_title, width, metrics.height());
    layout.y_title.setRight(std::min(layout.y_title.right(), fits_beside_title ? right - width : right));
    return layout.reference.bottom();
}

/// One label alone tells no distance.
template <typename Tick>
bool has_distance(const std::vector<Tick>& ticks) {
    return std::ranges::count_if(ticks, [](const Tick& tick) { return !tick.label.isEmpty(); }) >= 2;
}

bool overlap(const std::vector<PlacedTick>& ticks) {
    double right = -HUGE_VAL;
    for (const PlacedTick& tick : ticks) {
        if (tick.label.isEmpty())
            continue;
        if (tick.label_rect.left() < right + between_labels / 2)
            return true;
        right = tick.label_rect.right();
    }
    return false;
}

void place_x_ticks(ChartLayout& layout, const ChartContent& content, double width,
                   const QFontMetricsF& metrics, const NumberStyle& style) {
    const ChartTransform& transform = layout.transform;
    const auto place = [&](int wanted) {
        layout.x_ticks.clear();
        const auto ticks = content.has_bars() ? rank_ticks(transform.x, wanted, style)
                                              : chart_ticks(transform.x, content.x.format, wanted, style);
        for (const ChartTick& tick : ticks) {
            const double pixel = transform.pixel_x(tick.value);
            const double extent = metrics.horizontalAdvance(tick.label) + 1;
            // At the edges of the chart a label moves inwards instead of being cut off.
            const double left = std::clamp(pixel - extent / 2, 2.0, std::max(2.0, width - extent - 2));
            layout.x_ticks.push_back(
                {tick.value, tick.label,
                 QRectF(left, transform.area.bottom() + label_gap, extent, metrics.height()), pixel});
        }
        return !overlap(layout.x_ticks);
    };
    const int usual = std::clamp(static_cast<int>(transform.area.width() / 72), 2, 12);
    for (int more = usual; more <= 3 * usual; ++more)
        if (place(more) && has_distance(layout.x_ticks))
            return;
    for (int fewer = usual; fewer >= 1; --fewer)
        if (place(fewer))
            return;
}

/// Where one label alone would stand, there are more marks, as far as they have room below each other.
std::vector<ChartTick> readable_ticks(const ChartScale& scale, ValueFormat format, double height,
                                      double line_height, const NumberStyle& style) {
    const int wanted = std::clamp(static_cast<int>(height / (2.6 * line_height)), 2, 8);
    std::vector<ChartTick> ticks = chart_ticks(scale, format, wanted, style);
    for (int more = wanted + 1; !has_distance(ticks) && more <= 2 * wanted; ++more) {
        std::vector<ChartTick> closer = chart_ticks(scale, format, more, style);
        if (static_cast<double>(closer.size()) * line_height > height)
            break;
        ticks = std::move(closer);
    }
    return ticks;
}

} // namespace

ChartLayout lay_out_chart(const ChartContent& content, const ChartScale& x, const ChartScale& y,
                          const QSizeF& size, const QSizeF& tools, const ChartFonts& fonts,
                          const NumberStyle& style) {
    ChartLayout layout;
    const QFontMetricsF title(fonts.title);
    const QFontMetricsF caption(fonts.caption);
    double top = 4;
    if (!content.title.isEmpty()) {
        const double width = std::max(0.0, size.width() - 2 * margin - tools.width());
        const qsizetype most_lines = size.height() < least_height_of_two_lines ? 1 : 2;
        const QStringList lines = wrapped(content.title, u" ", width, most_lines, title);
        layout.title_text = lines.join(u'\n');
        layout.title = QRectF(margin, top, width, static_cast<double>(lines.size()) * title.height());
        top = layout.title.bottom() + 4;
    }
    const bool beside_tools = content.title.isEmpty();
    top = place_legend(layout, content, top, size.width() - (beside_tools ? tools.width() : 0), caption);
    const QString y_text = content.y.is_named_beside ? QString() : axis_title(content.y);
    const double right = size.width() - margin - (top < tools.height() ? tools.width() : 0);
    if (!y_text.isEmpty())
        layout.y_title = QRectF(margin, top, std::max(0.0, right - margin), caption.height());
    top = place_reference(layout, content, top, right, caption) + (y_text.isEmpty() ? 0 : 2);
    top += caption.height() / 2 + 2; // the upper half of the topmost label

    double bottom = size.height() - 4;
    const QString x_text = axis_title(content.x);
    if (!x_text.isEmpty())
        bottom -= caption.height() + 2;
    bottom -= caption.height() + label_gap;

    std::vector<ChartTick> y_ticks;
    double label_width = 0;
    const auto place_area = [&] {
        const double height = std::max(1.0, bottom - top);
        y_ticks = readable_ticks(y, content.y.format, height, caption.height(), style);
        label_width = caption.horizontalAdvance(u'0');
        for (const ChartTick& tick : y_ticks)
            label_width = std::max(label_width, caption.horizontalAdvance(tick.label));
        const double left = std::ceil(margin + label_width + label_gap);
        layout.transform = {x, y,
                            QRectF(left, std::ceil(top),
                                   std::max(1.0, std::floor(size.width() - left - 2 * margin)),
                                   std::floor(height))};
    };
    place_area();
    // Names of several lines take up to a quarter of the data's height.
    const auto most_lines =
        std::clamp(static_cast<qsizetype>(layout.transform.area.height() / 4 / caption.height()) + 1,
                   qsizetype{1}, most_category_lines);
    auto categories = categories_of(layout.transform, content, most_lines, caption);
    if (categories && categories->lines > 1) {
        const qsizetype lines = categories->lines;
        bottom -= static_cast<double>(lines - 1) * caption.height();
        place_area();
        categories = categories_of(layout.transform, content, lines, caption);
    }
    const QRectF& area = layout.transform.area;

    for (const ChartTick& tick : y_ticks) {
        const double pixel = layout.transform.pixel_y(tick.value);
        layout.y_ticks.push_back(
            {tick.value, tick.label,
             QRectF(margin, pixel - caption.height() / 2, label_width + 1, caption.height()), pixel});
    }
    if (categories)
        place_categories(layout, *categories, caption);
    else
        place_x_ticks(layout, content, size.width(), caption, style);
    const double label_bottom = layout.x_ticks.empty() ? area.bottom() + label_gap + caption.height()
                                                       : layout.x_ticks.front().label_rect.bottom();
    if (!x_text.isEmpty())
        layout.x_title = QRectF(area.left(), label_bottom + 2, area.width(), caption.height());
    return layout;
}

} // namespace sparsight
