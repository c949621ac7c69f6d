#include "gui/domains/blocks/import_blocks_job.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/json_values.h"
#include "gui/jobs/run_report.h"
#include "gui/jobs/worker_process.h"
#include "widgets/look/number_text.h"

#include <QFileInfo>

namespace sparsight {

namespace {

/// "1 588 blocks with 4 700 times on 3 machines · 4 lines left out", and below it the first of them.
QString summary_of(const RunReport& report) {
    const QJsonObject& event = report.end->event;
    const auto count = [&event](const char* key) { return member(event, key).toInteger(); };
    QStringList parts{JobTexts::tr("%1 blocks with %2 times on %3 machines")
                          .arg(count_text(count("blocks")), count_text(count("measurements")),
                               count_text(count("machines")))};
    if (const qint64 known = count("already_there"); known > 0)
        parts << JobTexts::tr("%1 times were there before").arg(count_text(known));
    if (const qint64 apart = count("held_out_groups"); apart > 0)
        parts << JobTexts::tr("%1 blocks are kept from learning").arg(count_text(apart));
    const qint64 problems = count("problems");
    if (problems == 0)
        return side_by_side(parts);
    parts << JobTexts::tr("%1 lines left out").arg(count_text(problems));
    return side_by_side(parts) + u'\n' + report.first_failure;
}

} // namespace

const JobKind& import_blocks_kind() {
    static const JobKind kind{
        .name = QStringLiteral("import-blocks"),
        .adds = {QStringLiteral("measurements")},
        .summary = [](const Job&, const RunReport& report) { return summary_of(report); }};
    return kind;
}

JobDescription describe(const ImportBlocksJob& job) {
    QStringList words{QStringLiteral("import-blocks")};
    add_common(words, job.workspace);
    for (const QString& table : job.port_tables)
        words << option("table", QFileInfo(table).absoluteFilePath());
    if (!job.machines.isEmpty())
        words << option("only-machines", job.machines);
    if (job.leaves_out_aliasing)
        words << QStringLiteral("--without-aliasing");
    words << QStringLiteral("--");
    for (const QString& table : job.tables)
        words << QFileInfo(table).absoluteFilePath();
    const QString title = job.tables.size() == 1
                              ? JobTexts::tr("Import %1").arg(QFileInfo(job.tables.first()).fileName())
                              : JobTexts::tr("Import %1 tables").arg(job.tables.size());
    return {import_blocks_kind(), title, job.workspace, words};
}

std::optional<QString> launch_refusal(const ImportBlocksJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.tables.isEmpty())
        return JobTexts::tr("No tables are chosen");
    return missing_file(job.tables + job.port_tables);
}

} // namespace sparsight
