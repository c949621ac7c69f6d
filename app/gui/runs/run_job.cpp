#include "gui/runs/run_job.h"

#include "gui/jobs/job_texts.h"
#include "schedule/operator.h"

#include <QJsonArray>
#include <QLocale>
#include <limits>

namespace sparsight {

namespace {

/// Settings that the job has members for, and what the run knows besides.
const QStringList members{QStringLiteral("name"),  QStringLiteral("machines"), QStringLiteral("operator"),
                          QStringLiteral("dense"), QStringLiteral("method"),   QStringLiteral("architecture"),
                          QStringLiteral("split"), QStringLiteral("data")};

QStringList texts_of(const QJsonArray& array) {
    QStringList texts;
    for (const QJsonValue& one : array)
        texts << one.toString();
    return texts;
}

/// As the command reads it back: no exponent in what is whole, and no digit less.
QString number_text(const QJsonValue& value) {
    constexpr qint64 none = std::numeric_limits<qint64>::min();
    const qint64 whole = value.toInteger(none);
    return whole != none ? QString::number(whole)
                         : QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest);
}

} // namespace

TrainJob job_of_run(const QString& workspace, const TrainingRun& run) {
    const auto setting = [&run](const char* name) { return run.parameters.value(QLatin1String(name)); };
    TrainJob job;
    job.workspace = workspace;
    job.name = run.name;
    job.machines = texts_of(setting("machines").toArray());
    job.op = parse_operator(setting("operator").toString().toStdString()).value_or(Operator::SpMM);
    job.dense = setting("dense").toInteger(job.dense);
    job.method = run.method;
    job.architecture = run.architecture;
    job.split = setting("split").toString();
    for (auto at = run.parameters.begin(); at != run.parameters.end(); ++at) {
        if (members.contains(at.key()))
            continue;
        const QString option = QString(at.key()).replace(u'_', u'-');
        const QJsonValue value = at.value();
        if (value.isBool()) {
            // A switch is told where it is not as it is by itself.
            if (option == QStringLiteral("baseline") ? !value.toBool() : value.toBool())
                job.options.emplace_back(
                    option == QStringLiteral("baseline") ? QStringLiteral("no-baseline") : option, QString());
        } else if (value.isDouble()) {
            job.options.emplace_back(option, number_text(value));
        } else if (const QString text =
                       value.isArray() ? texts_of(value.toArray()).join(u',') : value.toString();
                   !text.isEmpty()) {
            job.options.emplace_back(option, text);
        }
    }
    return job;
}

JobDescription keeping_job(const QString& workspace, const TrainingRun& run) {
    TrainJob job = job_of_run(workspace, run);
    job.options.emplace_back(QStringLiteral("finish"), QString());
    JobDescription description = describe(job);
    description.title = JobTexts::tr("Keep %1").arg(run.name);
    return description;
}

} // namespace sparsight
