// Work off the window's thread.
#pragma once

#include "base/error.h"

#include <QFutureWatcher>
#include <QObject>
#include <QtConcurrent/QtConcurrentRun>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
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

// Questions that come faster than they can be answered: only the newest one counts.

/// Answers one question at a time, off the window's thread. While one is being answered the newest of those
/// asked since waits, and the ones between are never looked at. To be a member of the receiver, and used on
/// its thread.
template <typename Answer>
class NewestAnswer {
public:
    /// Runs on another thread and owns all that it uses. It is asked to stop as soon as a newer question
    /// comes; it may go on all the same.
    using Work = std::function<Answer(const std::stop_token&)>;
    /// Told of every question that was begun, on the receiver's thread. `is_newest` is false where a newer
    /// one waits: the answer then belongs to what was wanted before.
    using Done = std::function<void(Answer, bool is_newest)>;

    explicit NewestAnswer(QObject* receiver)
        : receiver_(receiver) {}
    ~NewestAnswer() { stop_.request_stop(); }
    NewestAnswer(const NewestAnswer&) = delete;
    NewestAnswer& operator=(const NewestAnswer&) = delete;

    void ask(Work work, Done done) {
        waiting_ = Question{std::move(work), std::move(done)};
        if (is_answering_)
            stop_.request_stop();
        else
            begin();
    }

    /// What waits is not asked any more: what is being answered is the newest question again. It may have
    /// been asked to stop.
    void drop_waiting() { waiting_.reset(); }

    /// Nobody wants an answer any more, and nobody is told of one.
    void cancel() {
        ++round_;
        stop_.request_stop();
        waiting_.reset();
        is_answering_ = false;
    }

    /// Something is being answered, or waits for that.
    [[nodiscard]] bool is_busy() const { return is_answering_ || waiting_.has_value(); }

private:
    struct Question {
        Work work;
        Done done;
    };

    void begin() {
        Question question = std::move(*waiting_);
        waiting_.reset();
        is_answering_ = true;
        stop_ = std::stop_source();
        in_background(
            receiver_,
            [work = std::move(question.work), stop = stop_.get_token()]() -> Answer { return work(stop); },
            [this, done = std::move(question.done), round = round_](Answer answer) {
                if (round != round_)
                    return;
                is_answering_ = false;
                done(std::move(answer), !waiting_.has_value());
                if (waiting_ && !is_answering_) // or asked again by the one that was told
                    begin();
            });
    }

    QObject* receiver_;
    std::optional<Question> waiting_;
    std::stop_source stop_{std::nostopstate};
    bool is_answering_ = false;
    int round_ = 0; ///< answers of earlier ones are dropped
};

} // namespace sparsight
