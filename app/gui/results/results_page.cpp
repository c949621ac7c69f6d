#include "gui/results/results_page.h"

#include "gui/comparison/compare_action.h"
#include "gui/icons/icon.h"
#include "gui/jobs/counted_text.h"
#include "gui/jobs/job_service.h"
#include "gui/page/export_notices.h"
#include "gui/results/evaluate_panel.h"
#include "gui/results/result_charts.h"
#include "gui/results/result_exports.h"
#include "gui/results/result_figures.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/look/empty_state.h"
#include "widgets/look/info_button.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QComboBox>
#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

ResultsPage::ResultsPage(Services services, TrainingRuns& runs, QWidget* parent)
    : Page(QStringLiteral("results"), tr("Results"), QStringLiteral("results"), parent)
    , services_(services)
    , runs_(runs)
    , panel_(new EvaluatePanel(services, runs, this))
    , choice_(new QComboBox(this))
    , headline_(new QLabel(this))
    , remarks_(new QLabel(this))
    , charts_(new ResultCharts(this))
    , exports_(new ResultExports(this))
    , summary_(new DataTable(this))
    , table_(new DataTable(this))
    , empty_(new EmptyState(this))
    , stack_(new QStackedWidget(this))
    , rows_(new QSplitter(Qt::Vertical, this)) {
    build_tables();
    build_empty();
    build();
    connect(panel_, &EvaluatePanel::notice, this, &Page::notice);
    connect(exports_, &ResultExports::notice, this, &Page::notice);
    connect(charts_, &ResultCharts::picked, this, &ResultsPage::select);
    connect(table_, &DataTable::selection_changed, this, &ResultsPage::offer_selected_rows);
    connect(panel_, &EvaluatePanel::started, this, [this] {
        wanted_.reset(); // what was asked for is what is looked at next
        read_anew();
    });
    connect(&services_.jobs, &JobService::job_finished, this, &ResultsPage::follow_job);
    connect(&services_.session, &WorkspaceSession::measurements_changed, this, &ResultsPage::follow_file);
    connect(&services_.session, &WorkspaceSession::closed, this, &ResultsPage::read);
    connect(&services_.session, &WorkspaceSession::opened, this, [this] {
        wanted_.reset();
        must_evaluate_ = true;
    });
    connect(&services_.selection, &Selection::changed, this, &ResultsPage::follow);
    connect(choice_, &QComboBox::currentIndexChanged, this, [this](int row) {
        if (is_filling_ || row < 0)
            return;
        wanted_ = evaluations_[static_cast<std::size_t>(row)].run;
        read_anew();
    });
    tell_of_exports(*this);
    take(ReadEvaluations{});
}

Chart& ResultsPage::bars() {
    return charts_->bars();
}

Chart& ResultsPage::scatter() {
    return charts_->scatter();
}

void ResultsPage::build_tables() {
    summary_->set_model(&summary_rows_);
    summary_->setAccessibleName(tr("Models"));
    summary_->set_selection_mode_single(true);
    table_->set_model(&matrix_rows_);
    table_->setObjectName(QStringLiteral("evaluated-rows"));
    table_->setAccessibleName(tr("Matrices"));
    table_->set_selection_mode_single(false); // several: to be evaluated alone
    new CompareAction(services_, *table_, [this](int row) {
        const MatrixResult& result = matrix_rows_.row(row);
        const QString schedule = QString::fromStdString(result.found.best_schedule);
        return ComparableRow{matrix_rows_.matrix(row),
                             shown_.machine,
                             shown_.op,
                             dense_,
                             schedule,
                             tr("%1’s choice").arg(result.model),
                             known_time_text(result.found.times.best_ms, std::nullopt)};
    });
    table_->sort_by(MatrixResultsModel::Speedup, Qt::DescendingOrder);
    connect(table_, &DataTable::current_row_changed, this, [this](int row) {
        if (row >= 0 && !is_filling_)
            select(matrix_rows_.matrix(row));
    });
    connect(table_, &DataTable::activated_row, this, [this](int row) {
        select(matrix_rows_.matrix(row));
        services_.selection.select_page(QStringLiteral("schedules"));
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
    keep_font(*headline_, title_font);
    headline_->setWordWrap(true);
    headline_->setTextFormat(Qt::PlainText);
    headline_->setObjectName(QStringLiteral("findings"));
    remarks_->setWordWrap(true);
    remarks_->setTextFormat(Qt::PlainText);
    remarks_->setForegroundRole(QPalette::PlaceholderText);
    remarks_->setObjectName(QStringLiteral("remarks"));
    choice_->setObjectName(QStringLiteral("evaluation"));
    choice_->setAccessibleName(tr("Evaluation"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->setMinimumContentsLength(10);
    rows_->addWidget(charts_);
    rows_->addWidget(summary_);
    rows_->addWidget(table_);
    rows_->setSizes({300, 150, 180});
    rows_->setStretchFactor(0, 3);
    rows_->setStretchFactor(2, 2);
    rows_->setChildrenCollapsible(false);
    connect(rows_, &QSplitter::splitterMoved, this, [this] { has_own_heights_ = true; });
    auto* view = new QWidget(this);
    auto* view_column = new QVBoxLayout(view);
    view_column->setContentsMargins(0, 0, 0, 0);
    view_column->addLayout(make_tools());
    view_column->addWidget(headline_);
    view_column->addWidget(remarks_);
    view_column->addWidget(rows_, 1);
    auto* scroll = new QScrollArea(this); // a low window scrolls instead of squeezing the figures
    scroll->setWidget(view);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    stack_->addWidget(scroll);
    stack_->addWidget(empty_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->setSpacing(grid_step);
    column->addWidget(panel_);
    column->addWidget(stack_, 1);
    setFocusProxy(table_->view());
}

QLayout* ResultsPage::make_tools() {
    auto* tools = new QHBoxLayout;
    tools->setSpacing(grid_step);
    tools->addWidget(choice_, 1);
    auto* info = new InfoButton(tr("What the figures, bars and dots say"), QStringLiteral("results"), this);
    connect(info, &InfoButton::help_requested, this, &Page::help_requested);
    tools->addWidget(info);
    tools->addStretch(1);
    for (QAction* action : exports_->actions()) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        tools->addWidget(button);
    }
    return tools;
}

void ResultsPage::follow_job(const JobId& id) {
    const auto job = services_.jobs.job(id);
    if (!job || job->workspace != services_.session.path())
        return;
    must_evaluate_ = true;
    follow_file();
}

/// Every change of the file comes by here, also those of trainings; evaluating takes its time.
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
    reader_.ask(
        [file = services_.session.path().toStdString(),
         wanted = WantedEvaluation{wanted_, evaluations_, must_evaluate_ || panel_->running().has_value()}](
            const std::stop_token&) { return read_evaluations(file, wanted); },
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
    show_choice(answer->run);
    stack_->setCurrentWidget(evaluations_.empty() ? static_cast<QWidget*>(empty_) : stack_->widget(0));
    empty_->set_text(
        tr("A model chooses the schedules that it takes for the fastest; they are measured, or looked up, "
           "and compared with fixed CSR matrix by matrix. Tick models above and press Evaluate."));
    empty_->findChild<QPushButton*>(QStringLiteral("go-training-first"))
        ->setVisible(panel_->request().models.isEmpty());
    exports_->show_evaluation(answer->shown);
    show_evaluation(*answer);
}

void ResultsPage::show_choice(RunId run) {
    is_filling_ = true;
    choice_->clear();
    for (const StoredEvaluation& one : evaluations_) {
        choice_->addItem(entry_of(one));
        if (one.run == run)
            choice_->setCurrentIndex(choice_->count() - 1);
    }
    is_filling_ = false;
}

QString ResultsPage::entry_of(const StoredEvaluation& one) const {
    const MachineRecord* machine = services_.session.machine(one.machine);
    const QString where = one.machine == services_.session.this_machine() ? tr("this computer")
                          : machine != nullptr ? QString::fromStdString(machine->name)
                                               : one.machine;
    const QString entry = tr("%1 on %2, %3, %4")
                              .arg(one.models.join(QStringLiteral(", ")), where, matrices_text(one.matrices),
                                   QLocale().toString(one.started.toLocalTime(), QLocale::ShortFormat));
    switch (one.state) {
    case RunState::Running:
        return panel_->running() ? tr("%1 (running)").arg(entry) : tr("%1 (interrupted)").arg(entry);
    case RunState::Stopped:
        return tr("%1 (stopped)").arg(entry);
    case RunState::Failed:
        return tr("%1 (failed)").arg(entry);
    case RunState::Finished:
        break;
    }
    return entry;
}

void ResultsPage::show_evaluation(const ReadEvaluations& read) {
    static const ModelEvaluation none;
    const ModelEvaluation& evaluation = read.shown ? *read.shown : none;
    const auto stored = std::ranges::find(evaluations_, read.run, &StoredEvaluation::run);
    headline_->setText(read.shown == nullptr ? read.problem : findings(evaluation));
    shown_ = stored != evaluations_.end() ? *stored : StoredEvaluation{};
    dense_ = evaluation.dense;
    const bool is_stored = read.shown != nullptr && stored != evaluations_.end();
    remarks_->setText(is_stored ? what_is_missing(evaluation, stored->state) : QString());
    remarks_->setVisible(!remarks_->text().isEmpty());
    charts_->show_evaluation(read.shown);
    make_room_for(evaluation.models.size());
    is_filling_ = true;
    summary_rows_.show_evaluation(evaluation);
    matrix_rows_.show_evaluation(evaluation);
    is_filling_ = false;
    table_->set_column_shown(MatrixResultsModel::Model, evaluation.models.size() > 1);
    offer_selected_rows();
    follow();
}

/// The table of the models is as high as its rows, up to five, until the user moves it.
void ResultsPage::make_room_for(std::size_t models) {
    if (std::exchange(models_shown_, models) == models || has_own_heights_)
        return;
    const int row = QFontMetrics(font()).height() + grid_step + grid_step / 2;
    const int rows = static_cast<int>(std::clamp<std::size_t>(models, 1, 5));
    rows_->setSizes({300, (4 + rows) * row, 180});
}

void ResultsPage::follow() {
    const QString matrix = services_.selection.current().matrix;
    charts_->select(matrix);
    if (const int row = table_->current_source_row(); row >= 0 && matrix_rows_.matrix(row) == matrix)
        return;
    for (int row = 0; row < matrix_rows_.rowCount(); ++row)
        if (matrix_rows_.matrix(row) == matrix) {
            is_filling_ = true; // following is not choosing
            table_->select_source_row(row);
            is_filling_ = false;
            return;
        }
}

/// Each once: every model has a row of it.
void ResultsPage::offer_selected_rows() {
    QStringList matrices;
    for (const int row : table_->selected_source_rows())
        matrices << matrix_rows_.matrix(row);
    matrices.removeDuplicates();
    panel_->offer_matrices(matrices);
}

void ResultsPage::select(const QString& matrix) {
    services_.selection.select_matrix(matrix);
}

bool ResultsPage::is_settled() const {
    return !reader_.is_busy() && !runs_.is_reading();
}

QByteArray ResultsPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << rows_->saveState() << charts_->saveState() << table_->save_state() << summary_->save_state();
    return state;
}

void ResultsPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray rows;
    QByteArray charts;
    QByteArray table;
    QByteArray summary;
    in >> rows >> charts >> table >> summary;
    if (in.status() != QDataStream::Ok)
        return;
    rows_->restoreState(rows);
    has_own_heights_ = true;
    charts_->restoreState(charts);
    table_->restore_state(table);
    summary_->restore_state(summary);
}

} // namespace sparsight
