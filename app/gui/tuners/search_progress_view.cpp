#include "gui/tuners/search_progress_view.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/jobs/views/job_start.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace sparsight {

SearchProgressView::SearchProgressView(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , compare_(new QPushButton(icon(QStringLiteral("play")), tr("&Compare tuners"), this))
    , estimate_(new JobEstimateLabel(services.jobs, this))
    , progress_line_(new JobProgressLine(services.jobs, this))
    , sentence_(new QLabel(this))
    , chart_(new Chart(this)) {
    services_.jobs.add_kind(tuners_kind());
    build();
    connect(compare_, &QPushButton::clicked, this, &SearchProgressView::compare);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, [this](const JobId& id) {
            const auto job = services_.jobs.job(id);
            if (!job || job->kind == tuners_kind())
                show_state();
        });
    connect(&services_.jobs, &JobService::event_received, this,
            [this](const JobId& id, const QJsonObject& event) {
                if (id == shown_ && progress_.add(event))
                    show_progress_of_search();
            });
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &SearchProgressView::show_state);
    show_state();
}

void SearchProgressView::build() {
    setObjectName(QStringLiteral("search-progress"));
    compare_->setObjectName(QStringLiteral("compare-tuners"));
    sentence_->setObjectName(QStringLiteral("search-progress-sentence"));
    sentence_->setWordWrap(true);
    chart_->setObjectName(QStringLiteral("search-progress-chart"));
    chart_->setAccessibleName(tr("Best so far against measurements spent"));
    chart_->set_title(tr("Best so far against measurements spent"));
    ChartAxis across;
    across.title = tr("measurements on this machine");
    across.format = ValueFormat::Count;
    across.logarithmic = true;
    chart_->set_x_axis(across);
    ChartAxis up;
    up.title = tr("time over that of the fastest");
    up.format = ValueFormat::Speedup;
    up.logarithmic = true;
    chart_->set_y_axis(up);
    chart_->set_empty_text(tr("Tuners have not been compared here. Nothing is measured: what a tuner chooses "
                              "is looked up among the known times."));
    auto* const line = new QHBoxLayout;
    line->setSpacing(grid_step);
    line->addWidget(compare_);
    line->addWidget(estimate_);
    line->addWidget(progress_line_, 1);
    line->addStretch(0);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->setSpacing(grid_step);
    column->addLayout(line);
    column->addWidget(sentence_);
    column->addWidget(chart_, 1);
    setFocusProxy(compare_);
}

void SearchProgressView::show_times(const Setting& setting, std::size_t machines) {
    setting_ = setting;
    machines_ = machines;
    show_state();
}

TunersJob SearchProgressView::request() const {
    const Selected now = services_.selection.current();
    const MachineRecord* const machine = services_.session.machine(now.machine);
    return {.workspace = services_.session.path(),
            .workload = now.workload,
            .machine = now.machine,
            .machine_name = machine != nullptr ? QString::fromStdString(machine->name) : now.machine,
            .setting = setting_,
            .machines = machines_};
}

QString SearchProgressView::refusal() const {
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_there = !services_.session.is_gone();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    if (const auto reason = launch_refusal(request(), conditions))
        return *reason;
    return services_.jobs.is_under_way(describe(request())) ? tr("Already running.") : QString();
}

void SearchProgressView::compare() {
    start_job(*this, services_.jobs, request(), [this](const std::expected<JobId, QString>& job) {
        Q_EMIT notice(job ? QString() : job.error(), !job, QStringLiteral("compare"));
        show_state();
    });
}

void SearchProgressView::show_state() {
    const QString reason = refusal();
    compare_->setEnabled(reason.isEmpty());
    compare_->setToolTip(reason.isEmpty() ? tr("Which tuner needs the fewest measurements, if this machine "
                                               "were new?")
                                          : reason);
    const auto job = newest_job(services_.jobs, describe(request()), false);
    estimate_->show_estimate(reason.isEmpty() && !job ? std::optional(describe(request())) : std::nullopt);
    progress_line_->show_job(job);
    read();
}

void SearchProgressView::read() {
    auto job = newest_job(services_.jobs, describe(request()), false);
    if (!job)
        job = newest_job(services_.jobs, describe(request()), true);
    failure_ = job && job->state == JobState::Failed ? job->error : QString();
    const JobId wanted = job ? job->id : JobId();
    if (wanted != shown_)
        progress_ = job ? SearchProgress::of(services_.jobs.event_lines(wanted)) : SearchProgress();
    shown_ = wanted;
    show_progress_of_search();
}

void SearchProgressView::show_progress_of_search() {
    chart_->set_lines(progress_.lines());
    if (const auto unmeasured = progress_.unmeasured())
        chart_->set_reference(*unmeasured, tr("%1, nothing measured").arg(speedup_text(*unmeasured)));
    else
        chart_->clear_reference();
    sentence_->setText(failure_.isEmpty() ? progress_.sentence()
                                          : tr("The tuners could not be compared: %1").arg(failure_));
    sentence_->setVisible(!sentence_->text().isEmpty());
}

} // namespace sparsight
