#include "widgets/chart/plots/lane_plot.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

/// Digits follow the zoom: two places a pixel apart read differently. Both ends of a bar have one unit.
QString moment_text(double ms, double end_ms, double ms_a_pixel) {
    const auto [factor, unit] = end_ms >= 1000   ? std::pair(1e-3, "s")
                                : end_ms >= 1    ? std::pair(1.0, "ms")
                                : end_ms >= 1e-3 ? std::pair(1e3, "µs")
                                                 : std::pair(1e6, "ns");
    constexpr int most_decimals = 6;
    const int usual = 2 - static_cast<int>(std::floor(std::log10(std::max(end_ms * factor, 1e-9))));
    const int seen = static_cast<int>(std::ceil(-std::log10(std::max(ms_a_pixel * factor, 1e-9))));
    return with_unit(fixed_text(ms * factor, std::clamp(std::max(usual, seen), 0, most_decimals)),
                     QString::fromUtf8(unit));
}

/// A line break in a tip may otherwise stand between the thousands of a number.
QString whole_line(const QString& text) {
    return QStringLiteral("<span style='white-space:nowrap'>%1</span>").arg(text.toHtmlEscaped());
}

} // namespace

LanePlot::LanePlot(QWidget* parent)
    : AxisPlot(tr("Menu of the timeline"), Wheel::Alone, parent) {
    setAccessibleName(tr("Timeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LanePlot::set_picture(LanePicture picture) {
    picture_ = std::move(picture);
    lit_.reset();
    QStringList said;
    for (const LaneGroup& group : picture_.groups)
        said << group.name;
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    picture_changed();
}

LaneLayout LanePlot::laid_out() const {
    return lay_out_lanes(picture_, size(), room_of_tools(), shown());
}

QPointF LanePlot::place_of(std::size_t group, std::size_t lane, double time) const {
    const LaneLayout layout = laid_out();
    return {layout.pixel(time), layout.lane(group, lane).center().y()};
}

QString LanePlot::tooltip_of(const LaneHit& hit) const {
    const LaneGroup& group = picture_.groups[hit.group];
    QStringList lines{QStringLiteral("<b>%1 %2</b>")
                          .arg(picture_.lane_title, count_text(static_cast<qint64>(hit.lane) + 1))};
    if (hit.bar) {
        const LaneBar& bar = group.bars[*hit.bar];
        const LaneLayout layout = laid_out();
        const double ms_a_pixel = 1 / std::max(layout.pixel(1) - layout.pixel(0), 1e-9);
        lines << whole_line(bar.note)
              << whole_line(tr("%1, from %2 to %3")
                                .arg(duration_text(bar.end - bar.begin),
                                     moment_text(bar.begin, bar.end, ms_a_pixel),
                                     moment_text(bar.end, bar.end, ms_a_pixel)));
    } else if (hit.time < group.opening) {
        lines << group.opening_note.toHtmlEscaped();
    } else {
        lines << (hit.time <= group.total ? tr("Idle") : tr("Run is over"));
    }
    return lines.join(QStringLiteral("<br>"));
}

ExportedPicture LanePlot::exported() const {
    const QSizeF size(std::max(640, width()), std::max(240, height()));
    return {size,
            [picture = picture_, scale = shown(), size](QPainter& painter) {
                painter.fillRect(QRectF({0, 0}, size), light_theme().surface);
                paint_lanes(painter, picture, lay_out_lanes(picture, size, {}, scale), light_theme(), {});
            },
            picture_.csv,
            QString(picture_.title.isEmpty() ? accessibleName() : picture_.title).replace(u'/', u'-')};
}

QSize LanePlot::sizeHint() const {
    return {560, 320};
}

QSize LanePlot::minimumSizeHint() const {
    const QFontMetrics metrics(caption_font());
    return {metrics.averageCharWidth() * 30, metrics.height() * 10};
}

void LanePlot::draw(QPainter& painter, const Theme& theme) const {
    paint_lanes(painter, picture_, laid_out(), theme, lit_);
}

QString LanePlot::tooltip_at(const QPointF& place) const {
    const auto hit = lane_at(picture_, laid_out(), place);
    return hit ? tooltip_of(*hit) : QString();
}

void LanePlot::light(const std::optional<QPointF>& place) {
    const auto hit = place ? lane_at(picture_, laid_out(), *place) : std::nullopt;
    const bool is_same = hit && lit_ && hit->group == lit_->group && hit->bar == lit_->bar;
    lit_ = hit;
    if (!is_same)
        update();
}

} // namespace sparsight
