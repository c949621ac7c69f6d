#include "gui/jobs/job.h"

#include <QJsonArray>
#include <array>
#include <utility>

namespace sparsight {

namespace {

constexpr int version = 1;

// The names in the files; they never change.
constexpr std::array<std::pair<JobKind, const char*>, 11> kinds{{{JobKind::Collect, "collect"},
                                                                 {JobKind::Probe, "probe"},
                                                                 {JobKind::Calibrate, "calibrate"},
                                                                 {JobKind::Import, "import"},
                                                                 {JobKind::Simulate, "simulate"},
                                                                 {JobKind::Train, "train"},
                                                                 {JobKind::FineTune, "finetune"},
                                                                 {JobKind::Search, "search"},
                                                                 {JobKind::Evaluate, "evaluate"},
                                                                 {JobKind::Explain, "explain"},
                                                                 {JobKind::Reasons, "reasons"}}};
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
    if (a.adds_matrices() || b.adds_matrices())
        return a.adds_matrices() == b.adds_matrices();
    if (a.measures() || b.measures())
        return true;
    return a.learns() == b.learns();
}

QJsonObject to_json(const Job& job) {
    return {
        {QStringLiteral("version"), version},
        {QStringLiteral("id"), job.id.toString(QUuid::WithoutBraces)},
        {QStringLiteral("kind"), name_of(kinds, job.kind)},
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
    const auto kind = named(kinds, value("kind").toString());
    const auto state = named(states, value("state").toString());
    Job job;
    job.id = QUuid::fromString(value("id").toString());
    if (value("version").toInt() != version || !kind || !state || job.id.isNull())
        return std::nullopt;
    job.kind = *kind;
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
    job.place = value("place").toInt();
    job.runs = value("runs").toInt();
    job.worker = {whole("pid"), value("start_ticks").toString().toULongLong(), value("boot").toString(),
                  value("host").toString()};
    job.events_offset = whole("events_offset");
    job.log_offset = whole("log_offset");
    return job;
}

} // namespace sparsight
