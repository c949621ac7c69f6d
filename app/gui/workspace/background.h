// Work off the window's thread.
#pragma once

#include <QObject>
#include <QtConcurrent/QtConcurrentRun>
#include <functional>
#include <memory>

namespace sparsight {

/// Runs `work` on a thread of the pool, then hands what it returns to `done` on the receiver's thread; when
/// the receiver is gone by then, nobody is told. Values only: `work` must own all that it uses.
template <typename Work, typename Done>
void in_background(QObject* receiver, Work work, Done done) {
    using Answer = std::invoke_result_t<Work>;
    // Shared, because answers like a pattern can only be moved and QFuture copies.
    QtConcurrent::run([work = std::move(work)]() mutable {
        return std::make_shared<Answer>(work());
    }).then(receiver, [done = std::move(done)](const std::shared_ptr<Answer>& answer) mutable {
        done(std::move(*answer));
    });
}

} // namespace sparsight
