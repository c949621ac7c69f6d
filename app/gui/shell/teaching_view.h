// Full screen with large type, for teaching; and back to how it was.
#pragma once

#include <QObject>
#include <QRect>

class QWidget;

namespace sparsight {

class TeachingView : public QObject {
    Q_OBJECT

public:
    explicit TeachingView(QWidget* window);

    void set_on(bool on);

private:
    void take_screen();

    QWidget* window_;
    double font_size_before_ = 0;
    QRect geometry_before_;
    bool is_on_ = false;
};

} // namespace sparsight
