#include "gui/jobs/job_service.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/worker_process.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QSaveFile>
#include <QStandardPaths>
#include <QStorageInfo>
#include <algorithm>
#include <csignal>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds folder_interval{1000};

const QString worker_name = QStringLiteral("sparsight-cli");

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

bool JobService::is_under_way(const JobDescription& description) const {
    return std::ranges::any_of(jobs_, [&](const auto& entry) {
        const Job& job = entry.second;
        return !is_over(job.state) && job.kind == description.kind &&
               job.workspace == description.workspace && job.arguments == description.arguments;
    });
}

bool JobService::has_active_jobs() const {
    return std::ranges::any_of(jobs_, [](const auto& entry) { return is_active(entry.second.state); });
}

bool JobService::is_measuring() const {
    return std::ranges::any_of(
        jobs_, [](const auto& entry) { return entry.second.measures() && is_active(entry.second.state); });
}

void JobService::set_worker_program(const QString& program) {
    options_.worker_program = program;
}

std::expected<JobId, QString> JobService::start(const JobRequest& request) {
    const auto conditions = launch_conditions(options_.worker_program, request.description().workspace);
    if (const auto refusal = request.refusal(conditions))
        return std::unexpected(*refusal);
    return start(request.description());
}

std::expected<JobId, QString> JobService::start(const JobDescription& description) {
    Job job;
    job.id = QUuid::createUuid();
    job.kind = description.kind;
    job.title = description.title;
    job.workload = description.workload;
    job.workspace = description.workspace;
    job.arguments = description.arguments;
    job.work = description.work;
    job.created = QDateTime::currentDateTimeUtc();
    for (const auto& [id, other] : jobs_)
        job.place = std::max(job.place, other.place + 1);
    if (!description.list.isEmpty())
        if (const auto saved = folder_.save_list(job.id, description.list); !saved)
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

std::expected<JobId, QString> JobService::add_recorded(const JobDescription& description,
                                                       const QByteArray& events) {
    for (const Job& known : jobs()) // of a demo workspace that was made before
        if (known.workspace == description.workspace && known.arguments == description.arguments &&
            is_over(known.state))
            remove(known.id);
    Job job;
    job.id = QUuid::createUuid();
    job.kind = description.kind;
    job.title = JobTexts::tr("%1 (recorded)").arg(description.title);
    job.workload = description.workload;
    job.workspace = description.workspace;
    job.arguments = description.arguments;
    job.state = JobState::Finished;
    job.summary = JobTexts::tr("The results come with the demo workspace.");
    job.created = QDateTime::currentDateTimeUtc();
    job.started = job.created;
    job.ended = job.created;
    QSaveFile file(folder_.events_file(job.id));
    if (!file.open(QIODevice::WriteOnly) || file.write(events) != events.size() || !file.commit())
        return std::unexpected(JobTexts::tr("%1 can't be written").arg(file.fileName()));
    if (const auto saved = folder_.save(job); !saved) {
        folder_.erase(job.id);
        return std::unexpected(saved.error());
    }
    const JobId id = job.id;
    jobs_.emplace(id, std::move(job));
    Q_EMIT job_added(id);
    return id;
}

std::expected<JobId, QString> JobService::restart(const JobId& id) {
    const auto job = this->job(id);
    if (!job)
        return std::unexpected(JobTexts::tr("This job is not there any more"));
    if (const auto refusal = action_refusal(JobAction::Restart, *job))
        return std::unexpected(*refusal);
    QFile list(folder_.list_file(id));
    QByteArray listed;
    if (list.exists()) { // without its list it would measure others
        if (!list.open(QIODevice::ReadOnly))
            return std::unexpected(JobTexts::tr("Its list, %1, can't be read").arg(list.fileName()));
        listed = list.readAll();
    }
    return start(JobDescription{job->kind, job->title, job->workspace, job->arguments, listed, job->workload,
                                job->work});
}

void JobService::stop(const JobId& id) {
    ask_to_end(id, JobAction::Stop);
}

void JobService::pause(const JobId& id) {
    ask_to_end(id, JobAction::Pause);
}

void JobService::kill(const JobId& id) {
    change(id, [](Job& job) {
        if (!is_active(job.state))
            return false;
        job.state = JobState::Stopping;
        send_signal(job.worker, SIGKILL);
        return true;
    });
}

void JobService::resume(const JobId& id) {
    change(id, [this](Job& job) {
        if (!is_allowed(JobAction::Resume, job))
            return false;
        // It was at work before all that wait, as their files say now: another window may have moved them.
        for (const auto& [other_id, known] : jobs_) {
            const auto other = folder_.load(other_id);
            if (other && other->state == JobState::Waiting)
                job.place = std::min(job.place, other->place - 1);
        }
        job.state = JobState::Waiting;
        return true;
    });
}

void JobService::remove(const JobId& id) {
    bool is_removed = false;
    {
        const auto lock = folder_.lock();
        if (!lock && lock.error() == JobFolder::LockRefusal::Held) {
            QTimer::singleShot(lock_retry, this, [this, id] { remove(id); });
            return;
        }
        const auto job = lock ? folder_.load(id) : this->job(id);
        is_removed = jobs_.contains(id) && job && is_allowed(JobAction::Remove, *job);
        if (is_removed)
            folder_.erase(id);
    }
    if (!is_removed)
        return take_over_changes();
    runs_.erase(id);
    jobs_.erase(id);
    Q_EMIT job_removed(id);
}

void JobService::hold_queue(bool holds) {
    holds_queue_ = holds;
    start_what_may_run();
}

void JobService::move_waiting(const JobId& id, int index) {
    std::vector<Job> moved;
    {
        // All places change under one lock: another window never sees, nor makes, half an order.
        const auto lock = folder_.lock();
        if (!lock && lock.error() == JobFolder::LockRefusal::Held) {
            QTimer::singleShot(lock_retry, this, [this, id, index] { move_waiting(id, index); });
            return;
        }
        if (!lock)
            return; // an order that can't be written would hold in this window only
        is_starting_ = true;
        take_over_changes();
        is_starting_ = false;
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
        for (std::size_t i = 0; i < order.size(); ++i) {
            Job job = jobs_.at(order[i]);
            if (job.place == places[i])
                continue;
            job.place = places[i];
            save(job);
            moved.push_back(std::move(job));
        }
    }
    for (Job& job : moved)
        take_over(std::move(job), true);
    start_what_may_run();
}

QString JobService::blocked_reason(const JobId& id) const {
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || found->second.state != JobState::Waiting)
        return {};
    const Job* const ahead = occupant(found->second);
    if (ahead == nullptr)
        return problem_;
    const QString reason = why_they_exclude_each_other(found->second, *ahead);
    QString title = QStringLiteral("“%1”").arg(ahead->title);
    if (ahead->workspace != found->second.workspace && !ahead->workspace.isEmpty())
        title =
            JobTexts::tr("%1 in the workspace %2").arg(title, QFileInfo(ahead->workspace).completeBaseName());
    return is_active(ahead->state) ? JobTexts::tr("Waits until %1 has ended: %2").arg(title, reason)
                                   : JobTexts::tr("%1 comes first: %2").arg(title, reason);
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
        if (id == waiting.id || !exclude_each_other(job, waiting))
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
    if (is_starting_ || holds_queue_ || waiting().empty())
        return;
    std::vector<JobId> launched;
    {
        const auto lock = folder_.lock();
        if (!lock) { // the next look at the folder tries again
            if (lock.error() == JobFolder::LockRefusal::Unwritable)
                problem_ = JobTexts::tr("The folder of the jobs, %1, can't be written").arg(folder_.path());
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

std::optional<Job> newest_job(const JobService& jobs, const JobDescription& description, bool is_over) {
    std::optional<Job> found;
    for (const Job& job : jobs.jobs()) {
        const bool is_of_it = job.kind == description.kind && job.workspace == description.workspace &&
                              job.arguments == description.arguments;
        if (is_of_it && sparsight::is_over(job.state) == is_over && (!found || job.created > found->created))
            found = job;
    }
    return found;
}

QJsonObject end_of_newest(const JobService& jobs, const JobDescription& description) {
    const auto job = newest_job(jobs, description, true);
    if (!job)
        return {};
    const QStringList lines = jobs.event_lines(job->id);
    for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
        const QJsonObject event = QJsonDocument::fromJson(line->toUtf8()).object();
        if (event.value(QStringLiteral("event")).toString() == QLatin1String("end"))
            return event;
    }
    return {};
}

} // namespace sparsight
