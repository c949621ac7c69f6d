#include "gui/shell/teaching_view.h"

#include <QApplication>
#include <QScreen>
#include <QTimer>
#include <QWidget>

namespace sparsight {

namespace {

constexpr double teaching_scale = 1.4;
constexpr std::chrono::milliseconds type_settles_after{100};

} // namespace

TeachingView::TeachingView(QWidget* window)
    : QObject(window)
    , window_(window) {}

void TeachingView::set_on(bool on) {
    if (on == is_on_)
        return;
    is_on_ = on;
    QFont font = QApplication::font();
    if (on) {
        font_size_before_ = font.pointSizeF();
        geometry_before_ = window_->geometry();
        font.setPointSizeF(font_size_before_ * teaching_scale);
        window_->showFullScreen();
    } else {
        font.setPointSizeF(font_size_before_);
        window_->showNormal();
    }
    QApplication::setFont(font);
    // While the parts take the font one after the other, they may ask together for more than the screen.
    QTimer::singleShot(type_settles_after, this, &TeachingView::take_screen);
}

void TeachingView::take_screen() {
    window_->setGeometry(is_on_ ? window_->screen()->geometry() : geometry_before_);
}

} // namespace sparsight
