// Long work of a command that ends in one answer: its progress on stderr, and an end when it is interrupted.
#pragma once

#include "command/interruption.h"
#include "command/job_events.h"
#include "command/progress_display.h"
#include "command/session.h"

#include <string_view>

namespace sparsight {

/// What `work(ProgressSink, std::stop_token)` gives.
template <typename Work>
[[nodiscard]] auto awaited_answer(const Session& session, std::string_view job, const Work& work) {
    const Interruption interruption;
    const JobEvents events(session, job, ProgressForm::Display);
    ProgressDisplay display(events.display_style());
    auto answer = work(display.sink(), interruption.token());
    display.clear();
    return answer;
}

/// Session::refuse(), with the exit code of work that was interrupted where it was.
[[nodiscard]] inline ExitCode refuse_answer(Session& session, const Error& error) {
    return session.refuse(error,
                          error.fault == Fault::Cancelled ? ExitCode::Interrupted : ExitCode::SomeFailed);
}

} // namespace sparsight
