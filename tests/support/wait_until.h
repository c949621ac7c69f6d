// Waiting that has an end, with the event loop of Qt running meanwhile.
#pragma once

#include <QElapsedTimer>
#include <QTest>

namespace sparsight::testing {

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
