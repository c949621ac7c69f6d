#include "gui/runs/run_actions.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/json_values.h"
#include "gui/jobs/worker_process.h"
#include "store/runs.h"
#include "store/workspace.h"

#include <QJsonArray>
#include <QLocale>
#include <limits>

namespace sparsight {

namespace {

/// Settings that are members of the job, and other facts that the run records.
const QStringList members{QStringLiteral("name"),   QStringLiteral("machines"),
                          QStringLiteral("method"), QStringLiteral("architecture"),
                          QStringLiteral("split"),  QStringLiteral("data")};

/// As the command reads it: whole numbers without an exponent, all others with every digit.
QString number_text(const QJsonValue& value) {
    constexpr qint64 none = std::numeric_limits<qint64>::min();
    const qint64 whole = value.toInteger(none);
    return whole != none ? QString::number(whole)
                         : QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
}

/// Every setting as an option of the command, with its value.
std::vector<std::pair<QString, QString>> options_of(const TrainingRun& run, const QStringList& left_out) {
    std::vector<std::pair<QString, QString>> options;
    for (auto at = run.parameters.begin(); at != run.parameters.end(); ++at) {
        if (left_out.contains(at.key()))
            continue;
        const QString option = QString(at.key()).replace(u'_', u'-');
        const QJsonValue value = at.value();
        if (value.isBool()) {
            // A switch is written where it differs from its default.
            if (option == QStringLiteral("baseline") ? !value.toBool() : value.toBool())
                options.emplace_back(
                    option == QStringLiteral("baseline") ? QStringLiteral("no-baseline") : option, QString());
        } else if (value.isDouble()) {
            options.emplace_back(option, number_text(value));
        } else if (const QString text =
                       value.isArray() ? texts_of(value.toArray()).join(u',') : value.toString();
                   !text.isEmpty()) {
            options.emplace_back(option, text);
        }
    }
    return options;
}

} // namespace

TrainJob job_of_run(const QString& workspace, const TrainingRun& run) {
    const auto setting = [&run](const char* name) { return run.parameters.value(QLatin1String(name)); };
    TrainJob job;
    job.workspace = workspace;
    job.name = run.name;
    job.machines = texts_of(setting("machines").toArray());
    job.method = run.method;
    job.architecture = run.architecture;
    job.split = setting("split").toString();
    job.options = options_of(run, members);
    return job;
}

JobDescription going_on_job(const QString& workspace, const TrainingRun& run) {
    if (run.kind != QStringLiteral("finetune"))
        return describe(job_of_run(workspace, run));
    QStringList words{run.kind};
    add_common(words, workspace);
    for (const auto& [name, value] : options_of(run, {QStringLiteral("data"), QStringLiteral("domain")}))
        words << (value.isEmpty() ? QStringLiteral("--%1").arg(name)
                                  : QStringLiteral("--%1=%2").arg(name, value));
    const QString model = run.parameters.value(QStringLiteral("model")).toString();
    return {JobKind::FineTune, JobTexts::tr("Fine-tune %1").arg(model), workspace, words};
}

JobDescription keeping_job(const QString& workspace, const TrainingRun& run) {
    TrainJob job = job_of_run(workspace, run);
    job.options.emplace_back(QStringLiteral("finish"), QString());
    JobDescription description = describe(job);
    description.title = JobTexts::tr("Keep %1").arg(run.name);
    return description;
}

Result<void> discard_run(Workspace& workspace, RunId run) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        // Holds the run until it is removed: no other process resumes it between the check and the removal.
        const auto hold = RunHold::take(workspace, run);
        if (!hold)
            return std::unexpected(hold.error());
        return remove_run(workspace, run);
    });
}

} // namespace sparsight
