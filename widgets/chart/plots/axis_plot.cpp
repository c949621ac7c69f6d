#include "widgets/chart/plots/axis_plot.h"

#include "widgets/chart/plot_menu.h"
#include "widgets/look/theme.h"

#include <QHelpEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

namespace sparsight {

AxisPlot::AxisPlot(const QString& menu_name, Wheel wheel, QWidget* parent)
    : QWidget(parent)
    , tools_(new PlotMenuButton(
          *this, tr("Copy, export"), menu_name, [this](QMenu& menu) { fill_menu(menu); },
          [this] { return exported(); }))
    , axis_({.shown = [this] { return scale_; },
             .whole = [this] { return whole(); },
             .area = [this] { return axis_area(); },
             .is_zoomed = [this] { return is_zoomed(); },
             .show = [this](const ChartScale& scale) { set_scale(scale); },
             .show_all = [this] { reset_zoom(); },
             .wheel_alone = wheel == Wheel::Alone}) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    tools_->set_offered(false);
}

void AxisPlot::picture_changed() {
    scale_ = whole();
    axis_.let_go();
    tools_->set_offered(!is_empty());
    updateGeometry();
    update();
}

void AxisPlot::set_empty_text(const QString& text) {
    empty_text_ = text;
    update();
}

QSizeF AxisPlot::room_of_tools() const {
    return tools_->room();
}

void AxisPlot::reset_zoom() {
    set_scale(whole());
}

void AxisPlot::set_scale(const ChartScale& scale) {
    scale_ = scale;
    update();
}

void AxisPlot::fill_menu(QMenu& menu) {
    QAction* const all = menu.addAction(tr("Show &all"));
    all->setEnabled(is_zoomed());
    connect(all, &QAction::triggered, this, &AxisPlot::reset_zoom);
}

void AxisPlot::paintEvent(QPaintEvent* /*event*/) {
    QPainter painter(this);
    const Theme& theme = current_theme();
    painter.fillRect(rect(), theme.surface);
    if (is_empty()) {
        paint_empty_plot(painter, rect(), empty_text_, theme);
        return;
    }
    draw(painter, theme);
    if (hasFocus())
        paint_plot_focus(painter, rect(), theme);
}

bool AxisPlot::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !is_empty()) {
        const auto* const help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), tooltip_at(help->pos()), this);
        return true;
    }
    if (event->type() == QEvent::Leave)
        light(std::nullopt);
    return QWidget::event(event);
}

void AxisPlot::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || is_empty())
        return event->ignore();
    axis_.press(event->position());
}

void AxisPlot::mouseMoveEvent(QMouseEvent* event) {
    if (axis_.is_pressed())
        axis_.drag(event->position());
    else
        light(event->position());
}

void AxisPlot::mouseReleaseEvent(QMouseEvent* event) {
    const auto pressed = axis_.release();
    if (event->button() == Qt::LeftButton && pressed)
        click(*pressed, event->position());
}

void AxisPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    axis_.double_click(*event);
}

void AxisPlot::wheelEvent(QWheelEvent* event) {
    if (is_empty() || !axis_.turn(*event))
        event->ignore(); // the page scrolls
}

void AxisPlot::keyPressEvent(QKeyEvent* event) {
    if (is_empty() || !axis_.press_key(event->key()))
        QWidget::keyPressEvent(event);
}

void AxisPlot::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange)
        updateGeometry();
    update();
}

} // namespace sparsight
