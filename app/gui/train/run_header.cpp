#include "gui/train/run_header.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/page/domain_words.h"
#include "gui/runs/model_verdicts.h"
#include "gui/runs/run_actions.h"
#include "gui/train/runs_model.h"
#include "gui/workspace/workspace_session.h"
#include "learning/training/model_verdicts.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace sparsight {

namespace {

QStringList fine_tuning_facts(const TrainingRuns& runs, const TrainingRun& run) {
    const auto setting = [&run](const char* name) {
        return run.parameters.value(QLatin1String(name)).toString();
    };
    return {RunHeader::tr("%1 for %2").arg(setting("model"), runs.machine_name(setting("machine")))};
}

/// Whether the model that it made is worth using.
QString verdict_on(const TrainingRun& run, const Noun& workload, const QString& advice) {
    const auto tuned = run.kind == QStringLiteral("finetune")
                           ? finetune_verdict_of(run.accuracy_before, run.simulator_alone, run.test_accuracy)
                           : std::nullopt;
    if (!tuned)
        return baseline_sentence(run, workload, advice);
    QString text = fine_tuning_text(*tuned);
    text.front() = text.front().toUpper();
    if (tuned->worth != FinetuneWorth::Worse)
        return text + u'.';
    text = RunHeader::tr("%1. Keep %2.").arg(text, run.parameters.value(QStringLiteral("model")).toString());
    if (run.simulator_alone && run.test_accuracy && *run.simulator_alone > *run.test_accuracy)
        text += u' ' + RunHeader::tr("The simulator alone has %1 of the pairs in the right order.")
                           .arg(share_text(*run.simulator_alone));
    return text;
}

/// "epoch 2 of 5"; for a fine-tuning after its epochs "shot curve, 3 of 6".
QString place_of(const LiveRun& live, const Job& job) {
    const bool is_behind = job.kind == JobKind::FineTune && job.progress.total > 0;
    if (is_behind)
        return RunHeader::tr("%1, %2 of %3")
            .arg(job.progress.what, count_text(job.progress.done), count_text(job.progress.total));
    if (live.epochs == 0 && job.progress.total > 0) // trees have rounds
        return RunHeader::tr("%1, round %2 of %3")
            .arg(job.progress.what, count_text(job.progress.done), count_text(job.progress.total));
    return live.epochs > 0 ? RunHeader::tr("epoch %1 of %2").arg(live.epoch).arg(live.epochs)
                           : RunHeader::tr("epoch %1").arg(live.epoch);
}

/// The facts of a run that no process works at.
QStringList stored_facts(const TrainingRuns& runs, const TrainingRun& run, const DomainWords& words) {
    if (run.kind == QStringLiteral("finetune"))
        return fine_tuning_facts(runs, run);
    QStringList facts;
    if (run.is_of_trees())
        facts << RunHeader::tr("Boosted trees");
    else
        facts << method_text(run.method, words) << epochs_text(run.epochs);
    if (run.is_of_trees() && run.epochs > 0)
        facts << RunHeader::tr("%1 rounds, a tree each").arg(count_text(run.epochs));
    if (run.workloads > 0)
        facts << RunHeader::tr("learned from %1").arg(counted(run.workloads, words.workload));
    if (run.test_accuracy && !run.baseline_accuracy) // otherwise the verdict includes the test accuracy
        facts << RunHeader::tr("test pairs in the right order: %1").arg(share_text(*run.test_accuracy));
    else if (run.accuracy && !run.test_accuracy)
        facts << RunHeader::tr("validation pairs in the right order: %1").arg(share_text(*run.accuracy));
    if (run.seconds > 0)
        facts << RunHeader::tr("%1 of training").arg(duration_text(1000 * run.seconds));
    return facts;
}

} // namespace

RunHeader::RunHeader(JobService& jobs, TrainingRuns& runs, const DomainWords& words, QString advice,
                     QWidget* parent)
    : QWidget(parent)
    , jobs_(jobs)
    , runs_(runs)
    , words_(words)
    , advice_(std::move(advice))
    , title_(new QLabel(this))
    , state_(new Chip({}, this))
    , facts_(new QLabel(this))
    , verdict_(new QLabel(this))
    , question_(new QLabel(this))
    , bar_(new QProgressBar(this))
    , pause_(new QPushButton(this))
    , stop_(new QPushButton(icon(QStringLiteral("stop")), tr("S&top"), this))
    , go_on_(new QPushButton(icon(QStringLiteral("play")), tr("&Resume"), this))
    , keep_(new QPushButton(icon(QStringLiteral("check")), tr("&Keep the best so far"), this))
    , discard_(new QPushButton(icon(QStringLiteral("delete")), tr("&Discard"), this))
    , again_(new QPushButton(icon(QStringLiteral("edit")), tr("Use its &settings"), this)) {
    setObjectName(QStringLiteral("run-header"));
    keep_font(*title_, title_font);
    title_->setTextFormat(Qt::PlainText);
    facts_->setWordWrap(true);
    facts_->setObjectName(QStringLiteral("run-facts"));
    facts_->setForegroundRole(QPalette::PlaceholderText);
    verdict_->setWordWrap(true);
    verdict_->setTextFormat(Qt::PlainText);
    verdict_->setObjectName(QStringLiteral("baseline-verdict"));
    question_->setWordWrap(true);
    bar_->setTextVisible(false);
    bar_->setMaximumHeight(grid_step);
    pause_->setObjectName(QStringLiteral("pause-training"));
    stop_->setObjectName(QStringLiteral("stop-training"));
    go_on_->setObjectName(QStringLiteral("go-on"));
    go_on_->setToolTip(tr("Trains on from where it stands, to the same result as without the stop"));
    keep_->setObjectName(QStringLiteral("keep-model"));
    discard_->setObjectName(QStringLiteral("discard-run"));
    again_->setObjectName(QStringLiteral("use-settings"));
    keep_->setToolTip(tr("The weights of the best epoch become a model of the workspace"));
    discard_->setToolTip(tr("Forgets the run with its curves; measurements are not touched"));
    again_->setToolTip(tr("Puts what this run was told into the form, to change one thing and try again"));

    // The buttons that stop a run stand at the right, the buttons for a stopped run at the left: the second
    // click of a double click must not decide about the run.
    auto* first = new FlowLayout;
    first->setSpacing(grid_step);
    first->set_level();
    for (QWidget* part : std::initializer_list<QWidget*>{title_, state_, again_})
        first->addWidget(part);
    first->begin_end();
    first->addWidget(pause_);
    first->addWidget(stop_);
    for (const bool is_paused : {true, false}) { // as wide as the longer of its two texts
        show_pause(is_paused);
        pause_->setMinimumWidth(std::max(pause_->minimumWidth(), pause_->sizeHint().width()));
    }
    auto* decision = new FlowLayout;
    decision->setSpacing(grid_step);
    for (QPushButton* button : {go_on_, keep_, discard_})
        decision->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addLayout(first);
    column->addWidget(facts_);
    column->addWidget(verdict_);
    column->addWidget(bar_);
    column->addWidget(question_);
    column->addLayout(decision);

    connect(pause_, &QPushButton::clicked, this, &RunHeader::pause_or_resume);
    connect(stop_, &QPushButton::clicked, this, [this] {
        if (job_)
            jobs_.stop(job_->id);
    });
    connect(go_on_, &QPushButton::clicked, this, [this] {
        if (run_)
            Q_EMIT going_on_requested(static_cast<qint64>(*run_));
    });
    connect(keep_, &QPushButton::clicked, this, [this] {
        if (run_)
            Q_EMIT keep_requested(static_cast<qint64>(*run_));
    });
    connect(discard_, &QPushButton::clicked, this, [this] {
        if (run_)
            Q_EMIT discard_requested(static_cast<qint64>(*run_));
    });
    connect(again_, &QPushButton::clicked, this, [this] {
        if (run_)
            Q_EMIT again_requested(static_cast<qint64>(*run_));
    });
    show_run(std::nullopt, std::nullopt);
}

void RunHeader::show_run(const std::optional<Job>& job, std::optional<RunId> run) {
    job_ = job;
    run_ = run;
    setVisible(job_ || run_);
    if (!job_ && !run_)
        return;
    show_state();
    show_facts();
    show_buttons();
}

bool RunHeader::waits_for_a_decision() const {
    const TrainingRun* stored = run_ ? runs_.run(*run_) : nullptr;
    if (stored == nullptr || stored->has_model || stored->state == RunState::Finished)
        return false;
    if (stored->worker != 0) // another program may work at it, even after our job has ended
        return false;
    const bool is_outdated = stored->state == RunState::Running && job_ && runs_.is_end_unread(job_->id);
    return !job_ || (is_over(job_->state) && !is_outdated);
}

bool RunHeader::has_weights_to_keep() const {
    const TrainingRun* stored = run_ ? runs_.run(*run_) : nullptr;
    return stored != nullptr && stored->kind == QStringLiteral("train") && stored->epochs > 0;
}

void RunHeader::show_state() {
    const TrainingRun* stored = run_ ? runs_.run(*run_) : nullptr;
    const LiveRun* live = job_ ? runs_.live_of(job_->id) : nullptr;
    title_->setText(stored != nullptr ? stored->name
                    : live != nullptr ? live->name
                    : job_            ? job_->title
                                      : QString());
    const auto job_state = job_ ? std::optional(job_->state) : std::nullopt;
    const bool is_outdated = job_ && runs_.is_end_unread(job_->id);
    state_->setText(stored != nullptr
                        ? state_text(RunRow{.run = *stored, .job = job_state, .is_outdated = is_outdated})
                    : job_ ? state_text(job_->state)
                           : QString());
    const bool has_failed =
        stored != nullptr ? stored->state == RunState::Failed : job_state == JobState::Failed;
    state_->set_colour(has_failed                       ? current_theme().error
                       : job_ && is_active(job_->state) ? current_theme().accent
                                                        : current_theme().dim_text);
    state_->setVisible(!state_->text().isEmpty());
}

void RunHeader::show_facts() {
    const TrainingRun* stored = run_ ? runs_.run(*run_) : nullptr;
    const LiveRun* live = job_ ? runs_.live_of(job_->id) : nullptr;
    QStringList facts;
    if (job_ && job_->state == JobState::Failed)
        facts << job_->error;
    else if (job_ && job_->state == JobState::Waiting)
        facts << jobs_.blocked_reason(job_->id);
    else if (live != nullptr && !is_over(job_->state)) {
        facts << place_of(*live, *job_);
        if (live->step > 0) // a fine-tuning reports no steps
            facts << tr("step %1").arg(count_text(live->step));
        if (live->rate)
            facts << tr("rate %1").arg(significant(*live->rate));
        if (live->examples_per_second)
            facts << tr("%1 %2/s").arg(significant(*live->examples_per_second), many(words_.configuration));
        if (live->memory_bytes)
            facts << bytes_text(*live->memory_bytes);
        if (live->best_epoch > 0)
            facts << tr("best so far: epoch %1").arg(live->best_epoch);
        if (job_->state == JobState::Running && job_->progress.seconds_left)
            facts << time_left_text(*job_->progress.seconds_left);
    } else if (stored != nullptr) {
        facts << stored_facts(runs_, *stored, words_);
        if (const QString ending = ending_text(*stored); !ending.isEmpty())
            facts << ending;
    }
    const QString text = facts.join(QStringLiteral("  ·  "));
    facts_->setText(with_whole_numbers(text));
    facts_->setToolTip(live == nullptr || live->notes.isEmpty() ? text : live->notes.join(u'\n'));
    facts_->setVisible(!text.isEmpty());
    const bool is_under_way = job_ && !is_over(job_->state);
    verdict_->setText(stored == nullptr || is_under_way ? QString()
                                                        : verdict_on(*stored, words_.workload, advice_));
    verdict_->setVisible(!verdict_->text().isEmpty());
    const bool has_bar = job_ && !is_over(job_->state) && job_->state != JobState::Waiting;
    bar_->setVisible(has_bar);
    if (has_bar)
        show_progress(*bar_, job_->progress);
}

void RunHeader::show_pause(bool is_paused) {
    pause_->setText(is_paused ? tr("Res&ume") : tr("Pa&use"));
    pause_->setIcon(icon(is_paused ? QStringLiteral("play") : QStringLiteral("pause")));
}

void RunHeader::show_buttons() {
    const bool is_under_way = job_ && !is_over(job_->state);
    const bool is_paused = job_ && job_->state == JobState::Paused;
    pause_->setVisible(is_under_way);
    stop_->setVisible(is_under_way);
    show_pause(is_paused);
    if (job_) {
        pause_->setEnabled(is_paused || is_allowed(JobAction::Pause, *job_));
        pause_->setToolTip(action_tooltip(is_paused ? JobAction::Resume : JobAction::Pause, *job_));
        stop_->setEnabled(is_allowed(JobAction::Stop, *job_));
        stop_->setToolTip(action_tooltip(JobAction::Stop, *job_));
    }
    const bool asks = waits_for_a_decision();
    go_on_->setVisible(asks);
    keep_->setVisible(asks && has_weights_to_keep());
    discard_->setVisible(asks);
    question_->setVisible(asks);
    question_->setText(
        has_weights_to_keep()
            ? tr("It ended before its last epoch. Resume it, keep the best weights so far as a model, or "
                 "discard the run.")
            : tr("It ended before it was done. Resume or discard the run."));
    const TrainingRun* stored = run_ ? runs_.run(*run_) : nullptr;
    again_->setVisible(stored != nullptr && stored->kind == QStringLiteral("train") && !is_under_way);
}

void RunHeader::pause_or_resume() {
    if (!job_)
        return;
    if (job_->state == JobState::Paused)
        jobs_.resume(job_->id);
    else
        jobs_.pause(job_->id);
}

RunDecisions::RunDecisions(Services services, const TrainingRuns& runs, const RunHeader& header,
                           QWidget& page)
    : QObject(&page)
    , services_(services)
    , runs_(runs)
    , page_(page) {
    connect(&header, &RunHeader::keep_requested, this, [this](qint64 run) {
        if (const TrainingRun* stored = runs_.run(RunId{run}))
            work_at(RunId{run}, keeping_job(services_.session.path(), *stored));
    });
    connect(&header, &RunHeader::going_on_requested, this, [this](qint64 run) {
        if (const TrainingRun* stored = runs_.run(RunId{run}))
            work_at(RunId{run}, going_on_job(services_.session.path(), *stored));
    });
    connect(&header, &RunHeader::discard_requested, this, [this](qint64 run) { ask_to_discard(RunId{run}); });
}

/// Two jobs at one run would disturb each other.
void RunDecisions::work_at(RunId run, const JobDescription& description) {
    if (const auto at_it = runs_.job_of(run); at_it && !is_over(at_it->state))
        return;
    const auto job = services_.jobs.start(description);
    if (job)
        Q_EMIT started(*job);
    Q_EMIT notice(job ? QString() : job.error(), !job,
                  QStringLiteral("go on with run %1").arg(static_cast<qint64>(run)));
}

void RunDecisions::ask_to_discard(RunId run) {
    const TrainingRun* stored = runs_.run(run);
    if (stored == nullptr)
        return;
    auto* question = new QMessageBox(QMessageBox::Question, tr("Discard %1?").arg(stored->name),
                                     tr("The run is forgotten with its curves and with what it has learned. "
                                        "Measurements and models stay."),
                                     QMessageBox::Cancel, &page_);
    question->setObjectName(QStringLiteral("discard-question"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    auto* yes = question->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("really-discard"));
    question->setDefaultButton(QMessageBox::Cancel);
    connect(yes, &QPushButton::clicked, this, [this, run] { discard(run); });
    question->open();
}

void RunDecisions::discard(RunId run) {
    if (const auto at_it = runs_.job_of(run); at_it && !is_over(at_it->state))
        return; // another process has resumed it meanwhile
    const TrainingRun* stored = runs_.run(run);
    services_.session.write(
        this, [run](Workspace& workspace) { return discard_run(workspace, run); },
        [this, run, name = stored == nullptr ? QString() : stored->name](const Result<void>& discarded) {
            const QString problem = discarded
                                        ? QString()
                                        : tr("%1 can’t be discarded: %2")
                                              .arg(name, QString::fromStdString(discarded.error().text()));
            Q_EMIT notice(problem, !discarded,
                          QStringLiteral("discard run %1").arg(static_cast<qint64>(run)));
        });
}

} // namespace sparsight
