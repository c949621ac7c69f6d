#include "gui/domains/records/import_records_job.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/worker_process.h"

#include <QFileInfo>

namespace sparsight {

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
    return {JobKind::ImportRecords, title, job.workspace, words};
}

std::optional<QString> launch_refusal(const ImportRecordsJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.tables.isEmpty())
        return JobTexts::tr("No tables are chosen");
    return missing_file(job.tables + QStringList{job.workloads, job.machines});
}

} // namespace sparsight
