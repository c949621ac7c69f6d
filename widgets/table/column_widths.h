// How the columns of a table share its width.
#pragma once

#include <vector>

namespace sparsight {

struct ColumnNeed {
    int wanted = 0;          ///< shows all that is in it
    int least = 0;           ///< below that it is no longer readable; numbers cannot give anything away
    bool takes_rest = false; ///< the first one of these takes the room that is left
};

/// Where there is not enough room, the widest of those that can give way become equally wide first. The sum
/// exceeds the room only where every column has become as narrow as it can be.
[[nodiscard]] std::vector<int> fitted_widths(const std::vector<ColumnNeed>& columns, int room);

} // namespace sparsight
