#include "widgets/chart/plots/walk_picture.h"

#include "widgets/chart/chart_painting.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <QLineF>
#include <QLinearGradient>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

QColor faint(QColor colour, double alpha) {
    colour.setAlphaF(static_cast<float>(alpha));
    return colour;
}

void paint_diamond(QPainter& painter, const QPointF& place, double half) {
    painter.drawPolygon(QPolygonF({place + QPointF(0, -half), place + QPointF(half, 0),
                                   place + QPointF(0, half), place + QPointF(-half, 0)}));
}

/// Half way along the line, so that the arrows of several lines to one node do not overlap.
void paint_arrow(QPainter& painter, const QLineF& line, double size) {
    if (line.length() < 4 * size)
        return;
    const QPointF tip = line.pointAt(0.5 + size / line.length());
    const double angle = std::atan2(line.dy(), line.dx());
    const auto corner = [&](double turn) {
        return tip - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * 2 * size;
    };
    painter.drawPolygon(QPolygonF({tip, corner(0.45), corner(-0.45)}));
}

class WalkPainter {
public:
    WalkPainter(QPainter& painter, const WalkScene& scene, const Theme& theme)
        : painter_(painter)
        , scene_(scene)
        , picture_(scene.picture)
        , theme_(theme)
        , is_expanded_(scene.picture.nodes.size(), false) {
        for (const WalkStep& step : picture_.steps)
            is_expanded_[step.node] = true;
    }

    void paint(std::optional<std::size_t> selected) {
        paint_others();
        paint_steps();
        paint_expanded();
        paint_path();
        paint_found();
        paint_reference();
        paint_begin();
        paint_numbers();
        if (selected)
            paint_selected(*selected);
    }

private:
    [[nodiscard]] QPointF place(std::size_t node) const {
        const ChartTransform& transform = scene_.layout.transform;
        return {transform.pixel_x(picture_.nodes[node].x), transform.pixel_y(picture_.nodes[node].y)};
    }
    [[nodiscard]] QColor colour(std::size_t node) const {
        return scene_.colours.colour(picture_.nodes[node].score, theme_);
    }
    [[nodiscard]] double size(double pixels) const { return pixels * scene_.unit; }

    /// The best comes last, so that it is never hidden.
    [[nodiscard]] std::vector<std::size_t> worst_first(bool (*belongs)(const WalkNode&, bool)) const {
        std::vector<std::size_t> nodes;
        for (std::size_t i = 0; i < picture_.nodes.size(); ++i)
            if (belongs(picture_.nodes[i], is_expanded_[i]))
                nodes.push_back(i);
        std::ranges::stable_sort(nodes, std::ranges::greater(), [this](std::size_t i) {
            return scene_.colours.place(picture_.nodes[i].score);
        });
        return nodes;
    }

    void paint_others() {
        painter_.setPen(Qt::NoPen);
        for (const bool seen : {false, true})
            for (const std::size_t i : worst_first(
                     [](const WalkNode& node, bool expanded) { return !expanded && node.rank == 0; })) {
                if (picture_.nodes[i].seen != seen)
                    continue;
                painter_.setBrush(seen ? colour(i) : faint(colour(i), theme_.dark ? 0.38 : 0.32));
                painter_.drawEllipse(place(i), size(seen ? 2.6 : 2), size(seen ? 2.6 : 2));
            }
    }

    void paint_steps() {
        painter_.setPen(QPen(faint(theme_.text, theme_.dark ? 0.24 : 0.18), 1));
        for (const WalkStep& step : picture_.steps)
            if (step.node != step.from)
                painter_.drawLine(QLineF(place(step.from), place(step.node)));
    }

    void paint_expanded() {
        painter_.setPen(QPen(faint(theme_.text, 0.5), 0.8));
        for (const std::size_t i :
             worst_first([](const WalkNode& node, bool expanded) { return expanded && node.rank == 0; })) {
            painter_.setBrush(colour(i));
            painter_.drawEllipse(place(i), size(3.4), size(3.4));
        }
    }

    void paint_path() {
        for (const bool halo : {true, false})
            for (std::size_t i = 1; i < scene_.path.size(); ++i) {
                const QLineF line(place(scene_.path[i - 1]), place(scene_.path[i]));
                painter_.setPen(
                    halo ? QPen(faint(theme_.surface, 0.85), size(4.5), Qt::SolidLine, Qt::RoundCap)
                         : QPen(theme_.text, size(1.8), Qt::SolidLine, Qt::RoundCap));
                painter_.drawLine(line);
                if (halo)
                    continue;
                painter_.setPen(Qt::NoPen);
                painter_.setBrush(theme_.text);
                paint_arrow(painter_, line, size(5));
            }
    }

    void paint_found() {
        for (const std::size_t i : worst_first([](const WalkNode& node, bool) { return node.rank > 0; })) {
            if (picture_.nodes[i].reference)
                continue;
            painter_.setPen(QPen(theme_.text, size(picture_.nodes[i].rank == 1 ? 2 : 1.3)));
            painter_.setBrush(colour(i));
            const double radius = size(picture_.nodes[i].rank == 1 ? 7 : 5);
            painter_.drawEllipse(place(i), radius, radius);
        }
    }

    void paint_reference() {
        for (std::size_t i = 0; i < picture_.nodes.size(); ++i)
            if (picture_.nodes[i].reference) {
                painter_.setPen(QPen(theme_.text, size(1.3)));
                painter_.setBrush(theme_.reference);
                painter_.drawRect(QRectF(place(i) - QPointF(size(5), size(5)), QSizeF(size(10), size(10))));
            }
    }

    void paint_begin() {
        if (picture_.steps.empty())
            return;
        painter_.setPen(QPen(theme_.text, size(1.8)));
        painter_.setBrush(theme_.surface);
        paint_diamond(painter_, place(picture_.steps.front().node), size(8));
    }

    /// Beside the nodes of the path, where there is space.
    void paint_numbers() {
        QFont font = scene_.fonts.caption;
        font.setWeight(QFont::DemiBold);
        painter_.setFont(font);
        const QFontMetricsF metrics(font);
        std::vector<QRectF> taken;
        for (std::size_t i = 0; i < scene_.path.size(); ++i) {
            const QString text = count_text(static_cast<qint64>(i) + 1);
            const double side = std::max(metrics.height(), metrics.horizontalAdvance(text) + 6);
            QRectF box(0, 0, side, metrics.height());
            box.moveCenter(place(scene_.path[i]) + QPointF(size(12), -size(11)));
            if (!scene_.layout.transform.area.contains(box) ||
                std::ranges::any_of(taken, [&box](const QRectF& one) { return one.intersects(box); }))
                continue;
            taken.push_back(box);
            painter_.setPen(Qt::NoPen);
            painter_.setBrush(theme_.text);
            painter_.drawRoundedRect(box, box.height() / 2, box.height() / 2);
            painter_.setPen(theme_.surface);
            painter_.drawText(box, Qt::AlignCenter, text);
        }
    }

    void paint_selected(std::size_t node) {
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(theme_.surface, size(5)));
        painter_.drawEllipse(place(node), size(11), size(11));
        painter_.setPen(QPen(theme_.accent, size(2.5)));
        painter_.drawEllipse(place(node), size(11), size(11));
    }

    QPainter& painter_;
    const WalkScene& scene_;
    const WalkPicture& picture_;
    const Theme& theme_;
    std::vector<bool> is_expanded_;
};

} // namespace

void paint_walk(QPainter& painter, const WalkScene& scene, const Theme& theme,
                std::optional<std::size_t> selected) {
    const ChartPicture around{scene.content, scene.layout, scene.fonts, theme, scene.chart};
    painter.fillRect(scene.chart.united(scene.legend), theme.surface);
    paint_chart_grid(painter, around);
    painter.save();
    painter.setClipRect(scene.layout.transform.area);
    painter.setRenderHint(QPainter::Antialiasing);
    WalkPainter(painter, scene, theme).paint(selected);
    painter.restore();
    paint_chart_frame(painter, around);
    paint_walk_legend(painter, scene, theme);
}

namespace {

struct WalkPaintingText {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WalkPlot)
};

/// Signs with their meanings in a line, as many as fit.
class LegendLine {
public:
    LegendLine(QPainter& painter, const WalkScene& scene, const Theme& theme, const QRectF& line)
        : painter_(painter)
        , theme_(theme)
        , line_(line)
        , metrics_(scene.fonts.caption)
        , x_(line.left()) {}

    template <typename PaintSign>
    void add(double sign_width, const QString& text, PaintSign paint_sign) {
        const double width = sign_width + legend_text_gap + metrics_.horizontalAdvance(text);
        if (x_ + width > line_.right())
            return;
        paint_sign(QRectF(x_, line_.top(), sign_width, line_.height()));
        painter_.setPen(theme_.dim_text);
        painter_.drawText(QRectF(x_ + sign_width + legend_text_gap, line_.top(),
                                 metrics_.horizontalAdvance(text) + 1, line_.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, text);
        x_ += width + 2 * legend_swatch;
    }

private:
    QPainter& painter_;
    const Theme& theme_;
    QRectF line_;
    QFontMetricsF metrics_;
    double x_;
};

void paint_scale(QPainter& painter, const WalkScene& scene, const Theme& theme, const QRectF& line) {
    const QFontMetricsF metrics(scene.fonts.caption);
    const ScoreColours& colours = scene.colours;
    painter.setPen(theme.text);
    const QString title = score_name(scene.picture);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, title);
    double x = line.left() + metrics.horizontalAdvance(title) + legend_swatch;
    const QString fast = WalkPaintingText::tr("%1 faster").arg(score_text(scene.picture, colours.best()));
    const QString slow = WalkPaintingText::tr("%1 slower").arg(score_text(scene.picture, colours.worst()));
    painter.setPen(theme.dim_text);
    const auto write = [&](const QString& text) {
        painter.drawText(QRectF(x, line.top(), metrics.horizontalAdvance(text) + 1, line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x += metrics.horizontalAdvance(text) + legend_text_gap;
    };
    write(fast);
    const double wanted = 16 * metrics.averageCharWidth();
    const double rest = metrics.horizontalAdvance(slow) + legend_text_gap;
    const QRectF bar(x, line.center().y() - legend_swatch / 2,
                     std::clamp(line.right() - x - rest, 4.0 * legend_swatch, wanted), legend_swatch);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int i = 0; i <= 10; ++i)
        gradient.setColorAt(i / 10.0, score_colour_at(i / 5.0 - 1, theme));
    painter.setPen(Qt::NoPen);
    painter.setBrush(gradient);
    painter.drawRoundedRect(bar, 2, 2);
    painter.setPen(QPen(theme.text, 1.5));
    painter.drawLine(QLineF(bar.center().x(), bar.top() - 2, bar.center().x(), bar.bottom() + 2));
    painter.setPen(theme.dim_text);
    x = bar.right() + legend_text_gap;
    write(slow);
    if (scene.picture.reference_name.isEmpty())
        return;
    const QString middle =
        WalkPaintingText::tr("middle: %1 %2")
            .arg(scene.picture.reference_name, score_text(scene.picture, colours.middle()));
    if (x + legend_swatch + metrics.horizontalAdvance(middle) < line.right()) {
        x += legend_swatch;
        write(middle);
    }
}

} // namespace

void paint_walk_legend(QPainter& painter, const WalkScene& scene, const Theme& theme) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(scene.fonts.caption);
    const double height = QFontMetricsF(scene.fonts.caption).height();
    const QRectF first(scene.layout.transform.area.left(), scene.legend.top() + 5,
                       scene.legend.right() - scene.layout.transform.area.left() - 8, height);
    paint_scale(painter, scene, theme, first);
    LegendLine signs(painter, scene, theme, first.translated(0, height + 4));
    const double unit = scene.unit;
    const bool is_walk = !scene.picture.steps.empty();
    if (is_walk)
        signs.add(16 * unit, WalkPaintingText::tr("begins"), [&](const QRectF& place) {
            painter.setPen(QPen(theme.text, 1.6 * unit));
            painter.setBrush(theme.surface);
            paint_diamond(painter, place.center(), 6 * unit);
        });
    if (!scene.path.empty())
        signs.add(26 * unit, WalkPaintingText::tr("way to the best"), [&](const QRectF& place) {
            const QLineF line(place.left(), place.center().y(), place.right(), place.center().y());
            painter.setPen(QPen(theme.text, 1.8 * unit));
            painter.drawLine(line);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.text);
            paint_arrow(painter, line, 5 * unit);
        });
    signs.add(12 * unit, WalkPaintingText::tr("found"), [&](const QRectF& place) {
        painter.setPen(QPen(theme.text, 1.3 * unit));
        painter.setBrush(theme.win);
        painter.drawEllipse(place.center(), 5 * unit, 5 * unit);
    });
    if (!scene.picture.reference_name.isEmpty())
        signs.add(12 * unit, scene.picture.reference_name, [&](const QRectF& place) {
            painter.setPen(QPen(theme.text, 1.3 * unit));
            painter.setBrush(theme.reference);
            painter.drawRect(QRectF(place.center() - QPointF(4.5, 4.5) * unit, QSizeF(9, 9) * unit));
        });
    if (is_walk) {
        signs.add(10 * unit, WalkPaintingText::tr("expanded"), [&](const QRectF& place) {
            painter.setPen(QPen(faint(theme.text, 0.5), 0.8));
            painter.setBrush(score_colour_at(0, theme));
            painter.drawEllipse(place.center(), 3.4 * unit, 3.4 * unit);
        });
        signs.add(8 * unit, WalkPaintingText::tr("scored"), [&](const QRectF& place) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(score_colour_at(1, theme));
            painter.drawEllipse(place.center(), 2.6 * unit, 2.6 * unit);
        });
        signs.add(8 * unit, WalkPaintingText::tr("never looked at"), [&](const QRectF& place) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(faint(score_colour_at(1, theme), theme.dark ? 0.38 : 0.32));
            painter.drawEllipse(place.center(), 2 * unit, 2 * unit);
        });
    }
    painter.restore();
}

} // namespace sparsight
