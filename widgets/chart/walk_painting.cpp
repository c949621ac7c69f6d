#include "widgets/chart/chart_painting.h"
#include "widgets/chart/walk_marks.h"
#include "widgets/chart/walk_scene.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QLineF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

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

    /// The best last: it is never hidden.
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

    /// Beside the nodes of the path, where there is room for them.
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

} // namespace sparsight
