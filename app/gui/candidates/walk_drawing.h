// The map of a search as the plot shows it.
#pragma once

#include "gui/candidates/stored_searches.h"
#include "widgets/chart/walk_picture.h"

namespace sparsight {

/// Nothing where the search has no map. Keys are the texts of the schedules.
[[nodiscard]] WalkPicture walk_drawing(const CandidateSearch& search);

} // namespace sparsight
