#include "gui/jobs/job_request.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/worker_process.h"
#include "gui/page/domain_words.h"

#include <QFileInfo>

namespace sparsight {

namespace {

constexpr int most_threads = 1024;

QString title_of(const CollectJob& job) {
    QString where = job.workloads.size() == 1 ? job.workloads.first()
                                              : counted(job.workloads.size(), job.setting.workload);
    if (!job.setting_text.isEmpty())
        where += QStringLiteral(" (%1)").arg(job.setting_text);
    if (job.searched > 0)
        return JobTexts::tr("Search by measuring on %1").arg(where);
    if (job.list_file.isEmpty() && job.listed.size() == 1)
        return JobTexts::tr("Measure one %1 on %2").arg(one(job.setting.configuration), where);
    return JobTexts::tr("Measure %1").arg(where);
}

/// With the baseline; 0: a file says it.
qint64 measurements_on_each(const CollectJob& job) {
    if (job.searched > 0)
        return job.searched;
    if (!job.list_file.isEmpty())
        return 0;
    return 1 + (job.listed.isEmpty() ? job.configurations : job.listed.size());
}

} // namespace

JobDescription describe(const CollectJob& job) {
    QStringList words{QStringLiteral("collect")};
    add_common(words, job.workspace);
    for (const QString& workload : job.workloads)
        words << option("workload", workload);
    if (!job.setting.setting.domain.empty())
        words << option("domain", QString::fromStdString(job.setting.setting.domain));
    words << job.setting.of_model << job.setting.others;
    QByteArray list;
    if (job.searched > 0)
        words << option("search", job.searched) << option("seed", QString::number(job.seed));
    else if (!job.list_file.isEmpty())
        words << option("from", QFileInfo(job.list_file).absoluteFilePath());
    else if (!job.listed.isEmpty())
        list = job.listed.join(u'\n').toUtf8() + '\n';
    else {
        words << option("configurations", job.configurations) << option("seed", QString::number(job.seed));
        if (!job.sampler.isEmpty())
            words << option("sampler", job.sampler);
    }
    words << option("threads", job.threads) << option("protocol", text(name(job.protocol)));
    if (job.budget)
        words << option("budget", QStringLiteral("%1s").arg(job.budget->count()));
    if (job.again)
        words << QStringLiteral("--again");
    return {.kind = JobKind::Collect,
            .title = title_of(job),
            .workspace = job.workspace,
            .arguments = words,
            .list = list,
            .work = static_cast<double>(job.workloads.size() * measurements_on_each(job)),
            .budget = job.budget};
}

JobDescription describe(const ImportJob& job) {
    QStringList words{QStringLiteral("import")};
    add_common(words, job.workspace);
    if (!job.name.isEmpty())
        words << option("name", job.name);
    if (!job.domain.isEmpty())
        words << option("domain", job.domain);
    words << QStringLiteral("--");
    for (const QString& file : job.files)
        words << QFileInfo(file).absoluteFilePath();
    const QString title = job.files.size() == 1
                              ? JobTexts::tr("Import %1").arg(QFileInfo(job.files.first()).fileName())
                              : JobTexts::tr("Import %1 files").arg(job.files.size());
    return {JobKind::Import, title, job.workspace, words, {}, job.workload};
}

JobDescription describe(const ProbeJob& job) {
    QStringList words{QStringLiteral("machine"), QStringLiteral("probe")};
    add_common(words, job.workspace);
    return {JobKind::Probe, JobTexts::tr("Probe this computer"), job.workspace, words};
}

JobDescription describe(const CalibrateJob& job) {
    QStringList words{QStringLiteral("machine"), QStringLiteral("calibrate")};
    add_common(words, job.workspace);
    words << job.setting.of_model << job.setting.others << QStringLiteral("--") << job.machine;
    return {JobKind::Calibrate,
            JobTexts::tr("Calibrate %1 (%2)").arg(job.name, job.setting_text),
            job.workspace,
            words,
            {},
            job.setting.workload};
}

std::optional<QString> calibrated_machine(const Job& job) {
    const bool is_calibration = job.kind == JobKind::Calibrate && !job.arguments.isEmpty();
    return is_calibration ? std::optional(job.arguments.last()) : std::nullopt;
}

std::optional<QString> surroundings_refusal(const QString& workspace, const LaunchConditions& conditions) {
    if (conditions.worker_program.isEmpty())
        return JobTexts::tr("The worker program, sparsight-cli, is missing: it belongs beside this program, "
                            "or the settings can say where it is");
    if (workspace.isEmpty())
        return JobTexts::tr("No workspace is open");
    if (!conditions.workspace_is_there)
        return JobTexts::tr("The workspace %1 is gone").arg(workspace);
    if (!conditions.workspace_is_writable)
        return JobTexts::tr("The workspace %1 can only be read: results could not be stored").arg(workspace);
    return std::nullopt;
}

LaunchConditions launch_conditions(const QString& worker_program, const QString& workspace) {
    const QFileInfo program(worker_program);
    const QFileInfo file(workspace);
    LaunchConditions conditions;
    conditions.worker_program = program.isFile() && program.isExecutable() ? worker_program : QString();
    conditions.workspace_is_there = file.isFile();
    // SQLite writes its journal beside the file.
    conditions.workspace_is_writable = file.isWritable() && QFileInfo(file.absolutePath()).isWritable();
    return conditions;
}

std::optional<QString> threads_refusal(int threads) {
    if (threads < 1 || threads > most_threads)
        return JobTexts::tr("%1 threads: expected 1 to %2").arg(threads).arg(most_threads);
    return std::nullopt;
}

std::optional<QString> missing_file(const QStringList& files) {
    for (const QString& file : files)
        if (!file.isEmpty() && !QFileInfo::exists(file))
            return JobTexts::tr("The file %1 is gone").arg(file);
    return std::nullopt;
}

std::optional<QString> launch_refusal(const CollectJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.workloads.isEmpty())
        return JobTexts::tr("No %1 are chosen").arg(many(job.setting.workload));
    if (!job.setting.problem.isEmpty())
        return job.setting.problem;
    if (auto refusal = threads_refusal(job.threads))
        return refusal;
    if (job.budget && job.budget->count() < 1)
        return JobTexts::tr("The time budget is empty");
    if (!job.list_file.isEmpty())
        return QFileInfo(job.list_file).isReadable()
                   ? std::nullopt
                   : std::optional(JobTexts::tr("The file of %1, %2, can't be read")
                                       .arg(many(job.setting.configuration), job.list_file));
    if (job.listed.isEmpty() && job.searched == 0 && job.configurations < 1)
        return JobTexts::tr("No %1 are chosen: say how many to draw, or which")
            .arg(many(job.setting.configuration));
    return std::nullopt;
}

std::optional<QString> launch_refusal(const ImportJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.files.isEmpty())
        return JobTexts::tr("No files are chosen");
    if (job.files.size() > 1 && !job.name.isEmpty())
        return JobTexts::tr("A name is for one file; %1 are chosen").arg(job.files.size());
    return missing_file(job.files);
}

std::optional<QString> launch_refusal(const ProbeJob& job, const LaunchConditions& conditions) {
    if (!job.workspace.isEmpty())
        return surroundings_refusal(job.workspace, conditions);
    if (conditions.worker_program.isEmpty())
        return surroundings_refusal(QStringLiteral("-"), conditions);
    return std::nullopt;
}

std::optional<QString> launch_refusal(const CalibrateJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.machine.isEmpty())
        return JobTexts::tr("No machine is chosen");
    if (!job.setting.problem.isEmpty())
        return job.setting.problem;
    return std::nullopt;
}

} // namespace sparsight
