// What the first of several processes says to those that train with it, before they begin.
#pragma once

#include "learning/common_start.h"

#include <stop_token>
#include <utility>

namespace sparsight {

/// Said once: at the latest, when it is gone, that the first process failed, so that nobody waits for it.
class FirstWord {
public:
    FirstWord(ProcessGroup& group, std::stop_token stop)
        : group_(group)
        , stop_(std::move(stop)) {}
    FirstWord(const FirstWord&) = delete;
    FirstWord& operator=(const FirstWord&) = delete;
    ~FirstWord() {
        if (!is_said_) [[maybe_unused]]
            const auto said = say(fail(stop_.stop_requested() ? Fault::Cancelled : Fault::Environment, ""));
    }

    Result<CommonStart> say(Result<CommonStart> start) {
        is_said_ = true;
        return agree_on_start(group_, std::move(start), stop_);
    }

private:
    ProcessGroup& group_;
    std::stop_token stop_;
    bool is_said_ = false;
};

} // namespace sparsight
