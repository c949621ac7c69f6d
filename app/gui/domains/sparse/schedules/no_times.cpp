#include "gui/domains/sparse/schedules/no_times.h"

#include "gui/domains/sparse/schedules/machine_link.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_start.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_description.h"
#include "store/machines.h"
#include "widgets/look/number_text.h"

#include <QPushButton>
#include <algorithm>

namespace sparsight {

namespace {

constexpr std::size_t most_offered = 6; ///< of settings, and of machines
const QString machine_link = QStringLiteral("machine:");

QString setting_text(Operator op, std::int64_t dense) {
    return op == Operator::SpMV ? operator_text(op)
                                : NoTimes::tr("%1 with %2 columns of the dense matrix")
                                      .arg(operator_text(op), count_text(dense));
}

QString link(const QString& to, const QString& words) {
    return QStringLiteral("<a href='%1'>%2</a>").arg(to, words.toHtmlEscaped());
}

} // namespace

NoTimes::NoTimes(Services services, QWidget* parent)
    : EmptyState(parent)
    , services_(services)
    , simulate_(add_button(tr("Simulate &runtimes"), icon_on_accent(QStringLiteral("simulate")))) {
    setObjectName(QStringLiteral("no-times"));
    set_icon(icon(QStringLiteral("schedules")));
    simulate_->setObjectName(QStringLiteral("simulate-runtimes"));
    connect(simulate_, &QPushButton::clicked, this, &NoTimes::simulate);
    connect(this, &EmptyState::link_activated, this, &NoTimes::follow_link);
    connect(&services_.jobs, &JobService::job_added, this, &NoTimes::show_button);
    connect(&services_.jobs, &JobService::job_changed, this, &NoTimes::show_button);
    connect(&services_.jobs, &JobService::job_finished, this, &NoTimes::follow_job);
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &NoTimes::show_button);
    show_button();
}

void NoTimes::show_for(const Question& question, const RankedResults& read) {
    question_ = question;
    read_ = read;
    const MachineRecord* const other = other_machine();
    const QString name = other != nullptr ? QString::fromStdString(other->name) : QString();
    if (!read_.elsewhere.empty())
        set_title(tr("No times for %1").arg(setting_text(question_.op, question_.dense)));
    else
        set_title(other != nullptr ? tr("No times on %1 yet").arg(name) : tr("Nothing measured here yet"));
    const QString offered = offers();
    set_text(offered.isEmpty() ? what_to_do() : what_to_do() + QStringLiteral("<br><br>") + offered);
    show_button();
}

const MachineRecord* NoTimes::other_machine() const {
    return question_.machine.isEmpty() || question_.machine == services_.session.this_machine()
               ? nullptr
               : services_.session.machine(question_.machine);
}

bool NoTimes::is_simulated() const {
    const MachineRecord* const other = other_machine();
    const auto description = other != nullptr ? description_of(*other) : std::nullopt;
    return description && description->source == MachineSource::Simulated;
}

/// Times in another setting are no reason to measure.
QString NoTimes::what_to_do() const {
    if (!read_.elsewhere.empty())
        return tr("%1 has times here in other settings:").arg(question_.matrix.toHtmlEscaped());
    if (is_simulated()) {
        const auto estimate = estimate_of(describe(job()), services_.jobs.jobs());
        return tr("This machine is simulated: its runtimes are computed. %1 Measure runs on this computer "
                  "instead.")
            .arg(estimate ? estimate_text(*estimate) : QString());
    }
    if (other_machine() != nullptr)
        return tr("Nothing can be measured there from here. Measure runs on this computer instead.");
    if (question_.is_being_measured)
        return tr("Its schedules are being measured. The fastest will be at the top.");
    return tr("Press Measure to compile and run fixed CSR and the number of schedules above on this "
              "computer. The fastest is at the top.");
}

QString NoTimes::offers() const {
    QStringList lines;
    for (std::size_t at = 0; at < std::min(read_.elsewhere.size(), most_offered); ++at) {
        const TimedSetting& other = read_.elsewhere[at];
        QString words = setting_text(other.op, other.dense);
        if (other.threads > 0)
            words = other.threads == 1 ? tr("%1, 1 thread").arg(words)
                                       : tr("%1, %2 threads").arg(words, count_text(other.threads));
        lines << QStringLiteral("%1: %2").arg(link(QString::number(at), words),
                                              schedules_text(static_cast<qint64>(other.times)));
    }
    if (read_.machines.empty())
        return lines.join(QStringLiteral("<br>"));
    lines << tr("Machines with times of %1 in this setting:").arg(question_.matrix.toHtmlEscaped());
    for (std::size_t at = 0; at < std::min(read_.machines.size(), most_offered); ++at) {
        const TimedMachine& machine = read_.machines[at];
        lines << QStringLiteral("%1: %2").arg(
            link(machine_link + link_to_machine(machine.fingerprint), machine.name),
            schedules_text(static_cast<qint64>(machine.times)));
    }
    return lines.join(QStringLiteral("<br>"));
}

void NoTimes::follow_link(const QString& link) {
    if (link.startsWith(machine_link)) {
        services_.selection.select_machine(linked_machine(link.sliced(machine_link.size())));
        return;
    }
    if (const auto at = static_cast<std::size_t>(link.toInt()); at < read_.elsewhere.size()) {
        const TimedSetting setting = read_.elsewhere[at];
        Q_EMIT setting_chosen(setting);
    }
}

SimulateRuntimesJob NoTimes::job() const {
    SimulateRuntimesJob job;
    job.workspace = services_.session.path();
    job.machine = question_.machine;
    if (const MachineRecord* const other = other_machine())
        job.machine_name = QString::fromStdString(other->name);
    job.matrices = {question_.matrix};
    job.op = question_.op;
    job.dense = question_.dense;
    return job;
}

void NoTimes::simulate() {
    start_job(*this, services_.jobs, job(), [this](const std::expected<JobId, QString>& started) {
        Q_EMIT notice(started ? QString() : started.error(), !started, QStringLiteral("simulate"));
        if (started)
            job_ = *started;
        show_button();
    });
}

void NoTimes::follow_job(const JobId& id) {
    if (id == job_) // that it has failed is told as of any job
        services_.session.refresh();
    show_button();
}

void NoTimes::show_button() {
    simulate_->setVisible(is_simulated() && !question_.matrix.isEmpty());
    QString refusal = services_.session.is_open() ? QString() : tr("No workspace is open.");
    if (refusal.isEmpty()) {
        LaunchConditions conditions;
        conditions.worker_program = services_.jobs.worker_program();
        conditions.workspace_is_there = !services_.session.is_gone();
        conditions.workspace_is_writable = !services_.session.is_read_only();
        if (const WorkloadRecord* const record = services_.session.workload(question_.matrix);
            record != nullptr && record->payload == PayloadPlace::Unknown)
            conditions.workloads_without_data = {question_.matrix};
        refusal = launch_refusal(job(), conditions).value_or(QString());
    }
    if (refusal.isEmpty() && services_.jobs.is_under_way(describe(job())))
        refusal = tr("Already running.");
    simulate_->setEnabled(refusal.isEmpty());
    simulate_->setToolTip(refusal.isEmpty()
                              ? tr("Fixed CSR and 100 drawn schedules of this matrix, in the background")
                              : refusal);
}

} // namespace sparsight
