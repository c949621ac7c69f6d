#include "widgets/chart/plot_painting.h"

#include "widgets/look/theme.h"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

namespace sparsight {

void paint_empty_plot(QPainter& painter, const QRectF& plot, const QString& text, const Theme& theme) {
    painter.setPen(theme.dim_text);
    painter.drawText(plot.adjusted(3 * grid_step, 2 * grid_step, -3 * grid_step, -2 * grid_step),
                     Qt::AlignCenter | Qt::TextWordWrap, text);
}

void paint_plot_focus(QPainter& painter, const QRectF& plot, const Theme& theme) {
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(plot.adjusted(1, 1, -1, -1));
}

namespace {

using Colours = std::array<QRgb, owner_colour_count>;

// Chosen in Oklab so that any two colours differ by more than 10 (of 100), from each other and from the
// series.
constexpr Colours on_light{0xFF8FCE6A, 0xFF996ABC, 0xFFF5CE6E, 0xFFE97666, 0xFF8EB6B7, 0xFF833380,
                           0xFF6EFBCD, 0xFF8D7060, 0xFFFFBCF0, 0xFF2988BA, 0xFF64550F, 0xFFAD98F4};
constexpr Colours on_dark{0xFF469037, 0xFF8B58B4, 0xFF35CAED, 0xFF840C2B, 0xFF774D0B, 0xFFDB7CBA,
                          0xFF0E457A, 0xFF46C388, 0xFF61277E, 0xFF3BF4D6, 0xFF165700, 0xFF266E71};

} // namespace

OwnerLook owner_look(std::size_t owner, const Theme& theme) {
    const Colours& colours = theme.dark ? on_dark : on_light;
    return {QColor::fromRgb(colours[owner % colours.size()]), owner >= colours.size()};
}

OwnerLook faint(OwnerLook look, const Theme& theme) {
    look.colour = mixed(look.colour, theme.surface, 0.45);
    return look;
}

void fill_owned(QPainter& painter, const QRectF& box, const OwnerLook& look) {
    painter.fillRect(box, look.colour);
    if (!look.striped)
        return;
    QColor stripes = text_on(look.colour);
    stripes.setAlphaF(0.35F);
    painter.fillRect(box, QBrush(stripes, Qt::BDiagPattern));
}

void paint_owner_badge(QPainter& painter, const QRectF& box, const OwnerLook& look, const QString& letter) {
    fill_owned(painter, box, look);
    painter.setPen(text_on(look.colour));
    painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, letter);
}

QColor text_on(const QColor& background) {
    const double light = 0.299 * background.redF() + 0.587 * background.greenF() + 0.114 * background.blueF();
    return light > 0.55 ? QColor(0x14, 0x18, 0x20) : QColor(Qt::white);
}

ScoreColours::ScoreColours(std::vector<double> scores, std::optional<double> reference) {
    std::erase_if(scores, [](double score) { return !std::isfinite(score); });
    std::ranges::sort(scores);
    if (scores.empty())
        return;
    best_ = scores.front();
    middle_ = reference && std::isfinite(*reference) ? *reference : scores[scores.size() / 2];
    worst_ = std::max(middle_, scores[(scores.size() - 1) * 9 / 10]);
}

double ScoreColours::place(double score) const {
    if (std::isnan(score) || score == middle_)
        return 0;
    if (score < middle_)
        return best_ < middle_ ? std::max(-1.0, (score - middle_) / (middle_ - best_)) : 0;
    return worst_ > middle_ ? std::min(1.0, (score - middle_) / (worst_ - middle_)) : 1;
}

QColor ScoreColours::colour(double score, const Theme& theme) const {
    return score_colour_at(place(score), theme);
}

QColor score_colour_at(double place, const Theme& theme) {
    const QColor grey = mixed(theme.surface, theme.reference, 0.6);
    return mixed(grey, place < 0 ? theme.win : theme.lose, std::min(1.0, std::abs(place)));
}

} // namespace sparsight
