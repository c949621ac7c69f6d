// What is measured and asked of the chosen case by jobs.
#include "evaluation/model_reasons/model_reasons_json.h"
#include "gui/failures/case_study.h"
#include "gui/jobs/job_service.h"
#include "gui/workspace/workspace_session.h"
#include "schedule/text.h"

#include <QJsonDocument>
#include <algorithm>

namespace sparsight {

ExplainJob CaseStudy::explain_job() const {
    ExplainJob job;
    job.workspace = services_.session.path();
    job.matrix = subject_->matrix;
    job.schedule = QString::fromStdString(to_text(subject_->schedule));
    job.against = QString::fromStdString(to_text(subject_->against));
    job.op = setting_.op;
    job.dense = setting_.dense;
    job.threads = std::max(1, subject_->against.threads);
    return job;
}

ReasonsJob CaseStudy::reasons_job() const {
    ReasonsJob job;
    job.workspace = services_.session.path();
    job.model = QString::fromStdString(failure_->model_name);
    job.matrix = subject_->matrix;
    job.schedule = QString::fromStdString(to_text(subject_->schedule));
    job.against = QString::fromStdString(to_text(subject_->against));
    job.op = setting_.op;
    job.dense = setting_.dense;
    job.machine = setting_.machine == services_.session.this_machine() ? QString() : setting_.machine;
    return job;
}

std::optional<Job> CaseStudy::newest(const JobDescription& description, bool over) const {
    std::optional<Job> found;
    for (const Job& job : services_.jobs.jobs()) {
        const bool is_of_it = job.kind == description.kind && job.workspace == description.workspace &&
                              job.arguments == description.arguments;
        if (is_of_it && is_over(job.state) == over && (!found || job.created > found->created))
            found = job;
    }
    return found;
}

std::optional<Job> CaseStudy::measuring() const {
    return subject_ ? newest(describe(explain_job()), false) : std::nullopt;
}

std::optional<Job> CaseStudy::asking() const {
    return subject_ ? newest(describe(reasons_job()), false) : std::nullopt;
}

/// The last event of the newest run of it; empty where there is none, or where it failed.
QJsonObject CaseStudy::end_of(const JobDescription& description) const {
    const auto job = newest(description, true);
    if (!job)
        return {};
    const QStringList lines = services_.jobs.event_lines(job->id);
    for (auto line = lines.crbegin(); line != lines.crend(); ++line) {
        const QJsonObject event = QJsonDocument::fromJson(line->toUtf8()).object();
        if (event.value(QStringLiteral("event")).toString() == QLatin1String("end"))
            return event;
    }
    return {};
}

void CaseStudy::read_jobs() {
    measured_ = shown_explanation(end_of(describe(explain_job())));
    if (measured_)
        measured_->is_measured = true;
    reasons_.reset();
    const QJsonObject told = end_of(describe(reasons_job()));
    if (told.isEmpty())
        return;
    const std::string text = QJsonDocument(told).toJson(QJsonDocument::Compact).toStdString();
    if (auto read = parse_model_reasons(nlohmann::ordered_json::parse(text, nullptr, false)))
        reasons_ = std::move(*read);
}

void CaseStudy::take_end(const JobId& id) {
    const auto job = services_.jobs.job(id);
    if (!subject_ || !job || (job->kind != JobKind::Explain && job->kind != JobKind::Reasons))
        return;
    const JobDescription asked =
        job->kind == JobKind::Explain ? describe(explain_job()) : describe(reasons_job());
    if (job->arguments != asked.arguments)
        return;
    read_jobs();
    Q_EMIT changed();
}

LaunchConditions CaseStudy::conditions() const {
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    return conditions;
}

QString CaseStudy::common_refusal() const {
    if (!failure_)
        return tr("Choose a case first.");
    return subject_ ? QString() : no_study_;
}

QString CaseStudy::measuring_refusal() const {
    if (QString refusal = common_refusal(); !refusal.isEmpty())
        return refusal;
    if (setting_.machine != services_.session.this_machine())
        return tr("These times are of %1: only on this computer can anything be measured.")
            .arg(setting_.machine_name);
    if (measuring())
        return tr("It is being measured.");
    return explain_refusal(explain_job(), conditions()).value_or(QString());
}

QString CaseStudy::asking_refusal() const {
    if (QString refusal = common_refusal(); !refusal.isEmpty())
        return refusal;
    if (asking())
        return tr("The model is being asked.");
    return reasons_refusal(reasons_job(), conditions()).value_or(QString());
}

void CaseStudy::start(const JobRequest& request, const QString& action) {
    const auto job = services_.jobs.start(request);
    Q_EMIT notice(job ? QString() : job.error(), !job, action);
    Q_EMIT changed();
}

void CaseStudy::measure() {
    if (measuring_refusal().isEmpty())
        start(explain_job(), QStringLiteral("measure"));
}

void CaseStudy::ask_model() {
    if (asking_refusal().isEmpty())
        start(reasons_job(), QStringLiteral("ask"));
}

} // namespace sparsight
