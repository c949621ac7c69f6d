// Guided demos on the page "What if": what each step shows, and what is said of it. Tests simulate every step
// and hold it against what is said.
#pragma once

#include "gui/domains/sparse/whatif/what_if_drawing.h"

namespace sparsight {

struct WhatIfDemoStep {
    QString title;
    QString text;
    QString target; ///< object name of what it is about
    WhatIfScene scene;
};

struct WhatIfDemo {
    QString id; ///< "constant-factor"
    QString title;
    QString summary;
    QString matrix; ///< of the demo workspace
    std::vector<WhatIfDemoStep> steps;
};

[[nodiscard]] std::vector<WhatIfDemo> what_if_demos();

} // namespace sparsight
