// A walk through the window on the demo workspace: from a matrix to the best schedule, each step beside the
// thing that it is about.
#pragma once

#include "gui/page/services.h"

#include <QObject>
#include <QString>
#include <vector>

class QWidget;

namespace sparsight {

class MainWindow;
class TourBubble;

class GuidedTour : public QObject {
    Q_OBJECT

public:
    GuidedTour(Services services, MainWindow& window);

    /// At its first step, as soon as this workspace is open; not on another one that is opened meanwhile.
    void begin_when_open(const QString& workspace);
    /// It can't be opened.
    void give_up();
    void end();
    [[nodiscard]] bool is_under_way() const { return step_ >= 0; }
    [[nodiscard]] int step() const { return step_; } ///< −1 while it is not under way
    [[nodiscard]] int steps() const { return static_cast<int>(steps_.size()); }
    /// What the step is about; nullptr where the window has none.
    [[nodiscard]] QWidget* target(int step) const;

private:
    struct Step {
        QString page;
        QWidget* (*find)(MainWindow& window, QWidget& page);
        QString title;
        QString text;
    };

    void make_steps();
    void go_to(int step);

    Services services_;
    MainWindow& window_;
    TourBubble* bubble_;
    std::vector<Step> steps_;
    int step_ = -1;
    QString awaited_; ///< the workspace on which it is to begin; empty: it is not to
};

} // namespace sparsight
