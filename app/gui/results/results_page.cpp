#include "gui/results/results_page.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/page/domain_words.h"
#include "gui/page/page.h"
#include "gui/results/evaluate_panel.h"
#include "gui/results/result_charts.h"
#include "gui/results/result_view.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/model_chip.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

ResultsPage::ResultsPage(Services services, TrainingRuns& runs, const Domain& domain, bool has_simulator,
                         const OfferComparison& offer_comparison, QWidget* parent)
    : Page(PagePlace::Results, QStringLiteral("results"), tr("Results"), QStringLiteral("results"), parent)
    , services_(services)
    , runs_(runs)
    , domain_(domain)
    , panel_(new EvaluatePanel(services, runs, domain, has_simulator, this))
    , other_model_(new ModelChip(services.selection, this))
    , choice_(new EvaluationChoice(services, domain.words().workload, this))
    , view_(new ResultView(domain.words(), choice_, offer_comparison, this))
    , empty_(new EmptyState(this))
    , stack_(new QStackedWidget(this)) {
    other_model_->setObjectName(QStringLiteral("results-other-model"));
    build_empty();
    build();
    connect(panel_, &EvaluatePanel::notice, this, &Page::notice);
    connect(panel_, &EvaluatePanel::started, this, [this] {
        wanted_ = {}; // the evaluation just requested is shown next
        read_anew();
    });
    connect_view();
    connect(&services_.jobs, &JobService::job_finished, this, &ResultsPage::follow_job);
    connect(&services_.session, &WorkspaceSession::measurements_changed, this, &ResultsPage::follow_file);
    connect(&services_.session, &WorkspaceSession::closed, this, &ResultsPage::read);
    connect(&services_.session, &WorkspaceSession::opened, this, [this] {
        wanted_ = {.model = services_.selection.current().model};
        must_evaluate_ = true;
    });
    connect(&services_.selection, &Selection::changed, this, &ResultsPage::follow);
    connect(other_model_, &ModelChip::action_chosen, this, &ResultsPage::turn_to_selected_model);
    connect(&runs_, &TrainingRuns::stored_changed, this, &ResultsPage::show_model_chip);
    connect(&services_.selection, &Selection::link_followed, this, [this](const Selected& target) {
        if (&services_.session.domain() != &domain_)
            return; // another domain has a page of results of its own
        wanted_ = {.link = EvaluationLink{target.workload, target.machine, target.model}};
        must_evaluate_ = true;
        follow_file();
    });
    connect(choice_, &EvaluationChoice::chosen, this, [this](qint64 run) {
        wanted_ = {.run = RunId{run}};
        read_anew();
    });
    tell_of_exports(*this);
    take(ReadEvaluations{});
    wanted_.model = services.selection.current().model;
    is_outdated_ = services.session.is_open(); // made while another domain was left
}

Chart& ResultsPage::bars() {
    return view_->charts().bars();
}

Chart& ResultsPage::scatter() {
    return view_->charts().scatter();
}

DataTable& ResultsPage::table() {
    return view_->table();
}

void ResultsPage::connect_view() {
    connect(view_, &ResultView::notice, this, &Page::notice);
    connect(view_, &ResultView::help_requested, this, &Page::help_requested);
    connect(view_, &ResultView::rows_selected, panel_, &EvaluatePanel::offer_workloads);
    connect(view_, &ResultView::picked, this,
            [this](const QString& workload) { services_.selection.select_workload(workload); });
    connect(view_, &ResultView::activated, this, [this](const QString& workload) {
        services_.selection.select_workload(workload);
        services_.selection.select_page(QStringLiteral("configurations"));
    });
}

void ResultsPage::build_empty() {
    empty_->set_icon(icon(QStringLiteral("results")));
    empty_->set_title(tr("No model was evaluated yet"));
    auto* train = empty_->add_button(tr("&Train a model first"), icon_on_accent(QStringLiteral("train")));
    train->setObjectName(QStringLiteral("go-training-first"));
    connect(train, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("train")); });
}

void ResultsPage::build() {
    stack_->addWidget(view_);
    stack_->addWidget(empty_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->setSpacing(grid_step);
    column->addWidget(panel_);
    column->addWidget(other_model_);
    column->addWidget(stack_, 1);
    setFocusProxy(table().view());
}

void ResultsPage::follow_job(const JobId& id) {
    const auto job = services_.jobs.job(id);
    if (!job || job->workspace != services_.session.path())
        return;
    must_evaluate_ = true;
    follow_file();
}

/// Every change of the file leads here, also the changes that trainings make; evaluating takes long.
void ResultsPage::follow_file() {
    is_outdated_ = !isVisible();
    if (!is_outdated_)
        read();
}

void ResultsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (std::exchange(is_outdated_, false))
        read();
}

void ResultsPage::read_anew() {
    must_evaluate_ = true;
    read();
}

void ResultsPage::read() {
    if (!services_.session.is_open()) {
        reader_.cancel();
        take(ReadEvaluations{});
        return;
    }
    if (&services_.session.domain() != &domain_)
        return; // the next look at this domain reads them
    reader_.ask(
        [file = services_.session.path().toStdString(), &domain = domain_,
         &domains = services_.session.domains(),
         wanted = WantedEvaluation{wanted_, evaluations_, must_evaluate_ || panel_->running().has_value()}](
            const std::stop_token&) { return read_evaluations(file, domain, domains, wanted); },
        [this, file = services_.session.path()](Result<ReadEvaluations> answer, bool) {
            if (file == services_.session.path())
                take(std::move(answer));
        });
}

void ResultsPage::take(Result<ReadEvaluations> answer) {
    Q_EMIT notice(answer ? QString() : QString::fromStdString(answer.error().text()), !answer,
                  QStringLiteral("read"));
    if (!answer)
        return;
    if (answer->is_as_before)
        return;
    must_evaluate_ = !services_.session.is_open();
    evaluations_ = std::move(answer->evaluations);
    choice_->show_evaluations(evaluations_, answer->run, panel_->running().has_value());
    stack_->setCurrentWidget(evaluations_.empty() ? static_cast<QWidget*>(empty_) : view_);
    const bool needs_a_model = runs_.model_names().isEmpty();
    empty_->set_text(
        tr("A model chooses the %1 that it predicts to be the fastest. Their times are measured "
           "or looked up, and compared with %2 for each %3. %4")
            .arg(many(domain_.words().configuration), reference(domain_.words()),
                 one(domain_.words().workload),
                 needs_a_model ? tr("Train a model first.") : tr("Tick models above and press Evaluate.")));
    empty_->findChild<QPushButton*>(QStringLiteral("go-training-first"))->setVisible(needs_a_model);
    const auto found = std::ranges::find(evaluations_, answer->run, &StoredEvaluation::run);
    const StoredEvaluation stored = found != evaluations_.end() ? *found : StoredEvaluation{};
    shown_models_ = stored.models;
    view_->show_evaluation(*answer, stored, notes_on(*answer, stored));
    view_->select(services_.selection.current().workload);
    show_model_chip();
}

QStringList ResultsPage::notes_on(const ReadEvaluations& read, const StoredEvaluation& stored) const {
    QStringList notes;
    if (wanted_.link && !stored.models.isEmpty() && !stored.is_of(*wanted_.link))
        notes << runs_.no_evaluation_of(*wanted_.link);
    if (read.passed_over)
        notes << tr("A newer evaluation has no times in turns, so this one is shown.");
    if (stored.lacks_turns)
        notes << tr(
            "This evaluation has no times in turns. Others have them, but not for all of its choices.");
    if (read.shown == nullptr)
        return notes;
    if (!read.trained.empty())
        notes << tr("%1 among these that a model was trained on, as %2. The models may be worth less on %3 "
                    "that it has never seen.")
                     .arg(counted(static_cast<qint64>(read.trained.size()), domain_.words().workload),
                          QString::fromStdString(read.trained.front()), many(domain_.words().workload));
    return notes;
}

void ResultsPage::follow(const Selected& now, const Selected& before) {
    view_->select(now.workload);
    if (now.model != before.model)
        turn_to_selected_model();
    show_model_chip();
}

void ResultsPage::turn_to_selected_model() {
    if (!wanted_.turn_to(services_.selection.current().model, evaluations_, shown_models_))
        return;
    must_evaluate_ = true;
    follow_file();
}

void ResultsPage::show_model_chip() {
    const auto shown = std::ranges::find_if(evaluations_, [this](const StoredEvaluation& each) {
        return wanted_.link && each.is_of(*wanted_.link);
    });
    const bool is_told = wanted_.link && shown == evaluations_.end(); // by a note: the link fits none
    other_model_->show_evaluation(runs_, evaluations_, is_told ? QStringList() : shown_models_);
}

bool ResultsPage::is_settled() const {
    return !reader_.is_busy() && !runs_.is_reading();
}

QByteArray ResultsPage::layout_state() const {
    return view_->layout_state();
}

void ResultsPage::restore_layout(const QByteArray& layout) {
    view_->restore_layout(layout);
}

EvaluationChoice::EvaluationChoice(Services services, Noun workload, QWidget* parent)
    : ElidingComboBox(parent)
    , services_(services)
    , workload_(std::move(workload)) {
    setObjectName(QStringLiteral("evaluation"));
    setAccessibleName(tr("Evaluation"));
    setMinimumContentsLength(10);
    connect(this, &QComboBox::currentIndexChanged, this, [this](int row) {
        if (!is_filling_ && row >= 0)
            Q_EMIT chosen(itemData(row).toLongLong());
    });
}

void EvaluationChoice::show_evaluations(const std::vector<StoredEvaluation>& evaluations, RunId shown,
                                        bool is_running) {
    is_filling_ = true;
    clear();
    for (const StoredEvaluation& one : evaluations) {
        addItem(entry_of(one, is_running), static_cast<qint64>(one.run));
        if (one.run == shown)
            setCurrentIndex(count() - 1);
    }
    is_filling_ = false;
}

QString EvaluationChoice::entry_of(const StoredEvaluation& one, bool is_running) const {
    const MachineRecord* machine = services_.session.machine(one.machine);
    const QString name = one.machine == services_.session.this_machine() ? tr("this computer")
                         : machine != nullptr ? QString::fromStdString(machine->name)
                                              : one.machine;
    const QString where = one.condition.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, one.condition);
    const QString entry =
        tr("%1 on %2, %3, best of %4, %5")
            .arg(one.models.join(QStringLiteral(", ")), where, counted(one.workloads.size(), workload_),
                 QString::number(one.k), QLocale().toString(one.started.toLocalTime(), QLocale::ShortFormat));
    switch (one.state) {
    case RunState::Running:
        return is_running ? tr("%1 (running)").arg(entry) : tr("%1 (interrupted)").arg(entry);
    case RunState::Stopped:
        return tr("%1 (stopped)").arg(entry);
    case RunState::Failed:
        return tr("%1 (failed)").arg(entry);
    case RunState::Finished:
        break;
    }
    return entry;
}

} // namespace sparsight
