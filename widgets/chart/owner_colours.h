// Colours of those who own parts of a map: none of them is one of the theme's series, so that an owner is not
// mistaken for a part of a bar beside the map.
#pragma once

#include <QColor>
#include <cstddef>

class QPainter;
class QRectF;

namespace sparsight {

struct Theme;

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

} // namespace sparsight
