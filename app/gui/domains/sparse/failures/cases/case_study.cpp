#include "gui/domains/sparse/failures/cases/case_study.h"

#include "domains/sparse/explanation/reasons/model_reasons_json.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/failures/failure_lists.h"
#include "gui/jobs/job_service.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"

#include <QJsonDocument>
#include <algorithm>

namespace sparsight {

namespace {

std::optional<SuperSchedule> parsed(Operator op, const std::string& text) {
    const auto schedule = parse_schedule(op, text);
    return schedule ? std::optional(*schedule) : std::nullopt;
}

/// Identifies a case of one evaluation.
QString pair_key(const FailureCase& failure, const FailureSetting& setting) {
    return QStringLiteral("%1|%2|%3|%4")
        .arg(static_cast<qint64>(setting.run))
        .arg(setting.table, setting.machine, key_of(failure));
}

bool is_same_pair(const FailureCase& one, const FailureCase& other) {
    return one.main().chosen.configuration == other.main().chosen.configuration &&
           one.main().against.configuration == other.main().against.configuration;
}

} // namespace

CaseStudy::CaseStudy(SparseServices services, QObject* parent)
    : QObject(parent)
    , services_(services) {
    connect(&services_.matrices, &MatrixLoader::loaded, this, [this](const QString& name) {
        if (is_waiting_ && subject_ && name == subject_->matrix)
            begin();
    });
    connect(&services_.matrices, &MatrixLoader::failed, this,
            [this](const QString& name, const QString& reason) {
                if (!is_waiting_ || !subject_ || name != subject_->matrix)
                    return;
                is_waiting_ = false;
                no_study_ = reason;
                Q_EMIT changed();
            });
    connect(&services_.session, &WorkspaceSession::opened, this, [this] { kept_.clear(); });
    connect(&services_.session, &WorkspaceSession::closed, this, [this] { kept_.clear(); });
    connect(&services_.jobs, &JobService::job_finished, this, &CaseStudy::take_end);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_removed})
        connect(&services_.jobs, signal, this, [this](const JobId& id) {
            const auto job = services_.jobs.job(id);
            if (failure_ && (!job || job->kind == explain_kind() || job->kind == reasons_kind()))
                Q_EMIT changed();
        });
}

bool CaseStudy::is_of(const FailureCase& failure, const FailureSetting& setting) const {
    return failure_ && subject_ && key_of(*failure_) == key_of(failure) && setting_.run == setting.run &&
           setting_.table == setting.table && setting_.machine == setting.machine;
}

void CaseStudy::set_case(const FailureCase* failure, const FailureSetting& setting) {
    // the same case was read again: what is known about it stays
    if (failure != nullptr && is_of(*failure, setting)) {
        setting_ = setting;
        if (is_same_pair(*failure_, *failure)) {
            failure_ = *failure;
            newer_.reset();
        } else if (is_worth_keeping()) {
            newer_ = *failure;
        } else {
            return look_at(failure, setting);
        }
        return Q_EMIT changed();
    }
    if (failure_ && is_worth_keeping())
        kept_.insert_or_assign(pair_key(*failure_, setting_), *failure_);
    look_at(failure, setting);
}

bool CaseStudy::is_worth_keeping() const {
    return measured_ || reasons_ || measuring() || asking();
}

void CaseStudy::take_newer() {
    if (!newer_)
        return;
    const FailureCase newer = *newer_;
    kept_.erase(pair_key(newer, setting_));
    look_at(&newer, setting_);
}

void CaseStudy::look_at(const FailureCase* failure, const FailureSetting& setting) {
    newer_.reset();
    if (failure != nullptr)
        if (const auto kept = kept_.find(pair_key(*failure, setting));
            kept != kept_.end() && !is_same_pair(kept->second, *failure)) {
            newer_ = *failure;
            failure = &kept->second;
        }
    studies_.cancel();
    is_waiting_ = false;
    simulated_.reset();
    measured_.reset();
    reasons_.reset();
    pair_.reset();
    subject_.reset();
    no_study_.clear();
    failure_ = failure == nullptr ? std::nullopt : std::optional(*failure);
    setting_ = setting;
    if (!failure_)
        return Q_EMIT changed();
    const FailureSign& sign = failure_->main();
    const auto against = parsed(setting.op, sign.against.configuration);
    const auto chosen = parsed(setting.op, sign.chosen.configuration);
    const QString matrix = QString::fromStdString(failure_->workload);
    const WorkloadRecord* const record = services_.session.workload(matrix);
    if (against && chosen)
        pair_ = PairSubject{matrix,          *against,
                            *chosen,         dense_index(setting.op) ? setting.dense : 1,
                            setting.machine, setting.threads.value_or(0)};
    if (!pair_)
        no_study_ = tr("One of both schedules is not known.");
    else if (record == nullptr || record->payload == PayloadPlace::Unknown)
        no_study_ =
            tr("The workspace has no pattern of %1: import the matrix to see its terms and what would "
               "change it.")
                .arg(matrix);
    else
        subject_ = pair_;
    if (subject_) {
        is_waiting_ = true;
        read_jobs();
        if (services_.matrices.find(matrix))
            begin();
        else
            services_.matrices.request(matrix);
    }
    Q_EMIT changed();
}

void CaseStudy::begin() {
    is_waiting_ = false;
    const auto loaded = matrix();
    if (!loaded)
        return;
    studies_.ask([subject = *subject_, pattern = loaded->pattern,
                  machine = MachineRequest(services_.session, setting_.machine)](
                     const std::stop_token& stop) { return study_pair(subject, *pattern, machine, stop); },
                 [this](Result<std::shared_ptr<const PairStudy>> study, bool) {
                     if (study)
                         simulated_ = *study;
                     else
                         no_study_ = QString::fromStdString(study.error().text());
                     Q_EMIT changed();
                 });
}

std::shared_ptr<const MatrixAnalysis> CaseStudy::matrix() const {
    return subject_ ? services_.matrices.find(subject_->matrix) : nullptr;
}

SideTitles CaseStudy::titles() const {
    if (!failure_)
        return {};
    const FailureSign& sign = failure_->main();
    return {failure_words().against(sign.held_against),
            tr("chosen by %1").arg(QString::fromStdString(failure_->model_name))};
}

QString CaseStudy::no_explanation() const {
    if (!no_study_.isEmpty())
        return no_study_;
    return simulated_ ? simulated_->no_explanation : QString();
}

const ExplanationValues* CaseStudy::shown() const {
    if (measured_)
        return &*measured_;
    return simulated_ && simulated_->explanation ? &*simulated_->explanation : nullptr;
}

QString CaseStudy::code_of(const QString& text) const {
    const auto loaded = matrix();
    const auto schedule = parsed(setting_.op, text.toStdString());
    if (!loaded || !schedule)
        return {};
    const Extents whole =
        extents(schedule->op, loaded->pattern->rows, loaded->pattern->cols, subject_->dense);
    return QString::fromStdString(print_c(lower(*schedule, whole, KernelTarget::of_this_computer())));
}

/// Compares the measured loss of a case with the simulated one.
std::optional<Disagreement> CaseStudy::disagreement() const {
    const ExplanationValues* const explanation = shown();
    if (explanation == nullptr || !failure_ || failure_->main().lost_ms() <= 0)
        return std::nullopt;
    if (explanation->is_measured)
        return explanation->disagreement;
    const Disagreement both{1 + failure_->main().lost_share(),
                            explanation->schedule.ms / explanation->against.ms};
    const bool is_unseen = failure_->diagnosis && !failure_->diagnosis->simulation_agrees;
    return is_unseen ? both : disagreement_of(both.measured_factor, both.simulated_factor);
}

QString CaseStudy::disagreement_text() const {
    const auto found = disagreement();
    if (!found)
        return {};
    const bool is_measured = shown()->is_measured || setting_.source == TimeSource::Measured;
    const QString clock = is_measured                               ? tr("Measured")
                          : setting_.source == TimeSource::Recorded ? tr("Recorded")
                                                                    : tr("Evaluated");
    return disagreement_sentence(*found, clock, titles(),
                                 simulated_ ? simulated_->machine : setting_.machine_name);
}

QString CaseStudy::clock_name() const {
    switch (setting_.source) {
    case TimeSource::Measured:
        return tr("The measurement");
    case TimeSource::Recorded:
        return tr("The recorded times");
    case TimeSource::Simulated:
        return tr("The evaluation");
    }
    return {};
}

// The jobs that measure the chosen case and ask the model about it.

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
    job.workload = subject_->matrix;
    job.configuration = QString::fromStdString(to_text(subject_->schedule));
    job.against = QString::fromStdString(to_text(subject_->against));
    job.setting = sparse_job_setting(setting_.op, setting_.dense);
    job.machine = setting_.machine == services_.session.this_machine() ? QString() : setting_.machine;
    return job;
}

std::optional<Job> CaseStudy::measuring() const {
    return subject_ ? newest_job(services_.jobs, describe(explain_job()), false) : std::nullopt;
}

std::optional<Job> CaseStudy::asking() const {
    return subject_ ? newest_job(services_.jobs, describe(reasons_job()), false) : std::nullopt;
}

void CaseStudy::read_jobs() {
    measured_ = explanation_values(end_of_newest(services_.jobs, describe(explain_job())));
    if (measured_)
        measured_->is_measured = true;
    reasons_.reset();
    const QJsonObject told = end_of_newest(services_.jobs, describe(reasons_job()));
    if (told.isEmpty())
        return;
    const std::string text = QJsonDocument(told).toJson(QJsonDocument::Compact).toStdString();
    if (auto read = parse_model_reasons(nlohmann::ordered_json::parse(text, nullptr, false)))
        reasons_ = std::move(*read);
}

void CaseStudy::take_end(const JobId& id) {
    const auto job = services_.jobs.job(id);
    if (!subject_ || !job || (job->kind != explain_kind() && job->kind != reasons_kind()))
        return;
    const JobDescription asked =
        job->kind == explain_kind() ? describe(explain_job()) : describe(reasons_job());
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
    return launch_refusal(explain_job(), conditions()).value_or(QString());
}

QString CaseStudy::asking_refusal() const {
    if (QString refusal = common_refusal(); !refusal.isEmpty())
        return refusal;
    if (asking())
        return tr("The model is being asked.");
    return launch_refusal(reasons_job(), conditions()).value_or(QString());
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
