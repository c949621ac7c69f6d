#include "widgets/chart/parallel/parallel_picture.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

namespace sparsight {

namespace {

constexpr double beside_axis = 10;      ///< texts keep clear of brushes
constexpr std::size_t most_faint = 400; ///< lines that brushes leave out

QPolygonF course_of(const ParallelPicture& picture, const ParallelLayout& layout, std::size_t line) {
    QPolygonF course;
    course.reserve(static_cast<qsizetype>(picture.axis_count()));
    for (std::size_t axis = 0; axis < picture.axis_count(); ++axis)
        course << QPointF(layout.across[axis], layout.y_of_line(picture, axis, line));
    return course;
}

/// By factors: the measure has a logarithmic axis.
class LineColours {
public:
    explicit LineColours(const ParallelPicture& picture)
        : scale_{picture.measure.logarithmic, 0, 1}
        , colours_(drawn_measures(picture), std::nullopt) {}

    [[nodiscard]] QColor colour(double measure, const Theme& theme) const {
        return colours_.colour(scale_.drawn(measure), theme);
    }

private:
    [[nodiscard]] std::vector<double> drawn_measures(const ParallelPicture& picture) const {
        std::vector<double> measures;
        measures.reserve(picture.lines.size());
        for (const ParallelLine& line : picture.lines)
            measures.push_back(scale_.drawn(line.measure));
        return measures;
    }

    ChartScale scale_;
    ScoreColours colours_;
};

QColor faded(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

} // namespace

void paint_parallel_lines(QPainter& painter, const ParallelPicture& picture, const ParallelLayout& layout,
                          std::span<const std::size_t> fitting, bool has_brush, bool is_draft,
                          const Theme& theme) {
    painter.setRenderHint(QPainter::Antialiasing, !is_draft);
    painter.setBrush(Qt::NoBrush);
    if (has_brush) {
        painter.setPen(QPen(faded(theme.reference, 0.10), 1));
        const std::size_t step = std::max<std::size_t>(1, picture.lines.size() / most_faint);
        for (std::size_t line = 0; line < picture.lines.size(); line += step)
            painter.drawPolyline(course_of(picture, layout, line));
    }
    const LineColours colours(picture);
    const std::vector<std::size_t> drawn = drawn_lines(picture, fitting);
    const double alpha = drawn.size() > 300 ? 0.35 : 0.7;
    for (const std::size_t line : std::views::reverse(drawn)) { // the best on top
        painter.setPen(QPen(faded(colours.colour(picture.lines[line].measure, theme), alpha), 1));
        painter.drawPolyline(course_of(picture, layout, line));
    }
}

namespace {

class AxesPainter {
public:
    AxesPainter(QPainter& painter, const ParallelPicture& picture, const ParallelLayout& layout,
                const ParallelLook& look, const Theme& theme)
        : painter_(painter)
        , picture_(picture)
        , layout_(layout)
        , look_(look)
        , theme_(theme)
        , text_(layout.text_font) {}

    void paint() {
        paint_titles();
        painter_.setRenderHint(QPainter::Antialiasing, false);
        for (std::size_t axis = 0; axis < picture_.axis_count(); ++axis)
            paint_axis(axis);
        painter_.setRenderHint(QPainter::Antialiasing);
        paint_brushes();
        paint_course(look_.lit, theme_.text, 2);
        paint_course(look_.selected, theme_.accent, 3);
        paint_cursor();
        for (std::size_t axis = 0; axis < picture_.axes.size(); ++axis)
            paint_values(axis);
        paint_measures();
    }

private:
    void paint_titles() {
        painter_.setPen(theme_.text);
        painter_.setFont(layout_.title_font);
        painter_.drawText(layout_.title, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(layout_.title_font)
                              .elidedText(picture_.title, Qt::ElideRight, layout_.title.width()));
        painter_.setFont(layout_.text_font);
        for (std::size_t axis = 0; axis < picture_.axis_count(); ++axis) {
            const QString title =
                picture_.is_measure(axis) ? axis_title(picture_.measure) : picture_.axes[axis].title;
            const QRectF& box = layout_.axis_titles[axis];
            painter_.drawText(box, Qt::AlignCenter, text_.elidedText(title, Qt::ElideMiddle, box.width()));
        }
        painter_.setPen(theme_.dim_text);
        painter_.drawText(layout_.caption, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, look_.caption);
    }

    void paint_axis(std::size_t axis) {
        const QRectF& area = layout_.area;
        const double x = layout_.across[axis];
        painter_.setPen(QPen(theme_.dim_text, 1));
        painter_.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }

    /// A text beside an axis, legible above lines.
    void write(const QPointF& middle_left, const QString& text, const QColor& colour) {
        const QRectF box(middle_left.x(), middle_left.y() - text_.height() / 2,
                         text_.horizontalAdvance(text) + 4, text_.height());
        painter_.fillRect(box, faded(theme_.surface, 0.75));
        painter_.setPen(colour);
        painter_.drawText(box, Qt::AlignCenter | Qt::TextDontClip, text);
    }

    /// Where there are more values than there is room, every second or third has its name.
    void paint_values(std::size_t axis) {
        const auto& values = picture_.axes[axis].values;
        const auto step =
            static_cast<std::size_t>(std::max(1.0, std::ceil(text_.height() / layout_.slot(picture_, axis))));
        const double room =
            layout_.across[axis + 1] - layout_.across[axis] - beside_axis - 2 * ParallelLayout::gap;
        painter_.setFont(layout_.text_font);
        for (std::size_t place = 0; place < values.size(); place += step) {
            const double y = layout_.y_of(picture_, axis, place);
            write({layout_.across[axis] + beside_axis, y},
                  text_.elidedText(values[place], Qt::ElideRight, room), theme_.text);
        }
    }

    void paint_measures() {
        const int wanted = static_cast<int>(layout_.area.height() / (3 * text_.height()));
        painter_.setFont(layout_.text_font);
        for (const ChartTick& tick : chart_ticks(layout_.measure, picture_.measure.format,
                                                 std::max(2, wanted), current_number_style())) {
            const double share = layout_.measure.share(tick.value);
            if (share < 0 || share > 1)
                continue;
            const QPointF place(layout_.across.back(), layout_.y_of_measure(tick.value));
            painter_.setPen(theme_.dim_text);
            painter_.drawLine(place, place + QPointF(tick.label.isEmpty() ? 3 : 5, 0));
            if (!tick.label.isEmpty())
                write(place + QPointF(beside_axis, 0), tick.label, theme_.text);
        }
    }

    void paint_brushes() {
        for (std::size_t axis = 0; axis < look_.brushes.size(); ++axis) {
            if (!look_.brushes[axis])
                continue;
            painter_.setPen(QPen(theme_.accent, 1.5));
            painter_.setBrush(faded(theme_.accent, 0.3));
            painter_.drawRect(layout_.box_of(picture_, axis, *look_.brushes[axis]));
        }
        painter_.setBrush(Qt::NoBrush);
    }

    void paint_course(const std::optional<std::size_t>& line, const QColor& colour, double width) {
        if (!line)
            return;
        const QPolygonF course = course_of(picture_, layout_, *line);
        for (const auto& [pen, wide] : {std::pair(theme_.surface, width + 2.5), std::pair(colour, width)}) {
            painter_.setPen(QPen(pen, wide, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
            painter_.drawPolyline(course);
        }
        painter_.setBrush(colour);
        for (const QPointF& point : course)
            painter_.drawEllipse(point, width, width);
        painter_.setBrush(Qt::NoBrush);
    }

    void paint_cursor() {
        if (!look_.cursor)
            return;
        const auto [axis, at] = *look_.cursor;
        painter_.setPen(QPen(theme_.accent, 2));
        painter_.drawRect(layout_.box_of(picture_, axis, {at, at}).adjusted(-3, -1, 3, 1));
    }

    QPainter& painter_;
    const ParallelPicture& picture_;
    const ParallelLayout& layout_;
    const ParallelLook& look_;
    const Theme& theme_;
    QFontMetricsF text_;
};

} // namespace

void paint_parallel_axes(QPainter& painter, const ParallelPicture& picture, const ParallelLayout& layout,
                         const ParallelLook& look, const Theme& theme) {
    AxesPainter(painter, picture, layout, look, theme).paint();
}

} // namespace sparsight
