#include "gui/jobs/job_request.h"

#include "base/parallel.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/tensor/generators/generator.h"
#include "domains/sparse/tensor/pattern.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/worker_process.h"

#include <QFileInfo>
#include <algorithm>

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
    if (!job.domain.isEmpty())
        words << option("domain", job.domain);
    words << QStringLiteral("--");
    for (const QString& file : job.files)
        words << QFileInfo(file).absoluteFilePath();
    const QString title = job.files.size() == 1
                              ? JobTexts::tr("Import %1").arg(QFileInfo(job.files.first()).fileName())
                              : JobTexts::tr("Import %1 files").arg(job.files.size());
    return {JobKind::Import, title, job.workspace, words, {}};
}

JobDescription describe_import_records(const ImportRecordsJob& job) {
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
    return {JobKind::ImportRecords, title, job.workspace, words, {}};
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
    words << job.setting.of_model << job.setting.others << QStringLiteral("--") << job.machine;
    return {JobKind::Calibrate,
            JobTexts::tr("Calibrate %1 (%2)").arg(job.name, job.setting_text),
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
                                 [](const ImportRecordsJob& job) { return describe_import_records(job); },
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
    return std::visit(
        Overloaded{[&](const CollectJob& job) { return collect_refusal(job, conditions); },
                   [&](const ImportJob& job) { return import_refusal(job, conditions); },
                   [&](const ImportRecordsJob& job) { return import_records_refusal(job, conditions); },
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

namespace {

std::optional<QString> list_refusal(const CollectJob& job) {
    if (!job.list_file.isEmpty()) {
        if (!QFileInfo(job.list_file).isReadable())
            return JobTexts::tr("The file of schedules, %1, can't be read").arg(job.list_file);
        return std::nullopt;
    }
    for (const QString& line : job.listed)
        if (const auto schedule = parse_schedule(job.op, line.toStdString()); !schedule)
            return JobTexts::tr("One of the schedules is none of %1: %2")
                .arg(operator_text(job.op), QString::fromStdString(schedule.error().message));
    if (job.listed.isEmpty() && job.schedules < 1)
        return JobTexts::tr("No schedules are chosen: say how many to draw, or which");
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

} // namespace

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

LaunchConditions launch_conditions(const QString& worker_program, const QString& workspace,
                                   const QStringList& matrices_without_pattern) {
    const QFileInfo program(worker_program);
    const QFileInfo file(workspace);
    LaunchConditions conditions;
    conditions.worker_program = program.isFile() && program.isExecutable() ? worker_program : QString();
    conditions.workspace_is_there = file.isFile();
    // SQLite writes its journal beside the file.
    conditions.workspace_is_writable = file.isWritable() && QFileInfo(file.absolutePath()).isWritable();
    conditions.matrices_without_pattern = matrices_without_pattern;
    return conditions;
}

std::optional<QString> collect_refusal(const CollectJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.matrices.isEmpty())
        return JobTexts::tr("No matrices are chosen");
    const bool none_can_be_measured = std::ranges::all_of(job.matrices, [&](const QString& matrix) {
        return conditions.matrices_without_pattern.contains(matrix);
    });
    if (none_can_be_measured)
        return job.matrices.size() == 1
                   ? JobTexts::tr(
                         "The pattern of %1 is unknown: only runtimes were imported. Import its file")
                         .arg(job.matrices.first())
                   : JobTexts::tr("The patterns of these matrices are unknown: only runtimes were imported. "
                                  "Import their files");
    if (job.op != Operator::SpMV && (job.dense < 1 || job.dense > max_extent))
        return JobTexts::tr("The dense extent is %1: expected 1 or more").arg(job.dense);
    if (job.threads < 1 || job.threads > maximum_threads)
        return JobTexts::tr("%1 threads: expected 1 to %2").arg(job.threads).arg(maximum_threads);
    if (job.budget && job.budget->count() < 1)
        return JobTexts::tr("The time budget is empty");
    return list_refusal(job);
}

std::optional<QString> import_refusal(const ImportJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.files.isEmpty())
        return JobTexts::tr("No files are chosen");
    if (job.files.size() > 1 && !job.name.isEmpty())
        return JobTexts::tr("A name is for one file; %1 are chosen").arg(job.files.size());
    for (const QString& file : job.files)
        if (!QFileInfo::exists(file))
            return JobTexts::tr("The file %1 is gone").arg(file);
    return std::nullopt;
}

std::optional<QString> import_records_refusal(const ImportRecordsJob& job,
                                              const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.tables.isEmpty())
        return JobTexts::tr("No tables are chosen");
    for (const QString& file : job.tables + QStringList{job.workloads, job.machines})
        if (!file.isEmpty() && !QFileInfo::exists(file))
            return JobTexts::tr("The file %1 is gone").arg(file);
    return std::nullopt;
}

std::optional<QString> simulate_refusal(const SimulateJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.count < 1)
        return JobTexts::tr("How many matrices? Expected 1 or more");
    return parameters_refusal(job);
}

std::optional<QString> probe_refusal(const ProbeJob& job, const LaunchConditions& conditions) {
    if (!job.workspace.isEmpty())
        return surroundings_refusal(job.workspace, conditions);
    if (conditions.worker_program.isEmpty())
        return surroundings_refusal(QStringLiteral("-"), conditions);
    return std::nullopt;
}

std::optional<QString> calibrate_refusal(const CalibrateJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (job.machine.isEmpty())
        return JobTexts::tr("No machine is chosen");
    return std::nullopt;
}

std::optional<QString> explain_refusal(const ExplainJob& job, const LaunchConditions& conditions) {
    if (auto refusal = surroundings_refusal(job.workspace, conditions))
        return refusal;
    if (conditions.matrices_without_pattern.contains(job.matrix))
        return JobTexts::tr("The pattern of %1 is unknown: only runtimes were imported. Import its file")
            .arg(job.matrix);
    if (job.threads < 1 || job.threads > maximum_threads)
        return JobTexts::tr("%1 threads: expected 1 to %2").arg(job.threads).arg(maximum_threads);
    for (const QString& line : {job.schedule, job.against})
        if (const auto schedule = parse_schedule(job.op, line.toStdString()); !schedule)
            return JobTexts::tr("One of the schedules is none of %1: %2")
                .arg(operator_text(job.op), QString::fromStdString(schedule.error().message));
    return std::nullopt;
}

} // namespace sparsight
