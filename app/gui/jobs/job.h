// A job: work that the worker process, sparsight-cli, does for the window, and that goes on without it. A
// value; JobService keeps the true one.
#pragma once

#include <QDateTime>
#include <QJsonObject>
#include <QMetaType>
#include <QString>
#include <QStringList>
#include <QUuid>
#include <optional>

namespace sparsight {

using JobId = QUuid;

enum class JobKind {
    Collect,
    Probe,
    Calibrate,
    Import,
    Simulate,
    Train,
    FineTune,
    Search,
    Evaluate,
    Explain,
    Reasons
};

enum class JobState {
    Waiting,
    Running,
    Pausing, ///< the measurement in flight is being finished
    Paused,
    Stopping, ///< likewise
    Finished, ///< with what could not be done in the summary
    Stopped,
    Failed,
    Unknown, ///< it runs, or ran, on another computer that shares our jobs folder
};

/// A worker is there, as far as one can tell.
[[nodiscard]] bool is_active(JobState state);
/// Finished, stopped or failed: nothing more will come of it unless it is started again.
[[nodiscard]] bool is_over(JobState state);

struct JobProgress {
    qint64 done = 0;
    qint64 total = 0; ///< 0: not known
    QString what;     ///< what is being done now, as the worker says it
    std::optional<double> seconds_left;
};

/// A process that is no other one, even if its number is used again.
struct WorkerIdentity {
    qint64 pid = 0;
    quint64 start_ticks = 0; ///< since the computer was started
    QString boot;            ///< of the kernel, new with every start of the computer
    QString host;

    bool operator==(const WorkerIdentity&) const = default;
};

struct Job {
    JobId id;
    JobKind kind = JobKind::Collect;
    QString title; ///< for people: "Measure cage8 (SpMM)"
    QString workspace;
    QStringList arguments; ///< of the worker program
    JobState state = JobState::Waiting;
    JobProgress progress;
    QString summary; ///< once it has ended, for people
    QString error;   ///< why it failed, for people
    QDateTime created;
    QDateTime started; ///< the current or last run
    QDateTime ended;
    bool stop_is_overdue = false; ///< it was asked to end and has not for so long that killing it is offered

    // For JobService.
    int place = 0; ///< in the queue
    int runs = 0;  ///< how often it was started
    WorkerIdentity worker;
    qint64 events_offset = 0; ///< where this run begins in its events and in its log
    qint64 log_offset = 0;

    [[nodiscard]] bool measures() const {
        return kind == JobKind::Collect || kind == JobKind::Probe || kind == JobKind::Evaluate ||
               kind == JobKind::Explain;
    }
    [[nodiscard]] bool learns() const { return kind == JobKind::Train || kind == JobKind::FineTune; }
    [[nodiscard]] bool adds_matrices() const { return kind == JobKind::Import || kind == JobKind::Simulate; }
    /// It takes moments, and would begin anew: there is nothing to gain from pausing it.
    [[nodiscard]] bool is_short() const {
        return kind == JobKind::Probe || kind == JobKind::Calibrate || kind == JobKind::Search ||
               kind == JobKind::Explain || kind == JobKind::Reasons;
    }
};

/// Whether one has to wait for the other: measurements bear nothing beside them that computes, and two that
/// learn are no faster side by side than one after the other. A search, which takes moments, waits for
/// measurements alone; matrices are added one job at a time.
[[nodiscard]] bool exclude_each_other(const Job& a, const Job& b);

/// The file of a job: everything but the progress, which its events tell.
[[nodiscard]] QJsonObject to_json(const Job& job);
/// Nothing when it is not one of ours or one of a later version.
[[nodiscard]] std::optional<Job> job_from_json(const QJsonObject& json);

} // namespace sparsight

Q_DECLARE_METATYPE(sparsight::Job)

namespace sparsight {

// What can be done with a job in its state, and why not, for buttons and for JobService alike.

enum class JobAction { Pause, Resume, Stop, Kill, Restart, Remove };

/// Why it has no meaning now, for people; nothing when it can be done.
[[nodiscard]] std::optional<QString> action_refusal(JobAction action, const Job& job);
[[nodiscard]] bool is_allowed(JobAction action, const Job& job);

[[nodiscard]] QString action_text(JobAction action); ///< "&Pause"
/// What it does to this job, or why it can't be done.
[[nodiscard]] QString action_tooltip(JobAction action, const Job& job);

} // namespace sparsight
