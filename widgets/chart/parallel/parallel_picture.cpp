#include "widgets/chart/parallel/parallel_picture.h"

#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QStringList>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

struct ParallelTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ParallelPlot)
};

constexpr double reach_of_axis = 10;
constexpr double reach_of_line = 6;
constexpr double widest_spread = 30; ///< of lines with the same value, in pixels
constexpr double brush_width = 14;

bool fits(const ParallelPicture& picture, const ParallelBrushes& brushes, std::size_t line) {
    for (std::size_t axis = 0; axis < brushes.size(); ++axis)
        if (brushes[axis] &&
            !brushes[axis]->has(picture.is_measure(axis) ? picture.lines[line].measure
                                                         : static_cast<double>(picture.place(line, axis))))
            return false;
    return true;
}

} // namespace

std::pair<double, double> ParallelPicture::extent() const {
    if (empty())
        return {1, 10};
    const auto [low, high] = std::ranges::minmax(lines, {}, &ParallelLine::measure);
    return {low.measure, high.measure};
}

bool has_brush(const ParallelBrushes& brushes) {
    return std::ranges::any_of(brushes, [](const auto& brush) { return brush.has_value(); });
}

std::vector<std::size_t> brushed_lines(const ParallelPicture& picture, const ParallelBrushes& brushes) {
    std::vector<std::size_t> lines;
    for (std::size_t line = 0; line < picture.lines.size(); ++line)
        if (fits(picture, brushes, line))
            lines.push_back(line);
    return lines;
}

std::vector<std::size_t> drawn_lines(const ParallelPicture& picture, std::span<const std::size_t> lines) {
    const std::size_t best = std::min(lines.size(), picture.most_best);
    std::vector<std::size_t> drawn(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(best));
    const std::size_t others = lines.size() - best;
    const std::size_t sample = std::min(others, picture.most_others);
    for (std::size_t i = 0; i < sample; ++i)
        drawn.push_back(lines[best + (2 * i + 1) * others / (2 * sample)]); // the middle of each step
    return drawn;
}

QString parallel_caption(const ParallelPicture& picture, std::size_t fitting, bool has_brush) {
    const auto count = [](std::size_t number) { return count_text(static_cast<qint64>(number)); };
    QStringList sentences;
    if (has_brush)
        sentences << ParallelTexts::tr("Brushed: %1 of %2 %3.")
                         .arg(count(fitting), count(picture.lines.size()), picture.noun);
    if (fitting > picture.most_best + picture.most_others)
        sentences << ParallelTexts::tr("Drawn: the %1 fastest and %2 of the other %3.")
                         .arg(count(picture.most_best), count(picture.most_others),
                              count(fitting - picture.most_best));
    else if (!has_brush)
        sentences << ParallelTexts::tr("Drawn: all %1 %2.").arg(count(fitting), picture.noun);
    if (!picture.note.isEmpty())
        sentences << picture.note;
    return sentences.join(u' ');
}

QString parallel_csv(const ParallelPicture& picture, std::span<const std::size_t> lines) {
    QStringList fields;
    for (const ParallelAxis& axis : picture.axes)
        fields << quoted_field(axis.title);
    fields << quoted_field(axis_title(picture.measure)) << quoted_field(picture.noun);
    QString csv = fields.join(u',') + u'\n';
    for (const std::size_t line : lines) {
        fields.clear();
        for (std::size_t axis = 0; axis < picture.axes.size(); ++axis)
            fields << quoted_field(picture.axes[axis].values[picture.place(line, axis)]);
        fields << QString::number(picture.lines[line].measure, 'g', 17)
               << quoted_field(picture.lines[line].key);
        csv += fields.join(u',') + u'\n';
    }
    return csv;
}

double ParallelLayout::slot(const ParallelPicture& picture, std::size_t axis) const {
    return area.height() / static_cast<double>(picture.axes[axis].values.size());
}

double ParallelLayout::y_of(const ParallelPicture& picture, std::size_t axis, std::size_t place) const {
    return area.bottom() - (static_cast<double>(place) + 0.5) * slot(picture, axis);
}

double ParallelLayout::y_of_line(const ParallelPicture& picture, std::size_t axis, std::size_t line) const {
    if (picture.is_measure(axis))
        return y_of_measure(picture.lines[line].measure);
    const double spread = std::min(share_of_slot * slot(picture, axis), widest_spread);
    const double rank = (static_cast<double>(line) + 0.5) / static_cast<double>(picture.lines.size());
    return y_of(picture, axis, picture.place(line, axis)) + spread * (0.5 - rank);
}

double ParallelLayout::y_of_measure(double value) const {
    const double share = measure.share(value); // NaN where the logarithm does not exist
    return area.bottom() - (share > 0 ? std::min(share, 1.0) : 0) * area.height();
}

double ParallelLayout::measure_at(double y) const {
    const double share = std::clamp((area.bottom() - y) / area.height(), 0.0, 1.0);
    return measure.value(measure.low + share * (measure.high - measure.low));
}

std::size_t ParallelLayout::place_at(const ParallelPicture& picture, std::size_t axis, double y) const {
    const auto last = static_cast<double>(picture.axes[axis].values.size() - 1);
    return static_cast<std::size_t>(
        std::clamp(std::floor((area.bottom() - y) / slot(picture, axis)), 0.0, last));
}

QRectF ParallelLayout::box_of(const ParallelPicture& picture, std::size_t axis,
                              const ParallelBrush& brush) const {
    double top = 0;
    double bottom = 0;
    if (picture.is_measure(axis)) {
        top = y_of_measure(brush.high);
        bottom = y_of_measure(brush.low);
    } else {
        const double half = slot(picture, axis) / 2;
        top = y_of(picture, axis, static_cast<std::size_t>(brush.high)) - half;
        bottom = y_of(picture, axis, static_cast<std::size_t>(brush.low)) + half;
    }
    return {across[axis] - brush_width / 2, top, brush_width, std::max(2.0, bottom - top)};
}

std::optional<std::size_t> ParallelLayout::axis_at(const QPointF& place) const {
    if (place.y() < area.top() - reach_of_axis || place.y() > area.bottom() + reach_of_axis)
        return std::nullopt;
    for (std::size_t axis = 0; axis < across.size(); ++axis)
        if (std::abs(place.x() - across[axis]) <= reach_of_axis)
            return axis;
    return std::nullopt;
}

namespace {

QString title_of(const ParallelPicture& picture, std::size_t axis) {
    return picture.is_measure(axis) ? axis_title(picture.measure) : picture.axes[axis].title;
}

/// Titles that are wider than the distance of the axes stand in two rows in turn. The axes begin below them.
void place_titles(const ParallelPicture& picture, double top, ParallelLayout& layout) {
    const QFontMetricsF text(layout.text_font);
    const std::size_t count = picture.axis_count();
    const double distance = count > 1 ? layout.across[1] - layout.across[0] : layout.area.width();
    double widest = 0;
    for (std::size_t axis = 0; axis < count; ++axis)
        widest = std::max(widest, text.horizontalAdvance(title_of(picture, axis)));
    const bool has_two_rows = widest + ParallelLayout::gap > distance;
    const double room = (has_two_rows ? 2 : 1) * distance - ParallelLayout::gap;
    for (std::size_t axis = 0; axis < count; ++axis) {
        const bool is_lower = has_two_rows && axis % 2 == 1;
        layout.axis_titles.emplace_back(layout.across[axis] - room / 2, top + (is_lower ? text.height() : 0),
                                        room, text.height());
    }
    layout.area.setTop(top + (has_two_rows ? 2 : 1) * text.height() + 2 * ParallelLayout::gap);
}

} // namespace

ParallelLayout lay_out_parallel(const ParallelPicture& picture, const QSizeF& size, const QSizeF& tools) {
    ParallelLayout layout;
    layout.title_font = title_font();
    layout.text_font = caption_font();
    const QFontMetricsF text(layout.text_font);
    double top = ParallelLayout::gap;
    if (!picture.title.isEmpty()) {
        const QFontMetricsF title(layout.title_font);
        layout.title = QRectF(ParallelLayout::gap, top,
                              size.width() - 2 * ParallelLayout::gap - tools.width(), title.height());
        top = layout.title.bottom() + ParallelLayout::gap;
    } else {
        top = std::max(top, tools.height());
    }
    double left = 0; // half of the widest title stands before the first axis, its labels beside it
    double right = text.horizontalAdvance(QStringLiteral("00.0 ms")) + 4 * ParallelLayout::gap;
    if (!picture.axes.empty())
        left = std::min(text.horizontalAdvance(picture.axes.front().title) / 2, 0.08 * size.width());
    right = std::max(right,
                     std::min(text.horizontalAdvance(axis_title(picture.measure)) / 2 + ParallelLayout::gap,
                              0.1 * size.width()));
    const double below = 2 * text.height() + ParallelLayout::gap; // the caption may have two lines
    layout.area = QRectF(QPointF(left + 2 * ParallelLayout::gap, top),
                         QPointF(size.width() - right, size.height() - below - ParallelLayout::gap));
    layout.caption = QRectF(ParallelLayout::gap, layout.area.bottom() + ParallelLayout::gap,
                            size.width() - 2 * ParallelLayout::gap, below);
    const std::size_t count = picture.axis_count();
    for (std::size_t axis = 0; axis < count; ++axis)
        layout.across.push_back(count == 1
                                    ? layout.area.right()
                                    : layout.area.left() + layout.area.width() * static_cast<double>(axis) /
                                                               static_cast<double>(count - 1));
    place_titles(picture, top, layout);
    const auto [low, high] = picture.extent();
    layout.measure = fitted_scale(low, high, picture.measure.logarithmic);
    return layout;
}

std::optional<std::size_t> parallel_line_at(const ParallelPicture& picture, const ParallelLayout& layout,
                                            std::span<const std::size_t> lines, const QPointF& place) {
    if (layout.across.size() < 2 || place.x() < layout.across.front() || place.x() > layout.across.back())
        return std::nullopt;
    const auto behind = std::ranges::upper_bound(layout.across, place.x());
    const auto right = std::clamp<std::size_t>(static_cast<std::size_t>(behind - layout.across.begin()), 1,
                                               layout.across.size() - 1);
    const double width = layout.across[right] - layout.across[right - 1];
    const double share = (place.x() - layout.across[right - 1]) / width;
    std::optional<std::size_t> best;
    double least = reach_of_line;
    for (const std::size_t line : lines) {
        const double from = layout.y_of_line(picture, right - 1, line);
        const double rise = layout.y_of_line(picture, right, line) - from;
        // the distance from a line is shorter than that along the vertical
        const double away = std::abs(from + share * rise - place.y()) * width / std::hypot(width, rise);
        if (away < least) { // of two that lie on one another, the better one
            least = away;
            best = line;
        }
    }
    return best;
}

} // namespace sparsight
