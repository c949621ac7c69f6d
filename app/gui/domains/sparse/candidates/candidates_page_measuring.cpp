// Search: what is known of the times of what was found, and measuring them.
#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/candidates/candidates_page.h"
#include "gui/domains/sparse/candidates/search_panel.h"
#include "gui/jobs/job_progress_line.h"
#include "gui/jobs/job_request.h"
#include "gui/jobs/job_service.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_json.h"

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
    ResultFilter filter;
    const QString machine = subject_.machine.isEmpty() ? services_.session.this_machine() : subject_.machine;
    if (search_ && services_.session.machine(machine) != nullptr) {
        const CollectJob job = measuring();
        filter.matrix = subject_.matrix.toStdString();
        filter.machine = machine.toStdString();
        filter.op = job.op;
        filter.dense = job.dense;
        if (subject_.machine.isEmpty()) {
            filter.protocol = name(job.protocol);
            filter.threads = job.threads;
        }
    }
    if (filter != times_.filter())
        times_.set_filter(filter);
}

CollectJob CandidatesPage::measuring() const {
    CollectJob job;
    job.workspace = subject_.workspace;
    job.matrices = {subject_.matrix};
    if (!search_)
        return job;
    job.op = search_->setting.op;
    job.dense = job.op == Operator::SpMV ? 1 : search_->setting.dense;
    for (const FoundCandidate& found : search_->candidates) {
        job.listed << found.schedule;
        // All have as many as the machine for which was searched.
        if (const auto schedule = parse_schedule(job.op, found.schedule.toStdString()))
            job.threads = schedule->threads;
    }
    return job;
}

std::optional<Job> CandidatesPage::measuring_job() const {
    if (!search_)
        return std::nullopt;
    const QStringList words = describe(measuring()).arguments;
    for (const Job& job : services_.jobs.jobs())
        if (job.kind == JobKind::Collect && job.workspace == subject_.workspace && !is_over(job.state) &&
            std::ranges::all_of(words, [&](const QString& word) { return job.arguments.contains(word); }))
            return job;
    return std::nullopt;
}

QString CandidatesPage::measuring_refusal() const {
    if (!search_)
        return tr("Nothing was found yet.");
    if (!panel_->is_for_this_computer())
        return tr("Another machine is selected: only this computer can be measured.");
    if (measuring_job())
        return tr("These are being measured already.");
    if (std::ranges::all_of(rows_, [](const CandidateRow& row) { return row.time.has_value(); }))
        return tr("All of these are measured. A single one can be measured again on the Schedules page.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_there = !services_.session.is_gone();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    return collect_refusal(measuring(), conditions).value_or(QString());
}

void CandidatesPage::show_measuring() {
    const QString reason = measuring_refusal();
    measure_->setEnabled(reason.isEmpty());
    measure_->setToolTip(reason.isEmpty()
                             ? tr("Compile and run them on this computer; what is measured already is not "
                                  "measured again")
                             : reason);
    progress_->show_job(measuring_job());
}

void CandidatesPage::measure() {
    const auto started = services_.jobs.start(measuring());
    Q_EMIT notice(started ? QString() : started.error(), !started, QStringLiteral("measure"));
    show_measuring();
}

} // namespace sparsight
