#include "gui/candidates/stored_searches.h"

#include "gui/jobs/job_service.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <limits>

namespace sparsight {

namespace {

/// So many kilobytes of a search's events are read.
constexpr int most_lines = 8192;

std::optional<double> number(const QJsonObject& object, const char* name) {
    const QJsonValue value = object.value(QLatin1String(name));
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

double number_or_unknown(const QJsonObject& object, const char* name) {
    return number(object, name).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<qint64> count(const QJsonObject& object, const char* name) {
    const auto value = number(object, name);
    return value ? std::optional(static_cast<qint64>(*value)) : std::nullopt;
}

std::optional<ChosenBy> reason_from(const QJsonValue& value) {
    const QString name = value.toString();
    if (name == QLatin1String("score"))
        return ChosenBy::Score;
    if (name == QLatin1String("hedge"))
        return ChosenBy::Difference;
    if (name == QLatin1String("simulator"))
        return ChosenBy::Second;
    return std::nullopt;
}

std::optional<BlendShares> shares_from(const QJsonValue& value) {
    const QJsonObject shares = value.toObject();
    const auto network = number(shares, "network");
    const auto simulator = number(shares, "simulator");
    return network && simulator ? std::optional(BlendShares{*network, *simulator}) : std::nullopt;
}

CandidateSearch search_from(const QJsonObject& choice, const QString& configuration) {
    CandidateSearch search;
    search.method = choice.value(QStringLiteral("method")).toString();
    search.pool = choice.value(QStringLiteral("pool")).toInteger();
    search.scored = choice.value(QStringLiteral("scored")).toInteger();
    search.embedding_ms = number(choice, "embedding_ms").value_or(0);
    search.search_ms = number(choice, "search_ms").value_or(0);
    search.recall = number(choice, "recall");
    search.recall_at = count(choice, "recall_at");
    search.exhaustive_ms = number(choice, "exhaustive_ms");
    search.blend = shares_from(choice.value(QStringLiteral("blend")));
    search.simulated = count(choice, "simulated");
    search.simulating_ms = number(choice, "simulating_ms");
    for (const QJsonValue& value : choice.value(QStringLiteral("candidates")).toArray()) {
        const QJsonObject one = value.toObject();
        search.candidates.push_back({one.value(QStringLiteral("rank")).toInt(),
                                     one.value(configuration).toString(), number_or_unknown(one, "score"),
                                     number(one, "network_score"), number(one, "simulated_ms"),
                                     count(one, "place"), reason_from(one.value(QStringLiteral("reason")))});
    }
    return search;
}

/// Nothing where it names nodes that are not there.
std::optional<SearchedMap> map_from(const QJsonObject& event, const QString& configuration) {
    SearchedMap map;
    map.rows = event.value(QStringLiteral("rows")).toInteger();
    map.sampled = event.value(QStringLiteral("sampled")).toInteger();
    const QJsonArray explained = event.value(QStringLiteral("explained")).toArray();
    map.explained = {explained.at(0).toDouble(), explained.at(1).toDouble()};
    for (const QJsonValue& value : event.value(QStringLiteral("nodes")).toArray()) {
        const QJsonObject node = value.toObject();
        map.nodes.push_back({node.value(configuration).toString(), number_or_unknown(node, "x"),
                             number_or_unknown(node, "y"), number_or_unknown(node, "score"),
                             node.value(QStringLiteral("seen")).toBool(true), number(node, "simulated_ms")});
    }
    const auto place = [&](const QJsonObject& step, const char* name) {
        return static_cast<std::size_t>(step.value(QLatin1String(name)).toInteger(-1));
    };
    for (const QJsonValue& value : event.value(QStringLiteral("walk")).toArray()) {
        const QJsonObject step = value.toObject();
        map.walk.push_back(
            {place(step, "node"), place(step, "from"), step.value(QStringLiteral("layer")).toInt()});
        if (std::max(map.walk.back().node, map.walk.back().from) >= map.nodes.size())
            return std::nullopt;
    }
    return map;
}

} // namespace

std::optional<CandidateSearch> read_search(const QStringList& event_lines, const DomainWords& words,
                                           const QString& workload) {
    const QString workload_key = QString::fromStdString(words.workload.one);
    const QString configuration_key = QString::fromStdString(words.configuration.one);
    std::optional<CandidateSearch> search;
    for (const QString& line : event_lines) {
        const QJsonObject event = QJsonDocument::fromJson(line.toUtf8()).object();
        if (event.value(workload_key).toString() != workload)
            continue;
        const QString name = event.value(QStringLiteral("event")).toString();
        if (name == QLatin1String("choice"))
            search = search_from(event, configuration_key);
        else if (name == QLatin1String("map") && search)
            search->map = map_from(event, configuration_key);
    }
    return search;
}

bool is_of(const Job& job, const SearchSubject& subject) {
    if (job.kind != JobKind::Search || job.workspace != subject.workspace)
        return false;
    const auto asked = search_job_from(job.workspace, job.arguments);
    return asked && asked->model == subject.model && asked->workloads.contains(subject.workload) &&
           asked->machine == subject.machine && asked->setting.others == subject.options &&
           job.created >= subject.model_made;
}

std::optional<CandidateSearch> search_of(const JobService& jobs, const Job& job, const DomainWords& words,
                                         const QString& workload) {
    auto search = read_search(jobs.event_lines(job.id, most_lines), words, workload);
    if (search)
        search->asked = search_job_from(job.workspace, job.arguments).value_or(SearchJob{});
    return search;
}

std::optional<JobId> newest_search(const JobService& jobs, const DomainWords& words,
                                   const SearchSubject& subject) {
    std::vector<Job> finished;
    for (const Job& job : jobs.jobs())
        if (job.state == JobState::Finished && is_of(job, subject))
            finished.push_back(job);
    std::ranges::sort(finished, std::ranges::greater(), &Job::created);
    const auto found = std::ranges::find_if(
        finished, [&](const Job& job) { return search_of(jobs, job, words, subject.workload).has_value(); });
    return found == finished.end() ? std::nullopt : std::optional(found->id);
}

} // namespace sparsight
