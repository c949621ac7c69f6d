#include "widgets/chart/decimation.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sparsight {

namespace {

/// The points of one column of pixels in the order in which they came.
class Column {
public:
    void add(const QPointF& point) {
        if (count_ == 0)
            first_ = lowest_ = highest_ = {point, 0};
        if (point.y() < lowest_.point.y())
            lowest_ = {point, count_};
        if (point.y() > highest_.point.y())
            highest_ = {point, count_};
        last_ = {point, count_};
        ++count_;
    }

    void flush(QList<QPointF>& line) {
        if (count_ == 0)
            return;
        const bool low_first = lowest_.place <= highest_.place;
        qsizetype written = -1;
        for (const Entry& entry :
             {first_, low_first ? lowest_ : highest_, low_first ? highest_ : lowest_, last_}) {
            if (entry.place == written)
                continue;
            line.push_back(entry.point);
            written = entry.place;
        }
        count_ = 0;
    }

private:
    struct Entry {
        QPointF point;
        qsizetype place = 0;
    };
    Entry first_;
    Entry lowest_;
    Entry highest_;
    Entry last_;
    qsizetype count_ = 0;
};

} // namespace

QList<QPointF> decimated_line(std::span<const double> x, std::span<const double> y, const ChartScale& x_scale,
                              const ChartScale& y_scale, int columns) {
    QList<QPointF> line;
    const std::size_t count = std::min(x.size(), y.size());
    if (columns < 1 || count == 0)
        return line;
    const double left = x_scale.value(x_scale.low);
    const double right = x_scale.value(x_scale.high);
    const auto begin = x.begin();
    const auto end = x.begin() + static_cast<std::ptrdiff_t>(count);
    auto first = static_cast<std::size_t>(std::lower_bound(begin, end, left) - begin);
    auto last = static_cast<std::size_t>(std::upper_bound(begin, end, right) - begin);
    const auto drawable = [&](std::size_t i) {
        return std::isfinite(x_scale.drawn(x[i])) && std::isfinite(y_scale.drawn(y[i]));
    };
    while (first > 0 && !drawable(--first))
        ;
    while (last < count && !drawable(last++))
        ;
    Column column;
    qint64 current = -2;
    for (std::size_t i = first; i < last; ++i) {
        const QPointF point(x_scale.drawn(x[i]), y_scale.drawn(y[i]));
        if (!std::isfinite(point.x()) || !std::isfinite(point.y()))
            continue;
        const double share = (point.x() - x_scale.low) / (x_scale.high - x_scale.low);
        const auto place = static_cast<qint64>(std::floor(std::clamp(share, -1.0, 2.0) * columns));
        if (place != current) {
            column.flush(line);
            current = place;
        }
        column.add(point);
    }
    column.flush(line);
    return line;
}

QList<QPointF> decimated_points(std::span<const QPointF> points, const ChartScale& x_scale,
                                const ChartScale& y_scale, int columns, int rows) {
    QList<QPointF> kept;
    std::unordered_map<qint64, qsizetype> place_of_cell;
    for (const QPointF& point : points) {
        const double across = x_scale.share(point.x());
        const double up = y_scale.share(point.y());
        if (!(across >= 0 && across <= 1 && up >= 0 && up <= 1)) // NaN, too
            continue;
        const qint64 cell =
            static_cast<qint64>(up * rows) * (columns + 1) + static_cast<qint64>(across * columns);
        const QPointF drawn(x_scale.drawn(point.x()), y_scale.drawn(point.y()));
        const auto [entry, is_new] = place_of_cell.try_emplace(cell, kept.size());
        if (is_new)
            kept.push_back(drawn);
        else
            kept[entry->second] = drawn;
    }
    return kept;
}

} // namespace sparsight
