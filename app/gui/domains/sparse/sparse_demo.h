// The demo workspace of matrices, with the tour from a matrix to its best schedule and the demos of What if.
#pragma once

#include "gui/shell/guided_tour.h"

namespace sparsight {

[[nodiscard]] DemoWorkspace sparse_demo(const Services& services, MainWindow& window);

} // namespace sparsight
