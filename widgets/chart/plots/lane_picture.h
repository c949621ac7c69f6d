// Lanes over time as plain values: who was busy when. Groups of lanes stand one above the other on one time
// axis, so that they compare; their layout at a size, and how they are painted.
#pragma once

#include "widgets/chart/chart_layout.h"
#include "widgets/chart/chart_values.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

namespace sparsight {

struct Theme;

struct LaneBar {
    std::size_t lane = 0;
    double begin = 0;
    double end = 0;
    QString note{}; ///< for the tooltip
};

struct LaneGroup {
    QString name{};              ///< "Measured on this computer: 1.82 ms"
    std::size_t lanes = 1;       ///< numbered from 1
    bool hatched = false;        ///< simulated
    double total = 0;            ///< end of the run
    double opening = 0;          ///< what comes before the first bar and is no idleness
    QString opening_note{};      ///< what that is
    std::vector<LaneBar> bars{}; ///< by lane, then by time; those of a lane do not overlap
};

struct LanePicture {
    QString title{};
    ChartAxis x{};
    QString lane_title{}; ///< "Thread"
    std::vector<LaneGroup> groups{};
    QString csv{}; ///< what "Save data" writes

    [[nodiscard]] bool empty() const { return groups.empty(); }
};

[[nodiscard]] ChartScale whole_scale(const LanePicture& picture);

struct LaneLayout {
    QRectF title;
    QRectF area; ///< of all groups, where the axis runs
    QRectF axis; ///< below
    std::vector<QRectF> captions;
    std::vector<QRectF> groups; ///< their lanes, as wide as the area
    double lane_height = 0;
    ChartFonts fonts;
    ChartScale scale;

    [[nodiscard]] double pixel(double value) const { return area.left() + scale.share(value) * area.width(); }
    [[nodiscard]] double value(double pixel) const;
    [[nodiscard]] QRectF lane(std::size_t group, std::size_t lane) const;
};
[[nodiscard]] LaneLayout lay_out_lanes(const LanePicture& picture, const QSizeF& size, const QSizeF& tools,
                                       const ChartScale& scale);

/// A place in a lane, with the bar there; no bar: idle.
struct LaneHit {
    std::size_t group = 0;
    std::size_t lane = 0;
    double time = 0;
    std::optional<std::size_t> bar;
    bool operator==(const LaneHit&) const = default;
};
[[nodiscard]] std::optional<LaneHit> lane_at(const LanePicture& picture, const LaneLayout& layout,
                                             const QPointF& point);

/// Bars of a lane that touch each other on the screen, from pixel to pixel: what is painted however many
/// bars there are.
[[nodiscard]] std::vector<std::pair<double, double>> busy_stretches(const LaneGroup& group, std::size_t lane,
                                                                    const LaneLayout& layout);

void paint_lanes(QPainter& painter, const LanePicture& picture, const LaneLayout& layout, const Theme& theme,
                 const std::optional<LaneHit>& lit);

} // namespace sparsight
