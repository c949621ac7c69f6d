// Work off the window's thread. in_background() runs one piece of work; NewestAnswer answers only the newest
// of questions that come faster than they can be answered.
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

/// Runs `work` on a thread of the pool and passes its result to `done` on the receiver's thread; if the
/// receiver is gone by then, `done` is not called. `work` must own everything it uses, as values; only the
/// domains of the program, which outlive all work, may be used by reference. An exception (out of memory)
/// becomes an error where the answer is a Result, otherwise an empty answer.
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
    // A watcher instead of QFuture::then(), which accesses the receiver from the pool's thread.
    using Watcher = QFutureWatcher<std::shared_ptr<Answer>>;
    auto* watcher = new Watcher(receiver);
    QObject::connect(watcher, &Watcher::finished, receiver, [watcher, done = std::move(done)]() mutable {
        const std::shared_ptr<Answer> answer = watcher->result();
        watcher->deleteLater();
        done(std::move(*answer));
    });
    watcher->setFuture(QtConcurrent::run(std::move(guarded)));
}

/// Answers one question at a time, off the window's thread. Meanwhile only the newest later question waits;
/// questions between are dropped. Make it a member of the receiver, and use it on the receiver's thread.
template <typename Answer>
class NewestAnswer {
public:
    /// Runs on another thread and owns everything it uses. A newer question asks it to stop; it may still run
    /// to its end.
    using Work = std::function<Answer(const std::stop_token&)>;
    /// Called on the receiver's thread for every question that was begun. `is_newest` is false where a newer
    /// question waits: the answer then belongs to an outdated question.
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

    /// Drops the waiting question: the one being answered is the newest again. It may have been asked to stop
    /// already.
    void drop_waiting() { waiting_.reset(); }

    /// Drops all questions; no answer is delivered any more.
    void cancel() {
        ++round_;
        stop_.request_stop();
        waiting_.reset();
        is_answering_ = false;
    }

    /// A question is being answered or waits.
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
                if (waiting_ && !is_answering_) // `done` may have asked again
                    begin();
            });
    }

    QObject* receiver_;
    std::optional<Question> waiting_;
    std::stop_source stop_{std::nostopstate};
    bool is_answering_ = false;
    int round_ = 0; ///< answers of earlier rounds are dropped
};

} // namespace sparsight
