#include "gui/domains/sparse/sparse_views.h"

#include "domains/sparse/workflow/experiment/demo_matrices.h"
#include "gui/domains/sparse/whatif/machine_sliders.h"
#include "gui/domains/sparse/whatif/what_if_demos.h"
#include "gui/domains/sparse/whatif/what_if_page.h"
#include "gui/selection/selection.h"
#include "gui/shell/guided_tour.h"
#include "gui/shell/window/main_window.h"
#include "widgets/chart/chart.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/table/data_table.h"

#include <QCoreApplication>
#include <QPushButton>
#include <QTabWidget>

namespace sparsight {

namespace {

struct DemoTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::SparseDemo)
};

/// A page without data shows in the same place what to do next.
QWidget* shown_in_place_of(QWidget* widget) {
    QWidget* place = widget;
    while (place != nullptr && !place->isVisible())
        place = place->parentWidget();
    return place;
}

/// Steps find their widgets by type, because pages do not expose their contents.
std::vector<TourStep> tour() {
    const QString matrices = QStringLiteral("matrices");
    const QString schedules = QStringLiteral("schedules");
    return {
        {matrices,
         [](MainWindow&, QWidget& page) -> QWidget* {
             return page.findChild<DataTable*>(QStringLiteral("matrix-list"));
         },
         DemoTexts::tr("Matrices"),
         DemoTexts::tr("The matrices of this workspace. The demo has three generated ones, and a different "
                       "schedule wins on "
                       "each. Drop files on the window to add your own. Select one.")},
        {matrices, [](MainWindow&, QWidget& page) -> QWidget* { return page.findChild<SparsityPlot*>(); },
         DemoTexts::tr("Look at one"),
         DemoTexts::tr(
             "Where its entries are. The wheel zooms at the cursor, dragging moves, a double click shows the "
             "whole "
             "matrix. The statistics below say the same in numbers.")},
        {schedules,
         [](MainWindow&, QWidget& page) -> QWidget* {
             return page.findChild<QPushButton*>(QStringLiteral("measure"));
         },
         DemoTexts::tr("Measure"),
         DemoTexts::tr(
             "Press it: fixed CSR is measured first, then schedules that store and walk the matrix in other "
             "ways. "
             "Each is checked and timed on this computer; the strip at the bottom says how far it is.")},
        {schedules, [](MainWindow&, QWidget& page) { return shown_in_place_of(page.findChild<Chart*>()); },
         DemoTexts::tr("Which one wins"),
         DemoTexts::tr(
             "A bar for each schedule, the fastest at the left: how many times faster than fixed CSR, the "
             "grey "
             "line. Blue wins, orange loses. A click selects one.")},
        {schedules, [](MainWindow&, QWidget& page) -> QWidget* { return page.findChild<QTabWidget*>(); },
         DemoTexts::tr("And why"),
         DemoTexts::tr(
             "The selected schedule: its loops as C, what its levels store, its tiles on the pattern. Under "
             "Edit it "
             "can be changed and measured at once.")},
        {schedules,
         [](MainWindow& window, QWidget&) -> QWidget* {
             return window.findChild<QWidget*>(QStringLiteral("search-everything-button"));
         },
         DemoTexts::tr("Find anything"),
         DemoTexts::tr(
             "Matrices, pages, commands, settings and help, by name (Ctrl+K). Help says what every word and "
             "picture "
             "means. That was the tour.")},
    };
}

/// Steps on the page What if.
std::vector<TourStep> steps_of(const WhatIfDemo& demo, const Services& services, const MainWindow& window) {
    const QString what_if = QStringLiteral("whatif");
    std::vector<TourStep> steps;
    for (const WhatIfDemoStep& step : demo.steps)
        steps.push_back(
            {what_if,
             [target = step.target](MainWindow&, QWidget& page) { return page.findChild<QWidget*>(target); },
             step.title, step.text,
             [what_if, &window, &selection = services.selection, matrix = demo.matrix, scene = step.scene] {
                 selection.select_workload(matrix);
                 if (auto* const page = qobject_cast<WhatIfPage*>(window.page(what_if)))
                     page->show_scene(scene);
             },
             [](MainWindow&, QWidget& page) -> QWidget* {
                 const auto* const sliders = page.findChild<MachineSliders*>();
                 return sliders == nullptr ? nullptr : sliders->parentWidget();
             }});
    return steps;
}

} // namespace

DemoWorkspace sparse_demo(const Services& services, MainWindow& window) {
    DemoWorkspace workspace{
        .summary = DemoTexts::tr("Three generated matrices on which different schedules win"),
        .fill = [](Workspace& file) { return add_demo_matrices(file, 1); },
        .tour_summary = DemoTexts::tr("From a matrix to the best schedule, on the demo workspace"),
        .tour = tour,
        .demos = {}};
    for (const WhatIfDemo& demo : what_if_demos())
        workspace.demos.push_back({demo.id, demo.title, demo.summary,
                                   [demo, services, &window] { return steps_of(demo, services, window); }});
    return workspace;
}

} // namespace sparsight
