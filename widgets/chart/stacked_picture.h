// Things that are ranked by a sum of parts, each a horizontal bar. As plain values.
#pragma once

#include "widgets/chart/chart_scale.h"
#include "widgets/chart/chart_series.h"

#include <map>
#include <optional>
#include <vector>

namespace sparsight {

struct StackedTerm {
    QString name{};
    QString meaning{}; ///< a sentence, for hovering
    ChartColour colour = ChartColour::Series1;
    bool hatched = false; ///< of the same colour as another one
};

struct StackedBar {
    QString key{}; ///< what picked() says
    QString label{};
    std::vector<double> parts{}; ///< one for each term; none where it could not run
    std::optional<double> marker{};
    QString badge{};              ///< a letter before the label: how it is marked on a map
    std::size_t badge_colour = 0; ///< as owner_look() counts
    QString note{};               ///< a further line for hovering

    [[nodiscard]] double total() const;
};

struct StackedPicture {
    QString title{};
    ChartAxis axis{};
    QString marker_name{}; ///< "measured"
    std::vector<StackedTerm> terms{};
    std::vector<StackedBar> bars{}; ///< the first one at the top
};

/// Where a picture stands while it moves: rows may lie between others.
struct StackedPose {
    struct Bar {
        double row = 0;
        std::vector<double> parts;
    };
    std::map<QString, Bar> bars; ///< by key
    double start = 0;            ///< value at the left end of the axis: 0 unless it is zoomed
    double limit = 1;            ///< value at its right end
};

/// From 0 to the end of the longest bar, or beyond it to a marker: as far as one can move.
[[nodiscard]] ChartScale reach_of(const StackedPicture& picture);

/// At rest. Bars that take much longer than most run out of the axis.
[[nodiscard]] StackedPose pose_of(const StackedPicture& picture);
/// `share` of the way from one to the other; what was not there before does not move.
[[nodiscard]] StackedPose between(const StackedPose& from, const StackedPose& to, double share);

/// All bars with their parts, total and marker.
[[nodiscard]] QString stacked_csv(const StackedPicture& picture);

} // namespace sparsight
