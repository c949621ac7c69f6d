#include "gui/jobs/job.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/json_values.h"

#include <QJsonArray>
#include <array>
#include <utility>

namespace sparsight {

namespace {

constexpr int version = 1;

/// What a file says of a kind that its domain has not added yet.
QJsonObject traits_json(const JobKind& kind) {
    return {{QStringLiteral("measures"), kind.measures},
            {QStringLiteral("learns"), kind.learns},
            {QStringLiteral("short"), kind.is_short},
            {QStringLiteral("adds"), QJsonArray::fromStringList(kind.adds)}};
}

JobKind kind_from(const QString& name, const QJsonObject& traits) {
    for (const JobKind* const known :
         {&JobKind::Collect, &JobKind::Probe, &JobKind::Calibrate, &JobKind::Import, &JobKind::Train,
          &JobKind::FineTune, &JobKind::Search, &JobKind::Evaluate})
        if (known->name == name)
            return *known;
    return {.name = name,
            .measures = member(traits, "measures").toBool(),
            .learns = member(traits, "learns").toBool(),
            .is_short = member(traits, "short").toBool(),
            .adds = texts_of(member(traits, "adds").toArray())};
}

// The names in the job files; they never change.
constexpr std::array<std::pair<JobState, const char*>, 9> states{{{JobState::Waiting, "waiting"},
                                                                  {JobState::Running, "running"},
                                                                  {JobState::Pausing, "pausing"},
                                                                  {JobState::Paused, "paused"},
                                                                  {JobState::Stopping, "stopping"},
                                                                  {JobState::Finished, "finished"},
                                                                  {JobState::Stopped, "stopped"},
                                                                  {JobState::Failed, "failed"},
                                                                  {JobState::Unknown, "unknown"}}};

template <typename T, std::size_t N>
QString name_of(const std::array<std::pair<T, const char*>, N>& names, T value) {
    for (const auto& [known, name] : names)
        if (known == value)
            return QString::fromLatin1(name);
    return {};
}

template <typename T, std::size_t N>
std::optional<T> named(const std::array<std::pair<T, const char*>, N>& names, const QString& text) {
    for (const auto& [value, name] : names)
        if (text == QLatin1String(name))
            return value;
    return std::nullopt;
}

QString text_of(const QDateTime& time) {
    return time.isValid() ? time.toUTC().toString(Qt::ISODateWithMs) : QString();
}

QDateTime time_from(const QJsonValue& value) {
    return QDateTime::fromString(value.toString(), Qt::ISODateWithMs);
}

} // namespace

bool is_active(JobState state) {
    return state == JobState::Running || state == JobState::Pausing || state == JobState::Stopping;
}

bool is_over(JobState state) {
    return state == JobState::Finished || state == JobState::Stopped || state == JobState::Failed;
}

bool exclude_each_other(const Job& a, const Job& b) {
    if (a.measures() || b.measures())
        return true;
    if (a.adds_workloads() || b.adds_workloads())
        return a.adds_workloads() == b.adds_workloads();
    return a.learns() == b.learns();
}

QJsonObject to_json(const Job& job) {
    return {
        {QStringLiteral("version"), version},
        {QStringLiteral("id"), job.id.toString(QUuid::WithoutBraces)},
        {QStringLiteral("kind"), job.kind.name},
        {QStringLiteral("traits"), traits_json(job.kind)},
        {QStringLiteral("workload"), QString::fromStdString(job.workload.one)},
        {QStringLiteral("workloads"), QString::fromStdString(job.workload.many)},
        {QStringLiteral("title"), job.title},
        {QStringLiteral("workspace"), job.workspace},
        {QStringLiteral("arguments"), QJsonArray::fromStringList(job.arguments)},
        {QStringLiteral("state"), name_of(states, job.state)},
        {QStringLiteral("done"), job.progress.done},
        {QStringLiteral("total"), job.progress.total},
        {QStringLiteral("summary"), job.summary},
        {QStringLiteral("error"), job.error},
        {QStringLiteral("created"), text_of(job.created)},
        {QStringLiteral("started"), text_of(job.started)},
        {QStringLiteral("ended"), text_of(job.ended)},
        {QStringLiteral("work"), job.work},
        {QStringLiteral("seconds_a_unit"), job.seconds_a_unit},
        {QStringLiteral("place"), job.place},
        {QStringLiteral("runs"), job.runs},
        {QStringLiteral("pid"), job.worker.pid},
        // As text: a JSON number is exact up to 2⁵³ only.
        {QStringLiteral("start_ticks"), QString::number(job.worker.start_ticks)},
        {QStringLiteral("boot"), job.worker.boot},
        {QStringLiteral("host"), job.worker.host},
        {QStringLiteral("events_offset"), job.events_offset},
        {QStringLiteral("log_offset"), job.log_offset},
    };
}

std::optional<Job> job_from_json(const QJsonObject& json) {
    const auto value = [&json](const char* key) { return json.value(QLatin1String(key)); };
    const auto whole = [&value](const char* key) { return value(key).toInteger(); };
    const auto state = named(states, value("state").toString());
    Job job;
    job.id = QUuid::fromString(value("id").toString());
    job.kind = kind_from(value("kind").toString(), value("traits").toObject());
    if (value("version").toInt() != version || job.kind.name.isEmpty() || !state || job.id.isNull())
        return std::nullopt;
    if (value("workload").isString())
        job.workload = {value("workload").toString().toStdString(),
                        value("workloads").toString().toStdString()};
    job.state = *state;
    job.title = value("title").toString();
    job.workspace = value("workspace").toString();
    for (const QJsonValue& argument : value("arguments").toArray())
        job.arguments.append(argument.toString());
    job.progress.done = whole("done");
    job.progress.total = whole("total");
    job.summary = value("summary").toString();
    job.error = value("error").toString();
    job.created = time_from(value("created"));
    job.started = time_from(value("started"));
    job.ended = time_from(value("ended"));
    job.work = value("work").toDouble();
    job.seconds_a_unit = value("seconds_a_unit").toDouble();
    job.place = value("place").toInt();
    job.runs = value("runs").toInt();
    job.worker = {whole("pid"), value("start_ticks").toString().toULongLong(), value("boot").toString(),
                  value("host").toString()};
    job.events_offset = whole("events_offset");
    job.log_offset = whole("log_offset");
    return job;
}

namespace {

QString already_over() {
    return JobTexts::tr("The job has ended already");
}

std::optional<QString> pause_refusal(const Job& job) {
    if (job.kind == JobKind::Probe)
        return JobTexts::tr("A probe takes seconds and can't be paused, only stopped");
    if (job.kind == JobKind::Calibrate)
        return JobTexts::tr("A calibration would start again: it can't be paused, only stopped");
    if (job.kind == JobKind::Search)
        return JobTexts::tr("A search takes moments and can't be paused, only stopped");
    if (job.is_short())
        return JobTexts::tr("It would start again: it can't be paused, only stopped");
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
               : job.learns() ? JobTexts::tr("Pause after the step in flight, to resume from there later")
                              : JobTexts::tr("Pause after the file in flight");
    case JobAction::Resume:
        return JobTexts::tr("Resume where it was paused");
    case JobAction::Stop:
        if (job.learns())
            return JobTexts::tr("Stop after the step in flight; where it stands is kept");
        return job.measures()
                   ? JobTexts::tr("Stop after the measurement in flight; everything measured is kept")
                   : JobTexts::tr("Stop after the file in flight; everything added is kept");
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
