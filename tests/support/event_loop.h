// Layouts hear of a change only when the event loop turns; whoever measures widgets needs them to have heard.
#pragma once

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QTest>

namespace sparsight::testing {

/// Lays out anew whatever asked for it, also what its parents ask for in turn.
inline void settle_layout() {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
}

// Waiting that has an end, with the event loop of Qt running meanwhile.

/// Runs the event loop until it holds; false after `seconds`.
template <typename Condition>
bool wait_until(Condition condition, int seconds = 60) {
    QElapsedTimer clock;
    clock.start();
    while (!condition()) {
        if (clock.hasExpired(seconds * 1000))
            return false;
        QTest::qWait(5);
    }
    return true;
}

} // namespace sparsight::testing
