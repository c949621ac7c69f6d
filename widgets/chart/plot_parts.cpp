#include "widgets/chart/plot_parts.h"

#include "widgets/look/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

namespace {

constexpr double zoom_of_a_notch = 0.8;
constexpr double zoom_of_a_key = 1.5;
constexpr double pan_of_a_key = 0.1; ///< of what is seen
constexpr double least_drag = 4;     ///< pixels

} // namespace

void AxisHandling::press(const QPointF& place) {
    pressed_ = dragged_ = place;
    is_panning_ = false;
}

void AxisHandling::drag(const QPointF& place) {
    const double distance = place.x() - dragged_->x();
    if (!is_panning_ && (!plot_.is_zoomed() || std::abs(distance) < least_drag))
        return;
    is_panning_ = true;
    pan(-distance / plot_.area().width());
    dragged_ = place;
}

std::optional<QPointF> AxisHandling::release() {
    const auto pressed = std::exchange(pressed_, std::nullopt);
    const bool has_panned = std::exchange(is_panning_, false);
    dragged_.reset();
    return has_panned ? std::nullopt : pressed;
}

void AxisHandling::let_go() {
    release();
}

void AxisHandling::double_click(const QMouseEvent& event) {
    if (event.button() == Qt::LeftButton)
        plot_.show_all();
}

bool AxisHandling::turn(QWheelEvent& event) {
    const double notches = event.angleDelta().y() / 120.0;
    const bool is_meant = plot_.wheel_alone || (event.modifiers() & Qt::ControlModifier) != 0;
    if (!is_meant || notches == 0)
        return false;
    const QRectF area = plot_.area();
    const ChartScale shown = plot_.shown();
    const double share = std::clamp((event.position().x() - area.left()) / area.width(), 0.0, 1.0);
    zoom(shown.low + share * (shown.high - shown.low), std::pow(zoom_of_a_notch, notches));
    event.accept();
    return true;
}

bool AxisHandling::press_key(int key) {
    switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom_by_key(1 / zoom_of_a_key);
        return true;
    case Qt::Key_Minus:
        zoom_by_key(zoom_of_a_key);
        return true;
    case Qt::Key_0:
        plot_.show_all();
        return true;
    case Qt::Key_Left:
        pan(-pan_of_a_key);
        return true;
    case Qt::Key_Right:
        pan(pan_of_a_key);
        return true;
    default:
        return false;
    }
}

void AxisHandling::zoom(double fixed, double factor) {
    plot_.show(zoomed(plot_.shown(), fixed, factor, plot_.whole()));
}

void AxisHandling::zoom_by_key(double factor) {
    const ChartScale shown = plot_.shown();
    zoom(shown.low + plot_.kept_by_keys * (shown.high - shown.low), factor);
}

void AxisHandling::pan(double share) {
    if (!plot_.is_zoomed())
        return; // a whole axis would no longer follow what is drawn
    const ChartScale shown = plot_.shown();
    plot_.show(panned(shown, share * (shown.high - shown.low), plot_.whole()));
}

} // namespace sparsight
