#include "gui/shell/guided_tour.h"

#include "gui/domains/sparse/whatif/machine_sliders.h"
#include "gui/domains/sparse/whatif/what_if_demos.h"
#include "gui/domains/sparse/whatif/what_if_page.h"
#include "gui/page/page.h"
#include "gui/selection/selection.h"
#include "gui/shell/tour_bubble.h"
#include "gui/shell/window/main_window.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/plot/sparsity_plot.h"
#include "widgets/table/data_table.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QObject>
#include <QPushButton>
#include <QTabWidget>

namespace sparsight {

namespace {

/// A page without data shows in the same place what to do next.
QWidget* shown_in_place_of(QWidget* widget) {
    QWidget* place = widget;
    while (place != nullptr && !place->isVisible())
        place = place->parentWidget();
    return place;
}

} // namespace

GuidedTour::GuidedTour(Services services, MainWindow& window)
    : QObject(&window)
    , services_(services)
    , window_(window)
    , bubble_(new TourBubble(&window))
    , steps_(window_tour()) {
    connect(bubble_, &TourBubble::next, this, [this] { go_to(step_ + 1); });
    connect(bubble_, &TourBubble::back, this, [this] { go_to(std::max(0, step_ - 1)); });
    connect(bubble_, &TourBubble::closed, this, &GuidedTour::end);
    // Queued: the workspace's own selection comes first.
    connect(
        &services_.session, &WorkspaceSession::opened, this,
        [this](const QString& path) {
            if (path != awaited_ || path != services_.session.path())
                return;
            awaited_.clear();
            go_to(0);
        },
        Qt::QueuedConnection);
    connect(&services_.session, &WorkspaceSession::failed, this, [this](const QString& path) {
        if (path == awaited_)
            give_up();
    });
    connect(&services_.session, &WorkspaceSession::closed, this, &GuidedTour::end);
}

/// Steps find their widgets by type, because pages do not expose their contents.
std::vector<TourStep> GuidedTour::window_tour() {
    const QString matrices = QStringLiteral("matrices");
    const QString schedules = QStringLiteral("schedules");
    return {
        {matrices,
         [](MainWindow&, QWidget& page) -> QWidget* {
             return page.findChild<DataTable*>(QStringLiteral("matrix-list"));
         },
         tr("Matrices"),
         tr("The matrices of this workspace. The demo has three that were generated, and on each of them "
            "another "
            "schedule wins. Your own come in by dropping their files on the window. Select one.")},
        {matrices, [](MainWindow&, QWidget& page) -> QWidget* { return page.findChild<SparsityPlot*>(); },
         tr("Look at one"),
         tr("Where its entries are. The wheel zooms at the cursor, dragging moves, a double click shows the "
            "whole "
            "matrix. The statistics below say the same in numbers.")},
        {schedules,
         [](MainWindow&, QWidget& page) -> QWidget* {
             return page.findChild<QPushButton*>(QStringLiteral("measure"));
         },
         tr("Measure"),
         tr("Press it: fixed CSR is measured first, then schedules that store and walk the matrix in other "
            "ways. "
            "Each is checked and timed on this computer; the strip at the bottom says how far it is.")},
        {schedules, [](MainWindow&, QWidget& page) { return shown_in_place_of(page.findChild<Chart*>()); },
         tr("Which one wins"),
         tr("A bar for each schedule, the fastest at the left: how many times faster than fixed CSR, the "
            "grey "
            "line. Blue wins, orange loses. A click selects one.")},
        {schedules, [](MainWindow&, QWidget& page) -> QWidget* { return page.findChild<QTabWidget*>(); },
         tr("And why"),
         tr("The selected schedule: its loops as C, what its levels store, its tiles on the pattern. Under "
            "Edit it "
            "can be changed and measured at once.")},
        {schedules,
         [](MainWindow& window, QWidget&) -> QWidget* {
             return window.findChild<QWidget*>(QStringLiteral("search-everything-button"));
         },
         tr("Find anything"),
         tr("Matrices, pages, commands, settings and help, by name (Ctrl+K). Help says what every word and "
            "picture "
            "means. That was the tour.")},
    };
}

void GuidedTour::begin_when_open(const QString& workspace) {
    begin_when_open(workspace, window_tour());
}

void GuidedTour::begin_when_open(const QString& workspace, std::vector<TourStep> steps) {
    end();
    steps_ = std::move(steps);
    awaited_ = workspace;
}

void GuidedTour::give_up() {
    awaited_.clear();
}

void GuidedTour::end() {
    step_ = -1;
    bubble_->dismiss();
}

QWidget* GuidedTour::target(int step) const {
    const TourStep& one = steps_[static_cast<std::size_t>(step)];
    Page* page = window_.page(one.page);
    return page == nullptr ? nullptr : one.find(window_, *page);
}

QWidget* GuidedTour::kept_clear(int step) const {
    const TourStep& one = steps_[static_cast<std::size_t>(step)];
    Page* page = window_.page(one.page);
    return page == nullptr || !one.clear ? nullptr : one.clear(window_, *page);
}

void GuidedTour::go_to(int step) {
    if (step >= steps()) {
        end();
        return;
    }
    step_ = step;
    const TourStep& one = steps_[static_cast<std::size_t>(step)];
    window_.show_page(one.page);
    if (one.prepare)
        one.prepare();
    bubble_->show_step(target(step), kept_clear(step), one.title, one.text, step, steps());
}

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
                 selection.select_workload(matrix);
                 page->show_scene(scene);
             },
             [page](MainWindow&, QWidget&) -> QWidget* { return page->sliders().parentWidget(); }});
    return steps;
}

void ask_before_demo(QWidget* window, const QString& open, const QString& demo,
                     const std::function<void()>& begin) {
    if (open.isEmpty() || QFileInfo(open).absoluteFilePath() == demo) {
        begin();
        return;
    }
    auto* question = new QMessageBox(
        QMessageBox::Question, QObject::tr("Leave %1 for the demo?").arg(QFileInfo(open).completeBaseName()),
        QObject::tr("It is shown on the demo workspace, which is opened in the place of %1. Nothing in %1 is "
                    "changed, and its jobs go on: you find it again under File, Open Recent.")
            .arg(QFileInfo(open).completeBaseName()),
        QMessageBox::Cancel, window);
    question->setObjectName(QStringLiteral("demo-question"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto* yes = question->addButton(QObject::tr("&Open the demo"), QMessageBox::AcceptRole);
    yes->setObjectName(QStringLiteral("really-open-demo"));
    question->setDefaultButton(yes);
    QObject::connect(yes, &QPushButton::clicked, window, begin);
    question->open();
}

} // namespace sparsight
