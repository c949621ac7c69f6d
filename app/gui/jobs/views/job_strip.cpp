#include "gui/jobs/views/job_strip.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/run_report.h"
#include "gui/jobs/views/job_list.h"
#include "gui/jobs/views/job_progress_line.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QEvent>
#include <QFileInfo>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QProgressBar>
#include <QToolButton>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

QToolButton* make_button(const QString& drawing) {
    auto* button = new QToolButton;
    button->setIcon(icon(drawing));
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

int precedence(const Job& job) {
    if (is_active(job.state))
        return job.measures() ? 0 : 1;
    return job.state == JobState::Paused ? 2 : job.state == JobState::Waiting ? 3 : 4;
}

void set_colour(QWidget& widget, const QColor& colour) {
    QPalette palette = widget.palette();
    if (palette.color(QPalette::WindowText) == colour)
        return; // setting it would come back as a change of the palette
    palette.setColor(QPalette::WindowText, colour);
    widget.setPalette(palette);
}

} // namespace

std::optional<Job> foremost_job(const std::vector<Job>& jobs, const QString& workspace) {
    const auto first = std::ranges::min_element(jobs, {}, [&workspace](const Job& job) {
        return std::pair(precedence(job), !workspace.isEmpty() && job.workspace != workspace);
    });
    if (first == jobs.end() || precedence(*first) == 4)
        return std::nullopt;
    return *first;
}

JobStrip::JobStrip(JobService& service, QWidget* parent, std::chrono::milliseconds notice_time)
    : QWidget(parent)
    , service_(service)
    , title_(new ElidedLabel)
    , status_(new ElidedLabel)
    , bar_(new QProgressBar)
    , pause_(make_button(QStringLiteral("pause")))
    , stop_(make_button(QStringLiteral("stop")))
    , list_button_(make_button(QStringLiteral("chevron-up")))
    , popup_(new QFrame(this, Qt::Popup))
    , list_(new JobList(service)) {
    setAccessibleName(tr("Jobs"));
    title_->setAccessibleName(tr("Job"));
    status_->setAccessibleName(tr("State of the job"));
    bar_->setAccessibleName(tr("Progress of the job"));
    bar_->setTextVisible(false);
    fit_bar();
    list_button_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    list_button_->setToolTip(tr("All jobs"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(grid_step * 3 / 2, 0, grid_step / 2, 0); // pages need the height
    layout->setSpacing(grid_step);
    layout->addWidget(title_);
    layout->addSpacing(grid_step / 2);
    layout->addWidget(bar_);
    layout->addSpacing(grid_step / 2);
    layout->addWidget(status_, 1);
    layout->addWidget(pause_);
    layout->addWidget(stop_);
    layout->addWidget(list_button_);

    auto* inside = new QVBoxLayout(popup_);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->addWidget(list_);
    popup_->setFrameShape(QFrame::StyledPanel);

    notice_end_.setSingleShot(true);
    notice_end_.setInterval(notice_time);
    connect(&notice_end_, &QTimer::timeout, this, [this] {
        ended_ = {};
        refresh();
    });
    connect(&service, &JobService::job_added, this, &JobStrip::refresh);
    connect(&service, &JobService::job_changed, this, &JobStrip::refresh);
    connect(&service, &JobService::job_removed, this, &JobStrip::refresh);
    connect(&service, &JobService::job_finished, this, &JobStrip::take_end);
    connect(pause_, &QToolButton::clicked, this, &JobStrip::pause_or_resume);
    connect(stop_, &QToolButton::clicked, this, [this] { service_.stop(shown_); });
    connect(list_button_, &QToolButton::clicked, this, &JobStrip::open_list);
    connect(list_, &JobList::log_opened, popup_, &QWidget::hide);
    refresh();
}

void JobStrip::add_messages(QWidget* messages) {
    auto* line = qobject_cast<QHBoxLayout*>(layout());
    line->insertWidget(line->indexOf(pause_), messages, 2);
    has_messages_ = true;
}

QString JobStrip::title() const {
    return title_->text();
}

QString JobStrip::status() const {
    return status_->text();
}

QString JobStrip::others() const {
    return list_button_->text();
}

bool JobStrip::list_is_open() const {
    return popup_->isVisible();
}

void JobStrip::open_list() {
    const QSize size(std::max(fontMetrics().averageCharWidth() * 80, popup_->sizeHint().width()),
                     fontMetrics().height() * 28);
    popup_->resize(size);
    popup_->move(mapToGlobal(QPoint(width() - size.width(), -size.height())));
    list_->choose(shown_.isNull() ? ended_ : shown_); // what the strip tells of
    ended_ = {};
    notice_end_.stop();
    popup_->show();
    list_->view().setFocus();
    refresh();
}

void JobStrip::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        open_list();
}

void JobStrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(current_theme().border);
    painter.drawLine(rect().topLeft(), rect().topRight());
}

void JobStrip::fit_bar() {
    bar_->setFixedWidth(fontMetrics().averageCharWidth() * 24);
    bar_->setMaximumHeight(fontMetrics().height() / 2);
}

void JobStrip::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        fit_bar();
    const bool is_look = event->type() == QEvent::PaletteChange || event->type() == QEvent::LanguageChange;
    if (is_look)
        refresh();
}

void JobStrip::take_end(const JobId& id) {
    const auto job = service_.job(id);
    if (!job || !is_over(job->state))
        return;
    ended_ = id;
    if (job->state == JobState::Failed)
        notice_end_.stop();
    else
        notice_end_.start();
    refresh();
}

void JobStrip::pause_or_resume() {
    const auto job = service_.job(shown_);
    if (job && job->state == JobState::Paused)
        service_.resume(shown_);
    else
        service_.pause(shown_);
}

void JobStrip::refresh() {
    const std::vector<Job> jobs = service_.jobs();
    const auto foremost = foremost_job(jobs, workspace_);
    const auto ended = service_.job(ended_);
    const bool is_quiet = !foremost || !is_active(foremost->state);
    const bool is_told_here = ended && !(has_messages_ && ended->state == JobState::Failed);
    shown_ = {};
    if (is_told_here && is_over(ended->state) && is_quiet)
        show_end(*ended);
    else if (foremost)
        show_job(*foremost);
    else
        show_nothing();
    show_others(jobs, shown_);
}

void JobStrip::set_workspace(const QString& path) {
    workspace_ = path;
    list_->set_workspace(path);
    refresh();
}

void JobStrip::show_title(const Job& job) {
    const bool is_of_another =
        !workspace_.isEmpty() && !job.workspace.isEmpty() && job.workspace != workspace_;
    const QString title =
        is_of_another ? tr("%1 (workspace %2)").arg(job.title, QFileInfo(job.workspace).completeBaseName())
                      : job.title;
    title_->setText(title);
    title_->setToolTip(title);
}

void JobStrip::show_job(const Job& job) {
    shown_ = job.id;
    show_title(job);
    const bool has_progress = job.progress.total > 0;
    bar_->setVisible(is_active(job.state) || (job.state == JobState::Paused && has_progress));
    show_progress(*bar_, job.progress);
    QString status = status_text(job);
    if (job.state == JobState::Waiting)
        status = service_.blocked_reason(job.id);
    if (job.state == JobState::Paused)
        status =
            has_progress
                ? tr("paused · %1 of %2").arg(count_text(job.progress.done), count_text(job.progress.total))
                : tr("paused");
    status_->setText(status);
    status_->setToolTip(QStringList{job.progress.what, job.progress.warning}.join(u'\n').trimmed());
    set_colour(*status_, current_theme().dim_text);
    set_buttons(job);
}

void JobStrip::show_end(const Job& job) {
    show_title(job);
    bar_->hide();
    const QString what = job.state == JobState::Failed ? job.error : job.summary;
    const QString state = state_text(job.state);
    status_->setText(side_by_side((state + u'\n' + what).split(u'\n', Qt::SkipEmptyParts)));
    status_->setToolTip(what);
    set_colour(*status_, job.state == JobState::Failed ? current_theme().error : current_theme().dim_text);
    set_buttons({});
}

void JobStrip::show_nothing() {
    title_->setText(tr("No jobs running"));
    title_->setToolTip({});
    bar_->hide();
    status_->clear();
    status_->setToolTip({});
    set_buttons({});
}

void JobStrip::show_others(const std::vector<Job>& jobs, const JobId& shown) {
    const auto others = [&](auto is_meant) {
        return std::ranges::count_if(jobs,
                                     [&](const Job& job) { return job.id != shown && is_meant(job.state); });
    };
    const auto running = others([](JobState state) { return is_active(state); });
    const auto waiting = others([](JobState state) { return state == JobState::Waiting; });
    QStringList parts;
    if (running > 0)
        parts << tr("%1 more running").arg(running);
    if (waiting > 0)
        parts << tr("%1 waiting").arg(waiting);
    list_button_->setText(parts.isEmpty() ? tr("Jobs") : parts.join(QStringLiteral(" · ")));
}

void JobStrip::set_buttons(const std::optional<Job>& job) {
    const bool is_paused = job && job->state == JobState::Paused;
    const JobAction action = is_paused ? JobAction::Resume : JobAction::Pause;
    const QString nothing = tr("No jobs running");
    pause_->setIcon(icon(is_paused ? QStringLiteral("play") : QStringLiteral("pause")));
    pause_->setAccessibleName(is_paused ? tr("Resume the job") : tr("Pause the job"));
    pause_->setEnabled(job && is_allowed(action, *job));
    pause_->setToolTip(job ? action_tooltip(action, *job) : nothing);
    stop_->setAccessibleName(tr("Stop the job"));
    stop_->setEnabled(job && is_allowed(JobAction::Stop, *job));
    stop_->setToolTip(job ? action_tooltip(JobAction::Stop, *job) : nothing);
}

} // namespace sparsight
