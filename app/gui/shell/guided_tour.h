// A walk through the window on the demo workspace, each step beside the thing that it is about: the guided
// tour, from a matrix to the best schedule, or a demo.
#pragma once

#include "gui/page/page.h"

#include <QObject>
#include <QString>
#include <functional>
#include <vector>

class QWidget;

namespace sparsight {

class MainWindow;
class TourBubble;

struct TourStep {
    QString page;
    /// What the step is about.
    std::function<QWidget*(MainWindow& window, QWidget& page)> find;
    QString title;
    QString text;
    std::function<void()> prepare{}; ///< makes the page show it
    /// What the text tells to use besides: it is not covered.
    std::function<QWidget*(MainWindow& window, QWidget& page)> clear{};
};

class GuidedTour : public QObject {
    Q_OBJECT

public:
    GuidedTour(Services services, MainWindow& window);

    /// At its first step, as soon as this workspace is open; not on another one that is opened meanwhile.
    void begin_when_open(const QString& workspace);
    /// Other steps than those of the guided tour.
    void begin_when_open(const QString& workspace, std::vector<TourStep> steps);
    /// It can't be opened.
    void give_up();
    void end();
    [[nodiscard]] bool is_under_way() const { return step_ >= 0; }
    [[nodiscard]] int step() const { return step_; } ///< −1 while it is not under way
    [[nodiscard]] int steps() const { return static_cast<int>(steps_.size()); }
    /// What the step is about; nullptr where the window has none.
    [[nodiscard]] QWidget* target(int step) const;
    /// What it keeps free besides; nullptr for none.
    [[nodiscard]] QWidget* kept_clear(int step) const;

private:
    [[nodiscard]] static std::vector<TourStep> window_tour();
    void go_to(int step);

    Services services_;
    MainWindow& window_;
    TourBubble* bubble_;
    std::vector<TourStep> steps_;
    int step_ = -1;
    QString awaited_; ///< the workspace on which it is to begin; empty: it is not to
};

// The demos of the Help menu as steps of a guided tour.

struct WhatIfDemo;

/// On the page "What if" of the window; none where it has no such page.
[[nodiscard]] std::vector<TourStep> demo_steps(const WhatIfDemo& demo, Services services, MainWindow& window);

// A demo or the tour runs on the demo workspace, which takes the place of the one that is open: asked first.

/// Calls `begin` at once where nothing is open or the demo is, else when the user says so. `open` is the path
/// of what is open, empty where nothing is.
void ask_before_demo(QWidget* window, const QString& open, const QString& demo,
                     const std::function<void()>& begin);

} // namespace sparsight
