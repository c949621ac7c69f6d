#include "gui/train/learning_page.h"

#include "gui/jobs/job_service.h"
#include "gui/page/page.h"
#include "gui/selection/selection.h"
#include "gui/train/run_header.h"
#include "gui/workspace/recording_note.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QDataStream>
#include <QIODevice>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t most_shown = 8; ///< the number of colours

} // namespace

LearningPage::LearningPage(const Kind& kind, Services services, TrainingRuns& runs, const Domain& domain,
                           std::unique_ptr<RecordModel<RunRow>> model, QWidget* parent)
    : Page(kind.place, kind.id, kind.title, kind.icon, parent)
    , services_(services)
    , runs_(runs)
    , domain_(domain)
    , kind_(kind)
    , model_(std::move(model))
    , header_(new RunHeader(services.jobs, runs, domain.words(), kind.advice, this))
    , table_(new DataTable(this))
    , empty_(new EmptyState(this))
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Horizontal, this))
    , right_(new QSplitter(Qt::Vertical, this))
    , new_model_(services, runs) {
    table_->set_model(model_.get());
    connect_table();
    auto* decisions = new RunDecisions(services_, runs_, *header_, *this);
    connect(decisions, &RunDecisions::notice, this, &Page::notice);
    connect(decisions, &RunDecisions::started, this, [this](const JobId& job) {
        job_ = job;
        new_model_.await(job);
    });
    connect(&runs_, &TrainingRuns::stored_changed, this, &LearningPage::follow_runs);
    connect(&runs_, &TrainingRuns::curves_changed, this, [this](qint64 run) {
        if (std::ranges::count(shown_runs(), RunId{run}) > 0)
            show_curves();
        if (current_run() == RunId{run})
            show_header();
    });
    connect(&services_.selection, &Selection::changed, this, [this] {
        if (&services_.session.domain() != &domain_ || !choose_what_to_look_at())
            return;
        show_rows();
        show_header();
        show_curves();
    });
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, &LearningPage::follow_job);
}

void LearningPage::lay_out(QWidget* form, QWidget* view, QWidget* below, const QList<int>& heights,
                           int least_height) {
    stack_->addWidget(view);
    stack_->addWidget(empty_);
    right_->addWidget(stack_);
    right_->addWidget(below);
    right_->setStretchFactor(0, heights.front());
    right_->setStretchFactor(1, heights.back());
    right_->setSizes(heights);
    right_->setChildrenCollapsible(false);
    stack_->setMinimumHeight(least_height); // a low window scrolls: the chart keeps its height
    below->setMinimumHeight(20 * grid_step);
    auto* const scroll = new ColumnScroll(right_, this);
    splitter_->addWidget(form);
    splitter_->addWidget(scroll);
    form->setMinimumWidth(230);
    scroll->setMinimumWidth(340);
    splitter_->setSizes({270, 620});
    splitter_->setStretchFactor(0, 0);
    splitter_->setStretchFactor(1, 1);
    splitter_->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->addWidget(new RecordingNote(services_.session, this));
    column->addWidget(splitter_, 1);
    setFocusProxy(form);
}

void LearningPage::begin() {
    tell_of_exports(*this);
    follow_runs();
}

void LearningPage::connect_table() {
    connect(table_, &DataTable::selection_changed, this, [this] {
        if (is_filling_)
            return;
        show_rows();
        show_curves();
    });
    connect(table_, &DataTable::current_row_changed, this, [this](int row) {
        if (is_filling_)
            return;
        job_ = {}; // a waiting job may wait for hours
        if (row >= 0) {
            const TrainingRun& run = model_->row(row).run;
            if (run.id != chosen_for_user_)
                chosen_for_user_.reset();
            if (run.has_model)
                services_.selection.select_model(run.name);
        }
        show_header();
        show_curves();
    });
    // Also for a click on the row that is already current.
    connect(table_->view(), &QAbstractItemView::clicked, this, [this] {
        job_ = {};
        show_header();
        show_curves();
    });
}

void LearningPage::await(const JobId& job) {
    job_ = job;
    new_model_.await(job);
    chosen_for_user_.reset();
    show_header();
    show_curves();
}

/// The job started here runs, and its run is not shown yet.
bool LearningPage::begins() const {
    const auto awaited = services_.jobs.job(job_);
    const auto run = current_run();
    const auto shown = run ? runs_.job_of(*run) : std::nullopt;
    return awaited && is_active(awaited->state) && (!shown || shown->id != job_);
}

QString LearningPage::model_looked_at(const TrainingRun& run) const {
    return run.has_model ? run.name : QString();
}

void LearningPage::select_what_is_looked_at() {
    const auto current = current_run();
    const TrainingRun* run = current ? runs_.run(*current) : nullptr;
    const QString model = run == nullptr ? QString() : model_looked_at(*run);
    Selected now = services_.selection.current();
    if (model.isEmpty() || !isVisible() || runs_.model(now.model) != nullptr)
        return;
    now.model = model;
    services_.selection.replace(std::move(now));
}

void LearningPage::follow_runs() {
    if (&services_.session.domain() != &domain_)
        return; // they are those of another domain
    show_empty_text();
    show_rows();
    if (choose_what_to_look_at())
        show_rows();
    select_what_is_looked_at();
    new_model_.follow();
    show_header();
    show_curves();
}

/// While the user has chosen no other run: that of the selected model, otherwise the newest. A run that was
/// begun here stays until there is a newer one.
bool LearningPage::choose_what_to_look_at() {
    const bool is_free = !current_run() || current_run() == chosen_for_user_;
    if (model_->rowCount() == 0 || !is_free)
        return false;
    RunId wanted = model_->row(0).run.id;
    const QString selected = services_.selection.current().model;
    const bool is_begun_here = begun_here_ && current_run() == begun_here_;
    for (int row = 0; row < model_->rowCount() && !is_begun_here; ++row)
        if (const TrainingRun& run = model_->row(row).run; run.has_model && run.name == selected) {
            wanted = run.id;
            break;
        }
    if (wanted == current_run())
        return false;
    choose_run(wanted);
    return true;
}

void LearningPage::choose_run(RunId run) {
    const auto row = model_->row_of(key_of(run));
    if (!row)
        return;
    is_filling_ = true;
    table_->select_source_row(*row);
    is_filling_ = false;
    chosen_for_user_ = run;
}

/// Where the run at this place is gone, the next one is shown.
void LearningPage::choose_at(std::size_t place) {
    const std::vector<int> rows = table_->displayed_source_rows();
    if (rows.empty())
        return;
    is_filling_ = true;
    table_->select_source_row(rows[std::min(place, rows.size() - 1)]);
    is_filling_ = false;
}

std::vector<RunId> LearningPage::displayed_runs() const {
    std::vector<RunId> runs;
    for (const int row : table_->displayed_source_rows())
        runs.push_back(model_->row(row).run.id);
    return runs;
}

std::vector<RunId> LearningPage::shown_runs() const {
    std::vector<RunId> shown;
    for (const int row : table_->selected_source_rows())
        if (shown.size() < most_shown)
            shown.push_back(model_->row(row).run.id);
    return shown;
}

std::optional<RunId> LearningPage::current_run() const {
    const int row = table_->current_source_row();
    return row < 0 ? std::nullopt : std::optional(model_->row(row).run.id);
}

void LearningPage::show_rows() {
    const std::vector<RunId> shown = shown_runs();
    const std::vector<RunId> before = displayed_runs();
    const std::optional<RunId> current = current_run();
    std::vector<RunRow> rows;
    for (const TrainingRun& run : runs_.stored().runs) {
        if (run.kind != kind_.run)
            continue;
        RunRow row{.run = run};
        if (const auto job = runs_.job_of(run.id)) {
            row.job = job->state;
            row.is_outdated = runs_.is_end_unread(job->id);
        }
        const auto at = std::ranges::find(shown, run.id);
        if (has_colours() && at != shown.end())
            row.colour = series_colour(static_cast<std::size_t>(at - shown.begin()));
        rows.push_back(std::move(row));
    }
    is_filling_ = true;
    model_->set_rows(std::move(rows));
    is_filling_ = false;
    if (!shown.empty() && shown_runs().empty())
        choose_at(static_cast<std::size_t>(std::ranges::find(before, current.value_or(shown.front())) -
                                           before.begin()));
    rows_shown();
}

void LearningPage::follow_job(const JobId& id) {
    const auto job = services_.jobs.job(id);
    if (job && job->kind != kind_.job)
        return;
    // The run of the job started here is shown as soon as it is in the table.
    const LiveRun* live = id == job_ ? runs_.live_of(id) : nullptr;
    if (live != nullptr && model_->row_of(key_of(live->run))) {
        job_ = {};
        begun_here_ = live->run;
        choose_run(live->run);
        show_curves();
    } else if (id == job_) {
        show_curves();
    }
    show_rows();
    show_header();
}

void LearningPage::show_header() {
    const auto awaited = services_.jobs.job(job_);
    const bool waits = awaited && !is_over(awaited->state);
    const std::optional<RunId> run = current_run();
    if (waits)
        header_->show_run(awaited, std::nullopt);
    else
        header_->show_run(run ? runs_.job_of(*run) : std::nullopt, run);
    stack_->setCurrentWidget(!run && !waits ? static_cast<QWidget*>(empty_) : stack_->widget(0));
}

void LearningPage::show_curves() {
    is_outdated_ = !isVisible();
    // The curves of an earlier run would be mistaken for those of the starting run.
    if (!is_outdated_)
        draw_curves(begins() ? std::vector<RunId>() : shown_runs());
}

void LearningPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    select_what_is_looked_at();
    if (is_outdated_)
        show_curves();
}

bool LearningPage::is_settled() const {
    return !runs_.is_reading() &&
           std::ranges::all_of(shown_runs(), [this](RunId run) { return is_read(run); });
}

QByteArray LearningPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << right_->saveState() << table_->save_state() << view_state();
    return state;
}

void LearningPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    QByteArray right;
    QByteArray table;
    QByteArray view;
    in >> splitter >> right >> table >> view;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    right_->restoreState(right);
    table_->restore_state(table);
    restore_view(view);
}

void TrainedModelSelection::await(const JobId& job) {
    awaited_ = Awaited{job, services_.selection.current().model};
}

/// A model that is asked something meanwhile, such as to search, is in use: its answer would vanish.
bool TrainedModelSelection::is_in_use(const QString& model, const QDateTime& since) const {
    const QString option = QStringLiteral("--model=%1").arg(model);
    return std::ranges::any_of(services_.jobs.jobs(), [&](const Job& job) {
        return job.created > since && job.workspace == services_.session.path() &&
               job.arguments.contains(option);
    });
}

void TrainedModelSelection::follow() {
    if (!awaited_)
        return;
    const auto job = services_.jobs.job(awaited_->job);
    if (job && (!is_over(job->state) || runs_.is_end_unread(job->id)))
        return;
    const Awaited awaited = *std::exchange(awaited_, std::nullopt);
    const LiveRun* live = job ? runs_.live_of(awaited.job) : nullptr;
    const TrainingRun* run = live == nullptr ? nullptr : runs_.run(live->run);
    Selected now = services_.selection.current();
    if (run == nullptr || !run->has_model || now.model != awaited.selected_before ||
        is_in_use(now.model, job->created))
        return;
    now.model = run->name;
    services_.selection.replace(std::move(now));
}

} // namespace sparsight
