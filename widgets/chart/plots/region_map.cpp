#include "widgets/chart/plots/region_map.h"

#include "widgets/chart/chart_painting.h"
#include "widgets/chart/plot_menu.h"
#include "widgets/chart/plot_parts.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

namespace {

constexpr double map_gap = 6;

class RegionPainter {
public:
    RegionPainter(QPainter& painter, const RegionScene& scene, const Theme& theme, const RegionLook& look)
        : painter_(painter)
        , scene_(scene)
        , picture_(scene.picture)
        , theme_(theme)
        , look_(look) {}

    void paint() {
        const ChartPicture chart{scene_.content, scene_.layout, scene_.fonts, theme_, scene_.chart};
        painter_.fillRect(
            QRectF(scene_.chart.topLeft(), scene_.legend.bottomRight() + QPointF(2 * map_gap, 0)),
            theme_.surface);
        paint_chart_grid(painter_, chart);
        paint_cells();
        paint_borders();
        painter_.setRenderHint(QPainter::Antialiasing);
        paint_here();
        paint_letters();
        paint_lit();
        paint_chart_frame(painter_, chart);
        paint_owners();
    }

private:
    [[nodiscard]] OwnerLook look_of(std::size_t owner) const {
        const OwnerLook own = owner_look(picture_.owners[owner].colour, theme_);
        const bool is_other =
            !look_.selected.isEmpty() && picture_.owners[owner].key != look_.selected && is_selected_here();
        return is_other ? faint(own, theme_) : own;
    }
    [[nodiscard]] bool is_selected_here() const {
        return std::ranges::find(picture_.owners, look_.selected, &RegionOwner::key) != picture_.owners.end();
    }

    /// Cells of one owner in a row are one shape: no seams, and fewer shapes in a file.
    void paint_cells() {
        painter_.setRenderHint(QPainter::Antialiasing, false);
        const std::size_t width = picture_.x_values.size();
        for (std::size_t row = 0; row < picture_.y_values.size(); ++row)
            for (std::size_t begin = 0; begin < width;) {
                std::size_t end = begin + 1;
                while (end < width && picture_.owner(end, row) == picture_.owner(begin, row))
                    ++end;
                const QRectF run = scene_.cell({begin, row}).united(scene_.cell({end - 1, row}));
                fill_owned(painter_, run.toAlignedRect(), look_of(picture_.owner(begin, row)));
                begin = end;
            }
    }

    void paint_borders() {
        painter_.setPen(QPen(theme_.surface, 2));
        const std::size_t width = picture_.x_values.size();
        const std::size_t height = picture_.y_values.size();
        for (std::size_t row = 0; row < height; ++row)
            for (std::size_t column = 0; column < width; ++column) {
                const QRectF cell = scene_.cell({column, row});
                const std::size_t owner = picture_.owner(column, row);
                if (column + 1 < width && picture_.owner(column + 1, row) != owner)
                    painter_.drawLine(cell.topRight(), cell.bottomRight());
                if (row + 1 < height && picture_.owner(column, row + 1) != owner)
                    painter_.drawLine(cell.topLeft(), cell.topRight());
            }
    }

    void paint_letters() {
        QFont font = scene_.fonts.caption;
        font.setBold(true);
        painter_.setFont(font);
        const auto letters = scene_.letters();
        for (std::size_t owner = 0; owner < letters.size(); ++owner)
            if (letters[owner])
                paint_owner_badge(painter_, *letters[owner], look_of(owner), picture_.owners[owner].letter);
    }

    /// Lines through the current position and a ring that is visible on every colour.
    void paint_here() {
        const auto here = scene_.here();
        if (!here)
            return;
        const QRectF area = scene_.layout.transform.area;
        const QPointF place = *here;
        for (const auto& [colour, width] : {std::pair(theme_.surface, 3.5), std::pair(theme_.text, 1.5)}) {
            painter_.setPen(QPen(colour, width, width > 2 ? Qt::SolidLine : Qt::DashLine));
            painter_.drawLine(QPointF(area.left(), place.y()), QPointF(area.right(), place.y()));
            painter_.drawLine(QPointF(place.x(), area.top()), QPointF(place.x(), area.bottom()));
        }
        painter_.setPen(QPen(theme_.text, 2));
        painter_.setBrush(theme_.surface);
        painter_.drawEllipse(place, 5, 5);
    }

    void paint_lit() {
        if (!look_.lit)
            return;
        painter_.setPen(QPen(theme_.text, 2));
        painter_.setBrush(Qt::NoBrush);
        painter_.drawRect(scene_.cell(*look_.lit));
    }

    void paint_owners() {
        const QFontMetricsF metrics(scene_.fonts.caption);
        const std::vector<double> shares = owner_shares(picture_);
        painter_.setFont(scene_.fonts.caption);
        for (std::size_t owner = 0; owner < picture_.owners.size(); ++owner) {
            const QRectF row = scene_.owner_row(owner);
            if (row.bottom() > scene_.legend.bottom())
                break;
            if (picture_.owners[owner].key == look_.selected)
                painter_.fillRect(row, theme_.selection);
            const double side = std::round(metrics.height() * 1.15);
            const QRectF swatch(row.left() + 2, row.center().y() - side / 2, side, side);
            paint_owner_badge(painter_, swatch, look_of(owner), picture_.owners[owner].letter);
            const QString share = share_text(shares[owner]);
            const double share_width = metrics.horizontalAdvance(share);
            const QRectF room(swatch.right() + map_gap, row.top(),
                              row.right() - swatch.right() - 3 * map_gap - share_width, row.height());
            painter_.setPen(theme_.text);
            painter_.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                              metrics.elidedText(picture_.owners[owner].name, Qt::ElideRight, room.width()));
            painter_.setPen(theme_.dim_text);
            painter_.drawText(row, Qt::AlignRight | Qt::AlignVCenter, share);
        }
    }

    QPainter& painter_;
    const RegionScene& scene_;
    const RegionPicture& picture_;
    const Theme& theme_;
    const RegionLook& look_;
};

} // namespace

void paint_regions(QPainter& painter, const RegionScene& scene, const Theme& theme, const RegionLook& look) {
    RegionPainter(painter, scene, theme, look).paint();
}

RegionMap::RegionMap(QWidget* parent)
    : CellMap(tr("Who wins"), Rows::Upwards, parent) {}

void RegionMap::set_picture(RegionPicture picture) {
    picture_ = std::move(picture);
    is_stale_ = false;
    QStringList said;
    const std::vector<double> shares = owner_shares(picture_);
    for (std::size_t owner = 0; owner < picture_.owners.size(); ++owner)
        said
            << QStringLiteral("%1 %2 %").arg(picture_.owners[owner].name).arg(100 * shares[owner], 0, 'f', 1);
    setAccessibleDescription(said.join(QStringLiteral("; ")));
    picture_changed();
}

void RegionMap::set_here(const std::optional<QPointF>& here) {
    picture_.here = here;
    update();
}

void RegionMap::set_stale(bool stale) {
    is_stale_ = stale;
    update();
}

RegionScene RegionMap::scene() const {
    return region_scene(picture_, size(), room_of_tools());
}

QPointF RegionMap::place_of_owner(std::size_t owner) const {
    return scene().owner_row(owner).center();
}

MapCell RegionMap::counts() const {
    return picture_.empty() ? MapCell() : MapCell{picture_.x_values.size(), picture_.y_values.size()};
}

std::optional<MapCell> RegionMap::cell_at(const QPointF& place) const {
    return region_cell_at(scene(), place);
}

std::optional<MapCell> RegionMap::here() const {
    if (!picture_.here)
        return std::nullopt;
    const RegionScene shown = scene();
    return MapCell{cell_of(shown.x_edges, picture_.here->x()), cell_of(shown.y_edges, picture_.here->y())};
}

QString RegionMap::tooltip_of(const MapCell& cell) const {
    const NumberStyle style = current_number_style();
    const RegionOwner& owner = picture_.owners[picture_.owner(cell.column, cell.row)];
    QStringList lines{QStringLiteral("<b>%1</b>").arg(owner.name.toHtmlEscaped())};
    const auto named = [&](const ChartAxis& axis, double value) {
        const QString unit = axis.unit.isEmpty() ? QString() : u' ' + axis.unit;
        return QStringLiteral("%1: %2%3").arg(axis.title, value_text(value, axis.format, style), unit);
    };
    lines << named(picture_.x, picture_.x_values[cell.column])
          << named(picture_.y, picture_.y_values[cell.row]);
    if (!picture_.notes.empty())
        lines << picture_.notes[cell.row * picture_.x_values.size() + cell.column];
    return lines.join(QStringLiteral("<br>"));
}

ExportedPicture RegionMap::exported() const {
    RegionPicture picture = picture_;
    if (picture.title.isEmpty())
        picture.title = accessibleName();
    const QSizeF size(std::max(640, width()), std::max(400, height()));
    return {size,
            [picture, size](QPainter& painter) {
                painter.fillRect(QRectF({0, 0}, size), light_theme().surface);
                paint_regions(painter, region_scene(picture, size, {}), light_theme(), {});
            },
            region_csv(picture_), QString(picture.title).replace(u'/', u'-')};
}

QSize RegionMap::sizeHint() const {
    return {560, 320};
}

QSize RegionMap::minimumSizeHint() const {
    const QFontMetrics metrics(caption_font());
    return {metrics.averageCharWidth() * 30, metrics.height() * 9};
}

void RegionMap::draw(QPainter& painter, const Theme& theme) const {
    painter.setOpacity(is_stale_ ? 0.45 : 1);
    paint_regions(painter, scene(), theme, {selected(), lit()});
    painter.setOpacity(1);
}

void RegionMap::go(const MapCell& cell) {
    const QPointF here(picture_.x_values[cell.column], picture_.y_values[cell.row]);
    set_here(here);
    Q_EMIT went(here.x(), here.y());
}

bool RegionMap::is_clickable(const QPointF& place) const {
    return owner_at(scene(), place).has_value();
}

void RegionMap::click_beside(const QPointF& place) {
    const QString key = picture_.owners[*owner_at(scene(), place)].key; // the receiver may change the picture
    Q_EMIT picked(key);
}

} // namespace sparsight
