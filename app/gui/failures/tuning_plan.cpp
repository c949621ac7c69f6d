#include "gui/failures/tuning_plan.h"

#include "gui/failures/case_study.h"
#include "gui/jobs/job_service.h"
#include "gui/runs/training_runs.h"
#include "gui/workspace/workspace_session.h"
#include "schedule/text.h"

#include <algorithm>

namespace sparsight {

namespace {

/// The schedules that teach most: both sides, what lies between them, and what would win.
QStringList teaching_schedules(const CaseStudy& study) {
    QStringList lines{QString::fromStdString(to_text(study.subject()->against)),
                      QString::fromStdString(to_text(study.subject()->schedule))};
    if (const ShownExplanation* const shown = study.shown()) {
        for (const ShownStep& step : shown->steps)
            if (step.alone_ms)
                lines << step.alone;
        if (shown->schedule_change && shown->schedule_change->ms)
            lines << shown->schedule_change->schedule;
    }
    lines.removeAll(QString());
    lines.removeDuplicates();
    return lines;
}

} // namespace

TuningPlan::TuningPlan(Services services, TrainingRuns& runs, QObject* parent)
    : QObject(parent)
    , services_(services)
    , runs_(runs) {
    connect(&services_.jobs, &JobService::job_finished, this, &TuningPlan::take_end);
    for (const auto signal : {&JobService::job_changed, &JobService::job_removed})
        connect(&services_.jobs, signal, this, [this](const JobId& id) {
            if (job_ == id)
                Q_EMIT changed();
        });
}

void TuningPlan::set_case(const CaseStudy& study) {
    if (study.failure() == nullptr || !study.setting().table.isEmpty())
        return;
    const QString model = QString::fromStdString(study.failure()->model_name);
    const bool is_of_same = workspace_ == services_.session.path() &&
                            setting_.machine == study.setting().machine &&
                            setting_.op == study.setting().op && (model == model_ || model == tuned_);
    setting_ = study.setting();
    if (is_of_same)
        return;
    workspace_ = services_.session.path();
    model_ = model;
    clear();
}

void TuningPlan::clear() {
    matrices_.clear();
    tuned_.clear();
    outcome_.clear();
    Q_EMIT changed();
}

LaunchConditions TuningPlan::conditions() const {
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    conditions.models = runs_.model_names();
    return conditions;
}

QString TuningPlan::adding_refusal(const CaseStudy& study) const {
    if (study.failure() == nullptr)
        return tr("Choose a case first.");
    if (!study.setting().table.isEmpty())
        return tr("A recorded table has no model that could learn from it.");
    if (!study.subject())
        return study.no_study();
    if (matrices_.contains(study.subject()->matrix))
        return tr("%1 is among them already.").arg(study.subject()->matrix);
    return surroundings_refusal(services_.session.path(), conditions()).value_or(QString());
}

void TuningPlan::add(const CaseStudy& study) {
    if (!adding_refusal(study).isEmpty())
        return;
    set_case(study);
    matrices_ << study.subject()->matrix;
    if (setting_.machine == services_.session.this_machine()) {
        CollectJob job;
        job.workspace = workspace_;
        job.matrices = QStringList{study.subject()->matrix};
        job.op = setting_.op;
        job.dense = setting_.dense;
        job.listed = teaching_schedules(study);
        job.threads = std::max(1, study.subject()->against.threads);
        job_ = start(job, QStringLiteral("measure"));
    }
    Q_EMIT changed();
}

/// What the model has learned on this machine stays learned beside what is new.
FineTuneJob TuningPlan::request() const {
    FineTuneJob job;
    job.workspace = workspace_;
    job.model = model_;
    job.machine = setting_.machine;
    job.name = free_name();
    job.op = setting_.op;
    job.dense = setting_.dense;
    job.matrix_names = matrices_;
    if (const KnownModel* const known = runs_.model(model_))
        for (const QString& matrix : known->matrices)
            if (setting_.measured.contains(matrix))
                job.matrix_names << matrix;
    job.matrix_names.removeDuplicates();
    return job;
}

QString TuningPlan::free_name() const {
    const QStringList names = runs_.model_names();
    const QString base = tr("%1-mended").arg(model_);
    QString name = base;
    for (int number = 2; names.contains(name); ++number)
        name = QStringLiteral("%1-%2").arg(base).arg(number);
    return name;
}

QString TuningPlan::tuning_refusal() const {
    if (matrices_.isEmpty())
        return tr("Add the measurements of a case first.");
    if (job())
        return tr("Something is done for it already.");
    return fine_tune_refusal(request(), conditions()).value_or(QString());
}

std::optional<Job> TuningPlan::job() const {
    const auto job = job_ ? services_.jobs.job(*job_) : std::nullopt;
    return job && !is_over(job->state) ? job : std::nullopt;
}

void TuningPlan::fine_tune() {
    if (!tuning_refusal().isEmpty())
        return Q_EMIT changed();
    const FineTuneJob job = request();
    outcome_.clear();
    tuned_ = job.name;
    job_ = start(job, QStringLiteral("fine-tune"));
    if (!job_)
        tuned_.clear();
    Q_EMIT changed();
}

void TuningPlan::take_end(const JobId& id) {
    if (job_ != id)
        return;
    const auto job = services_.jobs.job(id);
    if (job && job->kind == JobKind::FineTune) {
        outcome_ = job->state == JobState::Finished ? job->summary : job->error;
        if (job->state == JobState::Finished)
            compare_both();
        else
            tuned_.clear();
    }
    Q_EMIT changed();
}

/// On the same matrices as before, but for those that were learned from.
void TuningPlan::compare_both() {
    EvaluateJob job;
    job.workspace = workspace_;
    job.models = QStringList{model_, tuned_};
    for (const QString& matrix : setting_.matrices)
        if (!matrices_.contains(matrix))
            job.matrices << matrix;
    if (job.matrices.isEmpty())
        return;
    job.k = setting_.k;
    if (setting_.machine != services_.session.this_machine())
        job.machine = setting_.machine;
    else
        job.threads = std::max(1, setting_.threads.value_or(1));
    job_ = start(job, QStringLiteral("evaluate"));
}

std::optional<JobId> TuningPlan::start(const JobRequest& request, const QString& action) {
    const auto job = services_.jobs.start(request);
    Q_EMIT notice(job ? QString() : job.error(), !job, action);
    return job ? std::optional(*job) : std::nullopt;
}

} // namespace sparsight
