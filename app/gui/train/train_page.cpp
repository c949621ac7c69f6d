#include "gui/train/train_page.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/page/export_notices.h"
#include "gui/runs/run_job.h"
#include "gui/selection/selection.h"
#include "gui/train/run_header.h"
#include "gui/train/training_charts.h"
#include "gui/train/training_form.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/empty_state.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QDataStream>
#include <QIODevice>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

constexpr std::size_t most_shown = 8; ///< as many as there are colours

} // namespace

TrainPage::TrainPage(Services services, TrainingRuns& runs, QWidget* parent)
    : Page(QStringLiteral("train"), tr("Train"), QStringLiteral("train"), parent)
    , services_(services)
    , runs_(runs)
    , form_(new TrainingForm(services, runs, this))
    , header_(new RunHeader(services.jobs, runs, this))
    , charts_(new TrainingCharts(this))
    , table_(new DataTable(this))
    , differences_(new DataTable(this))
    , tabs_(new QTabWidget(this))
    , empty_(new EmptyState(this))
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Horizontal, this))
    , right_(new QSplitter(Qt::Vertical, this)) {
    build_table();
    build_empty();
    build();
    connect(form_, &TrainingForm::notice, this, &Page::notice);
    connect(form_, &TrainingForm::help_requested, this, &Page::help_requested);
    connect(form_, &TrainingForm::started, this, [this](const JobId& job) {
        job_ = job;
        chosen_for_user_.reset();
        show_header();
    });
    connect(header_, &RunHeader::keep_requested, this, [this](qint64 run) { keep(RunId{run}); });
    connect(header_, &RunHeader::going_on_requested, this, [this](qint64 run) { go_on(RunId{run}); });
    connect(header_, &RunHeader::discard_requested, this, [this](qint64 run) { discard(RunId{run}); });
    connect(header_, &RunHeader::again_requested, this, [this](qint64 run) {
        if (const TrainingRun* known = runs_.run(RunId{run}))
            form_->take_over(*known);
    });
    connect(charts_, &TrainingCharts::options_changed, this, &TrainPage::show_curves);
    connect(&runs_, &TrainingRuns::stored_changed, this, &TrainPage::follow_runs);
    connect(&runs_, &TrainingRuns::failed, this,
            [this](const QString& reason) { Q_EMIT notice(reason, true); });
    connect(&runs_, &TrainingRuns::curves_changed, this, [this](qint64 run) {
        if (std::ranges::count(shown_runs(), RunId{run}) > 0)
            show_curves();
        if (current_run() == RunId{run})
            show_header();
    });
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, &TrainPage::follow_job);
    tell_of_exports(*this);
    follow_runs();
}

void TrainPage::build() {
    tabs_->setDocumentMode(true);
    tabs_->addTab(table_, tr("Runs"));
    tabs_->addTab(differences_, tr("Settings compared"));
    tabs_->setMinimumHeight(120);
    auto* view = new QWidget(this);
    auto* view_column = new QVBoxLayout(view);
    view_column->setContentsMargins(0, 0, 0, 0);
    view_column->setSpacing(grid_step);
    view_column->addWidget(header_);
    view_column->addWidget(charts_, 1);
    stack_->addWidget(view);
    stack_->addWidget(empty_);
    right_->addWidget(stack_);
    right_->addWidget(tabs_);
    right_->setStretchFactor(0, 3);
    right_->setStretchFactor(1, 1);
    right_->setSizes({450, 220});
    right_->setChildrenCollapsible(false);
    splitter_->addWidget(form_);
    splitter_->addWidget(right_);
    form_->setMinimumWidth(230);
    right_->setMinimumWidth(380);
    splitter_->setSizes({270, 620});
    splitter_->setStretchFactor(0, 0);
    splitter_->setStretchFactor(1, 1);
    splitter_->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->addWidget(splitter_);
    setFocusProxy(form_);
}

void TrainPage::build_table() {
    table_->set_model(&model_);
    table_->setObjectName(QStringLiteral("runs"));
    table_->setAccessibleName(tr("Training runs"));
    table_->set_empty_text(tr("Every training run is kept here with its curves."));
    for (const int column : {RunsModel::Architecture, RunsModel::Regret, RunsModel::Machines})
        table_->set_column_shown(column, false); // more than there is room for; the menu has them
    table_->set_column_shown(RunsModel::Started, false);
    connect(table_, &DataTable::selection_changed, this, [this] {
        if (is_filling_)
            return;
        show_rows();
        show_curves();
    });
    connect(table_, &DataTable::current_row_changed, this, [this](int row) {
        if (is_filling_)
            return;
        if (row >= 0) {
            const TrainingRun& run = model_.row(row).run;
            if (run.id != chosen_for_user_)
                chosen_for_user_.reset();
            if (run.has_model)
                services_.selection.select_model(run.name);
        }
        show_header();
    });
    differences_->set_model(&configuration_);
    differences_->setAccessibleName(tr("Settings of the chosen runs"));
    differences_->set_empty_text(tr("Choose several runs to see in what they differ."));
}

void TrainPage::build_empty() {
    empty_->set_icon(icon(QStringLiteral("train")));
    empty_->set_title(tr("No model was trained yet"));
    auto* measure = empty_->add_button(tr("&Measure schedules"), icon_on_accent(QStringLiteral("measure")));
    measure->setObjectName(QStringLiteral("go-measuring"));
    connect(measure, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("schedules")); });
}

void TrainPage::follow_runs() {
    const bool can_learn = !runs_.stored().sources.empty();
    empty_->set_text(
        can_learn
            ? tr("A cost model learns from measurements which schedules are fast. Take a preset at the left "
                 "and "
                 "press Start: its loss is drawn here while it falls.")
            : tr("A cost model learns from measurements which schedules are fast. There are none in this "
                 "workspace yet: measure schedules on a few matrices first."));
    empty_->findChild<QPushButton*>(QStringLiteral("go-measuring"))->setVisible(!can_learn);
    show_rows();
    const bool is_free = !current_run() || current_run() == chosen_for_user_;
    if (model_.rowCount() > 0 && is_free && model_.row(0).run.id != current_run())
        choose_run(model_.row(0).run.id);
    show_rows();
    show_header();
    show_curves();
}

void TrainPage::choose_run(RunId run) {
    const auto row = model_.row_of(key_of(run));
    if (!row)
        return;
    is_filling_ = true;
    table_->select_source_row(*row);
    is_filling_ = false;
    chosen_for_user_ = run;
}

std::vector<RunId> TrainPage::shown_runs() const {
    std::vector<RunId> shown;
    for (const int row : table_->selected_source_rows())
        if (shown.size() < most_shown)
            shown.push_back(model_.row(row).run.id);
    return shown;
}

std::optional<RunId> TrainPage::current_run() const {
    const int row = table_->current_source_row();
    return row < 0 ? std::nullopt : std::optional(model_.row(row).run.id);
}

bool TrainPage::is_live(RunId run) const {
    const auto job = runs_.job_of(run);
    return job && is_active(job->state);
}

void TrainPage::show_rows() {
    const std::vector<RunId> shown = shown_runs();
    std::vector<RunRow> rows;
    for (const TrainingRun& run : runs_.stored().runs) {
        if (run.kind != QStringLiteral("train"))
            continue;
        RunRow row{run, std::nullopt, is_live(run.id)};
        if (const auto at = std::ranges::find(shown, run.id); at != shown.end())
            row.colour = series_colour(static_cast<std::size_t>(at - shown.begin()));
        rows.push_back(std::move(row));
    }
    is_filling_ = true;
    model_.set_rows(std::move(rows));
    is_filling_ = false;
    std::vector<ConfiguredRun> configured;
    for (const RunId id : shown)
        if (const TrainingRun* run = runs_.run(id))
            configured.push_back({run->name, run->parameters});
    configuration_.set_runs(configured);
}

void TrainPage::follow_job(const JobId& id) {
    const auto job = services_.jobs.job(id);
    if (job && job->kind != JobKind::Train)
        return;
    // The run of the job that was started here is looked at as soon as it is in the table.
    const LiveRun* live = id == job_ ? runs_.live_of(id) : nullptr;
    if (live != nullptr && model_.row_of(key_of(live->run))) {
        job_ = {};
        choose_run(live->run);
        show_curves();
    }
    show_rows();
    show_header();
}

/// The same command, told to make a model of what there is instead of going on.
void TrainPage::keep(RunId run) {
    if (const TrainingRun* stored = runs_.run(run))
        work_at(run, keeping_job(services_.session.path(), *stored));
}

void TrainPage::go_on(RunId run) {
    if (const TrainingRun* stored = runs_.run(run))
        work_at(run, going_on_job(services_.session.path(), *stored));
}

/// Two at one run would be in each other's way.
void TrainPage::work_at(RunId run, const JobDescription& description) {
    if (const auto at_it = runs_.job_of(run); at_it && !is_over(at_it->state))
        return;
    const auto job = services_.jobs.start(description);
    if (job)
        job_ = *job;
    else
        Q_EMIT notice(job.error(), true);
}

void TrainPage::discard(RunId run) {
    services_.session.write([run](Workspace& workspace) { return remove_run(workspace, run); },
                            [this](const Result<void>& removed) {
                                if (!removed)
                                    Q_EMIT notice(QString::fromStdString(removed.error().text()), true);
                            });
}

void TrainPage::show_header() {
    const auto awaited = services_.jobs.job(job_);
    const std::optional<RunId> run = current_run();
    if (awaited && !is_over(awaited->state))
        header_->show_run(awaited, std::nullopt);
    else
        header_->show_run(run ? runs_.job_of(*run) : std::nullopt, run);
    const bool is_empty = !run && !(awaited && !is_over(awaited->state));
    stack_->setCurrentWidget(is_empty ? static_cast<QWidget*>(empty_) : stack_->widget(0));
}

void TrainPage::show_curves() {
    is_outdated_ = !isVisible();
    if (is_outdated_)
        return;
    std::vector<ShownRun> shown;
    for (const RunId id : shown_runs())
        if (const TrainingRun* run = runs_.run(id))
            shown.push_back({run->name, series_colour(shown.size()), runs_.curves(id)});
    charts_->show_runs(shown);
}

void TrainPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (is_outdated_)
        show_curves();
}

bool TrainPage::is_settled() const {
    if (runs_.is_reading())
        return false;
    return std::ranges::all_of(shown_runs(), [this](RunId run) { return runs_.curves(run) != nullptr; });
}

QByteArray TrainPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << right_->saveState() << table_->save_state() << charts_->layout_state()
        << tabs_->currentIndex();
    return state;
}

void TrainPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    QByteArray right;
    QByteArray table;
    QByteArray charts;
    int tab = 0;
    in >> splitter >> right >> table >> charts >> tab;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    right_->restoreState(right);
    table_->restore_state(table);
    charts_->restore_layout(charts);
    tabs_->setCurrentIndex(tab);
}

} // namespace sparsight
