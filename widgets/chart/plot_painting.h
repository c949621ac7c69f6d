// What every plot paints beside its content.
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

class QPainter;
class QRectF;

namespace sparsight {

struct Theme;

/// A sentence in the place of a plot that has nothing to show.
void paint_empty_plot(QPainter& painter, const QRectF& plot, const QString& text, const Theme& theme);

/// The edge of a plot that has the keyboard.
void paint_plot_focus(QPainter& painter, const QRectF& plot, const Theme& theme);

// Colours of those who own parts of a map: none of them is one of the theme's series, so that an owner is not
// mistaken for a part of a bar beside the map.

/// That differ from each other; the next ones have the same again, under stripes.
inline constexpr std::size_t owner_colour_count = 12;

struct OwnerLook {
    QColor colour;
    bool striped = false;
    bool operator==(const OwnerLook&) const = default;
};
[[nodiscard]] OwnerLook owner_look(std::size_t owner, const Theme& theme);
/// Halfway to the surface: while another owner is looked at.
[[nodiscard]] OwnerLook faint(OwnerLook look, const Theme& theme);

void fill_owned(QPainter& painter, const QRectF& box, const OwnerLook& look);
/// A letter in a square of the owner's colour.
void paint_owner_badge(QPainter& painter, const QRectF& box, const OwnerLook& look, const QString& letter);
/// Black or white, whichever is read on it.
[[nodiscard]] QColor text_on(const QColor& background);

// Colours of predicted scores: blue for those that are better than the reference, orange for those that are
// worse, grey in between.

class ScoreColours {
public:
    /// NaN among the scores is left out. Without a reference the median takes its place. The worst tenth
    /// shares one colour: a few scores far off would take the colours from all others.
    ScoreColours(std::vector<double> scores, std::optional<double> reference);

    [[nodiscard]] double best() const { return best_; }
    [[nodiscard]] double middle() const { return middle_; }
    [[nodiscard]] double worst() const { return worst_; } ///< where colours end
    /// −1 at the best, 0 at the middle, 1 at the worst; 0 for NaN.
    [[nodiscard]] double place(double score) const;
    [[nodiscard]] QColor colour(double score, const Theme& theme) const;

private:
    double best_ = 0;
    double middle_ = 0;
    double worst_ = 0;
};

/// Of a place from −1 to 1.
[[nodiscard]] QColor score_colour_at(double place, const Theme& theme);

} // namespace sparsight
