#include "gui/shell/guided_demos.h"

#include "gui/selection/selection.h"
#include "gui/shell/main_window.h"
#include "gui/whatif/machine_sliders.h"
#include "gui/whatif/what_if_demos.h"
#include "gui/whatif/what_if_page.h"

namespace sparsight {

std::vector<TourStep> demo_steps(const WhatIfDemo& demo, Services services, MainWindow& window) {
    auto* const page = qobject_cast<WhatIfPage*>(window.page(QStringLiteral("whatif")));
    std::vector<TourStep> steps;
    if (page == nullptr)
        return steps;
    for (const WhatIfDemoStep& step : demo.steps)
        steps.push_back(
            {page->id(),
             [target = step.target](MainWindow&, QWidget& on) { return on.findChild<QWidget*>(target); },
             step.title, step.text,
             [page, &selection = services.selection, matrix = demo.matrix, scene = step.scene] {
                 selection.select_matrix(matrix);
                 page->show_scene(scene);
             },
             [page](MainWindow&, QWidget&) -> QWidget* { return page->sliders().parentWidget(); }});
    return steps;
}

} // namespace sparsight
