// Stacked bars of what schedules store, as they are painted: bars, totals behind them, the legend below.
#pragma once

#include "widgets/schedule/storage_bars_layout.h"

#include <QColor>
#include <QString>
#include <optional>
#include <vector>

class QPainter;

namespace sparsight {

struct Theme;

class StoragePainting {
public:
    /// The last one is what the others are compared with.
    /// `reference` is the bar that the others are compared with; absent: the last one.
    explicit StoragePainting(std::vector<StorageBar> bars = {},
                             std::optional<std::size_t> reference = std::nullopt);

    [[nodiscard]] const std::vector<StorageBar>& bars() const { return bars_; }
    /// In pixels.
    [[nodiscard]] StorageBarsLayout laid_out(QSizeF size) const;
    [[nodiscard]] double height(double width) const;
    [[nodiscard]] double margins() const { return label_width() + total_width(); } ///< beside the bars
    [[nodiscard]] QString total_text(std::size_t bar) const;
    /// "2.5× fixed CSR"; empty of what the others are compared with.
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
    std::vector<QString> levels_; ///< in the order in which they first occur: the same level, the same colour
};

} // namespace sparsight
