// Runs jobs: each in a worker process of its own that does not need the window. What there is to know of a
// job is in the jobs folder (ID.json, ID.events, ID.log), so that a window that was closed, or killed, finds
// its jobs again, and two windows see the same ones.
#pragma once

#include "gui/jobs/job.h"
#include "gui/jobs/job_folder.h"
#include "gui/jobs/job_request.h"
#include "gui/jobs/run_report.h"

#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace sparsight {

/// The chosen program, else the one beside ours, else one on the PATH; empty when there is none.
[[nodiscard]] QString find_worker_program(const QString& chosen = {});
/// Where this system keeps data of programs.
[[nodiscard]] QString default_jobs_folder();

/// Before asking again for the lock that another window holds.
inline constexpr std::chrono::milliseconds lock_retry{100};

struct JobServiceOptions {
    QString folder = default_jobs_folder();
    QString worker_program = find_worker_program();
    std::chrono::milliseconds poll_interval{50};
    std::chrono::milliseconds stop_grace{15'000}; ///< before killing is offered
};

class JobService : public QObject {
    Q_OBJECT

public:
    /// Takes over what is in the folder: the jobs that run are followed (what they told so far is told
    /// again), waiting ones are started in their turn, and those whose worker has died meanwhile are said to
    /// have failed.
    explicit JobService(JobServiceOptions options = {}, QObject* parent = nullptr);
    ~JobService() override;

    /// Active ones first, then waiting ones in their order, then the others, the newest first.
    [[nodiscard]] std::vector<Job> jobs() const;
    [[nodiscard]] std::optional<Job> job(const JobId& id) const;
    [[nodiscard]] bool has_active_jobs() const;
    /// Whether one measures on this computer: what computes beside it spoils its times.
    [[nodiscard]] bool is_measuring() const;
    /// Whether one that does the very same is not over yet: asked for twice, it would do it twice.
    [[nodiscard]] bool is_under_way(const JobDescription& description) const;
    /// When this service, and so its window, began.
    [[nodiscard]] const QDateTime& opened() const { return opened_; }
    [[nodiscard]] const QString& worker_program() const { return options_.worker_program; }
    void set_worker_program(const QString& program);
    /// A kind that a domain brings: the summary of a run is its, also after a restart.
    void add_kind(const JobKind& kind);

    /// Started at once, or when those before it are done. Refused with a reason for people.
    std::expected<JobId, QString> start(const JobRequest& request);
    /// The same for a job that is described already; what can't be launched fails in its worker.
    std::expected<JobId, QString> start(const JobDescription& description);
    /// A finished job that ran elsewhere and told these lines: nothing is started. It takes the place of an
    /// equal one that is over.
    std::expected<JobId, QString> add_recorded(const JobDescription& description, const QByteArray& events);
    /// A new job with the settings of this one.
    std::expected<JobId, QString> restart(const JobId& id);

    // Each does nothing for a job in whose state it has no meaning; see job.h.
    void stop(const JobId& id);   ///< the measurement in flight is finished
    void kill(const JobId& id);   ///< it is lost; everything before it is stored
    void pause(const JobId& id);  ///< likewise finished; the job can be resumed
    void resume(const JobId& id); ///< the same command again, which resumes
    void remove(const JobId& id); ///< forgets a job that has no worker, with its files
    /// While it holds, what waits is not started here: its turn comes in the next window.
    void hold_queue(bool holds);
    /// `index` counts the waiting jobs.
    void move_waiting(const JobId& id, int index);

    /// Why a waiting job has not been started; empty for others.
    [[nodiscard]] QString blocked_reason(const JobId& id) const;

    /// From the disk: the last lines of the events and of what the worker wrote to stderr.
    [[nodiscard]] QStringList event_lines(const JobId& id, int most = 1000) const;
    [[nodiscard]] QString log_text(const JobId& id, int most_bytes = 100'000) const;

Q_SIGNALS:
    void job_added(const JobId& id);
    void job_changed(const JobId& id);
    /// Exactly once for each run, after the last job_changed: its worker has ended. The state tells how;
    /// Paused is one way.
    void job_finished(const JobId& id);
    void job_removed(const JobId& id);
    /// Each line of the worker, in order; see `sparsight-cli collect --help`.
    void event_received(const JobId& id, const QJsonObject& event);

private:
    /// A run whose events are read.
    struct FollowedRun {
        RunReport report;
        qint64 offset = 0; ///< in the file, of what was not read yet
        QElapsedTimer since_end;
        QElapsedTimer since_asked; ///< to end
    };

    void tick();
    void follow(Job& job);
    /// True when the run is over.
    [[nodiscard]] bool read_on(const JobId& id);
    void conclude(const JobId& id);
    void start_what_may_run();
    void launch(Job& job);
    /// Changes the job as it is in its file, whoever wrote that last, and tells of it. `act` says whether it
    /// has a meaning for the job as it is there.
    void change(const JobId& id, const std::function<bool(Job&)>& act);
    void ask_to_end(const JobId& id, JobAction action);
    void take_over_changes();
    /// `is_news`: it was written by another window while we were there.
    void take_over(Job on_disk, bool is_news);
    void save(const Job& job);
    [[nodiscard]] std::vector<JobId> waiting() const;
    [[nodiscard]] const Job* occupant(const Job& waiting) const;
    void schedule_tick();

    QDateTime opened_ = QDateTime::currentDateTimeUtc();
    JobServiceOptions options_;
    JobFolder folder_;
    std::map<JobId, Job> jobs_;
    std::map<JobId, FollowedRun> runs_;
    std::map<QString, JobKind> kinds_; ///< of domains, by name
    QTimer poll_timer_;
    QTimer folder_timer_;
    QString problem_; ///< why the folder can't be written
    bool is_starting_ = false;
    bool holds_queue_ = false;
};

/// The newest job that does this, among those that are over or among the others.
[[nodiscard]] std::optional<Job> newest_job(const JobService& jobs, const JobDescription& description,
                                            bool is_over);
/// The last event of the newest one that is over; empty where there is none, or where it failed.
[[nodiscard]] QJsonObject end_of_newest(const JobService& jobs, const JobDescription& description);

} // namespace sparsight
