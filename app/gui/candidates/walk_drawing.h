// The map of a search as the plot shows it.
#pragma once

#include "gui/candidates/stored_searches.h"
#include "widgets/chart/walk_picture.h"

namespace sparsight {

/// What the colours of the map tell. Whatever they do, the walk goes by the network's score: of a model that
/// is not blended with the simulator that is its score.
enum class MapColours { Score, Network, Simulated };

/// Nothing where the search has no map. Keys are the texts of the schedules.
[[nodiscard]] WalkPicture walk_drawing(const CandidateSearch& search, MapColours colours = MapColours::Score);

} // namespace sparsight
