// The demos of the Help menu as steps of a guided tour.
#pragma once

#include "gui/page/services.h"
#include "gui/shell/guided_tour.h"

namespace sparsight {

struct WhatIfDemo;

/// On the page "What if" of the window; none where it has no such page.
[[nodiscard]] std::vector<TourStep> demo_steps(const WhatIfDemo& demo, Services services, MainWindow& window);

} // namespace sparsight
