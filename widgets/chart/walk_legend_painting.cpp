#include "widgets/chart/walk_marks.h"
#include "widgets/chart/walk_scene.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <QLineF>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>

namespace sparsight {

namespace {

struct Text {
    Q_DECLARE_TR_FUNCTIONS(sparsight::WalkPlot)
};

/// Signs with their meanings, one behind the other, as far as they fit.
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
    const QString fast = Text::tr("%1 faster").arg(score_text(scene.picture, colours.best()));
    const QString slow = Text::tr("%1 slower").arg(score_text(scene.picture, colours.worst()));
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
        Text::tr("middle: %1 %2")
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
        signs.add(16 * unit, Text::tr("begins"), [&](const QRectF& place) {
            painter.setPen(QPen(theme.text, 1.6 * unit));
            painter.setBrush(theme.surface);
            paint_diamond(painter, place.center(), 6 * unit);
        });
    if (!scene.path.empty())
        signs.add(26 * unit, Text::tr("way to the best"), [&](const QRectF& place) {
            const QLineF line(place.left(), place.center().y(), place.right(), place.center().y());
            painter.setPen(QPen(theme.text, 1.8 * unit));
            painter.drawLine(line);
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.text);
            paint_arrow(painter, line, 5 * unit);
        });
    signs.add(12 * unit, Text::tr("found"), [&](const QRectF& place) {
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
        signs.add(10 * unit, Text::tr("expanded"), [&](const QRectF& place) {
            painter.setPen(QPen(faint(theme.text, 0.5), 0.8));
            painter.setBrush(score_colour_at(0, theme));
            painter.drawEllipse(place.center(), 3.4 * unit, 3.4 * unit);
        });
        signs.add(8 * unit, Text::tr("scored"), [&](const QRectF& place) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(score_colour_at(1, theme));
            painter.drawEllipse(place.center(), 2.6 * unit, 2.6 * unit);
        });
        signs.add(8 * unit, Text::tr("never looked at"), [&](const QRectF& place) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(faint(score_colour_at(1, theme), theme.dark ? 0.38 : 0.32));
            painter.drawEllipse(place.center(), 2 * unit, 2 * unit);
        });
    }
    painter.restore();
}

} // namespace sparsight
