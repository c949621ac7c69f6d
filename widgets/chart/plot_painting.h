// What several plots paint beside their content: the text of an empty plot, the focus frame, the colours of
// owners on a map, and the colours of predicted scores.
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

/// Paints a sentence in place of a plot that has nothing to show.
void paint_empty_plot(QPainter& painter, const QRectF& plot, const QString& text, const Theme& theme);

/// Paints the frame of a plot that has the focus.
void paint_plot_focus(QPainter& painter, const QRectF& plot, const Theme& theme);

// Colours of the owners of a map's parts. No owner has a colour of the theme's series, so that it is not
// mistaken for a part of a bar beside the map.

/// Number of distinct colours; further owners repeat the colours with stripes.
inline constexpr std::size_t owner_colour_count = 12;

struct OwnerLook {
    QColor colour;
    bool striped = false;
    bool operator==(const OwnerLook&) const = default;
};
[[nodiscard]] OwnerLook owner_look(std::size_t owner, const Theme& theme);
/// Blended halfway with the surface, for the other owners while one is highlighted.
[[nodiscard]] OwnerLook faint(OwnerLook look, const Theme& theme);

void fill_owned(QPainter& painter, const QRectF& box, const OwnerLook& look);
/// Paints a letter in a square of the owner's colour.
void paint_owner_badge(QPainter& painter, const QRectF& box, const OwnerLook& look, const QString& letter);
/// Black or white, whichever is legible on the background.
[[nodiscard]] QColor text_on(const QColor& background);

/// Colours of predicted scores: blue for better than the reference, orange for worse, grey between.
class ScoreColours {
public:
    /// Ignores NaN scores. Without a reference, the median takes its place. The worst tenth shares one
    /// colour, so that a few outliers do not use up the colour range.
    ScoreColours(std::vector<double> scores, std::optional<double> reference);

    [[nodiscard]] double best() const { return best_; }
    [[nodiscard]] double middle() const { return middle_; }
    [[nodiscard]] double worst() const { return worst_; } ///< the score with the last colour
    /// −1 at the best, 0 at the middle, 1 at the worst; 0 for NaN.
    [[nodiscard]] double place(double score) const;
    [[nodiscard]] QColor colour(double score, const Theme& theme) const;

private:
    double best_ = 0;
    double middle_ = 0;
    double worst_ = 0;
};

/// For a place from −1 to 1.
[[nodiscard]] QColor score_colour_at(double place, const Theme& theme);

} // namespace sparsight
