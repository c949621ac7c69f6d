#include "gui/jobs/job_actions.h"

#include "gui/jobs/job_texts.h"

namespace sparsight {

namespace {

QString already_over() {
    return JobTexts::tr("The job has ended already");
}

std::optional<QString> pause_refusal(const Job& job) {
    if (job.kind == JobKind::Probe)
        return JobTexts::tr("A probe takes seconds and can't be paused, only stopped");
    if (job.kind == JobKind::Calibrate)
        return JobTexts::tr("A calibration would begin anew: it can't be paused, only stopped");
    if (job.kind == JobKind::Search)
        return JobTexts::tr("A search takes moments and can't be paused, only stopped");
    if (job.is_short())
        return JobTexts::tr("It would begin anew: it can't be paused, only stopped");
    switch (job.state) {
    case JobState::Waiting:
    case JobState::Running:
        return std::nullopt;
    case JobState::Pausing:
        return JobTexts::tr("It is being paused: what is in flight is being finished");
    case JobState::Paused:
        return JobTexts::tr("It is paused already");
    case JobState::Stopping:
        return JobTexts::tr("It is being stopped");
    case JobState::Unknown:
        return JobTexts::tr("It belongs to another computer");
    case JobState::Finished:
    case JobState::Stopped:
    case JobState::Failed:
        break;
    }
    return already_over();
}

std::optional<QString> stop_refusal(const Job& job) {
    if (job.state == JobState::Stopping)
        return JobTexts::tr("It is being stopped: what is in flight is being finished");
    if (job.state == JobState::Unknown)
        return JobTexts::tr("It belongs to another computer");
    return is_over(job.state) ? std::optional(already_over()) : std::nullopt;
}

std::optional<QString> kill_refusal(const Job& job) {
    if (!is_active(job.state))
        return JobTexts::tr("It has no running worker");
    if (!job.stop_is_overdue)
        return JobTexts::tr("Stop it first; if its worker does not end by itself, it can be killed");
    return std::nullopt;
}

} // namespace

std::optional<QString> action_refusal(JobAction action, const Job& job) {
    const bool is_under_way = is_active(job.state) || job.state == JobState::Waiting;
    switch (action) {
    case JobAction::Pause:
        return pause_refusal(job);
    case JobAction::Resume:
        if (job.state != JobState::Paused)
            return JobTexts::tr("It is not paused");
        return std::nullopt;
    case JobAction::Stop:
        return stop_refusal(job);
    case JobAction::Kill:
        return kill_refusal(job);
    case JobAction::Restart:
        if (is_under_way)
            return JobTexts::tr("It has not ended yet");
        if (job.state == JobState::Paused)
            return JobTexts::tr("It is paused: resume it");
        return std::nullopt;
    case JobAction::Remove:
        if (is_active(job.state))
            return JobTexts::tr("Its worker runs: stop it first");
        return std::nullopt;
    }
    return std::nullopt;
}

bool is_allowed(JobAction action, const Job& job) {
    return !action_refusal(action, job);
}

QString action_text(JobAction action) {
    switch (action) {
    case JobAction::Pause:
        return JobTexts::tr("&Pause");
    case JobAction::Resume:
        return JobTexts::tr("&Resume");
    case JobAction::Stop:
        return JobTexts::tr("&Stop");
    case JobAction::Kill:
        return JobTexts::tr("&Kill");
    case JobAction::Restart:
        return JobTexts::tr("Start &again");
    case JobAction::Remove:
        return JobTexts::tr("Re&move");
    }
    return {};
}

QString action_tooltip(JobAction action, const Job& job) {
    if (const auto refusal = action_refusal(action, job))
        return *refusal;
    switch (action) {
    case JobAction::Pause:
        return job.measures() ? JobTexts::tr("Pause after the measurement in flight")
               : job.learns() ? JobTexts::tr("Pause after the step in flight, to go on from there later")
                              : JobTexts::tr("Pause after the matrix in flight");
    case JobAction::Resume:
        return JobTexts::tr("Go on where it was paused");
    case JobAction::Stop:
        if (job.learns())
            return JobTexts::tr("Stop after the step in flight; where it stands is kept");
        return job.measures()
                   ? JobTexts::tr("Stop after the measurement in flight; everything measured is kept")
                   : JobTexts::tr("Stop after the matrix in flight; everything added is kept");
    case JobAction::Kill:
        return JobTexts::tr(
            "End the worker at once; what is in flight is lost, everything before it is kept");
    case JobAction::Restart:
        return JobTexts::tr("A new job with the same settings; what is stored is not done again");
    case JobAction::Remove:
        return JobTexts::tr("Forget this job and its log; its results stay");
    }
    return {};
}

} // namespace sparsight
