// Search: what is known of the times of what was found, and measuring them.
#include "gui/candidates/candidates_page.h"
#include "gui/candidates/search_panel.h"
#include "gui/candidates/search_words.h"
#include "gui/jobs/job_request.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/jobs/views/job_start.h"
#include "gui/page/domain_words.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_description.h"

#include <QLabel>
#include <QPushButton>
#include <algorithm>

namespace sparsight {

TimeSource CandidatesPage::origin() const {
    if (panel_->is_for_this_computer())
        return TimeSource::Measured;
    const MachineRecord* machine = services_.session.machine(subject_.machine);
    const auto described =
        machine == nullptr ? std::nullopt : std::optional(machine_from_text(machine->description));
    return described && *described && (*described)->source == MachineSource::Simulated ? TimeSource::Simulated
                                                                                       : TimeSource::Recorded;
}

/// Times of one number of threads and one protocol: others don't compare.
void CandidatesPage::ask_for_times() {
    CandidateTimesQuery query;
    const QString machine = subject_.machine.isEmpty() ? services_.session.this_machine() : subject_.machine;
    if (search_ && services_.session.machine(machine) != nullptr) {
        query.workload = subject_.workload.toStdString();
        query.machine = machine.toStdString();
        query.setting = search_->setting;
        const auto measurement = subject_.machine.isEmpty() ? measuring() : std::nullopt;
        if (measurement) {
            query.protocol = measurement->protocol;
            query.threads = measurement->threads;
        }
    }
    if (query != times_.query())
        times_.set_query(query);
}

std::optional<CandidateMeasurement> CandidatesPage::measuring(bool again) const {
    if (!search_ || !features_.measure)
        return std::nullopt;
    MeasuredCandidates candidates{subject_.workspace, subject_.workload, search_->setting, {}, again};
    for (const FoundCandidate& found : search_->candidates)
        candidates.configurations << found.configuration;
    return features_.measure(candidates);
}

std::optional<Job> CandidatesPage::measuring_job() const {
    const auto measurement = measuring();
    if (!measurement)
        return std::nullopt;
    const JobDescription& wanted = measurement->job.description();
    for (const Job& job : services_.jobs.jobs())
        if (job.kind == wanted.kind && job.workspace == subject_.workspace && !is_over(job.state) &&
            std::ranges::all_of(wanted.arguments,
                                [&](const QString& word) { return job.arguments.contains(word); }))
            return job;
    return std::nullopt;
}

QString CandidatesPage::measuring_refusal() const {
    const auto measurement = measuring();
    if (!measurement)
        return tr("Nothing was found yet.");
    if (!panel_->is_for_this_computer())
        return tr("Another machine is selected: only this computer can be measured.");
    if (measuring_job())
        return tr("These are being measured already.");
    if (std::ranges::all_of(rows_, [](const CandidateRow& row) { return row.time.has_value(); }))
        return tr("All of these are measured. A single one can be measured again on the %1 page.")
            .arg(title_of_many(words().configuration));
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_there = !services_.session.is_gone();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    return measurement->job.refusal(conditions).value_or(QString());
}

void CandidatesPage::show_measuring() {
    const QString reason = measuring_refusal();
    measure_->setEnabled(reason.isEmpty());
    measure_->setToolTip(reason.isEmpty()
                             ? tr("Compile and run them on this computer; what is measured already is not "
                                  "measured again")
                             : reason);
    const auto job = measuring_job();
    progress_->show_job(job);
    const bool can_measure = !job && features_.measure && panel_->is_for_this_computer();
    noise_->setText(can_measure ? search_noise(rows_, words()) : QString());
    noise_->setVisible(!noise_->text().isEmpty());
}

void CandidatesPage::measure(bool again) {
    const auto measurement = measuring(again);
    if (!measurement)
        return;
    start_job(*this, services_.jobs, measurement->job, [this](const std::expected<JobId, QString>& started) {
        Q_EMIT notice(started ? QString() : started.error(), !started, QStringLiteral("measure"));
        show_measuring();
    });
}

} // namespace sparsight
