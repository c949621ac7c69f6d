// The part of JobService that has to do with the worker of a run: starting it, reading what it tells, ending
// it.
#include "gui/jobs/job_service.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/worker_process.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStorageInfo>
#include <csignal>

namespace sparsight {

void JobService::add_kind(const JobKind& kind) {
    kinds_.insert_or_assign(kind.name, kind);
    for (auto& [id, job] : jobs_) // read before the kind was known
        if (job.kind.name == kind.name)
            job.kind = kind;
}

namespace {

/// A worker that has told of its end closes the workspace; whoever copies it wants it closed.
constexpr qint64 longest_farewell_ms = 2000;
/// Another window writes the job before it has its process.
constexpr qint64 longest_start_s = 10;
constexpr qint64 full_disk_bytes = 1 << 20;
/// Of what runs on another computer one can't tell whether it still does.
JobState state_from_here(const Job& job) {
    return is_active(job.state) && job.worker.host != this_host() ? JobState::Unknown : job.state;
}

bool worker_may_live(const Job& job) {
    if (job.state == JobState::Unknown)
        return true;
    if (job.worker.pid == 0)
        return job.started.secsTo(QDateTime::currentDateTimeUtc()) < longest_start_s;
    return is_alive(job.worker);
}

} // namespace

void JobService::schedule_tick() {
    if (runs_.empty())
        poll_timer_.stop();
    else if (!poll_timer_.isActive())
        poll_timer_.start(options_.poll_interval);
}

void JobService::follow(Job& job) {
    FollowedRun run;
    run.offset = job.events_offset;
    if (job.state == JobState::Pausing || job.state == JobState::Stopping)
        run.since_asked.start();
    runs_.insert_or_assign(job.id, std::move(run));
    schedule_tick();
}

void JobService::tick() {
    std::vector<JobId> followed;
    for (const auto& [id, run] : runs_)
        followed.push_back(id);
    for (const JobId& id : followed)
        if (read_on(id))
            conclude(id);
    schedule_tick();
}

bool JobService::read_on(const JobId& id) {
    auto run = runs_.find(id);
    if (run == runs_.end())
        return false;
    // Asked before the events are read: what a dead worker has written is all there.
    const bool may_live = worker_may_live(jobs_.at(id));
    const NewLines found = read_new_lines(folder_.events_file(id), run->second.offset);
    run->second.offset = found.offset;
    for (const QByteArray& line : found.lines) {
        const QJsonObject event = QJsonDocument::fromJson(line).object();
        if (event.isEmpty())
            continue;
        take_event(run->second.report, event);
        Q_EMIT event_received(id, event);
        // Whoever heard of it may have removed the job.
        run = runs_.find(id);
        if (run == runs_.end())
            return false;
    }
    Job& job = jobs_.at(id);
    const bool is_overdue =
        run->second.since_asked.isValid() && run->second.since_asked.hasExpired(options_.stop_grace.count());
    const bool has_news = !found.lines.isEmpty() || is_overdue != job.stop_is_overdue;
    job.progress = run->second.report.progress;
    job.stop_is_overdue = is_overdue;
    if (run->second.report.end && !run->second.since_end.isValid())
        run->second.since_end.start();
    const bool has_ended =
        run->second.since_end.isValid() &&
        (job.state == JobState::Unknown || run->second.since_end.hasExpired(longest_farewell_ms));
    const bool is_over = found.at_end && (!may_live || has_ended);
    if (has_news && !is_over) // else conclude() tells it
        Q_EMIT job_changed(id);
    return is_over;
}

void JobService::conclude(const JobId& id) {
    const auto run = runs_.find(id);
    if (run == runs_.end())
        return;
    const auto lock = folder_.lock();
    if (!lock && lock.error() == JobFolder::LockRefusal::Held)
        return; // the next tick comes here again
    const RunReport report = run->second.report;
    runs_.erase(run);
    Job& job = jobs_.at(id);
    // Another window may have asked for a pause, seen the end before us, or even started it again since.
    const auto on_disk = folder_.load(id);
    const bool is_this_run = on_disk && on_disk->runs == job.runs;
    if (is_this_run && is_active(on_disk->state) && on_disk->state != JobState::Running)
        job.state = on_disk->state;
    if (const auto known = kinds_.find(job.kind.name); known != kinds_.end())
        job.kind = known->second; // a file holds no summary
    const RunOutcome outcome =
        outcome_of(job, report, last_bytes(folder_.log_file(id), job.log_offset, 10'000));
    const bool died = !report.end && outcome.state == JobState::Failed;
    job.state = outcome.state;
    job.summary = outcome.summary;
    job.error = outcome.error;
    if (died && QStorageInfo(folder_.path()).bytesAvailable() < full_disk_bytes)
        job.error +=
            u'\n' + JobTexts::tr("The disk with the folder of the jobs, %1, is full.").arg(folder_.path());
    job.stop_is_overdue = false;
    job.progress = report.progress;
    job.ended = QDateTime::currentDateTimeUtc();
    job.seconds_a_unit = seconds_a_unit(job, report);
    if (is_this_run && is_active(on_disk->state))
        save(job);
    else if (is_this_run)
        job = *on_disk;
    if (lock)
        (*lock)->unlock();
    Q_EMIT job_changed(id);
    Q_EMIT job_finished(id);
    if (on_disk && !is_this_run)
        take_over(*on_disk, true);
    start_what_may_run();
}

void JobService::launch(Job& job) {
    const auto fail = [this, &job](const QString& reason) {
        job.state = JobState::Failed;
        job.error = reason;
        job.ended = QDateTime::currentDateTimeUtc();
        save(job);
    };
    job.summary.clear();
    job.error.clear();
    job.progress = {};
    job.worker = {};
    job.worker.host = this_host();
    job.state = JobState::Running;
    job.started = QDateTime::currentDateTimeUtc();
    job.ended = {};
    ++job.runs;
    const auto events = folder_.begin_run(folder_.events_file(job.id));
    const auto log = folder_.begin_run(folder_.log_file(job.id));
    if (!events || !log)
        return fail(!events ? events.error() : log.error());
    job.events_offset = *events;
    job.log_offset = *log;
    // Before there is a worker: one that nobody knows of would be started a second time.
    if (const auto saved = folder_.save(job); !saved)
        return fail(saved.error());
    QStringList arguments = job.arguments;
    if (QFile::exists(folder_.list_file(job.id)))
        arguments << QStringLiteral("--from=") + folder_.list_file(job.id);
    const auto worker = start_worker({options_.worker_program, arguments, folder_.path(),
                                      folder_.events_file(job.id), folder_.log_file(job.id)});
    if (!worker)
        return fail(JobTexts::tr("The worker program %1 can't be started: %2")
                        .arg(options_.worker_program, worker.error()));
    job.worker = *worker;
    save(job);
    follow(job);
}

void JobService::change(const JobId& id, const std::function<bool(Job&)>& act) {
    if (!jobs_.contains(id))
        return;
    std::optional<Job> job;
    {
        const auto lock = folder_.lock();
        if (!lock && lock.error() == JobFolder::LockRefusal::Held) {
            QTimer::singleShot(lock_retry, this, [this, id, act] { change(id, act); });
            return;
        }
        // A folder that can't be written keeps nobody from ending what runs.
        job = lock ? folder_.load(id) : this->job(id);
        if (job)
            job->state = state_from_here(*job);
        if (job && !act(*job))
            job.reset();
        if (job)
            save(*job);
    }
    if (job)
        take_over(*job, true);
    else
        take_over_changes(); // something else is the case than was shown
    start_what_may_run();
}

void JobService::ask_to_end(const JobId& id, JobAction action) {
    change(id, [action](Job& job) {
        if (!is_allowed(action, job))
            return false;
        const bool is_pause = action == JobAction::Pause;
        if (is_active(job.state)) {
            // A second signal would drop what is in flight.
            if (job.state == JobState::Running)
                send_signal(job.worker, SIGINT);
            job.state = is_pause ? JobState::Pausing : JobState::Stopping;
            return true;
        }
        job.state = is_pause ? JobState::Paused : JobState::Stopped;
        job.ended = QDateTime::currentDateTimeUtc();
        if (job.runs == 0 && !is_pause)
            job.summary = JobTexts::tr("Taken out of the queue before it was started");
        return true;
    });
}

void JobService::take_over_changes() {
    const JobFolder::Changes changes = folder_.changes();
    for (const Job& job : changes.jobs)
        take_over(job, true);
    for (const JobId& id : changes.gone) {
        runs_.erase(id);
        if (jobs_.erase(id) > 0)
            Q_EMIT job_removed(id);
    }
}

void JobService::take_over(Job on_disk, bool is_news) {
    const JobId id = on_disk.id;
    on_disk.state = state_from_here(on_disk);
    const auto known = jobs_.find(id);
    const auto run = runs_.find(id);
    const bool is_same_run = known != jobs_.end() && run != runs_.end() && known->second.runs == on_disk.runs;
    // A run that began and ended between two looks is told of like any other.
    const bool was_missed = is_news && on_disk.runs > (known == jobs_.end() ? 0 : known->second.runs);
    if (was_missed && (is_over(on_disk.state) || on_disk.state == JobState::Paused))
        on_disk.state = JobState::Running;
    const bool has_worker = is_active(on_disk.state) || on_disk.state == JobState::Unknown;
    if (is_same_run && !has_worker)
        return; // another window has seen the end; we shall, too
    if (is_same_run) {
        on_disk.progress = known->second.progress;
        if (on_disk.state != JobState::Running && !run->second.since_asked.isValid())
            run->second.since_asked.start();
    }
    const bool is_new = known == jobs_.end();
    Job& job = jobs_.insert_or_assign(id, std::move(on_disk)).first->second;
    if (has_worker && !is_same_run)
        follow(job);
    if (is_new)
        Q_EMIT job_added(id);
    else
        Q_EMIT job_changed(id);
}

void JobService::save(const Job& job) {
    // What can't be written is kept in mind; the job itself does not suffer.
    const auto saved = folder_.save(job);
    problem_ = saved ? QString() : saved.error();
}

} // namespace sparsight
