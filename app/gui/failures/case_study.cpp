#include "gui/failures/case_study.h"

#include "gui/failures/case_rows.h"
#include "gui/failures/failure_words.h"
#include "gui/jobs/job_service.h"
#include "gui/settings/settings.h"
#include "gui/workspace/matrix_loader.h"
#include "gui/workspace/workspace_session.h"
#include "kernel/c_printer.h"
#include "kernel/lowering.h"
#include "schedule/text.h"

namespace sparsight {

namespace {

std::optional<SuperSchedule> parsed(Operator op, const std::string& text) {
    const auto schedule = parse_schedule(op, text);
    return schedule ? std::optional(*schedule) : std::nullopt;
}

/// Of a case of one evaluation.
QString pair_key(const FailureCase& failure, const FailureSetting& setting) {
    return QStringLiteral("%1|%2|%3|%4")
        .arg(static_cast<qint64>(setting.run))
        .arg(setting.table, setting.machine, key_of(failure));
}

bool is_same_pair(const FailureCase& one, const FailureCase& other) {
    return one.main().chosen.schedule == other.main().chosen.schedule &&
           one.main().against.schedule == other.main().against.schedule;
}

} // namespace

CaseStudy::CaseStudy(Services services, QObject* parent)
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
            if (failure_ && (!job || job->kind == JobKind::Explain || job->kind == JobKind::Reasons))
                Q_EMIT changed();
        });
}

bool CaseStudy::is_of(const FailureCase& failure, const FailureSetting& setting) const {
    return failure_ && subject_ && key_of(*failure_) == key_of(failure) && setting_.run == setting.run &&
           setting_.table == setting.table && setting_.machine == setting.machine;
}

void CaseStudy::set_case(const FailureCase* failure, const FailureSetting& setting) {
    if (failure != nullptr && is_of(*failure, setting)) { // read again: what is known of it stays
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
    const auto against = parsed(setting.op, sign.against.schedule);
    const auto chosen = parsed(setting.op, sign.chosen.schedule);
    const QString matrix = QString::fromStdString(failure_->matrix);
    const MatrixRecord* const record = services_.session.matrix(matrix);
    if (against && chosen)
        pair_ = PairSubject{matrix,          *against,
                            *chosen,         dense_index(setting.op) ? setting.dense : 1,
                            setting.machine, setting.threads.value_or(0)};
    if (!pair_)
        no_study_ = tr("One of both schedules is not known.");
    else if (record == nullptr || record->pattern == PatternPlace::Unknown)
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
                         simulated_ = std::move(*study);
                     else
                         no_study_ = QString::fromStdString(study.error().text());
                     Q_EMIT changed();
                 });
}

std::shared_ptr<const LoadedMatrix> CaseStudy::matrix() const {
    return subject_ ? services_.matrices.find(subject_->matrix) : nullptr;
}

SideTitles CaseStudy::titles() const {
    if (!failure_)
        return {};
    const FailureSign& sign = failure_->main();
    return {against_text(sign.held_against),
            tr("chosen by %1").arg(QString::fromStdString(failure_->model_name))};
}

QString CaseStudy::no_explanation() const {
    if (!no_study_.isEmpty())
        return no_study_;
    return simulated_ ? simulated_->no_explanation : QString();
}

const ShownExplanation* CaseStudy::shown() const {
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

} // namespace sparsight
