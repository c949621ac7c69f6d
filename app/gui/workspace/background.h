// Work off the window's thread.
#pragma once

#include "base/error.h"

#include <QFutureWatcher>
#include <QObject>
#include <QtConcurrent/QtConcurrentRun>
#include <exception>
#include <functional>
#include <memory>
#include <type_traits>

namespace sparsight {

/// Runs `work` on a thread of the pool, then hands what it returns to `done` on the receiver's thread; when
/// the receiver is gone by then, nobody is told. Values only: `work` must own all that it uses. An exception
/// (memory that runs out) becomes an error where the answer is a Result, and an empty answer elsewhere.
template <typename Work, typename Done>
void in_background(QObject* receiver, Work work, Done done) {
    using Answer = std::invoke_result_t<Work>;
    auto guarded = [work = std::move(work)]() mutable -> std::shared_ptr<Answer> {
        try {
            return std::make_shared<Answer>(work());
        } catch (const std::exception& problem) {
            if constexpr (std::is_constructible_v<Answer, std::unexpected<Error>>)
                return std::make_shared<Answer>(fail(Fault::Environment, problem.what()));
            else
                return std::make_shared<Answer>();
        }
    };
    // A watcher and not QFuture::then(): that one looks at the receiver from the pool's thread.
    using Watcher = QFutureWatcher<std::shared_ptr<Answer>>;
    auto* watcher = new Watcher(receiver);
    QObject::connect(watcher, &Watcher::finished, receiver, [watcher, done = std::move(done)]() mutable {
        const std::shared_ptr<Answer> answer = watcher->result();
        watcher->deleteLater();
        done(std::move(*answer));
    });
    watcher->setFuture(QtConcurrent::run(std::move(guarded)));
}

} // namespace sparsight
