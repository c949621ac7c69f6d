#include "gui/domains/sparse/comparison/pair_explanation.h"

#include "domains/sparse/schedule/text.h"
#include "gui/failures/model_question.h"
#include "gui/jobs/job_service.h"
#include "gui/workspace/workspace_session.h"

#include <algorithm>

namespace sparsight {

PairExplanation::PairExplanation(SparseServices services, QObject* parent)
    : QObject(parent)
    , services_(services) {
    connect(&services_.matrices, &MatrixLoader::loaded, this, [this](const QString& name) {
        if (is_waiting_ && subject_ && name == subject_->matrix)
            simulate();
    });
    connect(&services_.matrices, &MatrixLoader::failed, this,
            [this](const QString& name, const QString& reason) {
                if (!is_waiting_ || !subject_ || name != subject_->matrix)
                    return;
                is_waiting_ = false;
                no_study_ = reason;
                Q_EMIT changed();
            });
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_removed,
                              &JobService::job_finished})
        connect(&services_.jobs, signal, this, &PairExplanation::follow_job);
}

void PairExplanation::set_pair(std::optional<PairSubject> pair) {
    const MachineRecord* const machine =
        pair ? services_.session.machine(pair->machine.isEmpty() ? services_.session.this_machine()
                                                                 : pair->machine)
             : nullptr;
    std::string description = machine != nullptr ? machine->description : std::string();
    const bool is_same = pair && pair == pair_ && description == machine_;
    if (is_same && (simulated_ || is_busy()))
        return;
    studies_.cancel();
    is_waiting_ = false;
    simulated_.reset();
    measured_.reset();
    subject_.reset();
    no_study_.clear();
    machine_ = std::move(description);
    pair_ = std::move(pair);
    if (!pair_)
        return Q_EMIT changed();
    const WorkloadRecord* const record = services_.session.workload(pair_->matrix);
    if (record == nullptr || record->payload == PayloadPlace::Unknown) {
        no_study_ =
            tr("The workspace has no pattern of %1: import the matrix to see its terms and what would "
               "change it.")
                .arg(pair_->matrix);
        return Q_EMIT changed();
    }
    subject_ = pair_;
    is_waiting_ = true;
    read_measured();
    if (services_.matrices.find(subject_->matrix))
        simulate();
    else
        services_.matrices.request(subject_->matrix);
    Q_EMIT changed();
}

void PairExplanation::simulate() {
    is_waiting_ = false;
    const auto loaded = matrix();
    if (!loaded)
        return;
    studies_.ask([subject = *subject_, pattern = loaded->pattern,
                  machine = MachineRequest(services_.session, subject_->machine)](
                     const std::stop_token& stop) { return study_pair(subject, *pattern, machine, stop); },
                 [this](Result<std::shared_ptr<const PairStudy>> study, bool) {
                     if (study)
                         simulated_ = *study;
                     else
                         no_study_ = QString::fromStdString(study.error().text());
                     Q_EMIT changed();
                 });
}

std::shared_ptr<const MatrixAnalysis> PairExplanation::matrix() const {
    return subject_ ? services_.matrices.find(subject_->matrix) : nullptr;
}

QString PairExplanation::no_explanation() const {
    if (!no_study_.isEmpty())
        return no_study_;
    return simulated_ ? simulated_->no_explanation : QString();
}

const ExplanationValues* PairExplanation::shown() const {
    if (measured_)
        return &*measured_;
    return simulated_ && simulated_->explanation ? &*simulated_->explanation : nullptr;
}

// The job that measures the steps.

ExplainJob PairExplanation::job() const {
    ExplainJob job;
    job.workspace = services_.session.path();
    job.matrix = subject_->matrix;
    job.schedule = QString::fromStdString(to_text(subject_->schedule));
    job.against = QString::fromStdString(to_text(subject_->against));
    job.op = subject_->schedule.op;
    job.dense = subject_->dense;
    job.threads = std::max(1, subject_->against.threads);
    return job;
}

std::optional<Job> PairExplanation::measuring() const {
    return subject_ ? newest_job(services_.jobs, describe(job()), false) : std::nullopt;
}

void PairExplanation::read_measured() {
    measured_ = explanation_values(end_of_newest(services_.jobs, describe(job())));
    if (measured_)
        measured_->is_measured = true;
}

void PairExplanation::follow_job(const JobId& id) {
    const auto known = services_.jobs.job(id);
    if (!subject_ || (known && known->kind != explain_kind()))
        return;
    if (known && is_over(known->state) && known->arguments == describe(job()).arguments)
        read_measured();
    Q_EMIT changed();
}

QString PairExplanation::machine_name() const {
    const MachineRecord* const machine = services_.session.machine(subject_->machine);
    return machine != nullptr ? QString::fromStdString(machine->name) : subject_->machine;
}

QString PairExplanation::measuring_refusal() const {
    if (!subject_)
        return no_study_;
    if (!subject_->machine.isEmpty() && subject_->machine != services_.session.this_machine())
        return tr("These times are of %1: only on this computer can anything be measured.")
            .arg(machine_name());
    if (measuring())
        return tr("It is being measured.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    return launch_refusal(job(), conditions).value_or(QString());
}

void PairExplanation::measure() {
    if (!measuring_refusal().isEmpty())
        return;
    const auto started = services_.jobs.start(job());
    Q_EMIT notice(started ? QString() : started.error(), !started, QStringLiteral("measure"));
    Q_EMIT changed();
}

} // namespace sparsight
