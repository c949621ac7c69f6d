#include "gui/shell/teaching_view.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QScreen>
#include <QTimer>

namespace sparsight {

namespace {

constexpr double teaching_scale = 1.4;
constexpr std::chrono::milliseconds type_settles_after{100};

} // namespace

TeachingView::TeachingView(QMainWindow* window)
    : QObject(window)
    , window_(window) {}

void TeachingView::set_on(bool on) {
    if (on == is_on_)
        return;
    is_on_ = on;
    QFont font = QApplication::font();
    if (on) {
        font_size_before_ = font.pointSizeF();
        remember();
        font.setPointSizeF(font_size_before_ * teaching_scale);
        window_->showFullScreen();
    } else {
        font.setPointSizeF(font_size_before_);
        if (was_maximized_)
            window_->showMaximized();
        else
            window_->showNormal();
    }
    QApplication::setFont(font);
    // While the parts take the font one after the other, they may ask together for more than the screen.
    QTimer::singleShot(type_settles_after, this,
                       is_on_ ? &TeachingView::take_screen : &TeachingView::restore);
}

void TeachingView::remember() {
    was_maximized_ = window_->isMaximized();
    geometry_before_ = window_->geometry();
    panel_widths_.clear();
    for (auto* panel : window_->findChildren<QDockWidget*>())
        panel_widths_.insert(panel, panel->width());
}

void TeachingView::take_screen() {
    if (is_on_)
        window_->setGeometry(window_->screen()->geometry());
}

/// A panel that large type has made wider does not become narrower by itself.
void TeachingView::restore() {
    if (is_on_)
        return;
    if (!was_maximized_)
        window_->setGeometry(geometry_before_);
    window_->resizeDocks(panel_widths_.keys(), panel_widths_.values(), Qt::Horizontal);
}

} // namespace sparsight
