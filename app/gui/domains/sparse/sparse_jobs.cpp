#include "gui/domains/sparse/sparse_jobs.h"

#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/pattern.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/domains/sparse/sparse_settings.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/run_report.h"
#include "gui/jobs/worker_process.h"
#include "widgets/look/number_text.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <algorithm>

namespace sparsight {

namespace {

void add_setting(QStringList& words, Operator op, std::int64_t dense) {
    words << option("operator", text(name(op)));
    if (op != Operator::SpMV)
        words << option("dense", dense);
}

void add_budget(QStringList& words, std::optional<std::chrono::seconds> budget) {
    if (budget)
        words << option("budget", QStringLiteral("%1s").arg(budget->count()));
}

std::optional<QString> schedules_refusal(Operator op, const QStringList& schedules) {
    for (const QString& line : schedules)
        if (const auto schedule = parse_schedule(op, line.toStdString()); !schedule)
            return JobTexts::tr("One of the schedules is none of %1: %2")
                .arg(operator_text(op), QString::fromStdString(schedule.error().message));
    return std::nullopt;
}

std::optional<QString> parameters_refusal(const SimulateJob& job) {
    const std::string family = job.family.toStdString();
    ParameterValues values;
    for (const auto& [name, value] : job.parameters)
        values[name.toStdString()] = value;
    const Generator* const generator = find_generator(family);
    const bool is_collection = family == "simulated-matrices";
    if (generator == nullptr && !is_collection)
        return JobTexts::tr("There is no family of matrices called “%1”").arg(job.family);
    const auto complete = complete_settings(
        family, is_collection ? simulated_matrices_parameters() : std::span(generator->parameters), values);
    if (!complete)
        return QString::fromStdString(complete.error().message);
    return std::nullopt;
}

QString unknown_pattern(const QString& matrix) {
    return JobTexts::tr("The pattern of %1 is unknown: only runtimes were imported. Import its file")
        .arg(matrix);
}

QString count_of(const RunReport& report, const char* key) {
    return count_text(report.end->event.value(QLatin1String(key)).toInteger());
}

} // namespace

const JobKind& simulate_kind() {
    static const JobKind kind{
        .name = QStringLiteral("simulate"),
        .guessed_seconds_a_unit = 0.5,
        .adds = {QStringLiteral("simulated")},
        .summary = [](const Job&, const RunReport& report) {
            return addition_summary(JobTexts::tr("%1 simulated").arg(count_of(report, "simulated")), report);
        }};
    return kind;
}

const JobKind& simulate_runtimes_kind() {
    static const JobKind kind{.name = QStringLiteral("simulate-runtimes"),
                              .guessed_seconds_a_unit = 0.5,
                              .summary = [](const Job&, const RunReport& report) {
                                  qint64 runtimes = 0;
                                  for (const QJsonValue& machine :
                                       report.end->event.value(u"machines").toArray())
                                      runtimes += machine[u"runtimes"].toInteger();
                                  return JobTexts::tr("%1 runtimes simulated").arg(count_text(runtimes));
                              }};
    return kind;
}

const JobKind& explain_kind() {
    static const JobKind kind{.name = QStringLiteral("explain"),
                              .measures = true,
                              .is_short = true,
                              .summary = [](const Job&, const RunReport& report) {
                                  QStringList parts;
                                  if (report.end->event.value(u"measured").toInteger() > 0)
                                      parts << JobTexts::tr("%1 measured").arg(count_of(report, "measured"));
                                  if (report.end->event.value(u"reused").toInteger() > 0)
                                      parts
                                          << JobTexts::tr("%1 there before").arg(count_of(report, "reused"));
                                  return side_by_side(parts);
                              }};
    return kind;
}

const JobKind& timeline_kind() {
    static const JobKind kind{
        .name = QStringLiteral("timeline"),
        .measures = true,
        .is_short = true,
        .summary = [](const Job&, const RunReport& report) {
            return JobTexts::tr("%1 chunks recorded")
                .arg(count_text(report.end->event[u"timeline"].toObject()[u"chunks"].toInteger()));
        }};
    return kind;
}

JobSetting sparse_job_setting(Operator op, std::int64_t dense) {
    static const std::unique_ptr<const Domain> domain = make_sparse_domain();
    return job_setting(*domain, setting_of(op, dense));
}

JobDescription describe(const CollectSchedulesJob& job) {
    CollectJob general = job;
    general.setting = sparse_job_setting(job.op, job.dense);
    general.setting_text = operator_text(job.op);
    return describe(general);
}

JobDescription describe(const SimulateJob& job) {
    QStringList words{QStringLiteral("simulate"), job.family};
    add_common(words, job.workspace);
    for (const auto& [name, value] : job.parameters)
        words << option("param", QStringLiteral("%1=%2").arg(
                                     name, QString::number(value, 'g', QLocale::FloatingPointShortest)));
    words << option("count", job.count) << option("seed", QString::number(job.seed));
    if (!job.name.isEmpty())
        words << option("name", job.name);
    const QString title = job.count == 1
                              ? JobTexts::tr("Simulate %1").arg(job.name.isEmpty() ? job.family : job.name)
                              : JobTexts::tr("Simulate %1 matrices of %2").arg(job.count).arg(job.family);
    return {.kind = simulate_kind(),
            .title = title,
            .workspace = job.workspace,
            .arguments = words,
            .work = static_cast<double>(job.count)};
}

JobDescription describe(const SimulateRuntimesJob& job) {
    QStringList words{QStringLiteral("simulate-runtimes"), job.machine};
    add_common(words, job.workspace);
    words << option("matrices", job.matrices.join(u','));
    add_setting(words, job.op, job.dense);
    return {.kind = simulate_runtimes_kind(),
            .title =
                JobTexts::tr("Simulate runtimes of %1 on %2")
                    .arg(job.matrices.size() == 1 ? job.matrices.first() : matrices_text(job.matrices.size()),
                         job.machine_name),
            .workspace = job.workspace,
            .arguments = words,
            .work = static_cast<double>(job.matrices.size())};
}

JobDescription describe(const ExplainJob& job) {
    QStringList words{QStringLiteral("explain")};
    add_common(words, job.workspace);
    words << option("matrix", job.matrix);
    add_setting(words, job.op, job.dense);
    words << option("schedule", job.schedule) << option("against", job.against)
          << QStringLiteral("--measured") << option("threads", job.threads);
    add_budget(words, job.budget);
    return {explain_kind(),
            JobTexts::tr("Measure the steps between two schedules on %1 (%2)")
                .arg(job.matrix, operator_text(job.op)),
            job.workspace, words};
}

JobDescription describe(const TimelineJob& job) {
    QStringList words{QStringLiteral("timeline")};
    add_common(words, job.workspace);
    words << option("matrix", job.matrix);
    add_setting(words, job.op, job.dense);
    words << option("schedule", job.schedule) << QStringLiteral("--measured")
          << option("threads", job.threads);
    return {timeline_kind(),
            JobTexts::tr("Record the threads on %1 (%2)").arg(job.matrix, operator_text(job.op)),
            job.workspace, words};
}

std::optional<QString> launch_refusal(const CollectSchedulesJob& job, const LaunchConditions& conditions) {
    const bool none_can_be_measured =
        !job.workloads.isEmpty() && std::ranges::all_of(job.workloads, [&](const QString& matrix) {
            return conditions.workloads_without_data.contains(matrix);
        });
    if (none_can_be_measured)
        return job.workloads.size() == 1
                   ? unknown_pattern(job.workloads.first())
                   : JobTexts::tr("The patterns of these matrices are unknown: only runtimes were imported. "
                                  "Import their files");
    if (job.op != Operator::SpMV && (job.dense < 1 || job.dense > max_extent))
        return JobTexts::tr("The dense matrix has %1 columns: expected 1 or more").arg(job.dense);
    CollectJob general = job;
    general.setting = sparse_job_setting(job.op, job.dense);
    if (auto refusal = launch_refusal(general, conditions))
        return refusal;
    return schedules_refusal(job.op, job.listed);
}

std::optional<QString> launch_refusal(const SimulateJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.count < 1)
        return JobTexts::tr("How many matrices? Expected 1 or more");
    return parameters_refusal(job);
}

std::optional<QString> launch_refusal(const SimulateRuntimesJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.machine.isEmpty())
        return JobTexts::tr("No machine is chosen");
    for (const QString& matrix : job.matrices)
        if (conditions.workloads_without_data.contains(matrix))
            return unknown_pattern(matrix);
    if (job.op != Operator::SpMV && (job.dense < 1 || job.dense > max_extent))
        return JobTexts::tr("The dense matrix has %1 columns: expected 1 or more").arg(job.dense);
    return std::nullopt;
}

std::optional<QString> launch_refusal(const ExplainJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (conditions.workloads_without_data.contains(job.matrix))
        return unknown_pattern(job.matrix);
    if (auto refusal = threads_refusal(job.threads))
        return refusal;
    return schedules_refusal(job.op, {job.schedule, job.against});
}

std::optional<QString> launch_refusal(const TimelineJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (conditions.workloads_without_data.contains(job.matrix))
        return unknown_pattern(job.matrix);
    if (auto refusal = threads_refusal(job.threads))
        return refusal;
    return schedules_refusal(job.op, {job.schedule});
}

} // namespace sparsight
