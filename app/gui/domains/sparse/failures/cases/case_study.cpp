#include "gui/domains/sparse/failures/cases/case_study.h"

#include "domains/sparse/explanation/reasons/model_reasons_json.h"
#include "domains/sparse/kernel/lowering/loop_nest.h"
#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/failures/failure_words.h"
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
    , services_(services)
    , explanation_(services) {
    connect(&explanation_, &PairExplanation::changed, this, &CaseStudy::changed);
    connect(&explanation_, &PairExplanation::notice, this, &CaseStudy::notice);
    connect(&services_.session, &WorkspaceSession::opened, this, [this] { kept_.clear(); });
    connect(&services_.session, &WorkspaceSession::closed, this, [this] { kept_.clear(); });
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_removed,
                              &JobService::job_finished})
        connect(&services_.jobs, signal, this, &CaseStudy::follow_job);
}

bool CaseStudy::is_of(const FailureCase& failure, const FailureSetting& setting) const {
    return failure_ && subject() && key_of(*failure_) == key_of(failure) && setting_.run == setting.run &&
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
    return explanation_.measured() || reasons_ || measuring() || asking();
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
    reasons_.reset();
    failure_ = failure == nullptr ? std::nullopt : std::optional(*failure);
    setting_ = setting;
    if (!failure_)
        return explanation_.set_pair(std::nullopt);
    const FailureSign& sign = failure_->main();
    const auto against = parsed(setting.op, sign.against.configuration);
    const auto chosen = parsed(setting.op, sign.chosen.configuration);
    std::optional<PairSubject> pair;
    if (against && chosen)
        pair = PairSubject{
            QString::fromStdString(failure_->workload),  *against,        *chosen,
            dense_index(setting.op) ? setting.dense : 1, setting.machine, setting.threads.value_or(0)};
    explanation_.set_pair(std::move(pair));
    read_reasons();
    Q_EMIT changed();
}

QString CaseStudy::no_study() const {
    return failure_ && !pair() ? tr("One of both schedules is not known.") : explanation_.no_study();
}

SideTitles CaseStudy::titles() const {
    if (!failure_)
        return {};
    const FailureSign& sign = failure_->main();
    return {failure_words().against(sign.held_against),
            tr("chosen by %1").arg(QString::fromStdString(failure_->model_name))};
}

QString CaseStudy::no_explanation() const {
    return pair() ? explanation_.no_explanation() : no_study();
}

QString CaseStudy::code_of(const QString& text) const {
    const auto loaded = matrix();
    const auto schedule = parsed(setting_.op, text.toStdString());
    if (!loaded || !schedule)
        return {};
    const Extents whole =
        extents(schedule->op, loaded->pattern->rows, loaded->pattern->cols, subject()->dense);
    return QString::fromStdString(print_c(lower(*schedule, whole, KernelTarget::of_this_computer())));
}

/// Compares the measured loss of a case with the simulated one.
std::optional<Disagreement> CaseStudy::disagreement() const {
    const ExplanationValues* const explanation = shown();
    if (explanation == nullptr || !failure_ || failure_->main().lost_ms() <= 0)
        return std::nullopt;
    if (explanation->is_measured)
        return explanation->disagreement;
    const FailureSign& sign = failure_->main();
    if (const auto& diagnosis = failure_->diagnosis; diagnosis && !diagnosis->simulation_agrees)
        if (const auto found = disagreement_beyond_noise(sign, diagnosis->simulated_factor))
            return found;
    return disagreement_beyond_noise(sign, explanation->schedule.ms / explanation->against.ms);
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
                                 simulated() != nullptr ? simulated()->machine : setting_.machine_name);
}

QString CaseStudy::distance_text() const {
    const PairStudy* const study = simulated();
    if (!failure_ || study == nullptr || !study->explanation || study->machine_stands_in ||
        setting_.source == TimeSource::Simulated || shown() != &*study->explanation)
        return {};
    const FailureSign& sign = failure_->main();
    const auto is_off = [&](double simulated_ms, const TimedConfiguration& known) {
        return is_far_off(simulated_ms, known.milliseconds, known.spread_ms.value_or(0),
                          study->simulation_error);
    };
    const ExplanationValues& steps = *study->explanation;
    return is_off(steps.against.ms, sign.against) || is_off(steps.schedule.ms, sign.chosen)
               ? u' ' + simulation_distance(steps, sign.against.milliseconds, sign.chosen.milliseconds) +
                     u' ' + tr("Read the parts with care.")
               : QString();
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

// The job that asks the model about the chosen case.

ReasonsJob CaseStudy::reasons_job() const {
    ReasonsJob job;
    job.workspace = services_.session.path();
    job.model = QString::fromStdString(failure_->model_name);
    job.workload = subject()->matrix;
    job.configuration = QString::fromStdString(to_text(subject()->schedule));
    job.against = QString::fromStdString(to_text(subject()->against));
    job.setting = sparse_job_setting(setting_.op, setting_.dense);
    job.machine = setting_.machine == services_.session.this_machine() ? QString() : setting_.machine;
    return job;
}

std::optional<Job> CaseStudy::asking() const {
    return subject() ? newest_job(services_.jobs, describe(reasons_job()), false) : std::nullopt;
}

void CaseStudy::read_reasons() {
    reasons_.reset();
    const QJsonObject told =
        subject() ? end_of_newest(services_.jobs, describe(reasons_job())) : QJsonObject();
    if (told.isEmpty())
        return;
    const std::string text = QJsonDocument(told).toJson(QJsonDocument::Compact).toStdString();
    if (auto read = parse_model_reasons(nlohmann::ordered_json::parse(text, nullptr, false)))
        reasons_ = std::move(*read);
}

void CaseStudy::follow_job(const JobId& id) {
    const auto job = services_.jobs.job(id);
    if (!failure_ || (job && job->kind != reasons_kind()))
        return;
    if (job && subject() && is_over(job->state) && job->arguments == describe(reasons_job()).arguments)
        read_reasons();
    Q_EMIT changed();
}

QString CaseStudy::common_refusal() const {
    if (!failure_)
        return tr("Choose a case first.");
    return subject() ? QString() : no_study();
}

QString CaseStudy::measuring_refusal() const {
    const QString refusal = common_refusal();
    return refusal.isEmpty() ? explanation_.measuring_refusal() : refusal;
}

QString CaseStudy::asking_refusal() const {
    if (QString refusal = common_refusal(); !refusal.isEmpty())
        return refusal;
    if (asking())
        return tr("The model is being asked.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    return launch_refusal(reasons_job(), conditions).value_or(QString());
}

void CaseStudy::ask_model() {
    if (!asking_refusal().isEmpty())
        return;
    const auto job = services_.jobs.start(reasons_job());
    Q_EMIT notice(job ? QString() : job.error(), !job, QStringLiteral("ask"));
    Q_EMIT changed();
}

} // namespace sparsight
