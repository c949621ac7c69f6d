#include "gui/jobs/views/job_progress_line.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/run_report.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <algorithm>

namespace sparsight {

JobProgressLine::JobProgressLine(JobService& jobs, QWidget* parent)
    : QWidget(parent)
    , jobs_(jobs)
    , progress_(new QProgressBar(this))
    , text_(new QLabel(this))
    , pause_(new QPushButton(this))
    , stop_(new QPushButton(icon(QStringLiteral("stop")), tr("S&top"), this)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    progress_->setTextVisible(false);
    progress_->setMaximumHeight(grid_step);
    row->addWidget(progress_, 1);
    // a long reason must not widen the window
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(text_, 2);
    pause_->setObjectName(QStringLiteral("pause"));
    stop_->setObjectName(QStringLiteral("stop"));
    row->addWidget(pause_);
    row->addWidget(stop_);
    connect(stop_, &QPushButton::clicked, this, [this] { jobs_.stop(job_); });
    connect(pause_, &QPushButton::clicked, this, &JobProgressLine::pause_or_resume);
    hide();
}

void JobProgressLine::pause_or_resume() {
    const auto job = jobs_.job(job_);
    if (job && job->state == JobState::Paused)
        jobs_.resume(job_);
    else
        jobs_.pause(job_);
}

namespace {

/// What it has not begun yet has its warnings alone: they say why.
QString told_with_warnings(const QString& text, const JobProgress& progress) {
    const QStringList warnings = progress.warning.split(u'\n', Qt::SkipEmptyParts);
    const bool has_begun = progress.total > 0 || warnings.isEmpty();
    return side_by_side(has_begun ? QStringList{text} + warnings : warnings);
}

} // namespace

QString JobProgressLine::text_of(const Job& job) const {
    QString text = job.progress.total > 0
                       ? tr("%1 of %2").arg(count_text(job.progress.done), count_text(job.progress.total))
                       : job.title;
    if (job.is_short() && job.progress.total > 0 && !job.progress.what.isEmpty())
        text = QStringLiteral("%1: %2").arg(job.progress.what, text);
    switch (job.state) {
    case JobState::Waiting:
        return jobs_.blocked_reason(job.id);
    case JobState::Pausing:
    case JobState::Stopping:
        return text + (job.measures() ? tr(" · finishing the measurement in flight") : tr(" · stopping"));
    case JobState::Paused:
        return text + tr(" · paused");
    default:
        if (job.progress.seconds_left)
            text += QStringLiteral(" · ") + time_left_text(*job.progress.seconds_left);
        return told_with_warnings(text, job.progress);
    }
}

void JobProgressLine::show_job(const std::optional<Job>& job) {
    setVisible(job.has_value());
    if (!job)
        return;
    job_ = job->id;
    show_progress(*progress_, job->progress);
    const QString text = text_of(*job);
    text_->setText(text);
    text_->setToolTip(text);
    const bool is_paused = job->state == JobState::Paused;
    pause_->setText(is_paused ? tr("Res&ume") : tr("Pa&use"));
    pause_->setIcon(icon(is_paused ? QStringLiteral("measure") : QStringLiteral("pause")));
    pause_->setEnabled(is_paused || is_allowed(JobAction::Pause, *job));
    pause_->setToolTip(action_tooltip(is_paused ? JobAction::Resume : JobAction::Pause, *job));
    pause_->setVisible(!job->is_short());
    stop_->setEnabled(is_allowed(JobAction::Stop, *job));
    stop_->setToolTip(action_tooltip(JobAction::Stop, *job));
}

void show_progress(QProgressBar& bar, const JobProgress& progress) {
    constexpr int parts = 10'000; // totals may be larger than an int
    bar.setRange(0, progress.total > 0 ? parts : 0);
    const auto done = std::min(progress.done, progress.total); // a pool may turn out larger than expected
    bar.setValue(progress.total > 0 ? static_cast<int>(parts * done / progress.total) : 0);
}

} // namespace sparsight
