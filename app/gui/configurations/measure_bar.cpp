#include "gui/configurations/measure_bar.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/jobs/views/job_start.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/form_layout.h"

#include <QComboBox>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <initializer_list>

namespace sparsight {

namespace {

constexpr int usual_count = 100;
constexpr int largest_count = 100'000;

} // namespace

MeasureBar::MeasureBar(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , domain_(services.session.domain())
    , workloads_(new QComboBox(this))
    , count_(new QSpinBox(this))
    , measure_(new QPushButton(icon(QStringLiteral("measure")), tr("&Measure"), this))
    , estimate_(new JobEstimateLabel(services.jobs, this))
    , progress_(new JobProgressLine(services.jobs, this)) {
    setObjectName(QStringLiteral("measure-bar"));
    build();
    connect(measure_, &QPushButton::clicked, this, &MeasureBar::measure);
    connect(workloads_, &QComboBox::currentIndexChanged, this, &MeasureBar::show_state);
    connect(count_, &QSpinBox::valueChanged, this, &MeasureBar::show_state);
    connect(&services_.session, &WorkspaceSession::opened, this, [this] {
        setting_.reset(); // was looked at in another workspace
        show_state();
    });
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &MeasureBar::show_state);
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &MeasureBar::show_state);
    connect(&services_.selection, &Selection::changed, this, &MeasureBar::show_state);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, &MeasureBar::show_state);
    show_state();
}

void MeasureBar::build() {
    const DomainWords& words = domain_.words();
    workloads_->setObjectName(QStringLiteral("measured-workloads"));
    workloads_->addItem(tr("the selected one"), false);
    workloads_->addItem(tr("all"), true);
    count_->setObjectName(QStringLiteral("measured-count"));
    count_->setRange(1, largest_count);
    count_->setValue(usual_count);
    measure_->setObjectName(QStringLiteral("measure"));
    const int height = std::max(workloads_->sizeHint().height(), measure_->sizeHint().height());
    for (QWidget* const field : std::initializer_list<QWidget*>{workloads_, count_, measure_})
        field->setMinimumHeight(height); // they stand in one line
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    FieldRow row(*column);
    row.add(tr("Measured %1").arg(many(words.workload)), workloads_,
            tr("The %1 on which this computer measures").arg(many(words.workload)));
    row.add(tr("%1 for each").arg(title_of_many(words.configuration)), count_,
            tr("How many %1 are drawn at random for each %2")
                .arg(many(words.configuration), one(words.workload)));
    row.add(measure_);
    column->addWidget(estimate_);
    column->addWidget(progress_);
}

void MeasureBar::set_setting(const Setting& setting) {
    if (!setting.domain.empty())
        setting_ = setting;
    show_state();
}

CollectJob MeasureBar::request() const {
    CollectJob job;
    job.workspace = services_.session.path();
    if (workloads_->currentData().toBool())
        for (const WorkloadRecord& workload : services_.session.contents().workloads)
            job.workloads << QString::fromStdString(workload.name);
    else if (const QString selected = services_.selection.current().workload; !selected.isEmpty())
        job.workloads << selected;
    job.setting.workload = domain_.words().workload;
    job.setting.configuration = domain_.words().configuration;
    if (setting_) {
        job.setting = job_setting(domain_, *setting_);
    } else if (const auto usual = domain_.setting_of({})) {
        job.setting = job_setting(domain_, *usual);
    } else {
        job.setting.problem = QString::fromStdString(usual.error().message);
    }
    if (!job.setting.setting.text.empty())
        job.setting_text = QString::fromStdString(domain_.describe(job.setting.setting));
    job.configurations = count_->value();
    job.threads = services_.settings.thread_count();
    return job;
}

QString MeasureBar::refusal() const {
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_there = !services_.session.is_gone();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    const CollectJob job = request();
    if (const auto reason = launch_refusal(job, conditions))
        return *reason;
    return services_.jobs.is_under_way(describe(job)) ? tr("Already running.") : QString();
}

std::optional<Job> MeasureBar::running() const {
    for (const Job& job : services_.jobs.jobs())
        if (job.kind == JobKind::Collect && job.workspace == services_.session.path() && !is_over(job.state))
            return job;
    return std::nullopt;
}

void MeasureBar::measure() {
    start_job(*this, services_.jobs, request(), [this](const std::expected<JobId, QString>& job) {
        Q_EMIT notice(job ? QString() : job.error(), !job, QStringLiteral("measure"));
        show_state();
    });
}

void MeasureBar::show_state() {
    const QString reason = refusal();
    measure_->setEnabled(reason.isEmpty());
    measure_->setToolTip(reason.isEmpty() ? tr("Measure on this computer; existing results stay as they are")
                                          : reason);
    const auto job = running();
    estimate_->show_estimate(reason.isEmpty() && !job ? std::optional(describe(request())) : std::nullopt);
    progress_->show_job(job);
}

} // namespace sparsight
