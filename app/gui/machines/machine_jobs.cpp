#include "gui/machines/machine_jobs.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_progress_line.h"
#include "gui/jobs/job_service.h"
#include "gui/machines/machine_columns.h"
#include "gui/page/availability.h"
#include "gui/workspace/workspace_session.h"
#include "store/imagined_machines.h"

#include <QAction>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace sparsight {

MachineJobs::MachineJobs(Services services, QWidget& where)
    : QObject(&where)
    , services_(services)
    , probe_(new QAction(icon(QStringLiteral("probe")), tr("&Probe this computer"), this))
    , calibrate_(new QAction(icon(QStringLiteral("measure")), tr("Cali&brate"), this))
    , line_(new JobProgressLine(services.jobs, &where)) {
    probe_->setObjectName(QStringLiteral("probe"));
    calibrate_->setObjectName(QStringLiteral("calibrate"));
    calibrate_->setToolTip(
        tr("Fit the simulation of this machine to what was measured on it, mostly within a "
           "minute. A third of the matrices is kept back, to tell how true it is then; of a few, each is "
           "left out once."));
    connect(probe_, &QAction::triggered, this,
            [this] { start(ProbeJob{services_.session.path()}, QStringLiteral("probe")); });
    connect(calibrate_, &QAction::triggered, this, &MachineJobs::start_calibration);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, &MachineJobs::show_availability);
    connect(&services_.jobs, &JobService::job_finished, this, &MachineJobs::follow_end);
    show_availability();
}

void MachineJobs::set_machine(const std::optional<MachineRecord>& machine,
                              const std::optional<LearningSource>& measurements,
                              const QString& reason_against_writing) {
    machine_ = machine;
    measurements_ = measurements;
    against_writing_ = reason_against_writing;
    show_availability();
}

void MachineJobs::start(const JobRequest& request, const QString& action) {
    const auto started = services_.jobs.start(request);
    Q_EMIT notice(started ? QString() : started.error(), !started, action);
    show_availability();
}

void MachineJobs::start_calibration() {
    if (!machine_ || !measurements_)
        return;
    start(CalibrateJob{services_.session.path(), fingerprint_of(*machine_),
                       QString::fromStdString(machine_->name), measurements_->op, measurements_->dense},
          QStringLiteral("calibrate"));
    Q_EMIT calibration_started();
}

/// What a calibration says of the worth of its own figures.
void MachineJobs::follow_end(const JobId& id) {
    const auto job = services_.jobs.job(id);
    if (!job || job->kind != JobKind::Calibrate || job->state != JobState::Finished ||
        job->workspace != services_.session.path())
        return;
    const QStringList lines = services_.jobs.event_lines(id, 40);
    const QJsonObject end =
        lines.isEmpty() ? QJsonObject() : QJsonDocument::fromJson(lines.last().toUtf8()).object();
    QStringList remarks;
    const QJsonArray told = end.value(QLatin1String("remarks")).toArray();
    for (const auto& remark : told)
        remarks << remark.toString();
    if (!remarks.isEmpty())
        Q_EMIT notice(
            (end.value(QLatin1String("stored")).toBool() ? tr("Calibrated: %1.") : tr("Not calibrated: %1."))
                .arg(remarks.join(QStringLiteral("; "))),
            false, QStringLiteral("calibrate"));
}

std::optional<Job> MachineJobs::under_way(JobKind kind, const QString& machine) const {
    for (const Job& job : services_.jobs.jobs())
        if (job.kind == kind && job.workspace == services_.session.path() && !is_over(job.state) &&
            (machine.isEmpty() || calibrated_machine(job) == machine))
            return job;
    return std::nullopt;
}

QString MachineJobs::reason_against_probing() const {
    if (!against_writing_.isEmpty())
        return against_writing_;
    const auto job = under_way(JobKind::Probe);
    return job ? tr("It is being probed now: %1").arg(job->progress.what) : QString();
}

QString MachineJobs::reason_against_calibrating() const {
    if (!against_writing_.isEmpty())
        return against_writing_;
    if (!machine_)
        return tr("No machine is selected.");
    const auto description = description_of(*machine_);
    if (description && description->source == MachineSource::Simulated)
        return tr("The numbers of a simulated machine were chosen: there is nothing to fit. Real machines "
                  "are fitted to what was measured on them.");
    if (under_way(JobKind::Calibrate, fingerprint_of(*machine_)))
        return tr("It is being calibrated now.");
    if (measurements_)
        return {};
    return fingerprint_of(*machine_) == services_.session.this_machine()
               ? tr("Nothing was measured on this computer yet: measure schedules on some matrices first, on "
                    "the page Schedules.")
               : tr("No runtimes of this machine are known, of matrices whose pattern is: import them first, "
                    "with their matrices.");
}

void MachineJobs::show_availability() {
    const MachineRecord* here = services_.session.machine(services_.session.this_machine());
    probe_->setText(here != nullptr && is_speed_known(*here) ? tr("&Probe this computer again")
                                                             : tr("&Probe this computer"));
    set_availability(*probe_, reason_against_probing());
    set_availability(*calibrate_, reason_against_calibrating());
    auto job = under_way(JobKind::Calibrate);
    if (auto probing = under_way(JobKind::Probe); probing && (!job || is_active(probing->state)))
        job = probing;
    line_->show_job(job);
}

} // namespace sparsight
