// Full screen with large type, for teaching; and back to how it was: the window's place or that it was
// maximised, and the widths of its panels.
#pragma once

#include <QHash>
#include <QObject>
#include <QRect>

class QDockWidget;
class QMainWindow;

namespace sparsight {

class TeachingView : public QObject {
    Q_OBJECT

public:
    explicit TeachingView(QMainWindow* window);

    void set_on(bool on);

private:
    void remember();
    void take_screen();
    void restore();

    QMainWindow* window_;
    double font_size_before_ = 0;
    bool was_maximized_ = false;
    QRect geometry_before_;
    QHash<QDockWidget*, int> panel_widths_;
    bool is_on_ = false;
};

} // namespace sparsight
