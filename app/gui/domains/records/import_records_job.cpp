#include "gui/domains/records/import_records_job.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/json_values.h"
#include "gui/jobs/run_report.h"
#include "gui/jobs/worker_process.h"
#include "widgets/look/number_text.h"

#include <QFileInfo>

namespace sparsight {

namespace {

/// "22 000 times of 300 configurations · 4 lines left out", and below it the first of them.
QString summary_of(const RunReport& report) {
    const QJsonObject& event = report.end->event;
    const auto count = [&event](const char* key) { return member(event, key).toInteger(); };
    const qint64 failed = count("failed_runs");
    QStringList parts{
        JobTexts::tr("%1 times of %2 configurations")
            .arg(count_text(count("measurements") - failed), count_text(count("configurations")))};
    if (failed > 0)
        parts << JobTexts::tr("%1 without a time").arg(count_text(failed));
    if (const qint64 known = count("already_there"); known > 0)
        parts << JobTexts::tr("%1 runs were there before").arg(count_text(known));
    const qint64 problems = count("problems");
    if (problems == 0)
        return side_by_side(parts);
    parts << JobTexts::tr("%1 lines left out").arg(count_text(problems));
    return side_by_side(parts) + u'\n' + report.first_failure;
}

} // namespace

const JobKind& import_records_kind() {
    static const JobKind kind{
        .name = QStringLiteral("import-records"),
        .adds = {QStringLiteral("measurements")},
        .summary = [](const Job&, const RunReport& report) { return summary_of(report); }};
    return kind;
}

JobDescription describe(const ImportRecordsJob& job) {
    QStringList words{QStringLiteral("import-records")};
    add_common(words, job.workspace);
    for (const auto& [name, value] : {std::pair{"decisions", job.decisions}, {"machine", job.machine}})
        if (!value.isEmpty())
            words << option(name, value);
    for (const auto& [name, sheet] : {std::pair{"workloads", job.workloads}, {"machines", job.machines}})
        if (!sheet.isEmpty())
            words << option(name, QFileInfo(sheet).absoluteFilePath());
    words << QStringLiteral("--");
    for (const QString& table : job.tables)
        words << QFileInfo(table).absoluteFilePath();
    const QString title = job.tables.size() == 1
                              ? JobTexts::tr("Import %1").arg(QFileInfo(job.tables.first()).fileName())
                              : JobTexts::tr("Import %1 tables").arg(job.tables.size());
    return {import_records_kind(), title, job.workspace, words};
}

std::optional<QString> launch_refusal(const ImportRecordsJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.tables.isEmpty())
        return JobTexts::tr("No tables are chosen");
    return missing_file(job.tables + QStringList{job.workloads, job.machines});
}

} // namespace sparsight
