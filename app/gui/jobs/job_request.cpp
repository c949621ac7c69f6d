#include "gui/jobs/job_request.h"

#include "gui/jobs/job_texts.h"
#include "gui/jobs/job_words.h"

#include <QFileInfo>

namespace sparsight {

namespace {

QString collect_title(const CollectJob& job) {
    const QString where = job.matrices.size() == 1 ? job.matrices.first()
                                                   : JobTexts::tr("%1 matrices").arg(job.matrices.size());
    const QString op = operator_text(job.op);
    if (job.searched > 0)
        return JobTexts::tr("Search by measuring on %1 (%2)").arg(where, op);
    if (job.list_file.isEmpty() && job.listed.size() == 1)
        return JobTexts::tr("Measure one schedule and fixed CSR on %1 (%2)").arg(where, op);
    return JobTexts::tr("Measure %1 (%2)").arg(where, op);
}

JobDescription describe_collect(const CollectJob& job) {
    QStringList words{QStringLiteral("collect")};
    add_common(words, job.workspace);
    for (const QString& matrix : job.matrices)
        words << option("matrix", matrix);
    words << option("operator", text(name(job.op)));
    if (job.op != Operator::SpMV)
        words << option("dense", job.dense);
    if (job.searched > 0)
        words << option("search", job.searched) << option("seed", QString::number(job.seed));
    else if (!job.list_file.isEmpty())
        words << option("from", QFileInfo(job.list_file).absoluteFilePath());
    else if (job.listed.isEmpty())
        words << option("schedules", job.schedules) << option("sampler", text(name(job.sampler)))
              << option("seed", QString::number(job.seed));
    words << option("threads", job.threads) << option("protocol", text(name(job.protocol)));
    if (job.budget)
        words << option("budget", QStringLiteral("%1s").arg(job.budget->count()));
    if (job.again)
        words << QStringLiteral("--again");
    QByteArray list;
    if (job.searched == 0 && job.list_file.isEmpty() && !job.listed.isEmpty())
        list = job.listed.join(u'\n').toUtf8() + '\n';
    return {JobKind::Collect, collect_title(job), job.workspace, words, list};
}

JobDescription describe_import(const ImportJob& job) {
    QStringList words{QStringLiteral("import")};
    add_common(words, job.workspace);
    if (!job.name.isEmpty())
        words << option("name", job.name);
    words << QStringLiteral("--");
    for (const QString& file : job.files)
        words << QFileInfo(file).absoluteFilePath();
    const QString title = job.files.size() == 1
                              ? JobTexts::tr("Import %1").arg(QFileInfo(job.files.first()).fileName())
                              : JobTexts::tr("Import %1 files").arg(job.files.size());
    return {JobKind::Import, title, job.workspace, words, {}};
}

JobDescription describe_simulate(const SimulateJob& job) {
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
    return {JobKind::Simulate, title, job.workspace, words, {}};
}

JobDescription describe_probe(const ProbeJob& job) {
    QStringList words{QStringLiteral("machine"), QStringLiteral("probe")};
    add_common(words, job.workspace);
    return {JobKind::Probe, JobTexts::tr("Probe this computer"), job.workspace, words, {}};
}

JobDescription describe_calibrate(const CalibrateJob& job) {
    QStringList words{QStringLiteral("machine"), QStringLiteral("calibrate")};
    add_common(words, job.workspace);
    words << option("operator", text(name(job.op)));
    if (job.op != Operator::SpMV)
        words << option("dense", job.dense);
    words << QStringLiteral("--") << job.machine;
    return {JobKind::Calibrate,
            JobTexts::tr("Calibrate %1 (%2)").arg(job.name, operator_text(job.op)),
            job.workspace,
            words,
            {}};
}

JobDescription describe_explain(const ExplainJob& job) {
    QStringList words{QStringLiteral("explain")};
    add_common(words, job.workspace);
    words << option("matrix", job.matrix) << option("operator", text(name(job.op)));
    if (job.op != Operator::SpMV)
        words << option("dense", job.dense);
    words << option("schedule", job.schedule) << option("against", job.against)
          << QStringLiteral("--measured") << option("threads", job.threads);
    if (job.budget)
        words << option("budget", QStringLiteral("%1s").arg(job.budget->count()));
    return {JobKind::Explain,
            JobTexts::tr("Measure which decision lost on %1 (%2)").arg(job.matrix, operator_text(job.op)),
            job.workspace,
            words,
            {}};
}

template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

} // namespace

JobDescription describe(const JobRequest& request) {
    return std::visit(Overloaded{[](const CollectJob& job) { return describe_collect(job); },
                                 [](const ImportJob& job) { return describe_import(job); },
                                 [](const SimulateJob& job) { return describe_simulate(job); },
                                 [](const ProbeJob& job) { return describe_probe(job); },
                                 [](const CalibrateJob& job) { return describe_calibrate(job); },
                                 [](const TrainJob& job) { return describe_train(job); },
                                 [](const FineTuneJob& job) { return describe_fine_tune(job); },
                                 [](const SearchJob& job) { return describe_search(job); },
                                 [](const EvaluateJob& job) { return describe_evaluate(job); },
                                 [](const ExplainJob& job) { return describe_explain(job); },
                                 [](const ReasonsJob& job) { return describe_reasons(job); }},
                      request);
}

std::optional<QString> calibrated_machine(const Job& job) {
    const bool is_calibration = job.kind == JobKind::Calibrate && !job.arguments.isEmpty();
    return is_calibration ? std::optional(job.arguments.last()) : std::nullopt;
}

std::optional<QString> launch_refusal(const JobRequest& request, const LaunchConditions& conditions) {
    return std::visit(Overloaded{[&](const CollectJob& job) { return collect_refusal(job, conditions); },
                                 [&](const ImportJob& job) { return import_refusal(job, conditions); },
                                 [&](const SimulateJob& job) { return simulate_refusal(job, conditions); },
                                 [&](const ProbeJob& job) { return probe_refusal(job, conditions); },
                                 [&](const CalibrateJob& job) { return calibrate_refusal(job, conditions); },
                                 [&](const TrainJob& job) { return train_refusal(job, conditions); },
                                 [&](const FineTuneJob& job) { return fine_tune_refusal(job, conditions); },
                                 [&](const SearchJob& job) { return search_refusal(job, conditions); },
                                 [&](const EvaluateJob& job) { return evaluate_refusal(job, conditions); },
                                 [&](const ExplainJob& job) { return explain_refusal(job, conditions); },
                                 [&](const ReasonsJob& job) { return reasons_refusal(job, conditions); }},
                      request);
}

} // namespace sparsight
