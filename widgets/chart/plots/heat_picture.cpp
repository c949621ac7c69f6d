#include "widgets/chart/plots/heat_picture.h"

#include "widgets/chart/plot_parts.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

namespace sparsight {

QString HeatPicture::text_of(const MapCell& cell) const {
    const double number = value(cell);
    if (std::isnan(number))
        return unknown_text();
    return std::isinf(number) ? infinite_text : value_text(number, format, current_number_style());
}

std::optional<double> HeatPicture::colour_place(double value) const {
    if (std::isnan(value))
        return std::nullopt;
    if (std::isinf(value) || good == bad)
        return std::isinf(value) ? 1 : 0;
    const ChartScale scale{logarithmic, 0, 1};
    const double share = (scale.drawn(value) - scale.drawn(good)) / (scale.drawn(bad) - scale.drawn(good));
    return std::clamp(2 * share - 1, -1.0, 1.0);
}

QString heat_csv(const HeatPicture& picture) {
    QString csv = QStringLiteral("%1,%2,%3\n")
                      .arg(quoted_field(picture.y_title), quoted_field(picture.x_title),
                           quoted_field(picture.value_title));
    for (std::size_t row = 0; row < picture.rows.size(); ++row)
        for (std::size_t column = 0; column < picture.columns.size(); ++column) {
            const double value = picture.value({column, row});
            const QString number = std::isnan(value)   ? QString()
                                   : std::isinf(value) ? picture.infinite_text
                                                       : QString::number(value, 'g', 17);
            csv += QStringLiteral("%1,%2,%3\n")
                       .arg(quoted_field(picture.rows[row].name), quoted_field(picture.columns[column].name),
                            number);
        }
    return csv;
}

namespace {

constexpr double heat_gap = 6;
constexpr double longest_names = 0.3; ///< of the picture
constexpr double largest_side = 72;

double longest_of(const std::vector<HeatEntry>& entries, const QFont& font) {
    QFont bold = font;
    bold.setBold(true); // the selected one is
    const QFontMetricsF metrics(bold);
    double longest = 0;
    for (const HeatEntry& entry : entries)
        longest = std::max(longest, metrics.horizontalAdvance(entry.name));
    return longest + 2 * heat_gap;
}

} // namespace

QRectF HeatLayout::cell(const MapCell& cell) const {
    return {cells.left() + side_x * static_cast<double>(cell.column),
            cells.top() + side_y * static_cast<double>(cell.row), side_x, side_y};
}

HeatLayout lay_out_heat(const HeatPicture& picture, const QSizeF& size, const QSizeF& tools) {
    HeatLayout layout;
    layout.title_font = title_font();
    layout.text_font = caption_font();
    const QFontMetricsF text(layout.text_font);
    double top = heat_gap;
    if (!picture.title.isEmpty()) {
        const QFontMetricsF title(layout.title_font);
        layout.title = QRectF(heat_gap, top, size.width() - 2 * heat_gap - tools.width(), title.height());
        top = layout.title.bottom() + heat_gap;
    }
    const double name_width =
        std::min(longest_of(picture.rows, layout.text_font), longest_names * size.width());
    const double name_height =
        std::min(longest_of(picture.columns, layout.text_font), longest_names * size.height());
    const double left = heat_gap + text.height() + name_width;
    const double bottom = size.height() - 2 * text.height() - 3 * heat_gap;
    layout.x_title = QRectF(left, top, size.width() - left - heat_gap - tools.width(), text.height());
    layout.column_names = QRectF(left, layout.x_title.bottom(), 0, name_height);
    const QRectF room(left, layout.column_names.bottom(), size.width() - left - heat_gap,
                      bottom - layout.column_names.bottom());
    const auto side = [](double length, std::size_t count) {
        return std::max(1.0,
                        std::min(largest_side,
                                 std::floor(length / static_cast<double>(std::max<std::size_t>(1, count)))));
    };
    layout.side_x = side(room.width(), picture.columns.size());
    layout.side_y = side(room.height(), picture.rows.size());
    layout.side_x = std::min(layout.side_x, 2.5 * layout.side_y); // names and cells stay together
    layout.cells = QRectF(room.topLeft(), QSizeF(layout.side_x * static_cast<double>(picture.columns.size()),
                                                 layout.side_y * static_cast<double>(picture.rows.size())));
    layout.column_names.setWidth(layout.cells.width());
    layout.row_names =
        QRectF(heat_gap + text.height(), layout.cells.top(), name_width, layout.cells.height());
    layout.y_title = QRectF(heat_gap, layout.cells.top(), text.height(), layout.cells.height());
    layout.scale = QRectF(left, layout.cells.bottom() + heat_gap,
                          std::min(std::max(layout.cells.width(), 260.0), size.width() - left - heat_gap),
                          2 * text.height() + heat_gap);
    return layout;
}

std::optional<MapCell> heat_cell_at(const HeatPicture& picture, const HeatLayout& layout,
                                    const QPointF& point) {
    if (picture.empty() || !layout.cells.contains(point))
        return std::nullopt;
    const auto at = [](double distance, double side, std::size_t count) {
        return std::min(count - 1, static_cast<std::size_t>(std::max(0.0, distance / side)));
    };
    return MapCell{at(point.x() - layout.cells.left(), layout.side_x, picture.columns.size()),
                   at(point.y() - layout.cells.top(), layout.side_y, picture.rows.size())};
}

namespace {

class HeatPainter {
public:
    HeatPainter(QPainter& painter, const HeatPicture& picture, const HeatLayout& layout, const Theme& theme,
                const HeatLook& look)
        : painter_(painter)
        , picture_(picture)
        , layout_(layout)
        , theme_(theme)
        , look_(look)
        , text_(layout.text_font) {}

    void paint() {
        painter_.setRenderHint(QPainter::Antialiasing, false);
        paint_titles();
        paint_cells();
        paint_names();
        paint_frames();
        paint_scale();
    }

private:
    void paint_titles() {
        painter_.setPen(theme_.text);
        painter_.setFont(layout_.title_font);
        painter_.drawText(layout_.title, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(layout_.title_font)
                              .elidedText(picture_.title, Qt::ElideRight, layout_.title.width()));
        painter_.setPen(theme_.dim_text);
        painter_.setFont(layout_.text_font);
        painter_.drawText(layout_.x_title, Qt::AlignLeft | Qt::AlignVCenter,
                          text_.elidedText(picture_.x_title, Qt::ElideRight, layout_.x_title.width()));
        draw_upwards(layout_.y_title, picture_.y_title, Qt::AlignRight);
    }

    void draw_upwards(const QRectF& box, const QString& text, Qt::Alignment along) {
        painter_.save();
        painter_.translate(box.bottomLeft());
        painter_.rotate(-90);
        const QRectF turned(0, 0, box.height(), box.width());
        painter_.drawText(turned, along | Qt::AlignVCenter,
                          QFontMetricsF(painter_.font()).elidedText(text, Qt::ElideRight, turned.width()));
        painter_.restore();
    }

    void paint_cells() {
        const bool has_texts = cell_texts_fit();
        painter_.setFont(layout_.text_font);
        for (std::size_t row = 0; row < picture_.rows.size(); ++row)
            for (std::size_t column = 0; column < picture_.columns.size(); ++column) {
                const MapCell cell{column, row};
                const QRectF box = layout_.cell(cell).adjusted(0, 0, -1, -1);
                const auto place = picture_.colour_place(picture_.value(cell));
                const QColor colour = place ? score_colour_at(*place, theme_) : theme_.window;
                painter_.fillRect(box, colour);
                if (!has_texts)
                    continue;
                painter_.setPen(place ? text_on(colour) : theme_.dim_text);
                painter_.drawText(box, Qt::AlignCenter, picture_.text_of(cell));
            }
    }

    [[nodiscard]] bool cell_texts_fit() const {
        double widest = 0;
        for (std::size_t row = 0; row < picture_.rows.size(); ++row)
            for (std::size_t column = 0; column < picture_.columns.size(); ++column)
                widest = std::max(widest, text_.horizontalAdvance(picture_.text_of({column, row})));
        return widest + 4 <= layout_.side_x && text_.height() <= layout_.side_y;
    }

    void set_name_font(bool is_selected) {
        QFont font = layout_.text_font;
        font.setBold(is_selected);
        painter_.setFont(font);
        painter_.setPen(theme_.text);
    }

    /// Where cells are smaller than their names are high, every second or third name is left out.
    [[nodiscard]] std::size_t step_of_names(double side) const {
        return static_cast<std::size_t>(std::max(1.0, std::ceil(text_.height() / side)));
    }

    void paint_names() {
        for (std::size_t row = 0; row < picture_.rows.size(); row += step_of_names(layout_.side_y)) {
            set_name_font(picture_.rows[row].key == look_.selected);
            const QRectF cell = layout_.cell({0, row});
            const double high = std::max(cell.height(), text_.height());
            const QRectF box(layout_.row_names.left(), cell.center().y() - high / 2,
                             layout_.row_names.width() - heat_gap, high);
            painter_.drawText(box, Qt::AlignRight | Qt::AlignVCenter,
                              QFontMetricsF(painter_.font())
                                  .elidedText(picture_.rows[row].name, Qt::ElideRight, box.width()));
        }
        for (std::size_t column = 0; column < picture_.columns.size();
             column += step_of_names(layout_.side_x)) {
            set_name_font(picture_.columns[column].key == look_.selected);
            const QRectF cell = layout_.cell({column, 0});
            const double wide = std::max(cell.width(), text_.height());
            draw_upwards({cell.center().x() - wide / 2, layout_.column_names.top(), wide,
                          layout_.column_names.height() - heat_gap / 2},
                         picture_.columns[column].name, Qt::AlignLeft);
        }
    }

    void paint_frames() {
        painter_.setBrush(Qt::NoBrush);
        const auto frame = [this](const QRectF& box, double width) {
            painter_.setPen(QPen(theme_.text, width));
            painter_.drawRect(box.adjusted(0, 0, -1, -1));
        };
        for (std::size_t row = 0; row < picture_.rows.size(); ++row)
            if (picture_.rows[row].key == look_.selected)
                frame(layout_.cell({0, row}).united(layout_.cell({picture_.columns.size() - 1, row})), 2);
        if (look_.lit)
            frame(layout_.cell(*look_.lit), 2);
        if (look_.marked)
            paint_ring(layout_.cell(*look_.marked));
        if (look_.here) {
            painter_.setPen(QPen(theme_.accent, 3));
            painter_.drawRect(layout_.cell(*look_.here).adjusted(1, 1, -2, -2));
        }
    }

    /// Around the text of the cell; visible on every colour.
    void paint_ring(const QRectF& cell) {
        painter_.setRenderHint(QPainter::Antialiasing);
        const QRectF ring = cell.adjusted(2.5, 2.5, -3.5, -3.5);
        const double radius = std::min(ring.width(), ring.height()) / 3;
        for (const auto& [colour, width] : {std::pair(theme_.surface, 4.0), std::pair(theme_.accent, 2.0)}) {
            painter_.setPen(QPen(colour, width));
            painter_.drawRoundedRect(ring, radius, radius);
        }
        painter_.setRenderHint(QPainter::Antialiasing, false);
    }

    /// What the colours mean, with the values at both ends.
    void paint_scale() {
        const NumberStyle style = current_number_style();
        const QString good = value_text(picture_.good, picture_.format, style);
        const QString bad = value_text(picture_.bad, picture_.format, style);
        painter_.setFont(layout_.text_font);
        painter_.setPen(theme_.dim_text);
        const QRectF line(layout_.scale.left(), layout_.scale.top(), layout_.scale.width(), text_.height());
        painter_.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                          text_.elidedText(picture_.value_title, Qt::ElideRight, line.width()));
        const QRectF below = line.translated(0, text_.height() + heat_gap / 2);
        painter_.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, good);
        const double left = below.left() + text_.horizontalAdvance(good) + heat_gap;
        const double right = std::min(left + 160, below.right() - text_.horizontalAdvance(bad) - heat_gap);
        constexpr int steps = 32;
        for (int step = 0; step < steps; ++step) {
            const double from = left + (right - left) * step / steps;
            const double to = left + (right - left) * (step + 1) / steps;
            painter_.fillRect(QRectF(from, below.top() + 2, to - from + 0.5, below.height() - 4),
                              score_colour_at(2 * (step + 0.5) / steps - 1, theme_));
        }
        painter_.drawText(QRectF(right + heat_gap, below.top(), below.right() - right, below.height()),
                          Qt::AlignLeft | Qt::AlignVCenter, bad);
    }

    QPainter& painter_;
    const HeatPicture& picture_;
    const HeatLayout& layout_;
    const Theme& theme_;
    const HeatLook& look_;
    QFontMetricsF text_;
};

} // namespace

void paint_heat(QPainter& painter, const HeatPicture& picture, const HeatLayout& layout, const Theme& theme,
                const HeatLook& look) {
    HeatPainter(painter, picture, layout, theme, look).paint();
}

} // namespace sparsight
