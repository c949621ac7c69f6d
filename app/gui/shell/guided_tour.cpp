#include "gui/shell/guided_tour.h"

#include "gui/shell/tour_bubble.h"
#include "gui/shell/window/main_window.h"
#include "gui/workspace/workspace_session.h"

#include <QFileInfo>
#include <QMessageBox>
#include <QObject>
#include <QPushButton>

namespace sparsight {

GuidedTour::GuidedTour(Services services, MainWindow& window)
    : QObject(&window)
    , services_(services)
    , window_(window)
    , bubble_(new TourBubble(&window)) {
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

void ask_before_demo(QWidget* window, const QString& open, const QString& demo,
                     const std::function<void()>& begin) {
    if (open.isEmpty() || QFileInfo(open).absoluteFilePath() == demo) {
        begin();
        return;
    }
    auto* question = new QMessageBox(
        QMessageBox::Question, QObject::tr("Leave %1 for the demo?").arg(QFileInfo(open).completeBaseName()),
        QObject::tr("It is shown on the demo workspace, which is opened in the place of %1. Nothing in %1 is "
                    "changed, and its jobs keep running. Find it again under File, Open Recent.")
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
