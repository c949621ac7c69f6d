#include "gui/results/results_page.h"

#include "base/atomic_file.h"
#include "evaluation/evaluation_writers.h"
#include "gui/icons/icon.h"
#include "gui/jobs/counted_text.h"
#include "gui/jobs/job_service.h"
#include "gui/page/availability.h"
#include "gui/page/export_notices.h"
#include "gui/results/evaluate_panel.h"
#include "gui/results/result_figures.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/look/empty_state.h"
#include "widgets/look/info_button.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDataStream>
#include <QFileDialog>
#include <QGuiApplication>
#include <QIODevice>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

bool has_nothing(const Result<ModelEvaluation>& evaluation) {
    return !evaluation || evaluation->matrices() == 0;
}

} // namespace

ResultsPage::ResultsPage(Services services, TrainingRuns& runs, QWidget* parent)
    : Page(QStringLiteral("results"), tr("Results"), QStringLiteral("results"), parent)
    , services_(services)
    , runs_(runs)
    , panel_(new EvaluatePanel(services, runs, this))
    , choice_(new QComboBox(this))
    , headline_(new QLabel(this))
    , bars_(new Chart(this))
    , scatter_(new Chart(this))
    , selected_only_(new QCheckBox(tr("only the selected matrix"), this))
    , summary_(new DataTable(this))
    , table_(new DataTable(this))
    , empty_(new EmptyState(this))
    , stack_(new QStackedWidget(this))
    , rows_(new QSplitter(Qt::Vertical, this))
    , charts_(new QSplitter(Qt::Horizontal, this))
    , copy_(new QAction(icon(QStringLiteral("copy")), tr("Copy as &Markdown"), this))
    , report_(new QAction(icon(QStringLiteral("export")), tr("Save &report…"), this)) {
    build_charts();
    build_tables();
    build_empty();
    build();
    connect(panel_, &EvaluatePanel::notice, this, &Page::notice);
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
    take(Read{});
}

void ResultsPage::build_charts() {
    ChartAxis across;
    across.title = tr("matrices, the greatest gain first");
    bars_->set_x_axis(across);
    ChartAxis up;
    up.title = tr("speedup");
    up.format = ValueFormat::Speedup;
    bars_->set_y_axis(up);
    bars_->set_reference(1, tr("fixed CSR 1.0×"));
    bars_->setObjectName(QStringLiteral("speedup-bars"));
    connect(bars_, &Chart::picked, this, [this](const QVariant& key) { select(key.toString()); });
    ChartAxis time;
    time.title = tr("time over fixed CSR’s");
    time.logarithmic = true;
    time.format = ValueFormat::Speedup;
    scatter_->set_y_axis(time);
    scatter_->set_reference(1, tr("fixed CSR"));
    scatter_->setObjectName(QStringLiteral("score-scatter"));
    scatter_->set_empty_text(tr("What models chose stands here once it has a score and a time."));
    connect(scatter_, &Chart::picked, this, [this](const QVariant& key) { select(key.toString()); });
    selected_only_->setObjectName(QStringLiteral("selected-only"));
    selected_only_->setToolTip(
        tr("Scores of different matrices can’t be compared: together they are standardised "
           "within each"));
    connect(selected_only_, &QCheckBox::toggled, this, &ResultsPage::show_scatter);
}

void ResultsPage::build_tables() {
    summary_->set_model(&summary_rows_);
    summary_->setAccessibleName(tr("Models"));
    summary_->set_selection_mode_single(true);
    table_->set_model(&matrix_rows_);
    table_->setAccessibleName(tr("Matrices"));
    table_->set_selection_mode_single(true);
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
    choice_->setObjectName(QStringLiteral("evaluation"));
    choice_->setAccessibleName(tr("Evaluation"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice_->setMinimumContentsLength(10);
    copy_->setObjectName(QStringLiteral("copy-markdown"));
    copy_->setToolTip(tr("The tables with their intervals, for a report or a message"));
    report_->setObjectName(QStringLiteral("save-report"));
    report_->setToolTip(tr("One page with tables and figures that needs nothing else (HTML)"));
    connect(copy_, &QAction::triggered, this, &ResultsPage::copy_markdown);
    connect(report_, &QAction::triggered, this, &ResultsPage::save_report);
    auto* tools = new QHBoxLayout;
    tools->setSpacing(grid_step);
    tools->addWidget(choice_, 1);
    auto* info = new InfoButton(tr("What the figures, bars and dots say"), QStringLiteral("results"), this);
    connect(info, &InfoButton::help_requested, this, &Page::help_requested);
    tools->addWidget(info);
    tools->addStretch(1);
    for (QAction* action : {copy_, report_}) {
        auto* button = new QToolButton(this);
        button->setDefaultAction(action);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        tools->addWidget(button);
    }
    auto* scatter_box = new QWidget(this);
    auto* scatter_column = new QVBoxLayout(scatter_box);
    scatter_column->setContentsMargins(0, 0, 0, 0);
    scatter_column->setSpacing(grid_step / 2);
    scatter_column->addWidget(scatter_, 1);
    scatter_column->addWidget(selected_only_);
    charts_->addWidget(bars_);
    charts_->addWidget(scatter_box);
    charts_->setSizes({520, 380});
    charts_->setChildrenCollapsible(false);
    rows_->addWidget(charts_);
    rows_->addWidget(summary_);
    rows_->addWidget(table_);
    rows_->setSizes({300, 150, 180});
    rows_->setStretchFactor(0, 3);
    rows_->setStretchFactor(2, 2);
    rows_->setChildrenCollapsible(false);
    auto* view = new QWidget(this);
    auto* view_column = new QVBoxLayout(view);
    view_column->setContentsMargins(0, 0, 0, 0);
    view_column->addLayout(tools);
    view_column->addWidget(headline_);
    view_column->addWidget(rows_, 1);
    stack_->addWidget(view);
    stack_->addWidget(empty_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->setSpacing(grid_step);
    column->addWidget(panel_);
    column->addWidget(stack_, 1);
    setFocusProxy(table_->view());
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
        take(Read{});
        return;
    }
    reader_.ask(
        [file = services_.session.path().toStdString(), wanted = wanted_, known = evaluations_,
         must_evaluate =
             must_evaluate_ || panel_->running().has_value()](const std::stop_token&) -> Result<Read> {
            auto workspace = Workspace::open(
                file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
            if (!workspace)
                return std::unexpected(workspace.error());
            auto evaluations = list_evaluations(*workspace);
            if (!evaluations)
                return std::unexpected(evaluations.error());
            Read answer;
            answer.evaluations = std::move(*evaluations);
            answer.is_as_before = !must_evaluate && answer.evaluations == known;
            if (answer.is_as_before)
                return answer;
            const bool is_there =
                wanted && std::ranges::count(answer.evaluations, *wanted, &StoredEvaluation::run) > 0;
            if (answer.evaluations.empty())
                return answer;
            answer.run = is_there ? *wanted : answer.evaluations.front().run;
            auto evaluation = read_evaluation(*workspace, answer.run);
            // One that has just begun has nothing to show: the one before stays until there is something.
            for (std::size_t i = 1; !is_there && i < answer.evaluations.size() && has_nothing(evaluation);
                 ++i) {
                auto before = read_evaluation(*workspace, answer.evaluations[i].run);
                if (has_nothing(before))
                    continue;
                answer.run = answer.evaluations[i].run;
                evaluation = std::move(before);
            }
            if (evaluation)
                answer.shown = std::make_shared<const ModelEvaluation>(std::move(*evaluation));
            else
                answer.problem = QString::fromStdString(evaluation.error().text());
            return answer;
        },
        [this, file = services_.session.path()](Result<Read> answer, bool) {
            if (file == services_.session.path())
                take(std::move(answer));
        });
}

void ResultsPage::take(Result<Read> answer) {
    if (!answer) {
        Q_EMIT notice(QString::fromStdString(answer.error().text()), true);
        return;
    }
    if (answer->is_as_before)
        return;
    must_evaluate_ = !services_.session.is_open();
    evaluations_ = std::move(answer->evaluations);
    evaluation_ = std::move(answer->shown);
    headline_->setToolTip(answer->problem);
    is_filling_ = true;
    choice_->clear();
    for (const StoredEvaluation& one : evaluations_) {
        choice_->addItem(entry_of(one));
        if (one.run == answer->run)
            choice_->setCurrentIndex(choice_->count() - 1);
    }
    is_filling_ = false;
    const bool is_empty = evaluations_.empty();
    stack_->setCurrentWidget(is_empty ? static_cast<QWidget*>(empty_) : stack_->widget(0));
    empty_->set_text(
        tr("A model chooses the schedules that it takes for the fastest; they are measured, or looked up, "
           "and compared with fixed CSR matrix by matrix. Tick models above and press Evaluate."));
    empty_->findChild<QPushButton*>(QStringLiteral("go-training-first"))
        ->setVisible(panel_->request().models.isEmpty());
    const QString reason = evaluation_ == nullptr ? tr("There is no evaluation to export.") : QString();
    set_availability(*copy_, reason);
    set_availability(*report_, reason);
    show_evaluation();
    if (evaluation_ == nullptr && !is_empty)
        headline_->setText(answer->problem);
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

void ResultsPage::show_evaluation() {
    static const ModelEvaluation none;
    const ModelEvaluation& evaluation = evaluation_ ? *evaluation_ : none;
    QStringList findings;
    for (const EvaluatedModel& model : evaluation.models)
        findings << finding(model, evaluation.source);
    if (!evaluation.left_out.empty())
        findings << tr("Left out: %1. %2")
                        .arg(matrices_text(static_cast<qint64>(evaluation.left_out.size())),
                             QString::fromStdString(evaluation.left_out.front().reason));
    headline_->setText(findings.join(u'\n'));
    bars_->set_title(tr("Speedup of the best of %1 over fixed CSR").arg(evaluation.k));
    bars_->set_empty_text(tr("No matrix has times of fixed CSR and of what was chosen yet."));
    bars_->set_series(speedup_bars(evaluation));
    is_filling_ = true;
    summary_rows_.show_evaluation(evaluation);
    matrix_rows_.show_evaluation(evaluation);
    is_filling_ = false;
    table_->set_column_shown(MatrixResultsModel::Model, evaluation.models.size() > 1);
    follow();
}

void ResultsPage::show_scatter() {
    static const ModelEvaluation none;
    const ModelEvaluation& evaluation = evaluation_ ? *evaluation_ : none;
    const QString matrix = selected_only_->isChecked() ? services_.selection.current().matrix : QString();
    scatter_->set_title(matrix.isEmpty() ? tr("Predicted against measured")
                                         : tr("Predicted against measured on %1").arg(matrix));
    ChartAxis across;
    across.title = matrix.isEmpty() ? tr("predicted score, standardised (left: faster)")
                                    : tr("predicted score (left: faster)");
    scatter_->set_x_axis(across);
    std::vector<ScatterSeries> points = score_points(evaluation, matrix);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (const auto tau = agreement(evaluation.models[i], matrix))
            points[i].name = tr("%1, Kendall’s τ = %2").arg(points[i].name, fixed_text(*tau, 2));
    scatter_->set_points(std::move(points));
}

void ResultsPage::follow() {
    const QString matrix = services_.selection.current().matrix;
    bars_->set_selected(matrix.isEmpty() ? QVariant() : QVariant(matrix));
    show_scatter();
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

void ResultsPage::select(const QString& matrix) {
    services_.selection.select_matrix(matrix);
}

void ResultsPage::copy_markdown() {
    if (evaluation_ == nullptr)
        return;
    QGuiApplication::clipboard()->setText(QString::fromStdString(evaluation_markdown(*evaluation_)));
    Q_EMIT notice(tr("Copied"), false);
}

void ResultsPage::save_report() {
    auto* dialog = new QFileDialog(this, tr("Save the report"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilter(tr("Page (*.html)"));
    dialog->setDefaultSuffix(QStringLiteral("html"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, evaluation = evaluation_](const QString& path) {
        const auto written = write_whole_file(path.toStdString(), evaluation_html(*evaluation));
        Q_EMIT notice(written ? tr("Saved as %1").arg(path) : QString::fromStdString(written.error().text()),
                      !written);
    });
    dialog->open();
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
    charts_->restoreState(charts);
    table_->restore_state(table);
    summary_->restore_state(summary);
}

} // namespace sparsight
