#include "widgets/chart/chart_painting.h"
#include "widgets/chart/region_scene.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

constexpr double gap = 6;

QColor text_on(const QColor& background) {
    const double light = 0.299 * background.redF() + 0.587 * background.greenF() + 0.114 * background.blueF();
    return light > 0.55 ? QColor(0x14, 0x18, 0x20) : QColor(Qt::white);
}

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
        painter_.fillRect(QRectF(scene_.chart.topLeft(), scene_.legend.bottomRight() + QPointF(2 * gap, 0)),
                          theme_.surface);
        paint_chart_grid(painter_, chart);
        paint_cells();
        paint_borders();
        painter_.setRenderHint(QPainter::Antialiasing);
        paint_letters();
        paint_here();
        paint_lit();
        paint_chart_frame(painter_, chart);
        paint_owners();
    }

private:
    [[nodiscard]] QColor colour(std::size_t owner) const {
        const QColor own = colour_from(picture_.owners[owner].colour, theme_);
        const bool is_other =
            !look_.selected.isEmpty() && picture_.owners[owner].key != look_.selected && is_selected_here();
        return mixed(own, theme_.surface, is_other ? 0.45 : 0.15);
    }
    [[nodiscard]] bool is_selected_here() const {
        return std::ranges::find(picture_.owners, look_.selected, &RegionOwner::key) != picture_.owners.end();
    }

    /// Runs of one owner at once: without seams, and few shapes in a file.
    void paint_cells() {
        painter_.setRenderHint(QPainter::Antialiasing, false);
        const std::size_t width = picture_.x_values.size();
        for (std::size_t row = 0; row < picture_.y_values.size(); ++row)
            for (std::size_t begin = 0; begin < width;) {
                std::size_t end = begin + 1;
                while (end < width && picture_.owner(end, row) == picture_.owner(begin, row))
                    ++end;
                const QRectF run = scene_.cell({begin, row}).united(scene_.cell({end - 1, row}));
                painter_.fillRect(run.toAlignedRect(), colour(picture_.owner(begin, row)));
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
        const double height = QFontMetricsF(font).height();
        const auto cells = letter_cells(picture_);
        for (std::size_t owner = 0; owner < cells.size(); ++owner) {
            if (!cells[owner])
                continue;
            const QPointF middle = scene_.cell(*cells[owner]).center();
            painter_.setPen(text_on(colour(owner)));
            painter_.drawText(QRectF(middle.x() - 30, middle.y() - height, 60, 2 * height), Qt::AlignCenter,
                              picture_.owners[owner].letter);
        }
    }

    /// Lines through where one stands and a ring that is seen on every colour.
    void paint_here() {
        if (!picture_.here)
            return;
        const QRectF area = scene_.layout.transform.area;
        const QPointF place(
            std::clamp(scene_.layout.transform.pixel_x(picture_.here->x()), area.left(), area.right()),
            std::clamp(scene_.layout.transform.pixel_y(picture_.here->y()), area.top(), area.bottom()));
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
            painter_.setPen(Qt::NoPen);
            painter_.setBrush(colour(owner));
            painter_.drawRoundedRect(swatch, 2, 2);
            painter_.setPen(text_on(colour(owner)));
            painter_.drawText(swatch, Qt::AlignCenter, picture_.owners[owner].letter);
            const QString share = share_text(shares[owner]);
            const double share_width = metrics.horizontalAdvance(share);
            const QRectF room(swatch.right() + gap, row.top(),
                              row.right() - swatch.right() - 3 * gap - share_width, row.height());
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

} // namespace sparsight
