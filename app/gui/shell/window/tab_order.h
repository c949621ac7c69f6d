// The order in which Tab walks through a window: area by area, whenever their widgets were made.
#pragma once

#include <vector>

class QWidget;

namespace sparsight {

/// Moves the focus of the window to the next stop of Tab, or to the one before: within an area as its widgets
/// were made, then on to the next area; what is in no area comes last. False where the focus is not in the
/// window or there is no other stop.
[[nodiscard]] bool focus_next_stop(QWidget& window, const std::vector<QWidget*>& areas, bool next);

} // namespace sparsight
