#include "gui/shell/window/tab_order.h"

#include <QApplication>
#include <QScrollArea>
#include <QWidget>
#include <algorithm>

namespace sparsight {

namespace {

/// Where Qt itself would stop.
bool is_stop(const QWidget& widget, const QWidget& window) {
    return (widget.focusPolicy() & Qt::TabFocus) != 0 && widget.isEnabled() && widget.isVisibleTo(&window) &&
           widget.focusProxy() == nullptr;
}

void scroll_to(QWidget& widget) {
    for (QWidget* parent = widget.parentWidget(); parent != nullptr; parent = parent->parentWidget())
        if (auto* const area = qobject_cast<QScrollArea*>(parent))
            area->ensureWidgetVisible(&widget);
}

} // namespace

bool focus_next_stop(QWidget& window, const std::vector<QWidget*>& areas, bool next) {
    QWidget* const now = QApplication::focusWidget();
    if (now == nullptr || now->window() != &window)
        return false;
    std::vector<std::vector<QWidget*>> stops(areas.size() + 1);
    for (QWidget* widget = window.nextInFocusChain(); widget != &window; widget = widget->nextInFocusChain())
        if (widget == now || is_stop(*widget, window)) {
            const auto area = std::ranges::find_if(
                areas, [widget](const QWidget* one) { return one == widget || one->isAncestorOf(widget); });
            stops[static_cast<std::size_t>(area - areas.begin())].push_back(widget);
        }
    std::vector<QWidget*> all;
    for (const std::vector<QWidget*>& some : stops)
        all.insert(all.end(), some.begin(), some.end());
    const auto here = std::ranges::find(all, now);
    if (all.size() < 2 || here == all.end())
        return false;
    const auto count = static_cast<std::ptrdiff_t>(all.size());
    const auto place = (here - all.begin() + (next ? 1 : count - 1)) % count;
    QWidget& target = *all[static_cast<std::size_t>(place)];
    target.setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    scroll_to(target);
    return true;
}

} // namespace sparsight
