#include "widgets/look/staleness.h"

#include <QGraphicsOpacityEffect>

namespace sparsight {

namespace {

constexpr double stale_opacity = 0.4;

} // namespace

Staleness::Staleness(std::vector<QWidget*> widgets, QObject* owner)
    : QObject(owner)
    , widgets_(std::move(widgets)) {
    wait_.setSingleShot(true);
    wait_.setInterval(patience);
    connect(&wait_, &QTimer::timeout, this, &Staleness::show);
}

void Staleness::begin() {
    if (!is_shown_ && !wait_.isActive())
        wait_.start();
}

void Staleness::show() {
    is_shown_ = true;
    for (QWidget* widget : widgets_) {
        auto* paler = new QGraphicsOpacityEffect(widget);
        paler->setOpacity(stale_opacity);
        widget->setGraphicsEffect(paler); // owns it
    }
}

void Staleness::end() {
    wait_.stop();
    if (std::exchange(is_shown_, false))
        for (QWidget* widget : widgets_)
            widget->setGraphicsEffect(nullptr);
}

} // namespace sparsight
