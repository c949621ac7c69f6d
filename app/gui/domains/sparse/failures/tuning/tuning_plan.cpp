#include "gui/domains/sparse/failures/tuning/tuning_plan.h"

#include "gui/domains/sparse/failures/cases/case_study.h"
#include "gui/domains/sparse/failures/tuning/tuning_comparison.h"
#include "gui/domains/sparse/sparse_jobs.h"
#include "gui/jobs/job_service.h"
#include "gui/runs/training_runs.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"

#include <QTimer>
#include <algorithm>

namespace sparsight {

namespace {

bool is_of_same(const TuningState& one, const TuningState& other) {
    return one.workspace == other.workspace && one.machine == other.machine && one.op == other.op &&
           one.dense == other.dense && (one.model == other.model || one.tuned == other.model);
}

} // namespace

TuningPlan::TuningPlan(Services services, TrainingRuns& runs, QObject* parent)
    : QObject(parent)
    , services_(services)
    , runs_(runs)
    , states_(services.settings) {
    connect(&services_.jobs, &JobService::job_finished, this, &TuningPlan::advance);
    for (const auto signal : {&JobService::job_changed, &JobService::job_removed})
        connect(&services_.jobs, signal, this, [this](const JobId& id) {
            const bool is_ours = std::ranges::any_of(states_.all(), [&](const TuningState& state) {
                return state.tuning == id || state.comparing == id ||
                       std::ranges::find(state.measuring, id) != state.measuring.end();
            });
            if (is_ours) {
                advance();
                Q_EMIT changed();
            }
        });
    connect(&runs_, &TrainingRuns::stored_changed, this, &TuningPlan::advance);
    // Deferred: nobody has connected to the signals yet.
    QTimer::singleShot(0, this, &TuningPlan::advance);
}

void TuningPlan::set_case(const CaseStudy& study) {
    if (study.failure() == nullptr)
        return;
    if (!is_advancing_)
        states_.refresh();
    setting_ = study.setting();
    looked_at_ = {};
    if (!setting_.table.isEmpty()) // a recorded table has no plan
        return Q_EMIT changed();
    looked_at_.workspace = services_.session.path();
    looked_at_.model = QString::fromStdString(study.failure()->model_name);
    looked_at_.machine = setting_.machine;
    looked_at_.op = setting_.op;
    looked_at_.dense = setting_.dense;
    if (const auto at = found())
        looked_at_.model = states_.all()[*at].model;
    Q_EMIT changed();
}

std::optional<std::size_t> TuningPlan::found() const {
    for (std::size_t at = states_.all().size(); at-- > 0;)
        if (is_of_same(states_.all()[at], looked_at_))
            return at;
    return std::nullopt;
}

const TuningState& TuningPlan::state() const {
    const auto at = found();
    return at ? states_.all()[*at] : looked_at_;
}

TuningState& TuningPlan::found_or_made() {
    if (const auto at = found())
        return states_.all()[*at];
    return states_.all().emplace_back(looked_at_);
}

void TuningPlan::keep() {
    states_.keep();
    Q_EMIT changed();
}

HeldOutMatrices TuningPlan::held_out(const QString& matrix) const {
    QStringList learned = request().workload_names + learned_by(runs_.stored().models, state().model);
    QStringList families = state().families;
    if (!matrix.isEmpty()) {
        learned << matrix;
        families << family_name_of(setting_, matrix);
    }
    return held_out_of(setting_, learned, families);
}

void TuningPlan::add(const CaseStudy& study) {
    states_.refresh();
    if (!adding_refusal(study).isEmpty())
        return Q_EMIT changed();
    set_case(study);
    const QString matrix = study.subject()->matrix;
    std::optional<JobId> measuring;
    std::optional<JobId> searching;
    if (setting_.machine == services_.session.this_machine()) {
        measuring = start(measuring_request(study, services_.session.path()), QStringLiteral("measure"));
        if (!measuring) // a matrix without measurements would teach nothing
            return Q_EMIT changed();
        searching = start(searching_request(study, services_.session.path()), QStringLiteral("measure"));
    }
    TuningState& state = found_or_made();
    state.matrices << matrix;
    if (const QString family = family_name_of(setting_, matrix); !state.families.contains(family))
        state.families << family;
    for (const auto& job : {measuring, searching})
        if (job)
            state.measuring.push_back(*job);
    keep();
}

void TuningPlan::clear() {
    states_.refresh();
    const auto at = found();
    if (!at || !clearing_refusal().isEmpty())
        return Q_EMIT changed();
    states_.all().erase(states_.all().begin() + static_cast<std::ptrdiff_t>(*at));
    keep();
}

/// The matrices that the model has learned on this machine stay in its training beside the new ones.
FineTuneJob TuningPlan::request() const {
    const TuningState& now = state();
    FineTuneJob job;
    job.workspace = now.workspace;
    job.model = now.model;
    job.machine = now.machine;
    job.name = free_name();
    job.setting = sparse_job_setting(now.op, now.dense);
    job.workload_names = now.matrices;
    if (const KnownModel* const known = runs_.model(now.model))
        for (const QString& matrix : known->workloads)
            if (setting_.measured.contains(matrix))
                job.workload_names << matrix;
    job.workload_names.removeDuplicates();
    return job;
}

QString TuningPlan::free_name() const {
    const QStringList names = runs_.model_names();
    const QString base = tr("%1-mended").arg(state().model);
    QString name = base;
    for (int number = 2; names.contains(name); ++number)
        name = QStringLiteral("%1-%2").arg(base).arg(number);
    return name;
}

void TuningPlan::fine_tune() {
    states_.refresh();
    if (!tuning_refusal().isEmpty())
        return Q_EMIT changed();
    const FineTuneJob job = request();
    const QStringList compared = held_out().all;
    const auto tuning = start(job, QStringLiteral("fine-tune"));
    if (!tuning)
        return Q_EMIT changed();
    TuningState& state = found_or_made();
    state.tuning = tuning;
    state.comparing.reset();
    state.tuned = job.name;
    state.learned_families = state.families;
    state.learned = state.matrices;
    state.held_out = compared;
    state.k = setting_.k;
    state.threads =
        setting_.machine == services_.session.this_machine() ? std::max(1, setting_.threads.value_or(1)) : 0;
    state.outcome.clear();
    state.is_made = false;
    state.comparison.reset();
    keep();
}

void TuningPlan::compare() {
    states_.refresh();
    if (!comparing_refusal().isEmpty())
        return Q_EMIT changed();
    is_advancing_ = true; // starting a job emits a signal
    start_comparing(found_or_made());
    is_advancing_ = false;
    keep();
}

bool TuningPlan::is_comparison(const Job& job) const {
    return std::ranges::any_of(states_.all(), [&](const TuningState& state) {
        if (state.tuned.isEmpty() || state.workspace != job.workspace)
            return false;
        const JobDescription asked = describe(comparison_request(state));
        return asked.kind == job.kind && asked.arguments == job.arguments;
    });
}

std::optional<WantedFailures> TuningPlan::wanted_comparison() const {
    const TuningState& now = state();
    if (!now.is_made || now.comparing || now.comparison || now.workspace != services_.session.path())
        return std::nullopt;
    return WantedFailures{
        {.workspace = now.workspace.toStdString(), .models = QStringList{now.model, now.tuned}},
        {},
        services_.settings.thread_count()};
}

void TuningPlan::take_failures(const SparseFailures& read) {
    states_.refresh();
    bool is_news = false;
    for (TuningState& state : states_.all()) {
        if (state.workspace != services_.session.path() || !state.is_made || state.comparing)
            continue;
        const auto comparison = compare_tuning(state, read);
        if (!comparison || state.comparison == comparison)
            continue;
        state.comparison = comparison;
        is_news = true;
    }
    if (is_news)
        keep();
}

std::optional<Job> TuningPlan::job() const {
    std::vector<JobId> ids = state().measuring;
    for (const auto& id : {state().tuning, state().comparing})
        if (id)
            ids.push_back(*id);
    for (const JobId& id : ids)
        if (auto job = services_.jobs.job(id); job && !is_over(job->state))
            return job;
    return std::nullopt;
}

std::optional<JobId> TuningPlan::start(const JobRequest& request, const QString& action) {
    const auto job = services_.jobs.start(request);
    Q_EMIT notice(job ? QString() : job.error(), !job, action);
    return job ? std::optional(*job) : std::nullopt;
}

namespace {

QString no_model_refusal() {
    return TuningPlan::tr(
        "These are recorded choices of others: there is no model in a table that could learn "
        "from them.");
}

} // namespace

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
        return no_model_refusal();
    if (!study.subject())
        return study.no_study();
    const QString matrix = study.subject()->matrix;
    if (matrices().contains(matrix))
        return tr("%1 is among them already.").arg(matrix);
    if (matrix.contains(u','))
        return tr("The name of %1 has a comma, which separates names where they are listed.").arg(matrix);
    if (state().tuning)
        return tr("A fine-tuning is already running. Wait for it, or stop it.");
    if (held_out(matrix).all.isEmpty())
        return tr("It is the last held-out matrix. None would be left to compare before and after on. "
                  "Evaluate on more matrices first.");
    return surroundings_refusal(services_.session.path(), conditions()).value_or(QString());
}

QString TuningPlan::clearing_refusal() const {
    return state().tuning || state().comparing
               ? tr("The fine-tuning is already running. Wait for it, or stop it.")
               : QString();
}

QString TuningPlan::tuning_refusal() const {
    if (!setting_.table.isEmpty())
        return no_model_refusal();
    if (matrices().isEmpty())
        return tr("Add the measurements of a case first.");
    if (!state().measuring.empty())
        return tr("What it is to learn from is being measured: wait for it, or stop it.");
    if (state().tuning || state().comparing)
        return tr("Something is done for it already.");
    if (setting_.machine != state().machine || held_out().all.isEmpty())
        return tr("No held-out matrix of this evaluation is left to compare before and after on: choose an "
                  "evaluation with others.");
    return launch_refusal(request(), conditions()).value_or(QString());
}

QString TuningPlan::comparing_refusal() const {
    const TuningState& now = state();
    if (!now.is_made || now.tuned.isEmpty())
        return tr("There is no fine-tuned model yet.");
    if (now.comparing)
        return tr("Both are being compared.");
    return launch_refusal(comparison_request(now), conditions()).value_or(QString());
}

} // namespace sparsight
