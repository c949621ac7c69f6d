// A job: work that the worker process, sparsight-cli, does for the window and continues without it; and the
// actions that are possible in each state. A Job is a value; JobService owns the current one.
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
    ImportRecords,
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
    Pausing, ///< the running measurement is being finished
    Paused,
    Stopping, ///< the running measurement is being finished
    Finished, ///< the summary says what could not be done
    Stopped,
    Failed,
    Unknown, ///< it runs, or ran, on another computer that shares our jobs folder
};

/// A worker process exists, as far as one can tell.
[[nodiscard]] bool is_active(JobState state);
/// Finished, stopped or failed: it continues only if it is started again.
[[nodiscard]] bool is_over(JobState state);

struct JobProgress {
    qint64 done = 0;
    qint64 total = 0; ///< 0: not known
    QString what;     ///< what is being done now, in the worker's words
    std::optional<double> seconds_left;
};

/// Identifies a process even if its number is used again.
struct WorkerIdentity {
    qint64 pid = 0;
    quint64 start_ticks = 0; ///< clock ticks from the computer's start to the process's start
    QString boot;            ///< the kernel's boot id, new at every start of the computer
    QString host;

    bool operator==(const WorkerIdentity&) const = default;
};

struct Job {
    JobId id;
    JobKind kind = JobKind::Collect;
    QString title; ///< for people: "Measure cage8 (SpMM)"
    QString workspace;
    QStringList arguments; ///< arguments of the worker program
    JobState state = JobState::Waiting;
    JobProgress progress;
    QString summary; ///< how it ended, for people
    QString error;   ///< why it failed, for people
    QDateTime created;
    QDateTime started; ///< the current or last run
    QDateTime ended;
    bool stop_is_overdue = false; ///< asked to end so long ago that the window offers to kill it

    // For JobService.
    int place = 0; ///< position in the queue
    int runs = 0;  ///< number of starts
    WorkerIdentity worker;
    qint64 events_offset = 0; ///< where this run begins in the files of events and log
    qint64 log_offset = 0;

    [[nodiscard]] bool measures() const {
        return kind == JobKind::Collect || kind == JobKind::Probe || kind == JobKind::Evaluate ||
               kind == JobKind::Explain;
    }
    [[nodiscard]] bool learns() const { return kind == JobKind::Train || kind == JobKind::FineTune; }
    [[nodiscard]] bool adds_workloads() const {
        return kind == JobKind::Import || kind == JobKind::ImportRecords || kind == JobKind::Simulate;
    }
    /// It takes moments and would start from the beginning: pausing gains nothing.
    [[nodiscard]] bool is_short() const {
        return kind == JobKind::Probe || kind == JobKind::Calibrate || kind == JobKind::Search ||
               kind == JobKind::Explain || kind == JobKind::Reasons;
    }
};

/// Whether one job has to wait for the other. A measurement tolerates no other computation beside it, and two
/// trainings are no faster side by side than one after the other. A search takes moments and waits only for
/// measurements; only one job at a time adds workloads.
[[nodiscard]] bool exclude_each_other(const Job& a, const Job& b);

/// The contents of a job's file: everything but the progress, which the events report.
[[nodiscard]] QJsonObject to_json(const Job& job);
/// Nothing when the file is not ours or was written by a later version.
[[nodiscard]] std::optional<Job> job_from_json(const QJsonObject& json);

enum class JobAction { Pause, Resume, Stop, Kill, Restart, Remove };

/// Why the action is not possible now, for people; nothing when it is possible.
[[nodiscard]] std::optional<QString> action_refusal(JobAction action, const Job& job);
[[nodiscard]] bool is_allowed(JobAction action, const Job& job);

[[nodiscard]] QString action_text(JobAction action); ///< "&Pause"
/// What the action does to this job, or why it is not possible.
[[nodiscard]] QString action_tooltip(JobAction action, const Job& job);

} // namespace sparsight

Q_DECLARE_METATYPE(sparsight::Job)
