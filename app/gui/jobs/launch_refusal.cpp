// The reasons why a request can't be launched.
#include "base/parallel.h"
#include "gui/jobs/job_request.h"
#include "gui/jobs/job_texts.h"
#include "matrix/generators/generator.h"
#include "matrix/generators/simulated_matrices.h"
#include "matrix/pattern.h"
#include "schedule/text.h"
#include "schedule/validity.h"

#include <QFileInfo>
#include <algorithm>

namespace sparsight {

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
    if (job.dense < 1)
        return JobTexts::tr("The dense extent is %1: expected 1 or more").arg(job.dense);
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
