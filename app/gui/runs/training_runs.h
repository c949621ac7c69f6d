// The training runs of the open workspace, live and past: the one place that adds up events and stored
// metrics. Views ask it and hear of changes; nothing flows back.
#pragma once

#include "gui/jobs/job.h"
#include "gui/runs/evaluation_list.h"
#include "gui/runs/run_curves.h"
#include "gui/runs/stored_learning.h"
#include "gui/workspace/background_work.h"
#include "store/runs.h"

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace sparsight {

/// What a job of this session tells of its run.
struct LiveRun {
    JobId job;
    RunId run{};
    QString name;
    int epochs = 0; ///< planned; 0: not known yet
    int epoch = 0;  ///< done
    std::int64_t step = 0;
    std::optional<double> rate;
    std::optional<double> examples_per_second;
    std::optional<double> memory_bytes;
    std::optional<double> seconds_left;
    int best_epoch = 0;
    QStringList notes; ///< what is learned from, and what is left out
    QJsonObject end;   ///< the last event, once it has come
};

/// Of the jobs of every workspace: a training goes on while another one is open, and is seen when its own is
/// open again.
class LiveRuns {
public:
    using IsWanted = std::function<bool(const JobId& job)>;

    /// The first event of a job, "start"; the run that it works at.
    RunId begin(const JobId& job, const QJsonObject& event);
    /// Any other one; nothing where the job has not told its start. It is kept.
    [[nodiscard]] std::optional<RunId> take(const JobId& job, const QJsonObject& event);

    [[nodiscard]] const LiveRun* find(const JobId& job) const;
    /// Among the wanted jobs; of several that worked at the run the one that came farthest.
    [[nodiscard]] const LiveRun* of_run(RunId run, const IsWanted& is_wanted) const;
    /// What the wanted jobs told of this run, in the order of each.
    [[nodiscard]] std::vector<QJsonObject> events_of(RunId run, const IsWanted& is_wanted) const;

    /// What the wanted jobs told of this run, but this one: it is in the workspace, or will have been.
    void forget_others(RunId run, const JobId& but, const IsWanted& is_wanted);
    /// Jobs that are gone, and the events of those that are over.
    void forget(const IsWanted& is_gone, const IsWanted& is_over);

private:
    std::map<JobId, LiveRun> runs_;
    std::map<JobId, std::vector<QJsonObject>> told_;
};

class JobService;
class WorkspaceSession;

class TrainingRuns : public QObject {
    Q_OBJECT

public:
    /// Curves are told of at most once in this time, and always in the end.
    static constexpr std::chrono::milliseconds shortest_interval{50};

    TrainingRuns(WorkspaceSession& session, JobService& jobs, QObject* parent = nullptr);

    /// Of the domain that is looked at.
    [[nodiscard]] const DomainWords& words() const;
    [[nodiscard]] const StoredLearning& stored() const { return stored_; }
    [[nodiscard]] const TrainingRun* run(RunId id) const;
    [[nodiscard]] const KnownModel* model(const QString& name) const;
    [[nodiscard]] QStringList model_names() const;
    /// The fingerprint itself where nothing is measured on that machine any more.
    [[nodiscard]] QString machine_name(const QString& fingerprint) const;
    /// "No evaluation has model first, machine V100 and workload conv. The newest one is shown."
    [[nodiscard]] QString no_evaluation_of(const EvaluationLink& link) const;
    /// Of a run that a job of this workspace works at or has ended; nullptr for others.
    [[nodiscard]] const LiveRun* live(RunId id) const;
    [[nodiscard]] const LiveRun* live_of(const JobId& job) const;
    /// The one that works at it, or waits to, before those that have ended: nobody else may touch the run
    /// then.
    [[nodiscard]] std::optional<Job> job_of(RunId id) const;
    /// It has ended, and what it wrote last is being read: the stored run may say that it still runs.
    [[nodiscard]] bool is_end_unread(const JobId& job) const { return ended_unread_.contains(job); }

    /// nullptr while they are read from the workspace; curves_changed() tells when they are there.
    [[nodiscard]] const RunCurves* curves(RunId id);
    /// Of a fine-tuning with a shot curve; likewise.
    [[nodiscard]] const ShotPoints* shots(RunId id);
    /// Whether curves() and shots() have it.
    [[nodiscard]] bool has_read(RunId id) const;
    [[nodiscard]] bool is_reading() const { return reader_.is_busy() || !being_read_.empty(); }

Q_SIGNALS:
    void stored_changed();
    /// A RunId, as a plain number: signals carry no enumeration of this size.
    void curves_changed(qint64 run);
    /// `what` could not be read.
    void failed(const QString& reason, const QString& what);
    /// It could be read again.
    void recovered(const QString& what);

private:
    struct Known {
        RunCurves curves;
        ShotPoints shots;
        bool is_from_store = false; ///< what was stored before the events is in it
    };

    void read_stored();
    void tell_of_reading(const QString& what, const QString& reason);
    void take_stored(StoredLearning learning);
    void look_at_holders();
    void take_end(const JobId& id);
    void read_run(RunId id);
    void take(const JobId& id, const QJsonObject& event);
    void begin(const JobId& id, const QJsonObject& event);
    [[nodiscard]] bool is_of_open_workspace(const JobId& job) const;
    [[nodiscard]] LiveRuns::IsWanted of_open_workspace() const;
    void take_told(RunId id, Known& known) const;
    void mark(RunId id);
    void tell();
    void forget();

    WorkspaceSession& session_;
    JobService& jobs_;
    StoredLearning stored_;
    std::map<RunId, Known> known_;
    std::set<RunId> being_read_;
    LiveRuns live_;
    std::set<RunId> changed_;
    std::set<JobId> ended_unread_;
    QTimer pause_;
    QTimer holders_look_; ///< while somebody works at a run: that a process was killed changes no file
    QString told_failure_;
    std::map<RunId, QString> told_failures_; ///< of reading single runs
    NewestAnswer<Result<StoredLearning>> reader_{this};
    NewestAnswer<Result<std::vector<RunHolder>>> holders_reader_{this};
};

} // namespace sparsight
