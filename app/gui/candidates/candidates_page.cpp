#include "gui/candidates/candidates_page.h"

#include "gui/candidates/search_map.h"
#include "gui/candidates/search_panel.h"
#include "gui/candidates/search_words.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/page/domain_words.h"
#include "gui/page/stacking_splitter.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/plots/walk_plot.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/labels.h"
#include "widgets/look/link_label.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

constexpr int room_for_two = 320; ///< below this the walk and its table stand side by side

} // namespace

CandidatesPage::CandidatesPage(Services services, TrainingRuns& runs, SearchFeatures features,
                               QWidget* parent)
    : Page(PagePlace::Search, QStringLiteral("search"), tr("Search"), QStringLiteral("search"), parent)
    , services_(services)
    , runs_(runs)
    , features_(std::move(features))
    , times_(services.session)
    , panel_(new SearchPanel(services, runs, features_, this))
    , headline_(new QLabel(this))
    , facts_(new QLabel(this))
    , noise_(new QLabel(this))
    , measure_(new QPushButton(icon(QStringLiteral("measure")), tr("Measure the&se"), this))
    , progress_(new JobProgressLine(services.jobs, this))
    , plot_(new WalkPlot(this))
    , colours_(new MapColourChoice(this))
    , table_(new DataTable(this))
    , empty_(new SearchEmptyState(features_.workloads_page, this))
    , splitter_(new StackingSplitter(room_for_two, this, StackingSplitter::Shares::Swapped))
    , stack_(new QStackedWidget(this)) {
    show_names();
    build_table();
    build();
    connect(panel_, &SearchPanel::subject_changed, this, &CandidatesPage::follow);
    connect(panel_, &SearchPanel::notice, this, &Page::notice);
    connect(colours_, &MapColourChoice::changed, this, &CandidatesPage::draw_walk);
    connect(empty_, &SearchEmptyState::page_requested, this,
            [this](const QString& id) { services_.selection.select_page(id); });
    connect(plot_, &WalkPlot::picked, this, [this](const QVariant& key) { select(key.toString()); });
    connect(&times_, &CandidateTimes::times_changed, this, [this] {
        Q_EMIT notice({}, false, QStringLiteral("read")); // a failure to read is reported after it
        if (isVisible())
            show_rows();
    });
    connect(&times_, &CandidateTimes::failed, this,
            [this](const QString& reason) { Q_EMIT notice(reason, true, QStringLiteral("read")); });
    connect(&runs_, &TrainingRuns::stored_changed, this, &CandidatesPage::follow);
    connect(&services_.selection, &Selection::changed, this, &CandidatesPage::follow);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &CandidatesPage::follow);
    connect(&services_.session, &WorkspaceSession::closed, this, &CandidatesPage::follow);
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &CandidatesPage::follow);
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &CandidatesPage::show_measuring);
    connect(&services_.jobs, &JobService::event_received, this, &CandidatesPage::take_event);
    connect(&services_.jobs, &JobService::job_finished, this, &CandidatesPage::take_end);
    connect(&services_.jobs, &JobService::job_removed, this, &CandidatesPage::take_end);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished})
        connect(&services_.jobs, signal, this, &CandidatesPage::show_measuring);
    tell_of_exports(*this);
}

QComboBox& CandidatesPage::colours() {
    return colours_->box();
}

const DomainWords& CandidatesPage::words() const {
    return services_.session.domain().words();
}

QString CandidatesPage::domain_name() const {
    return QString::fromUtf8(services_.session.domain().name());
}

void CandidatesPage::show_names() {
    const QString configurations = many(words().configuration);
    table_->setAccessibleName(tr("%1 that were found").arg(title_of_many(words().configuration)));
    plot_->set_empty_text(tr("This model has no embeddings of %1, so there is no map to walk on: it scores "
                             "all of them.")
                              .arg(configurations));
    make_columns({});
}

/// Another domain, or other decisions, have other columns.
void CandidatesPage::make_columns(const std::vector<ShownDecision>& decisions) {
    QStringList keys{domain_name()};
    for (const ShownDecision& decision : decisions)
        keys << QString::fromStdString(decision.key);
    if (model_ != nullptr && keys == columns_)
        return;
    columns_ = keys;
    auto model = std::make_unique<CandidatesModel>(words(), decisions, features_.code_meaning);
    table_->set_model(model.get());
    model_ = std::move(model);
    table_->sort_by(CandidatesModel::Rank, Qt::AscendingOrder);
    // the decisions say the same; the menu offers it
    table_->set_column_shown(CandidatesModel::Configuration, decisions.empty());
    if (!features_.code_meaning.isEmpty())
        table_->set_column_shown(CandidatesModel::Code, false); // the tooltip has it
    shows_parts_.reset();
    show_parts();
}

void CandidatesPage::build_table() {
    if (features_.offer_comparison)
        features_.offer_comparison(*table_, [this](int row) {
            const CandidateRow& candidate = model_->row(row);
            ComparedChoice choice{.workload = subject_.workload,
                                  .machine = subject_.machine,
                                  .setting = search_ ? search_->setting : Setting(),
                                  .configuration = candidate.found.configuration};
            if (candidate.time) {
                choice.milliseconds = candidate.time->result.median_ms;
                choice.spread_ms = candidate.time->result.spread_ms;
                choice.protocol = candidate.time->result.protocol;
            }
            return choice;
        });
    table_->setObjectName(QStringLiteral("candidates"));
    table_->view()->set_name_column(CandidatesModel::Configuration);
    connect(table_, &DataTable::current_row_changed, this, [this](int row) {
        if (row >= 0 && !is_filling_)
            select(model_->row(row).found.configuration);
    });
    connect(table_, &DataTable::activated_row, this, [this](int row) {
        select(model_->row(row).found.configuration);
        services_.selection.select_page(features_.configurations_page);
    });
}

void CandidatesPage::build() {
    keep_font(*headline_, title_font);
    headline_->setWordWrap(true);
    headline_->setTextFormat(Qt::RichText);
    headline_->setObjectName(QStringLiteral("search-headline"));
    keep_font(*facts_, caption_font);
    facts_->setWordWrap(true);
    facts_->setForegroundRole(QPalette::PlaceholderText);
    facts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    facts_->setObjectName(QStringLiteral("search-facts"));
    noise_->setWordWrap(true);
    noise_->setTextFormat(Qt::RichText);
    noise_->setObjectName(QStringLiteral("search-noise"));
    reach_links_by_keyboard(*noise_);
    connect(noise_, &QLabel::linkActivated, this, [this] { measure(true); });
    measure_->setObjectName(QStringLiteral("measure-these"));
    measure_->setVisible(features_.measure != nullptr);
    connect(measure_, &QPushButton::clicked, this, [this] { measure(false); });
    auto* info = new InfoButton(tr("How to read the walk"), QStringLiteral("search"), this);
    connect(info, &InfoButton::help_requested, this, &Page::help_requested);

    auto* top = new QHBoxLayout;
    top->setSpacing(grid_step);
    top->addWidget(headline_, 1);
    top->addWidget(info, 0, Qt::AlignTop);
    top->addWidget(measure_, 0, Qt::AlignTop);
    plot_->setObjectName(QStringLiteral("walk"));
    plot_->setMinimumHeight(25 * grid_step); // a low window scrolls
    splitter_->addWidget(plot_);
    splitter_->addWidget(table_);
    splitter_->setSizes({380, 230});
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 2);
    splitter_->setChildrenCollapsible(false);
    auto* view = new QWidget(this);
    auto* view_column = new QVBoxLayout(view);
    view_column->setContentsMargins(0, 0, 0, 0);
    view_column->setSpacing(grid_step);
    view_column->addLayout(top);
    auto* below = new QHBoxLayout;
    below->setSpacing(grid_step);
    below->addWidget(facts_, 1);
    below->addWidget(colours_, 0, Qt::AlignBottom);
    view_column->addWidget(noise_);
    view_column->addLayout(below);
    view_column->addWidget(progress_);
    view_column->addWidget(splitter_, 1);
    stack_->addWidget(new ColumnScroll(view, this));
    stack_->addWidget(empty_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->setSpacing(grid_step);
    column->addWidget(panel_);
    column->addWidget(stack_, 1);
    setFocusProxy(table_->view());
}

/// A model without embeddings has no map: the table has its room.
void CandidatesPage::draw_walk() {
    plot_->setVisible(!search_ || search_->map);
    plot_->set_picture(search_ ? walk_drawing(*search_, services_.session.domain(),
                                              features_.name_configurations, colours_->colours())
                               : WalkPicture{});
    mark_selected();
}

/// Columns that the user hides stay hidden while one blended model follows another.
void CandidatesPage::show_parts() {
    const bool is_blended = search_ && search_->blend;
    colours_->setVisible(is_blended && search_->map);
    if (shows_parts_ == is_blended)
        return;
    shows_parts_ = is_blended;
    for (const auto column : {CandidatesModel::Network, CandidatesModel::Simulated, CandidatesModel::Why})
        table_->set_column_shown(column, is_blended);
}

/// While it is hidden, another domain may have a page of its own in this place.
void CandidatesPage::follow() {
    if (!isVisible())
        return;
    if (columns_.value(0) != domain_name())
        show_names();
    if (SearchSubject now = panel_->subject(); now != subject_) {
        subject_ = std::move(now);
        forget_search();
    }
    read_search();
}

void CandidatesPage::forget_search() {
    job_.reset();
    search_.reset();
    draw_walk();
}

/// A running search replaces the search before it as soon as it has found something.
void CandidatesPage::take_event(const JobId& id, const QJsonObject& event) {
    const QString name = event.value(QStringLiteral("event")).toString();
    if (name == QLatin1String("step"))
        services_.session.refresh(); // to read the new time
    if (name != QLatin1String("choice") && name != QLatin1String("map"))
        return;
    const auto job = services_.jobs.job(id);
    if (!job || !is_of(*job, subject_))
        return;
    job_ = id;
    search_.reset();
    read_search();
}

/// A failed search leaves the results of the search before it.
void CandidatesPage::take_end(const JobId& id) {
    const auto job = services_.jobs.job(id);
    const bool is_of_another = job && !is_of(*job, subject_);
    if (is_of_another || (!job && job_ != id))
        return;
    forget_search();
    read_search();
}

void CandidatesPage::read_search() {
    if (!isVisible())
        return;
    if (!job_)
        job_ = newest_search(services_.jobs, words(), subject_);
    const auto job = job_ ? services_.jobs.job(*job_) : std::nullopt;
    if (job && !search_) {
        search_ = search_of(services_.jobs, *job, words(), subject_.workload);
        if (search_) {
            search_->setting = panel_->request().setting.setting; // that of the subject
            show_parts();
            draw_walk();
        }
    }
    ask_for_times();
    show_rows();
}

void CandidatesPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    follow();
}

/// Tells how alike configurations are. Null in a domain that would have to read all that was recorded for it.
std::shared_ptr<const ConfigurationSpace> CandidatesPage::space() const {
    const Domain& domain = services_.session.domain();
    const WorkloadRecord* const workload = services_.session.workload(subject_.workload);
    if (workload == nullptr || domain.chooses_among_recorded())
        return nullptr;
    return domain.space({search_->setting, numeric_facts(*workload)}).value_or(nullptr);
}

void CandidatesPage::show_rows() {
    CandidateTable found;
    if (search_) {
        const auto likeness = space();
        found = candidate_table(*search_, {.domain = services_.session.domain(),
                                           .times = times_.times(),
                                           .origin = origin(),
                                           .in_turns = times_.in_turns(),
                                           .space = likeness.get(),
                                           .name = features_.name_configurations});
    }
    rows_ = std::move(found.rows);
    // the table moves its current row when that row is removed: the user has not chosen it
    is_filling_ = true;
    if (search_)
        make_columns(found.decisions);
    model_->set_rows(rows_);
    is_filling_ = false;
    stack_->setCurrentWidget(search_ ? stack_->widget(0) : static_cast<QWidget*>(empty_));
    empty_->show_subject(subject_, words());
    show_words();
    show_measuring();
    mark_selected();
}

void CandidatesPage::show_words() {
    if (!search_)
        return;
    headline_->setText(search_headline(*search_, subject_, rows_, origin(), words(), times_.in_turns()));
    facts_->setText(with_whole_numbers(search_facts(*search_, words())));
    facts_->setToolTip(search_method_meaning(search_->method, words()));
}

void CandidatesPage::select(const QString& configuration) {
    if (!search_)
        return;
    const auto written = services_.session.domain().written(search_->setting, configuration.toStdString());
    services_.selection.select_configuration(written ? QString::fromStdString(written->family) : QString(),
                                             configuration);
}

void CandidatesPage::mark_selected() {
    const QString selected = services_.selection.current().configuration;
    plot_->set_selected(selected.isEmpty() ? QVariant() : QVariant(selected));
    const auto row = model_->row_of(selected);
    const int current = table_->current_source_row();
    if (current == row.value_or(-1))
        return;
    is_filling_ = true; // following a selection is not a choice by the user
    table_->select_source_row(row.value_or(-1));
    is_filling_ = false;
}

bool CandidatesPage::is_settled() const {
    return !runs_.is_reading() && !times_.is_reading();
}

QByteArray CandidatesPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << table_->save_state() << panel_->state();
    return state;
}

void CandidatesPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    QByteArray table;
    in >> splitter >> table;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    table_->restore_state(table);
    QByteArray panel; // layouts of older versions have none
    in >> panel;
    panel_->restore_state(panel);
}

SearchEmptyState::SearchEmptyState(QString workloads_page, QWidget* parent)
    : EmptyState(parent)
    , go_training_(add_button(tr("&Train a model first"), icon_on_accent(QStringLiteral("train"))))
    , go_choosing_(add_button({}, icon(QStringLiteral("matrices")))) {
    set_icon(icon(QStringLiteral("search")));
    go_training_->setObjectName(QStringLiteral("go-training-first"));
    go_choosing_->setObjectName(QStringLiteral("go-choosing-first"));
    connect(go_training_, &QPushButton::clicked, this,
            [this] { Q_EMIT page_requested(QStringLiteral("train")); });
    connect(go_choosing_, &QPushButton::clicked, this,
            [this, id = std::move(workloads_page)] { Q_EMIT page_requested(id); });
}

void SearchEmptyState::show_subject(const SearchSubject& subject, const DomainWords& words) {
    const bool has_model = !subject.model.isEmpty();
    const bool has_workload = !subject.workload.isEmpty();
    go_training_->setVisible(!has_model);
    go_choosing_->setVisible(has_model && !has_workload);
    go_choosing_->setText(tr("&Choose a %1").arg(one(words.workload)));
    const QString configurations = many(words.configuration);
    if (!has_model) {
        set_title(tr("No model can search yet"));
        set_text(tr("A model learns from known times which %1 are fast. Train one; then it "
                    "chooses %1 for %2 that were never measured.")
                     .arg(configurations, many(words.workload)));
    } else if (!has_workload) {
        set_title(tr("No %1 is selected").arg(one(words.workload)));
        set_text(tr("Select the %1 for which the model is to choose %2.")
                     .arg(one(words.workload), configurations));
    } else {
        set_title(tr("Nothing searched for %1 yet").arg(subject.workload));
        set_text(tr("Press Search: %1 scores %2 for this %3 without running them. The best are listed here "
                    "with the way that led to them.")
                     .arg(subject.model, configurations, one(words.workload)));
    }
}

} // namespace sparsight
