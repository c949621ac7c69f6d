#include "widgets/chart/plots/heat_map.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/look/theme.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <utility>

namespace sparsight {

HeatMap::HeatMap(QWidget* parent)
    : CellMap(tr("Heat map"), Rows::Downwards, parent) {}

void HeatMap::set_picture(HeatPicture picture) {
    picture_ = std::move(picture);
    here_.reset();
    marked_.reset();
    picture_changed();
}

void HeatMap::set_marked(const std::optional<MapCell>& cell) {
    marked_ = cell;
    update();
}

HeatLayout HeatMap::laid_out() const {
    return lay_out_heat(picture_, size(), room_of_tools());
}

MapCell HeatMap::counts() const {
    return picture_.empty() ? MapCell() : MapCell{picture_.columns.size(), picture_.rows.size()};
}

std::optional<MapCell> HeatMap::cell_at(const QPointF& place) const {
    return heat_cell_at(picture_, laid_out(), place);
}

QString HeatMap::tooltip_of(const MapCell& cell) const {
    const auto line = [](const QString& title, const QString& value) {
        return QStringLiteral("%1: <b>%2</b>").arg(title.toHtmlEscaped(), value.toHtmlEscaped());
    };
    QStringList lines{line(picture_.y_title, picture_.rows[cell.row].name),
                      line(picture_.x_title, picture_.columns[cell.column].name),
                      line(picture_.value_title, picture_.text_of(cell))};
    if (!picture_.notes.empty() && !picture_.notes[picture_.place(cell)].isEmpty())
        lines << picture_.notes[picture_.place(cell)].toHtmlEscaped();
    return lines.join(QStringLiteral("<br>"));
}

ExportedPicture HeatMap::exported() const {
    HeatPicture picture = picture_;
    if (picture.title.isEmpty())
        picture.title = accessibleName();
    const QSizeF size(std::max(640, width()), std::max(480, height()));
    return {size,
            [picture, size, marked = marked_](QPainter& painter) {
                painter.fillRect(QRectF({0, 0}, size), light_theme().surface);
                paint_heat(painter, picture, lay_out_heat(picture, size, {}), light_theme(),
                           {{}, {}, {}, marked});
            },
            heat_csv(picture_), QString(picture.title).replace(u'/', u'-')};
}

QSize HeatMap::sizeHint() const {
    return {560, 420};
}

QSize HeatMap::minimumSizeHint() const {
    const QFontMetrics metrics(caption_font());
    return {metrics.averageCharWidth() * 36, metrics.height() * 12};
}

void HeatMap::draw(QPainter& painter, const Theme& theme) const {
    paint_heat(painter, picture_, laid_out(), theme,
               {selected(), hasFocus() ? here_ : std::nullopt, lit(), marked_});
}

/// Screen readers say the cell that the keys have reached.
void HeatMap::go(const MapCell& cell) {
    here_ = cell;
    setAccessibleDescription(QStringLiteral("%1: %2; %3: %4; %5: %6")
                                 .arg(picture_.y_title, picture_.rows[cell.row].name, picture_.x_title,
                                      picture_.columns[cell.column].name, picture_.value_title,
                                      picture_.text_of(cell)));
    update();
    const QString row = picture_.rows[cell.row].key; // the receiver may change the picture
    const QString column = picture_.columns[cell.column].key;
    Q_EMIT went(row, column);
}

} // namespace sparsight
