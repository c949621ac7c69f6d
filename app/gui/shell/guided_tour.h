// Guided tours through the window on the demo workspace: each step has a text beside the widget that it
// explains. A domain brings the workspace, its tour, and the demos of the Help menu, which are tours, too.
#pragma once

#include "base/error.h"
#include "gui/page/page.h"

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

class QWidget;

namespace sparsight {

class MainWindow;
class TourBubble;
class Workspace;

struct TourStep {
    QString page;
    /// The widget that the step explains.
    std::function<QWidget*(MainWindow& window, QWidget& page)> find;
    QString title;
    QString text;
    std::function<void()> prepare{}; ///< makes the page show that widget
    /// Another widget that the text tells the user to use: the text does not cover it.
    std::function<QWidget*(MainWindow& window, QWidget& page)> clear{};
};

/// A short tour on one question, in the Help menu.
struct Demo {
    QString id; ///< "constant-factor"
    QString title;
    QString summary;
    std::function<std::vector<TourStep>()> steps; ///< called when it begins
};

/// The workspace that newcomers open, and what is shown on it.
struct DemoWorkspace {
    QString summary;
    /// Adds what is missing, off the window's thread.
    std::function<Result<void>(Workspace&)> fill;
    QString tour_summary;
    std::function<std::vector<TourStep>()> tour;
    std::vector<Demo> demos;
};

class GuidedTour : public QObject {
    Q_OBJECT

public:
    GuidedTour(Services services, MainWindow& window);

    /// Begins with the first step as soon as this workspace is open; not on another workspace that is opened
    /// meanwhile.
    void begin_when_open(const QString& workspace, std::vector<TourStep> steps);
    /// The workspace can't be opened.
    void give_up();
    void end();
    [[nodiscard]] bool is_under_way() const { return step_ >= 0; }
    [[nodiscard]] int step() const { return step_; } ///< −1 while no tour is running
    [[nodiscard]] int steps() const { return static_cast<int>(steps_.size()); }
    /// The widget that the step explains; nullptr where the window has none.
    [[nodiscard]] QWidget* target(int step) const;
    /// The widget that the step does not cover; nullptr for none.
    [[nodiscard]] QWidget* kept_clear(int step) const;

private:
    void go_to(int step);

    Services services_;
    MainWindow& window_;
    TourBubble* bubble_;
    std::vector<TourStep> steps_;
    int step_ = -1;
    QString awaited_; ///< the workspace on which the tour will begin; empty: no tour will begin
};

/// A demo or the tour runs on the demo workspace, which replaces the open workspace, so the user is asked
/// first. Calls `begin` at once where no workspace or the demo workspace is open, otherwise when the user
/// agrees. `open` is the path of the open workspace, empty where there is none.
void ask_before_demo(QWidget* window, const QString& open, const QString& demo,
                     const std::function<void()>& begin);

} // namespace sparsight
