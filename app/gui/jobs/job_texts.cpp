#include "gui/jobs/job_texts.h"

#include "gui/jobs/run_report.h"
#include "widgets/look/number_text.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <cmath>

namespace sparsight {

QString state_text(JobState state) {
    switch (state) {
    case JobState::Waiting:
        return JobTexts::tr("waiting");
    case JobState::Running:
        return JobTexts::tr("running");
    case JobState::Pausing:
        return JobTexts::tr("pausing…");
    case JobState::Paused:
        return JobTexts::tr("paused");
    case JobState::Stopping:
        return JobTexts::tr("stopping…");
    case JobState::Finished:
        return JobTexts::tr("finished");
    case JobState::Stopped:
        return JobTexts::tr("stopped");
    case JobState::Failed:
        return JobTexts::tr("failed");
    case JobState::Unknown:
        return JobTexts::tr("unknown");
    }
    return {};
}

QString why_they_exclude_each_other(const Job& waiting, const Job& ahead) {
    if (waiting.measures() && ahead.measures())
        return JobTexts::tr("two measurements at once would spoil each other");
    if (waiting.measures())
        return JobTexts::tr("what computes beside a measurement would spoil it");
    if (ahead.measures())
        return JobTexts::tr("it would spoil the measurement");
    if (waiting.adds_workloads())
        return JobTexts::tr("files are added one job at a time");
    return JobTexts::tr("running both at once saves no time");
}

QString what_is_kept(const Job& job) {
    if (job.measures())
        return JobTexts::tr("Everything measured until then is stored");
    if (job.adds_workloads())
        return JobTexts::tr("Everything added until then is stored");
    if (job.kind == JobKind::Calibrate)
        return JobTexts::tr("The machine is what it was");
    if (job.is_short())
        return JobTexts::tr("Nothing was changed");
    return JobTexts::tr("The last saved state of the model is kept");
}

QString worker_messages(QString log) {
    static const QRegularExpression program(QStringLiteral("^sparsight-(cli|learn): (error: )?"),
                                            QRegularExpression::MultilineOption);
    return log.remove(program);
}

QString progress_text(const JobProgress& progress) {
    const QStringList warnings = progress.warning.split(u'\n', Qt::SkipEmptyParts);
    if (progress.total <= 0)
        return warnings.isEmpty() ? progress.what : side_by_side(warnings);
    QStringList parts{JobTexts::tr("%1 of %2").arg(count_text(progress.done), count_text(progress.total))};
    if (progress.seconds_left && progress.done < progress.total)
        parts << time_left_text(*progress.seconds_left);
    return side_by_side(parts + warnings);
}

QString status_text(const Job& job) {
    switch (job.state) {
    case JobState::Running:
        return progress_text(job.progress);
    case JobState::Pausing:
    case JobState::Stopping:
        return job.measures() ? JobTexts::tr("The measurement in flight is being finished")
               : job.learns() ? JobTexts::tr("The step in flight is being finished")
                              : JobTexts::tr("What is in flight is being finished");
    case JobState::Unknown:
        return JobTexts::tr("It was started on %1, and this computer can't tell whether it still runs")
            .arg(job.worker.host);
    case JobState::Failed:
        return job.error;
    case JobState::Waiting:
    case JobState::Paused:
    case JobState::Finished:
    case JobState::Stopped:
        break;
    }
    return job.summary;
}

QString told_of_job(const QString& text, const Job& job, const QString& open_workspace) {
    return job.workspace.isEmpty() || job.workspace == open_workspace
               ? text
               : JobTexts::tr("Workspace %1: %2").arg(QFileInfo(job.workspace).completeBaseName(), text);
}

namespace {

/// Of a gray box.
QString correction_text(const FinetuneVerdict& verdict) {
    const double gained = *verdict.gained_by_correction();
    const QString simulator = share_text(*verdict.corrected_simulator);
    const QString points = fixed_text(100 * std::abs(gained), 1);
    if (std::abs(gained) < least_finetune_change)
        return JobTexts::tr("the learned correction gained nothing over the calibrated simulator (%1)")
            .arg(simulator);
    return (gained > 0
                ? JobTexts::tr(
                      "the learned correction gained %1 percentage points over the calibrated simulator (%2)")
                : JobTexts::tr(
                      "the learned correction lost %1 percentage points to the calibrated simulator (%2)"))
        .arg(points, simulator);
}

} // namespace

QString fine_tuning_text(const FinetuneVerdict& verdict) {
    const QString before = share_text(verdict.before);
    const QString after = share_text(verdict.after);
    if (verdict.worth == FinetuneWorth::Worse)
        return JobTexts::tr(
                   "fine-tuning made the model worse: %1 of the test pairs in the right order before, "
                   "%2 after")
            .arg(before, after);
    const QString pairs = JobTexts::tr("pairs in the right order: %1 before, %2 after").arg(before, after);
    if (verdict.corrected_simulator)
        return side_by_side({pairs, correction_text(verdict)});
    return verdict.worth == FinetuneWorth::Equal ? side_by_side({pairs, JobTexts::tr("nothing was gained")})
                                                 : pairs;
}

QString machines_text(qint64 count) {
    return count == 1 ? JobTexts::tr("1 machine") : JobTexts::tr("%1 machines").arg(count_text(count));
}

QString epochs_text(qint64 count) {
    return count == 1 ? JobTexts::tr("1 epoch") : JobTexts::tr("%1 epochs").arg(count_text(count));
}

QString measurements_text(qint64 count) {
    return count == 1 ? JobTexts::tr("1 measurement")
                      : JobTexts::tr("%1 measurements").arg(count_text(count));
}

} // namespace sparsight
