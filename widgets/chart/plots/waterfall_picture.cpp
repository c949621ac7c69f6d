#include "widgets/chart/plots/waterfall_picture.h"

#include "widgets/chart/bar_columns.h"
#include "widgets/chart/chart_content.h"
#include "widgets/chart/chart_values.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr int digits_of_the_longest = 4;
constexpr int most_decimals = 6;

QString exact(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 17) : QString();
}

} // namespace

const QString& WaterfallPicture::key_of(std::size_t row) const {
    if (row == 0)
        return from.key;
    return row <= steps.size() ? steps[row - 1].key : to.key;
}

std::vector<WaterfallSpan> spans_of(const WaterfallPicture& picture) {
    if (picture.empty())
        return {};
    const bool multiplies = picture.axis.logarithmic;
    std::vector<WaterfallSpan> spans{{multiplies ? picture.from.value : 0, picture.from.value}};
    double reached = picture.from.value;
    for (const WaterfallBar& step : picture.steps) {
        const double end = multiplies ? reached * step.factor : reached + step.amount;
        spans.push_back({reached, end});
        reached = end;
    }
    if (!picture.steps.empty())
        spans.back().end = picture.to.value;
    spans.push_back({multiplies ? picture.to.value : 0, picture.to.value});
    return spans;
}

int decimals_of(const WaterfallPicture& picture) {
    double longest = 0;
    for (const WaterfallSpan& span : spans_of(picture))
        longest = std::max({longest, std::abs(span.begin), std::abs(span.end)});
    if (!(longest > 0) || !std::isfinite(longest))
        return 2;
    const int before_point = static_cast<int>(std::floor(std::log10(longest))) + 1;
    return std::clamp(digits_of_the_longest - before_point, 0, most_decimals);
}

QString waterfall_csv(const WaterfallPicture& picture) {
    const bool multiplies = picture.axis.logarithmic;
    QString csv = QStringLiteral("key,label,change,%1,uncertainty,significant,begin,end\n")
                      .arg(multiplies ? QStringLiteral("factor") : QStringLiteral("amount"));
    const std::vector<WaterfallSpan> spans = spans_of(picture);
    const auto add = [&](std::size_t row, const QStringList& cells) {
        csv += (QStringList(cells) << exact(spans[row].begin) << exact(spans[row].end)).join(u',') + u'\n';
    };
    if (picture.empty())
        return csv;
    const auto end_cells = [](const WaterfallEnd& end) {
        return QStringList{quoted_field(end.key), quoted_field(end.label), QString(),
                           exact(end.value),      exact(end.spread),       QString()};
    };
    add(0, end_cells(picture.from));
    for (std::size_t at = 0; at < picture.steps.size(); ++at) {
        const WaterfallBar& step = picture.steps[at];
        add(at + 1, {quoted_field(step.key), quoted_field(step.label), quoted_field(step.change),
                     exact(multiplies ? step.factor : step.amount), exact(step.uncertainty),
                     QString::number(step.is_significant ? 1 : 0)});
    }
    add(picture.rows() - 1, end_cells(picture.to));
    return csv;
}

namespace {

constexpr double waterfall_gap = 6;

QString signed_text(double value, int decimals) {
    const QString text = fixed_text(value, decimals);
    return value >= 0 ? u'+' + text : text;
}

QString with_unit(const QString& text, const ChartAxis& axis) {
    return axis.unit.isEmpty() ? text : text + u' ' + axis.unit;
}

/// Of both ends.
QFontMetricsF bold_metrics(QFont font) {
    font.setBold(true);
    return QFontMetricsF(font);
}

/// The change of a step stands after its name, in caption size.
double room_for_labels(const WaterfallPicture& picture, const QFont& font, double width) {
    const QFontMetricsF metrics(font);
    const QFontMetricsF bold = bold_metrics(font);
    double longest =
        std::max(bold.horizontalAdvance(picture.from.label), bold.horizontalAdvance(picture.to.label));
    for (const WaterfallBar& step : picture.steps)
        longest =
            std::max(longest, metrics.horizontalAdvance(step.label + QStringLiteral("  ") + step.change));
    return std::min(1.02 * longest + 3 * waterfall_gap, 0.44 * width);
}

double room_for_values(const WaterfallPicture& picture, const QFont& font) {
    const QFontMetricsF bold = bold_metrics(font);
    double longest = 0;
    for (std::size_t row = 0; row < picture.rows(); ++row)
        longest = std::max(longest, bold.horizontalAdvance(amount_text(picture, row)));
    return longest + 2.5 * waterfall_gap;
}

double row_height_of(const QFontMetricsF& text) {
    return std::ceil(text.height() * 1.65);
}

double axis_height_of(const QFontMetricsF& text) {
    return 2 * text.height() + 2 * waterfall_gap;
}

double title_height(const WaterfallPicture& picture) {
    return picture.title.isEmpty() ? 0 : QFontMetricsF(title_font()).height() + waterfall_gap;
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
    double smallest = picture.axis.logarithmic ? picture.from.value : 0;
    double largest = 0;
    for (const WaterfallSpan& span : spans_of(picture)) {
        smallest = std::min({smallest, span.begin, span.end});
        largest = std::max({largest, span.begin, span.end});
    }
    for (const WaterfallEnd* const end : {&picture.from, &picture.to})
        largest = std::max(largest, end->value + end->spread);
    return fitted_scale(smallest, largest, picture.axis.logarithmic);
}

WaterfallLayout lay_out_waterfall(const WaterfallPicture& picture, const QSizeF& size, const QSizeF& tools,
                                  const ChartScale& scale) {
    WaterfallLayout layout;
    layout.title_font = title_font();
    layout.text_font = caption_font();
    layout.scale = scale;
    const QFontMetricsF text(layout.text_font);
    double top = waterfall_gap;
    if (!picture.title.isEmpty()) {
        layout.title = QRectF(waterfall_gap, top, size.width() - 2 * waterfall_gap - tools.width(),
                              QFontMetricsF(layout.title_font).height());
        top = layout.title.bottom() + waterfall_gap;
    } else if (tools.height() > 0) {
        top = tools.height();
    }
    layout.row_height = row_height_of(text);
    layout.label_width = room_for_labels(picture, layout.text_font, size.width());
    layout.value_width = room_for_values(picture, layout.text_font);
    const double height = layout.row_height * static_cast<double>(picture.rows());
    layout.rows = QRectF(0, top, size.width(), height);
    layout.axis = QRectF(0, layout.rows.bottom(), size.width(), axis_height_of(text));
    // It may be wider than the bars.
    const double title_width = text.horizontalAdvance(axis_title(picture.axis)) + 1;
    const double rightmost = size.width() - waterfall_gap - title_width;
    const double left =
        std::max(waterfall_gap, std::min(layout.area().center().x() - title_width / 2, rightmost));
    layout.axis_title = QRectF(left, layout.axis.top() + waterfall_gap / 2 + text.height(), title_width,
                               text.height() + waterfall_gap / 2);
    return layout;
}

double waterfall_height(const WaterfallPicture& picture) {
    const QFontMetricsF text(caption_font());
    const double head = picture.title.isEmpty() ? text.height() * 1.8 : waterfall_gap + title_height(picture);
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
    const auto marked = [&step](const QString& text) {
        return step.is_significant ? text : QStringLiteral("~ ") + text;
    };
    if (picture.axis.logarithmic)
        return marked(QStringLiteral("×") + significant(step.factor));
    // Differences of the rounded levels add up to the difference of both ends as written; rounded differences
    // need not.
    const double unit = std::pow(10.0, decimals);
    const WaterfallSpan span = spans_of(picture)[row];
    const double amount = (std::round(span.end * unit) - std::round(span.begin * unit)) / unit;
    return marked(with_unit(signed_text(amount, decimals), picture.axis));
}

namespace {

constexpr double hatch_spacing = 6;
constexpr double paleness = 0.62; ///< of steps that may be noise

class WaterfallPainter {
public:
    WaterfallPainter(QPainter& painter, const WaterfallPicture& picture, const WaterfallLayout& layout,
                     const Theme& theme, const WaterfallLook& look)
        : painter_(painter)
        , picture_(picture)
        , layout_(layout)
        , theme_(theme)
        , look_(look)
        , text_(layout.text_font)
        , spans_(spans_of(picture)) {}

    void paint() {
        painter_.setRenderHint(QPainter::Antialiasing);
        paint_title();
        paint_axis();
        for (std::size_t row = 0; row < picture_.rows(); ++row)
            paint_background(row);
        for (std::size_t row = 0; row < picture_.rows(); ++row)
            paint_row(row);
        paint_connectors();
    }

private:
    [[nodiscard]] bool is_end(std::size_t row) const { return row == 0 || row > picture_.steps.size(); }
    [[nodiscard]] const WaterfallEnd& end_of(std::size_t row) const {
        return row == 0 ? picture_.from : picture_.to;
    }

    void paint_title() {
        if (picture_.title.isEmpty())
            return;
        painter_.setFont(layout_.title_font);
        painter_.setPen(theme_.text);
        painter_.drawText(layout_.title, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(layout_.title_font)
                              .elidedText(picture_.title, Qt::ElideRight, layout_.title.width()));
    }

    void paint_axis() {
        const QRectF area = layout_.area();
        painter_.setFont(layout_.text_font);
        const int wanted = std::max(2, static_cast<int>(area.width() / (6 * text_.averageCharWidth() + 20)));
        for (const ChartTick& tick :
             chart_ticks(layout_.scale, picture_.axis.format, wanted, current_number_style())) {
            const double x = layout_.pixel(tick.value);
            if (tick.label.isEmpty() || x < area.left() - 1 || x > area.right() + 1)
                continue;
            painter_.setPen(QPen(theme_.grid, 1));
            painter_.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
            painter_.setPen(theme_.dim_text);
            painter_.drawText(QRectF(x - 60, layout_.axis.top() + waterfall_gap / 2, 120, text_.height()),
                              Qt::AlignCenter, tick.label);
        }
        painter_.setPen(theme_.dim_text);
        painter_.drawText(layout_.axis_title, Qt::AlignCenter, axis_title(picture_.axis));
    }

    void paint_background(std::size_t row) {
        const bool is_selected = !look_.selected.isEmpty() && picture_.key_of(row) == look_.selected;
        if (is_selected || look_.lit == row)
            painter_.fillRect(layout_.row(row), is_selected ? theme_.selection : theme_.hover);
    }

    void paint_row(std::size_t row) {
        paint_label(row);
        paint_bar(row);
        paint_value(row);
    }

    void paint_label(std::size_t row) {
        const QRectF place = layout_.row(row);
        const QRectF room(waterfall_gap, place.top(), layout_.label_width - 2 * waterfall_gap,
                          place.height());
        QFont font = layout_.text_font;
        font.setBold(is_end(row));
        painter_.setFont(font);
        const QFontMetricsF metrics(font);
        const QString label = is_end(row) ? end_of(row).label : picture_.steps[row - 1].label;
        painter_.setPen(theme_.text);
        painter_.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(label, Qt::ElideRight, room.width()));
        if (is_end(row))
            return;
        const double used = metrics.horizontalAdvance(label + QStringLiteral("  "));
        if (used >= room.width())
            return;
        painter_.setPen(theme_.dim_text);
        const QRectF rest = room.adjusted(used, 0, 0, 0);
        painter_.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(picture_.steps[row - 1].change, Qt::ElideRight, rest.width()));
    }

    [[nodiscard]] QColor colour_of(std::size_t row) const {
        if (is_end(row))
            return colour_from(end_of(row).colour, theme_);
        const WaterfallBar& step = picture_.steps[row - 1];
        const bool costs = picture_.axis.logarithmic ? step.factor >= 1 : step.amount >= 0;
        const QColor colour = costs ? theme_.lose : theme_.win;
        return step.is_significant ? colour : mixed(colour, theme_.surface, paleness);
    }

    [[nodiscard]] QRectF box_of(std::size_t row) const {
        const QRectF place = layout_.row(row);
        const double inset = std::round(place.height() * 0.18);
        const double begin = layout_.pixel(spans_[row].begin);
        const double end = layout_.pixel(spans_[row].end);
        // Even an amount close to zero is drawn as a line.
        const double left = std::min(begin, end);
        const double least = picture_.axis.logarithmic && is_end(row) ? 4 : 1.5;
        return {left, place.top() + inset, std::max(least, std::abs(end - begin)),
                place.height() - 2 * inset};
    }

    void paint_bar(std::size_t row) {
        const QRectF box = box_of(row);
        const QColor colour = colour_of(row);
        painter_.save();
        painter_.setClipRect(layout_.area(), Qt::IntersectClip);
        const QRectF seen = box & layout_.area();
        if (!seen.isEmpty()) {
            painter_.fillRect(seen, picture_.hatched ? mixed(colour, theme_.surface, 0.45) : colour);
            if (picture_.hatched && seen.width() >= 3) {
                painter_.setPen(QPen(colour, 1.3));
                painter_.drawLines(hatch_lines(seen, hatch_spacing));
            }
            if (picture_.hatched) {
                painter_.setPen(QPen(colour, 1));
                painter_.setBrush(Qt::NoBrush);
                painter_.drawRect(seen.adjusted(0.5, 0.5, -0.5, -0.5));
            }
        }
        paint_whisker(row);
        painter_.restore();
    }

    /// A whisker around the end of the bar shows its uncertainty.
    void paint_whisker(std::size_t row) {
        const double spread = is_end(row) ? end_of(row).spread : picture_.steps[row - 1].uncertainty;
        if (!(spread > 0) || !std::isfinite(spread))
            return;
        const QRectF place = layout_.row(row);
        const double low = layout_.pixel(spans_[row].end - spread);
        const double high = layout_.pixel(spans_[row].end + spread);
        if (!(high - low >= 3)) // or it reaches where there is no logarithm
            return;
        const double middle = place.center().y();
        const double half = place.height() * 0.14;
        painter_.setPen(QPen(theme_.text, 1.2));
        painter_.drawLine(QPointF(low, middle), QPointF(high, middle));
        for (const double x : {low, high})
            painter_.drawLine(QPointF(x, middle - half), QPointF(x, middle + half));
    }

    /// From the end of each bar down to the start of the next.
    void paint_connectors() {
        painter_.save();
        painter_.setClipRect(layout_.area(), Qt::IntersectClip);
        painter_.setPen(QPen(theme_.dim_text, 1, Qt::DotLine));
        for (std::size_t row = 0; row + 1 < spans_.size(); ++row) {
            const double x = layout_.pixel(spans_[row].end);
            painter_.drawLine(QPointF(x, box_of(row).bottom()), QPointF(x, box_of(row + 1).top()));
        }
        painter_.restore();
    }

    void paint_value(std::size_t row) {
        const QRectF place = layout_.row(row);
        QFont font = layout_.text_font;
        font.setBold(is_end(row));
        painter_.setFont(font);
        const bool is_pale = !is_end(row) && !picture_.steps[row - 1].is_significant;
        painter_.setPen(is_pale ? theme_.dim_text : theme_.text);
        painter_.drawText(
            QRectF(layout_.area().right(), place.top(), layout_.value_width - waterfall_gap, place.height()),
            Qt::AlignRight | Qt::AlignVCenter, amount_text(picture_, row));
    }

    QPainter& painter_;
    const WaterfallPicture& picture_;
    const WaterfallLayout& layout_;
    const Theme& theme_;
    const WaterfallLook& look_;
    QFontMetricsF text_;
    std::vector<WaterfallSpan> spans_;
};

} // namespace

void paint_waterfall(QPainter& painter, const WaterfallPicture& picture, const WaterfallLayout& layout,
                     const Theme& theme, const WaterfallLook& look) {
    WaterfallPainter(painter, picture, layout, theme, look).paint();
}

} // namespace sparsight
