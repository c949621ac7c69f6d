// Stacked bars of the arrays that schedules store: the positions of the segments as plain numbers, and how
// bars, totals and legend are painted.
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct Theme;

enum class StorageArray { Positions, Coordinates, Values };

/// One array in memory.
struct StorageSegment {
    QString level; ///< "k1"; empty for the values
    StorageArray array = StorageArray::Values;
    quint64 bytes = 0;
    quint64 padding = 0; ///< bytes of explicit zeros, included in `bytes`
    bool operator==(const StorageSegment&) const = default;
};

struct StorageBar {
    QString title; ///< "This schedule"
    std::vector<StorageSegment> segments;

    /// A double, because the size of an exploding format may exceed an integer.
    [[nodiscard]] double bytes() const;
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
        double length = 0;            ///< length of this bar
        std::vector<QRectF> segments; ///< empty arrays have no width
        std::vector<QRectF> padding;  ///< at the right end of each segment
    };
    std::vector<Bar> bars;

    [[nodiscard]] std::optional<StorageBarPlace> at(QPointF point) const;
};

/// Lays the bars out below each other in `area`; every array that is not empty is at least barely visible.
[[nodiscard]] StorageBarsLayout lay_out_bars(const std::vector<StorageBar>& bars, const QRectF& area,
                                             double bar_height, double step);

class StoragePainting {
public:
    /// `reference` is the bar that the others are compared with; absent: the last one.
    explicit StoragePainting(std::vector<StorageBar> bars = {},
                             std::optional<std::size_t> reference = std::nullopt);

    [[nodiscard]] const std::vector<StorageBar>& bars() const { return bars_; }
    /// In pixels.
    [[nodiscard]] StorageBarsLayout laid_out(QSizeF size) const;
    [[nodiscard]] double height(double width) const;
    [[nodiscard]] double margins() const { return label_width() + total_width(); } ///< beside the bars
    [[nodiscard]] QString total_text(std::size_t bar) const;
    /// "2.5× fixed CSR"; empty for the reference.
    [[nodiscard]] QString ratio_text(std::size_t bar) const;
    void paint(QPainter& painter, QSizeF size, const Theme& theme, std::optional<StorageBarPlace> lit) const;

private:
    struct LegendItem;

    [[nodiscard]] std::vector<LegendItem> legend(double width) const;
    [[nodiscard]] double label_width() const;
    [[nodiscard]] double total_width() const;
    [[nodiscard]] QColor colour_of(const StorageSegment& segment, const Theme& theme) const;
    void paint_bar(QPainter& painter, const StorageBarsLayout::Bar& place, std::size_t bar,
                   const Theme& theme, std::optional<StorageBarPlace> lit) const;
    void paint_legend(QPainter& painter, double top, double width, const Theme& theme) const;

    std::vector<StorageBar> bars_;
    std::size_t reference_ = 0;
    /// In the order of their first occurrence: the same level has the same colour.
    std::vector<QString> levels_;
};

} // namespace sparsight
