#include "gui/domains/sparse/schedules/measure_panel.h"

#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/schedules/measure_fields.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/jobs/views/job_start.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/link_label.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

namespace sparsight {

MeasurePanel::MeasurePanel(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , matrices_(new MatrixChoice(this))
    , measure_(new QPushButton(icon_on_accent(QStringLiteral("measure")), tr("&Measure"), this))
    , fields_(new MeasureFields(services.settings, matrices_, measure_, this))
    , estimate_(new JobEstimateLabel(services.jobs, this))
    , stored_(new QLabel(this))
    , progress_(new JobProgressLine(services.jobs, this)) {
    setObjectName(QStringLiteral("measure-panel"));
    build();
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &MeasurePanel::follow_contents);
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &MeasurePanel::show_state);
    connect(&services_.selection, &Selection::changed, this, &MeasurePanel::follow_contents);
    connect(&services_.jobs, &JobService::job_added, this, &MeasurePanel::show_state);
    connect(&services_.jobs, &JobService::job_changed, this, &MeasurePanel::show_state);
    connect(&services_.jobs, &JobService::job_finished, this, &MeasurePanel::show_state);
    connect(&services_.jobs, &JobService::job_removed, this, &MeasurePanel::show_state);
    connect(&services_.jobs, &JobService::event_received, this, &MeasurePanel::take_end);
    follow_contents();
}

void MeasurePanel::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(fields_);
    column->addWidget(estimate_);
    estimate_->setAlignment(Qt::AlignRight); // below the button
    column->addWidget(stored_);
    column->addWidget(progress_);
    measure_->setObjectName(QStringLiteral("measure"));
    measure_->setDefault(true);
    stored_->setObjectName(QStringLiteral("stored"));
    stored_->hide();
    reach_links_by_keyboard(*stored_);
    // The button stands right of the fields, though they were made with it.
    QWidget* last = matrices_;
    for (QWidget* each = fields_->nextInFocusChain(); each != fields_; each = each->nextInFocusChain())
        if (each != measure_ && fields_->isAncestorOf(each))
            last = each;
    setTabOrder(last, measure_);
    connect(stored_, &QLabel::linkActivated, this, [this] { measure_again(); });
    connect(measure_, &QPushButton::clicked, this, [this] { start(request()); });
    connect(matrices_, &MatrixChoice::changed, this, &MeasurePanel::show_state);
    connect(fields_, &MeasureFields::changed, this, &MeasurePanel::show_state);
    connect(fields_, &MeasureFields::setting_changed, this, &MeasurePanel::setting_changed);
}

CollectSchedulesJob MeasurePanel::request() const {
    CollectSchedulesJob job = fields_->request();
    job.workspace = services_.session.path();
    job.workloads = matrices_->chosen();
    return job;
}

void MeasurePanel::measure_schedule(const QString& schedule) {
    // Its threads become those of the page: its time compares with those of the same number only.
    if (const auto parsed = parse_schedule(fields_->op(), schedule.toStdString()))
        fields_->set_threads(parsed->threads);
    CollectSchedulesJob job = request();
    job.workloads = {services_.selection.current().workload};
    job.listed = {schedule};
    job.again = true;
    start(job);
}

void MeasurePanel::measure_again() {
    CollectSchedulesJob job = request();
    job.again = true;
    start(job);
}

void MeasurePanel::take_end(const JobId& id, const QJsonObject& event) {
    if (id != job_ || event[QStringLiteral("event")].toString() != QStringLiteral("end"))
        return;
    const auto count = [&](const char* key) { return event[QLatin1String(key)].toInteger(); };
    const qint64 kept = count("skipped");
    const bool are_all = count("measured") + count("failed") == 0;
    const QString again = QStringLiteral("<a href='again'>");
    stored_->setText(are_all ? tr("All of these were measured before. %1Measure them again</a>").arg(again)
                             : tr("Measured before, and kept: %1. %2Measure all of them again</a>")
                                   .arg(measurements_text(kept), again));
    stored_->setVisible(kept > 0);
}

void MeasurePanel::start(const CollectSchedulesJob& job) {
    stored_->hide();
    start_job(*this, services_.jobs, job, [this](const std::expected<JobId, QString>& started) {
        Q_EMIT notice(started ? QString() : started.error(), !started, QStringLiteral("measure"));
        if (!started)
            return;
        job_ = *started;
        show_state();
        Q_EMIT measuring_started();
    });
}

QString MeasurePanel::refusal_of(const CollectSchedulesJob& job) const {
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_there = !services_.session.is_gone();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    return launch_refusal(job, conditions).value_or(QString());
}

QString MeasurePanel::refusal() const {
    if (const QString reason = refusal_of(request()); !reason.isEmpty())
        return reason;
    return is_measuring() ? tr("These are being measured already.") : QString();
}

bool MeasurePanel::is_measuring() const {
    const auto under_way = running();
    return under_way && under_way->arguments == describe(request()).arguments;
}

QString MeasurePanel::refusal_of_one() const {
    CollectSchedulesJob job = request();
    const WorkloadRecord* record = services_.session.workload(services_.selection.current().workload);
    if (record == nullptr || record->payload == PayloadPlace::Unknown)
        return tr("Select a matrix whose pattern is known.");
    job.workloads = {QString::fromStdString(record->name)};
    job.listed = {QString::fromStdString(to_text(fixed_csr(job.op, job.threads)))}; // any that is valid
    return refusal_of(job);
}

void MeasurePanel::follow_contents() {
    QStringList names;
    for (const WorkloadRecord& record : services_.session.contents().workloads)
        if (record.payload != PayloadPlace::Unknown)
            names << QString::fromStdString(record.name);
    matrices_->set_matrices(names, services_.selection.current().workload);
    show_state();
}

/// The one that was started here, else any that measures in this workspace.
std::optional<Job> MeasurePanel::running() const {
    const auto is_under_way = [this](const Job& job) {
        return job.kind == JobKind::Collect && job.workspace == services_.session.path() &&
               !is_over(job.state);
    };
    if (const auto own = services_.jobs.job(job_); own && is_under_way(*own))
        return own;
    for (const Job& job : services_.jobs.jobs())
        if (is_under_way(job))
            return job;
    return std::nullopt;
}

/// A button that is disabled would hand the focus on to the next field.
void MeasurePanel::set_measuring_enabled(const QString& reason_against) {
    const bool is_enabled = reason_against.isEmpty();
    if (!is_enabled && measure_->hasFocus()) {
        setFocus();
        awaits_focus_ = true;
    }
    measure_->setEnabled(is_enabled);
    if (is_enabled && std::exchange(awaits_focus_, false) && hasFocus())
        measure_->setFocus();
}

void MeasurePanel::show_state() {
    const QString reason = refusal();
    const auto job = running();
    set_measuring_enabled(reason);
    estimate_->show_estimate(reason.isEmpty() && !job ? std::optional(describe(request())) : std::nullopt);
    const QString tip = tr("Measure these schedules on this computer.");
    measure_->setToolTip(!reason.isEmpty()             ? reason
                         : estimate_->text().isEmpty() ? tip
                                                       : tip + u' ' + estimate_->text());
    if (is_compact_)
        estimate_->hide();
    progress_->show_job(job);
}

void MeasurePanel::set_compact(bool is_compact) {
    if (std::exchange(is_compact_, is_compact) != is_compact)
        show_state();
}

} // namespace sparsight
