#include "gui/jobs/job_service.h"

#include "gui/jobs/job_actions.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/worker_process.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QStorageInfo>
#include <algorithm>
#include <csignal>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds folder_interval{1000};
/// A worker that has told of its end closes the workspace; whoever copies it wants it closed.
constexpr qint64 longest_farewell_ms = 2000;
/// Another window writes the job before it has its process.
constexpr qint64 longest_start_s = 10;
constexpr qint64 full_disk_bytes = 1 << 20;

const QString worker_name = QStringLiteral("sparsight-cli");

/// Measurements spoil each other; additions wait for each other's writes.
bool share_a_lane(const Job& a, const Job& b) {
    return a.measures() == b.measures();
}

bool worker_may_live(const Job& job) {
    if (job.state == JobState::Unknown)
        return true;
    if (job.worker.pid == 0)
        return job.started.secsTo(QDateTime::currentDateTimeUtc()) < longest_start_s;
    return is_alive(job.worker);
}

QString last_bytes(const QString& path, qint64 from, qint64 most) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const qint64 start = std::max(from, file.size() - most);
    if (start > 0)
        file.seek(start);
    return QString::fromUtf8(file.read(most));
}

int group_of(JobState state) {
    return is_active(state) ? 0 : state == JobState::Waiting ? 1 : 2;
}

/// The order of a list: what runs, what waits, what was.
bool comes_before(const Job& a, const Job& b) {
    if (group_of(a.state) != group_of(b.state))
        return group_of(a.state) < group_of(b.state);
    if (a.state == JobState::Waiting)
        return a.place < b.place;
    return a.created > b.created;
}

} // namespace

QString find_worker_program(const QString& chosen) {
    if (!chosen.isEmpty())
        return chosen;
    const QFileInfo beside(QCoreApplication::applicationDirPath() + u'/' + worker_name);
    return beside.isExecutable() ? beside.absoluteFilePath() : QStandardPaths::findExecutable(worker_name);
}

QString default_jobs_folder() {
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/jobs");
}

JobService::JobService(JobServiceOptions options, QObject* parent)
    : QObject(parent)
    , options_(std::move(options))
    , folder_(options_.folder) {
    connect(&poll_timer_, &QTimer::timeout, this, &JobService::tick);
    connect(&folder_timer_, &QTimer::timeout, this, [this] {
        take_over_changes();
        start_what_may_run();
    });
    for (Job& job : folder_.changes().jobs)
        take_over(std::move(job), false);
    for (const JobId& id : outdated(jobs(), QDateTime::currentDateTimeUtc())) {
        jobs_.erase(id);
        folder_.erase(id);
    }
    folder_timer_.start(folder_interval);
    // Not now: nobody has connected to the signals yet.
    QTimer::singleShot(0, this, &JobService::start_what_may_run);
}

JobService::~JobService() = default;

std::vector<Job> JobService::jobs() const {
    std::vector<Job> jobs;
    jobs.reserve(jobs_.size());
    for (const auto& [id, job] : jobs_)
        jobs.push_back(job);
    std::ranges::sort(jobs, comes_before);
    return jobs;
}

std::optional<Job> JobService::job(const JobId& id) const {
    const auto found = jobs_.find(id);
    return found == jobs_.end() ? std::nullopt : std::optional(found->second);
}

bool JobService::has_active_jobs() const {
    return std::ranges::any_of(jobs_, [](const auto& entry) { return is_active(entry.second.state); });
}

void JobService::set_worker_program(const QString& program) {
    options_.worker_program = program;
}

std::expected<JobId, QString> JobService::start(const JobRequest& request) {
    const JobDescription description = describe(request);
    const auto conditions = launch_conditions(options_.worker_program, description.workspace);
    if (const auto refusal = launch_refusal(request, conditions))
        return std::unexpected(*refusal);
    return start(description);
}

std::expected<JobId, QString> JobService::start(const JobDescription& description) {
    Job job;
    job.id = QUuid::createUuid();
    job.kind = description.kind;
    job.title = description.title;
    job.workspace = description.workspace;
    job.arguments = description.arguments;
    job.created = QDateTime::currentDateTimeUtc();
    for (const auto& [id, other] : jobs_)
        job.place = std::max(job.place, other.place + 1);
    if (!description.schedule_list.isEmpty())
        if (const auto saved = folder_.save_list(job.id, description.schedule_list); !saved)
            return std::unexpected(saved.error());
    if (const auto saved = folder_.save(job); !saved) {
        folder_.erase(job.id);
        return std::unexpected(saved.error());
    }
    const JobId id = job.id;
    jobs_.emplace(id, std::move(job));
    Q_EMIT job_added(id);
    start_what_may_run();
    return id;
}

std::expected<JobId, QString> JobService::restart(const JobId& id) {
    const auto job = this->job(id);
    if (!job)
        return std::unexpected(JobTexts::tr("This job is not there any more"));
    if (const auto refusal = action_refusal(JobAction::Restart, *job))
        return std::unexpected(*refusal);
    QFile list(folder_.list_file(id));
    QByteArray schedules;
    if (list.exists()) { // without its list it would measure others
        if (!list.open(QIODevice::ReadOnly))
            return std::unexpected(
                JobTexts::tr("Its list of schedules, %1, can't be read").arg(list.fileName()));
        schedules = list.readAll();
    }
    return start(JobDescription{job->kind, job->title, job->workspace, job->arguments, schedules});
}

void JobService::stop(const JobId& id) {
    const auto job = this->job(id);
    if (job && is_allowed(JobAction::Stop, *job))
        ask_to_end(jobs_.at(id), JobState::Stopping);
}

void JobService::pause(const JobId& id) {
    const auto job = this->job(id);
    if (job && is_allowed(JobAction::Pause, *job))
        ask_to_end(jobs_.at(id), JobState::Pausing);
}

void JobService::kill(const JobId& id) {
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || !is_active(found->second.state))
        return;
    Job& job = found->second;
    job.state = JobState::Stopping;
    save(job);
    send_signal(job.worker, SIGKILL);
    Q_EMIT job_changed(id);
}

void JobService::resume(const JobId& id) {
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || !is_allowed(JobAction::Resume, found->second))
        return;
    Job& job = found->second;
    // It was at work before all that wait.
    for (const auto& [other_id, other] : jobs_)
        if (other.state == JobState::Waiting)
            job.place = std::min(job.place, other.place - 1);
    job.state = JobState::Waiting;
    save(job);
    Q_EMIT job_changed(id);
    start_what_may_run();
}

void JobService::remove(const JobId& id) {
    const auto job = this->job(id);
    if (!job || !is_allowed(JobAction::Remove, *job))
        return;
    runs_.erase(id);
    jobs_.erase(id);
    folder_.erase(id);
    Q_EMIT job_removed(id);
}

void JobService::move_waiting(const JobId& id, int index) {
    std::vector<JobId> order = waiting();
    const auto at = std::ranges::find(order, id);
    if (at == order.end())
        return;
    order.erase(at);
    order.insert(order.begin() + std::clamp<std::ptrdiff_t>(index, 0, std::ssize(order)), id);
    // The places that are taken, given out anew: whoever comes later stays behind.
    std::vector<int> places;
    for (const JobId& one : order)
        places.push_back(jobs_.at(one).place);
    std::ranges::sort(places);
    std::vector<JobId> moved;
    for (std::size_t i = 0; i < order.size(); ++i) {
        Job& job = jobs_.at(order[i]);
        if (job.place == places[i])
            continue;
        job.place = places[i];
        save(job);
        moved.push_back(order[i]);
    }
    for (const JobId& one : moved)
        Q_EMIT job_changed(one);
}

QString JobService::blocked_reason(const JobId& id) const {
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || found->second.state != JobState::Waiting)
        return {};
    const Job* const ahead = occupant(found->second);
    if (ahead == nullptr)
        return problem_;
    const bool runs = is_active(ahead->state);
    if (found->second.measures())
        return runs ? JobTexts::tr(
                          "Waits until “%1” has ended: two measurements at once would spoil each other")
                          .arg(ahead->title)
                    : JobTexts::tr("“%1” comes first: two measurements at once would spoil each other")
                          .arg(ahead->title);
    return runs ? JobTexts::tr("Waits until “%1” has ended: matrices are added one job at a time")
                      .arg(ahead->title)
                : JobTexts::tr("“%1” comes first: matrices are added one job at a time").arg(ahead->title);
}

QStringList JobService::event_lines(const JobId& id, int most) const {
    constexpr qint64 longest_line = 1024;
    QStringList lines =
        last_bytes(folder_.events_file(id), 0, most * longest_line).split(u'\n', Qt::SkipEmptyParts);
    if (lines.size() > most)
        lines.remove(0, lines.size() - most);
    return lines;
}

QString JobService::log_text(const JobId& id, int most_bytes) const {
    return last_bytes(folder_.log_file(id), 0, most_bytes);
}

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
    const RunReport report = run->second.report;
    runs_.erase(run);
    Job& job = jobs_.at(id);
    const auto lock = folder_.lock();
    // Another window may have asked for a pause, seen the end before us, or even started it again since.
    const auto on_disk = folder_.load(id);
    const bool is_this_run = on_disk && on_disk->runs == job.runs;
    if (is_this_run && is_active(on_disk->state) && job.state == JobState::Running)
        job.state = on_disk->state;
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
    if (is_this_run && is_active(on_disk->state))
        save(job);
    else if (is_this_run)
        job = *on_disk;
    if (lock)
        lock->unlock();
    Q_EMIT job_changed(id);
    Q_EMIT job_finished(id);
    if (on_disk && !is_this_run)
        take_over(*on_disk, true);
    start_what_may_run();
}

std::vector<JobId> JobService::waiting() const {
    std::vector<JobId> waiting;
    for (const auto& [id, job] : jobs_)
        if (job.state == JobState::Waiting)
            waiting.push_back(id);
    std::ranges::sort(waiting, {}, [this](const JobId& id) { return jobs_.at(id).place; });
    return waiting;
}

const Job* JobService::occupant(const Job& waiting) const {
    const Job* first = nullptr;
    for (const auto& [id, job] : jobs_) {
        if (id == waiting.id || !share_a_lane(job, waiting))
            continue;
        if (is_active(job.state))
            return &job;
        const bool is_ahead = job.state == JobState::Waiting && job.place < waiting.place;
        if (is_ahead && (first == nullptr || job.place < first->place))
            first = &job;
    }
    return first;
}

void JobService::start_what_may_run() {
    // Whoever hears of a change may ask for more; it is seen to in the same go.
    if (is_starting_ || waiting().empty())
        return;
    std::vector<JobId> launched;
    {
        const auto lock = folder_.lock();
        if (!lock) {
            // Another window is at it, or the folder can't be written; the next look at the folder tries
            // again.
            problem_ = JobTexts::tr("The folder of the jobs, %1, can't be written, or another window does so")
                           .arg(folder_.path());
            return;
        }
        problem_.clear();
        is_starting_ = true;
        take_over_changes();
        is_starting_ = false;
        for (const JobId& id : waiting()) {
            Job& job = jobs_.at(id);
            if (occupant(job) != nullptr)
                continue;
            launch(job);
            launched.push_back(id);
        }
    }
    bool any_failed = false;
    for (const JobId& id : launched) {
        Q_EMIT job_changed(id);
        const auto job = this->job(id);
        if (job && job->state == JobState::Failed) {
            any_failed = true;
            Q_EMIT job_finished(id);
        }
    }
    if (any_failed)
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

void JobService::ask_to_end(Job& job, JobState state) {
    const JobId id = job.id;
    if (!is_active(job.state)) {
        job.state = state == JobState::Pausing ? JobState::Paused : JobState::Stopped;
        job.ended = QDateTime::currentDateTimeUtc();
        if (job.runs == 0 && state == JobState::Stopping)
            job.summary = JobTexts::tr("Taken out of the queue before it was started");
        save(job);
        Q_EMIT job_changed(id);
        start_what_may_run();
        return;
    }
    // A second signal would drop what is in flight.
    const bool is_asked_already = job.state != JobState::Running;
    job.state = state;
    save(job);
    if (const auto run = runs_.find(id); run != runs_.end() && !run->second.since_asked.isValid())
        run->second.since_asked.start();
    if (!is_asked_already)
        send_signal(job.worker, SIGINT);
    Q_EMIT job_changed(id);
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
    if (is_active(on_disk.state) && on_disk.worker.host != this_host())
        on_disk.state = JobState::Unknown;
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
