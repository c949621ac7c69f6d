#include "gui/runs/training_runs.h"

#include "gui/jobs/job_service.h"
#include "gui/jobs/json_values.h"
#include "gui/page/domain_words.h"
#include "gui/workspace/background_work.h"
#include "gui/workspace/workspace_session.h"

#include <QJsonArray>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

std::optional<double> number_in(const QJsonObject& object, const char* key) {
    const QJsonValue value = member(object, key);
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

void take_epoch(LiveRun& live, const QJsonObject& event) {
    live.epoch = member(event, "epoch").toInt();
    live.rate = number_in(event, "rate");
    live.examples_per_second = number_in(event, "examples_per_second");
    live.memory_bytes = number_in(event, "memory_bytes");
    if (member(event, "is_best").toBool())
        live.best_epoch = live.epoch;
}

} // namespace

RunId LiveRuns::begin(const JobId& job, const QJsonObject& event) {
    LiveRun live;
    live.job = job;
    live.run = RunId{member(event, "run").toInteger()};
    live.name = member(event, "name").toString();
    live.epochs = member(event, "epochs").toInt();
    for (const QJsonValue& note : member(event, "notes").toArray())
        live.notes << note.toString();
    const RunId run = live.run;
    runs_[job] = std::move(live);
    told_[job] = {event};
    return run;
}

std::optional<RunId> LiveRuns::take(const JobId& job, const QJsonObject& event) {
    const auto found = runs_.find(job);
    if (found == runs_.end())
        return std::nullopt;
    LiveRun& live = found->second;
    const QString name = member(event, "event").toString();
    if (name == QLatin1String("steps"))
        live.step = std::max<std::int64_t>(live.step, member(event, "first").toInteger() - 1 +
                                                          member(event, "losses").toArray().size());
    else if (name == QLatin1String("epoch"))
        take_epoch(live, event);
    else if (name == QLatin1String("progress"))
        live.seconds_left = number_in(event, "seconds_left");
    else if (name == QLatin1String("end"))
        live.end = event;
    told_[job].push_back(event);
    return live.run;
}

const LiveRun* LiveRuns::find(const JobId& job) const {
    const auto found = runs_.find(job);
    return found == runs_.end() ? nullptr : &found->second;
}

const LiveRun* LiveRuns::of_run(RunId run, const IsWanted& is_wanted) const {
    const LiveRun* farthest = nullptr;
    for (const auto& [job, live] : runs_)
        if (live.run == run && is_wanted(job) && (farthest == nullptr || live.step >= farthest->step))
            farthest = &live;
    return farthest;
}

std::vector<QJsonObject> LiveRuns::events_of(RunId run, const IsWanted& is_wanted) const {
    std::vector<QJsonObject> events;
    for (const auto& [job, told] : told_)
        if (runs_.at(job).run == run && is_wanted(job))
            events.insert(events.end(), told.begin(), told.end());
    return events;
}

void LiveRuns::forget_others(RunId run, const JobId& but, const IsWanted& is_wanted) {
    std::erase_if(told_, [&](const auto& entry) {
        return entry.first != but && runs_.at(entry.first).run == run && is_wanted(entry.first);
    });
}

void LiveRuns::forget(const IsWanted& is_gone, const IsWanted& is_over) {
    std::erase_if(told_, [&](const auto& entry) { return is_gone(entry.first) || is_over(entry.first); });
    std::erase_if(runs_, [&](const auto& entry) { return is_gone(entry.first); });
}

namespace {

constexpr std::chrono::seconds busy_timeout{2};
constexpr std::chrono::seconds holders_interval{1};

Result<Workspace> open_for_reading(const std::string& file) {
    return Workspace::open(file, {.access = WorkspaceAccess::Read, .busy_timeout = busy_timeout});
}

struct StoredRun {
    RunCurves curves;
    ShotPoints shots;
};

QString text_of(RunId id) {
    return QStringLiteral("run %1").arg(static_cast<qint64>(id));
}

Result<StoredRun> read_one(const std::string& file, RunId id) {
    auto workspace = open_for_reading(file);
    if (!workspace)
        return std::unexpected(workspace.error());
    auto curves = read_curves(*workspace, id);
    if (!curves)
        return std::unexpected(curves.error());
    auto shots = read_shots(*workspace, id);
    if (!shots)
        return std::unexpected(shots.error());
    return StoredRun{std::move(*curves), std::move(*shots)};
}

} // namespace

TrainingRuns::TrainingRuns(WorkspaceSession& session, JobService& jobs, QObject* parent)
    : QObject(parent)
    , session_(session)
    , jobs_(jobs) {
    pause_.setSingleShot(true);
    pause_.setInterval(shortest_interval);
    connect(&pause_, &QTimer::timeout, this, &TrainingRuns::tell);
    holders_look_.setInterval(holders_interval);
    connect(&holders_look_, &QTimer::timeout, this, &TrainingRuns::look_at_holders);
    connect(&session, &WorkspaceSession::opened, this, &TrainingRuns::forget);
    connect(&session, &WorkspaceSession::closed, this, &TrainingRuns::forget);
    connect(&session, &WorkspaceSession::domain_changed, this, &TrainingRuns::forget);
    // Said whenever the file has changed, by whomever.
    connect(&session, &WorkspaceSession::measurements_changed, this, &TrainingRuns::read_stored);
    connect(&jobs, &JobService::event_received, this, &TrainingRuns::take);
    connect(&jobs, &JobService::job_finished, this, &TrainingRuns::take_end);
}

void TrainingRuns::forget() {
    reader_.cancel();
    holders_reader_.cancel();
    holders_look_.stop();
    stored_ = {};
    ended_unread_.clear();
    known_.clear();
    being_read_.clear();
    changed_.clear();
    told_failures_.clear();
    live_.forget([this](const JobId& id) { return !jobs_.job(id); },
                 [this](const JobId& id) { // what has ended is in its workspace as a whole
                     const auto job = jobs_.job(id);
                     return job && is_over(job->state);
                 });
    Q_EMIT stored_changed();
}

void TrainingRuns::read_stored() {
    if (!session_.is_open())
        return;
    reader_.ask(
        [file = session_.path().toStdString(), &domain = session_.domain(),
         &domains = session_.domains()](const std::stop_token&) -> Result<StoredLearning> {
            auto workspace = open_for_reading(file);
            if (!workspace)
                return std::unexpected(workspace.error());
            return read_learning(*workspace, domain, domains);
        },
        [this, file = session_.path(), domain = &session_.domain(),
         ended = ended_unread_](Result<StoredLearning> learning, bool) {
            if (file != session_.path() || domain != &session_.domain())
                return;
            const QString reason = learning ? QString() : QString::fromStdString(learning.error().text());
            if (reason != std::exchange(told_failure_, reason))
                tell_of_reading(QStringLiteral("list"), reason);
            if (!learning)
                return;
            const bool is_caught_up =
                std::erase_if(ended_unread_, [&](const JobId& job) { return ended.contains(job); }) > 0;
            if (is_caught_up || *learning != stored_)
                take_stored(*std::move(learning));
        });
}

/// Without a reason it went well, after it had not.
void TrainingRuns::tell_of_reading(const QString& what, const QString& reason) {
    if (reason.isEmpty())
        Q_EMIT recovered(what);
    else
        Q_EMIT failed(reason, what);
}

void TrainingRuns::take_stored(StoredLearning learning) {
    stored_ = std::move(learning);
    if (std::ranges::all_of(stored_.runs, [](const TrainingRun& run) { return run.worker == 0; }))
        holders_look_.stop();
    else if (!holders_look_.isActive())
        holders_look_.start();
    Q_EMIT stored_changed();
}

void TrainingRuns::look_at_holders() {
    if (!session_.is_open() || holders_reader_.is_busy())
        return;
    holders_reader_.ask(
        [file = session_.path().toStdString()](const std::stop_token&) -> Result<std::vector<RunHolder>> {
            auto workspace = open_for_reading(file);
            if (!workspace)
                return std::unexpected(workspace.error());
            return live_holders(*workspace);
        },
        [this, file = session_.path()](const Result<std::vector<RunHolder>>& holders, bool) {
            if (file != session_.path() || !holders) // the next look tries again
                return;
            StoredLearning learning = stored_;
            set_workers(learning.runs, *holders);
            if (learning != stored_)
                take_stored(std::move(learning));
        });
}

void TrainingRuns::take_end(const JobId& id) {
    const auto job = jobs_.job(id);
    if (!job || !job->learns() || !is_of_open_workspace(id))
        return;
    ended_unread_.insert(id);
    session_.refresh();
}

const DomainWords& TrainingRuns::words() const {
    return session_.domain().words();
}

const TrainingRun* TrainingRuns::run(RunId id) const {
    const auto found = std::ranges::find(stored_.runs, id, &TrainingRun::id);
    return found == stored_.runs.end() ? nullptr : &*found;
}

const KnownModel* TrainingRuns::model(const QString& name) const {
    const auto found = std::ranges::find(stored_.models, name, &KnownModel::name);
    return found == stored_.models.end() ? nullptr : &*found;
}

QStringList TrainingRuns::model_names() const {
    QStringList names;
    for (const KnownModel& model : stored_.models)
        names << model.name;
    return names;
}

QString TrainingRuns::machine_name(const QString& fingerprint) const {
    for (const auto* sources : {&stored_.sources, &stored_.imagined})
        if (const auto found = std::ranges::find(*sources, fingerprint, &LearningSource::machine);
            found != sources->end())
            return found->name;
    return fingerprint;
}

QString TrainingRuns::no_evaluation_of(const EvaluationLink& link) const {
    QStringList parts;
    if (!link.model.isEmpty())
        parts << tr("model %1").arg(link.model);
    if (!link.machine.isEmpty()) {
        const MachineRecord* const machine = session_.machine(link.machine);
        parts << tr("machine %1")
                     .arg(machine == nullptr ? link.machine : QString::fromStdString(machine->name));
    }
    if (!link.workload.isEmpty())
        parts << tr("%1 %2").arg(one(words().workload), link.workload);
    const QString last = parts.isEmpty() ? QString() : parts.takeLast();
    const QString all = parts.isEmpty() ? last : tr("%1 and %2").arg(parts.join(QStringLiteral(", ")), last);
    return tr("No evaluation has %1. The newest one is shown.").arg(all);
}

const LiveRun* TrainingRuns::live(RunId id) const {
    return live_.of_run(id, of_open_workspace());
}

const LiveRun* TrainingRuns::live_of(const JobId& job) const {
    return is_of_open_workspace(job) ? live_.find(job) : nullptr;
}

std::optional<Job> TrainingRuns::job_of(RunId id) const {
    const TrainingRun* stored = run(id);
    std::optional<Job> ended;
    for (const Job& job : jobs_.jobs()) {
        if (!job.learns() || !is_of_open_workspace(job.id))
            continue;
        // One that was just asked for has told nothing yet; it will work at the run of its name.
        const LiveRun* live = live_of(job.id);
        const bool is_its =
            live != nullptr ? live->run == id
                            : stored != nullptr && !is_over(job.state) &&
                                  (job.kind == JobKind::Train) == (stored->kind == QStringLiteral("train")) &&
                                  job.arguments.contains(QStringLiteral("--name=") + stored->name);
        if (is_its && !is_over(job.state))
            return job;
        if (is_its && !ended)
            ended = job;
    }
    return ended;
}

bool TrainingRuns::is_of_open_workspace(const JobId& job) const {
    const auto known = jobs_.job(job);
    return known && session_.is_open() && known->workspace == session_.path();
}

LiveRuns::IsWanted TrainingRuns::of_open_workspace() const {
    return [this](const JobId& job) { return is_of_open_workspace(job); };
}

bool TrainingRuns::has_read(RunId id) const {
    const auto found = known_.find(id);
    return found != known_.end() && found->second.is_from_store;
}

const RunCurves* TrainingRuns::curves(RunId id) {
    if (has_read(id))
        return &known_.at(id).curves;
    read_run(id);
    return nullptr;
}

const ShotPoints* TrainingRuns::shots(RunId id) {
    return curves(id) == nullptr ? nullptr : &known_.at(id).shots;
}

void TrainingRuns::read_run(RunId id) {
    if (!session_.is_open() || !being_read_.insert(id).second)
        return;
    in_background(
        this, [file = session_.path().toStdString(), id] { return read_one(file, id); },
        [this, file = session_.path(), id](Result<StoredRun> run) {
            if (file != session_.path() || being_read_.erase(id) == 0)
                return;
            if (!run) {
                // Views ask again whenever something changes; the reason is told once.
                const QString reason = QString::fromStdString(run.error().text());
                if (reason != std::exchange(told_failures_[id], reason))
                    tell_of_reading(text_of(id), reason);
                return;
            }
            if (told_failures_.erase(id) > 0)
                tell_of_reading(text_of(id), {});
            Known& known = known_[id];
            known.curves = std::move(run->curves);
            known.shots = std::move(run->shots);
            known.is_from_store = true;
            take_told(id, known);
            mark(id);
        });
}

void TrainingRuns::take_told(RunId id, Known& known) const {
    for (const QJsonObject& event : live_.events_of(id, of_open_workspace())) {
        known.curves.take(event);
        known.shots.take(event);
    }
}

void TrainingRuns::begin(const JobId& id, const QJsonObject& event) {
    const RunId run = live_.begin(id, event);
    if (!is_of_open_workspace(id))
        return;
    // What was told before it was paused is in the workspace, or will have been.
    live_.forget_others(run, id, of_open_workspace());
    known_.erase(run);
    read_run(run);
    session_.refresh();
}

void TrainingRuns::take(const JobId& id, const QJsonObject& event) {
    const auto job = jobs_.job(id);
    if (!job || !job->learns())
        return;
    if (member(event, "event").toString() == QLatin1String("start"))
        return begin(id, event);
    const auto run = live_.take(id, event);
    if (!run || !is_of_open_workspace(id))
        return;
    // One that is being read takes everything that was told once it is there.
    if (const auto known = known_.find(*run); known != known_.end() && known->second.is_from_store) {
        known->second.curves.take(event);
        known->second.shots.take(event);
    }
    mark(*run);
}

void TrainingRuns::mark(RunId id) {
    changed_.insert(id);
    if (!pause_.isActive())
        pause_.start();
}

void TrainingRuns::tell() {
    for (const RunId id : std::exchange(changed_, {}))
        Q_EMIT curves_changed(static_cast<qint64>(id));
}

} // namespace sparsight
