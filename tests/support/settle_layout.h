// Layouts hear of a change only when the event loop turns; whoever measures widgets needs them to have heard.
#pragma once

#include <QCoreApplication>
#include <QEvent>

namespace sparsight::testing {

/// Lays out anew whatever asked for it, also what its parents ask for in turn.
inline void settle_layout() {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
}

} // namespace sparsight::testing
