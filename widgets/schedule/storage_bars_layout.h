// Where the segments of stacked storage bars stand. Plain numbers, without a window.
#pragma once

#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

namespace sparsight {

enum class StorageArray { Positions, Coordinates, Values };

/// One array in memory.
struct StorageSegment {
    QString level; ///< "k1"; empty for the values
    StorageArray array = StorageArray::Values;
    quint64 bytes = 0;
    quint64 padding = 0; ///< the part of them that is explicit zeros
    bool operator==(const StorageSegment&) const = default;
};

struct StorageBar {
    QString title; ///< "This schedule"
    std::vector<StorageSegment> segments;

    [[nodiscard]] double bytes() const; ///< in double: an exploding format has more than an integer holds
    bool operator==(const StorageBar&) const = default;
};

struct StorageBarPlace {
    std::size_t bar = 0;
    std::size_t segment = 0;
    bool operator==(const StorageBarPlace&) const = default;
};

struct StorageBarsLayout {
    struct Bar {
        QRectF track;                 ///< as long as the largest bar
        double length = 0;            ///< of this bar
        std::vector<QRectF> segments; ///< empty arrays have no width
        std::vector<QRectF> padding;  ///< at the right end of its segment
    };
    std::vector<Bar> bars;

    [[nodiscard]] std::optional<StorageBarPlace> at(QPointF point) const;
};

/// The bars below each other in `area`; every array that is not empty gets at least a sliver.
[[nodiscard]] StorageBarsLayout lay_out_bars(const std::vector<StorageBar>& bars, const QRectF& area,
                                             double bar_height, double step);

} // namespace sparsight
