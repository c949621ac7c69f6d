// A job: work that the worker process, sparsight-cli, does for the window and continues without it; and the
// actions that are possible in each state. A Job is a value; JobService owns the current one.
#pragma once

#include "study/domain.h"

#include <QDateTime>
#include <QJsonObject>
#include <QMetaType>
#include <QString>
#include <QStringList>
#include <QUuid>
#include <functional>
#include <optional>

namespace sparsight {

using JobId = QUuid;

struct Job;
struct RunReport;

/// What a job does, as far as queue and texts need to know. Those of every domain are here; a domain brings
/// its own with its requests, and adds them to JobService so that it knows them after a restart, too.
struct JobKind {
    QString name; ///< in the job files; it never changes
    bool measures = false;
    bool learns = false;
    bool is_short = false; ///< it takes moments and would start from the beginning: pausing gains nothing
    /// Of a unit of its work (see Job::work), until one was done here; 0: it is not estimated.
    double guessed_seconds_a_unit = 0;
    QStringList adds = {}; ///< the counts in its last event that say how much it has added to the workspace
    /// What it has done, for people; absent: of the kinds here, or nothing to say.
    std::function<QString(const Job& job, const RunReport& report)> summary = {};

    bool operator==(const JobKind& other) const { return name == other.name; }

    static const JobKind Collect;
    static const JobKind Probe;
    static const JobKind Calibrate;
    static const JobKind Import;
    static const JobKind Train;
    static const JobKind FineTune;
    static const JobKind Search;
    static const JobKind Evaluate;
};

inline const JobKind JobKind::Collect{
    .name = QStringLiteral("collect"), .measures = true, .guessed_seconds_a_unit = 0.1};
inline const JobKind JobKind::Probe{.name = QStringLiteral("probe"), .measures = true, .is_short = true};
inline const JobKind JobKind::Calibrate{.name = QStringLiteral("calibrate"), .is_short = true};
inline const JobKind JobKind::Import{.name = QStringLiteral("import"),
                                     .adds = {QStringLiteral("imported"), QStringLiteral("measurements")}};
inline const JobKind JobKind::Train{
    .name = QStringLiteral("train"), .learns = true, .guessed_seconds_a_unit = 0.01};
inline const JobKind JobKind::FineTune{
    .name = QStringLiteral("finetune"), .learns = true, .guessed_seconds_a_unit = 0.4};
inline const JobKind JobKind::Search{
    .name = QStringLiteral("search"), .is_short = true, .guessed_seconds_a_unit = 2};
inline const JobKind JobKind::Evaluate{
    .name = QStringLiteral("evaluate"), .measures = true, .guessed_seconds_a_unit = 0.1};

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
    qint64 total = 0;  ///< 0: not known
    QString what;      ///< what is being done now, in the worker's words
    QString warning{}; ///< likewise, one a line: why it does not go on, until it does; and what stays true
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
    Noun workload{"workload", "workloads"}; ///< as its domain says
    QStringList arguments;                  ///< arguments of the worker program
    JobState state = JobState::Waiting;
    JobProgress progress;
    QString summary; ///< how it ended, for people
    QString error;   ///< why it failed, for people
    QDateTime created;
    QDateTime started; ///< the current or last run
    QDateTime ended;
    /// How much it was asked to do, in what its time grows with: measurements, searched workloads. 0:
    /// unknown.
    double work = 0;
    double seconds_a_unit = 0;    ///< that its last run took for it; 0: unknown
    bool stop_is_overdue = false; ///< asked to end so long ago that the window offers to kill it

    // For JobService.
    int place = 0; ///< position in the queue
    int runs = 0;  ///< number of starts
    WorkerIdentity worker;
    qint64 events_offset = 0; ///< where this run begins in the files of events and log
    qint64 log_offset = 0;

    [[nodiscard]] bool measures() const { return kind.measures; }
    [[nodiscard]] bool learns() const { return kind.learns; }
    [[nodiscard]] bool adds_workloads() const { return !kind.adds.isEmpty(); }
    [[nodiscard]] bool is_short() const { return kind.is_short; }
};

/// Whether one job has to wait for the other. A measurement tolerates no other computation beside it, and two
/// trainings are no faster side by side than one after the other. A search takes moments and waits only for
/// measurements. A job that adds workloads waits for measurements, as unpacking files and their statistics
/// take all cores, and for another job of its kind.
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
