#include "gui/train/fine_tune_page.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/page/export_notices.h"
#include "gui/runs/run_job.h"
#include "gui/selection/selection.h"
#include "gui/train/fine_tune_form.h"
#include "gui/train/run_header.h"
#include "gui/train/runs_model.h"
#include "gui/train/shot_lines.h"
#include "gui/train/shown_curves.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/look/empty_state.h"
#include "widgets/look/info_button.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/record_columns.h"

#include <QComboBox>
#include <QDataStream>
#include <QIODevice>
#include <QJsonArray>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

std::vector<RecordColumn<RunRow>> columns(const TrainingRuns& runs) {
    const auto setting = [](const char* name) {
        return [name](const RunRow& row) {
            const QJsonValue value = row.run.parameters.value(QLatin1String(name));
            QStringList texts;
            for (const QJsonValue& one : value.toArray())
                texts << one.toString();
            return value.isArray() ? texts.join(QStringLiteral(", ")) : value.toString();
        };
    };
    const auto accuracy = [](const QString& title, const QString& tip,
                             std::optional<double> TrainingRun::* member) {
        return value_column<RunRow>(
            title, tip, [member](const RunRow& row) { return row.run.*member; },
            [](double share) { return QStringLiteral("%1 %").arg(significant(100 * share)); });
    };
    auto started = text_column<RunRow>(FineTunePage::tr("Started"), {}, [](const RunRow& row) {
        return QLocale().toString(row.run.started.toLocalTime(), QLocale::ShortFormat);
    });
    started.raw = [](const RunRow& row) { return QVariant(row.run.started); };
    return {text_column<RunRow>(FineTunePage::tr("New model"), {},
                                [](const RunRow& row) { return row.run.name; }),
            text_column<RunRow>(FineTunePage::tr("From"), FineTunePage::tr("The model that it began with"),
                                setting("model")),
            text_column<RunRow>(FineTunePage::tr("Machine"), {},
                                [&runs, machine = setting("machine")](const RunRow& row) {
                                    return runs.machine_name(machine(row));
                                }),
            text_column<RunRow>(FineTunePage::tr("Matrices"), FineTunePage::tr("That were learned from"),
                                setting("matrices")),
            accuracy(FineTunePage::tr("Before"),
                     FineTunePage::tr("Ordered pair accuracy on the test matrices, of the model as it was"),
                     &TrainingRun::accuracy_before),
            accuracy(FineTunePage::tr("After"), FineTunePage::tr("The same after fine-tuning"),
                     &TrainingRun::test_accuracy),
            text_column<RunRow>(FineTunePage::tr("State"), {}, &state_text),
            started};
}

} // namespace

FineTunePage::FineTunePage(Services services, TrainingRuns& runs, QWidget* parent)
    : Page(QStringLiteral("finetune"), tr("Fine-tune"), QStringLiteral("fine-tune"), parent)
    , services_(services)
    , runs_(runs)
    , model_(columns(runs), [](const RunRow& row) { return key_of(row.run.id); })
    , form_(new FineTuneForm(services, runs, this))
    , header_(new RunHeader(services.jobs, runs, this))
    , metric_(new QComboBox(this))
    , chart_(new Chart(this))
    , sentence_(new QLabel(this))
    , table_(new DataTable(this))
    , empty_(new EmptyState(this))
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Horizontal, this))
    , right_(new QSplitter(Qt::Vertical, this)) {
    build_chart();
    build_empty();
    build();
    connect(form_, &FineTuneForm::notice, this, &Page::notice);
    connect(form_, &FineTuneForm::started, this, [this](const JobId& job) {
        job_ = job;
        chosen_for_user_.reset();
        show_header();
    });
    connect(header_, &RunHeader::going_on_requested, this, [this](qint64 run) {
        const TrainingRun* stored = runs_.run(RunId{run});
        const auto at_it = runs_.job_of(RunId{run});
        if (stored == nullptr || (at_it && !is_over(at_it->state)))
            return;
        const auto job = services_.jobs.start(going_on_job(services_.session.path(), *stored));
        if (job)
            job_ = *job;
        else
            Q_EMIT notice(job.error(), true);
    });
    connect(header_, &RunHeader::discard_requested, this, [this](qint64 run) {
        services_.session.write([run](Workspace& workspace) { return remove_run(workspace, RunId{run}); },
                                [this](const Result<void>& removed) {
                                    if (!removed)
                                        Q_EMIT notice(QString::fromStdString(removed.error().text()), true);
                                });
    });
    connect(&runs_, &TrainingRuns::stored_changed, this, &FineTunePage::follow_runs);
    connect(&runs_, &TrainingRuns::curves_changed, this, [this](qint64 run) {
        if (current_run() != RunId{run})
            return;
        show_curve();
        show_header();
    });
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, &FineTunePage::follow_job);
    tell_of_exports(*this);
    follow_runs();
}

void FineTunePage::build_chart() {
    chart_->setObjectName(QStringLiteral("shot-chart"));
    chart_->set_empty_text(tr("The curve grows here point by point, if the shot curve was asked for."));
    metric_->setObjectName(QStringLiteral("shot-metric"));
    metric_->setAccessibleName(tr("Metric"));
    for (const CurveMetric& metric : curve_metrics()) {
        if (!metric.of_validation)
            continue;
        metric_->addItem(metric.title, QLatin1String(metric.id));
        metric_->setItemData(metric_->count() - 1, metric.tip, Qt::ToolTipRole);
    }
    connect(metric_, &QComboBox::currentIndexChanged, this, &FineTunePage::show_curve);
    keep_font(*sentence_, title_font);
    sentence_->setWordWrap(true);
    sentence_->setObjectName(QStringLiteral("shot-sentence"));
}

void FineTunePage::build_empty() {
    empty_->set_icon(icon(QStringLiteral("fine-tune")));
    empty_->set_title(tr("Nothing was fine-tuned yet"));
    empty_->set_text(
        tr("A model that was trained elsewhere adapts to a new machine from few measurements there. Choose "
           "the model, the machine and how many matrices, and see what they are worth."));
    auto* train = empty_->add_button(tr("&Train a model first"), icon_on_accent(QStringLiteral("train")));
    train->setObjectName(QStringLiteral("go-training"));
    connect(train, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("train")); });
}

void FineTunePage::build() {
    table_->set_model(&model_);
    table_->set_selection_mode_single(true);
    table_->setAccessibleName(tr("Fine-tunings"));
    connect(table_, &DataTable::current_row_changed, this, [this](int row) {
        if (is_filling_)
            return;
        if (row >= 0 && model_.row(row).run.id != chosen_for_user_)
            chosen_for_user_.reset();
        if (row >= 0 && model_.row(row).run.has_model)
            services_.selection.select_model(model_.row(row).run.name);
        show_header();
        show_curve();
    });
    auto* view = new QWidget(this);
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step);
    column->addWidget(header_);
    column->addWidget(sentence_);
    auto* metric_row = new QHBoxLayout;
    metric_row->addWidget(metric_);
    auto* info =
        new InfoButton(tr("Each point is a mean over draws of so many matrices, the band its 95 % interval."),
                       QStringLiteral("fine-tuning"), this);
    connect(info, &InfoButton::help_requested, this, &Page::help_requested);
    metric_row->addWidget(info);
    metric_row->addStretch(1);
    column->addLayout(metric_row);
    column->addWidget(chart_, 1);
    stack_->addWidget(view);
    stack_->addWidget(empty_);
    right_->addWidget(stack_);
    right_->addWidget(table_);
    right_->setSizes({500, 150});
    right_->setStretchFactor(0, 1);
    right_->setChildrenCollapsible(false);
    splitter_->addWidget(form_);
    splitter_->addWidget(right_);
    form_->setMinimumWidth(230);
    right_->setMinimumWidth(380);
    splitter_->setSizes({270, 620});
    splitter_->setStretchFactor(1, 1);
    splitter_->setChildrenCollapsible(false);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    outer->addWidget(splitter_);
    setFocusProxy(form_);
}

void FineTunePage::follow_runs() {
    show_rows();
    empty_->findChild<QPushButton*>(QStringLiteral("go-training"))->setVisible(runs_.stored().models.empty());
    const bool is_free = !current_run() || current_run() == chosen_for_user_;
    if (model_.rowCount() > 0 && is_free && model_.row(0).run.id != current_run())
        choose_run(model_.row(0).run.id);
    show_header();
    show_curve();
}

void FineTunePage::show_rows() {
    std::vector<RunRow> rows;
    for (const TrainingRun& run : runs_.stored().runs) {
        if (run.kind != QStringLiteral("finetune"))
            continue;
        const auto job = runs_.job_of(run.id);
        rows.push_back({run, std::nullopt, job && is_active(job->state)});
    }
    is_filling_ = true;
    model_.set_rows(std::move(rows));
    is_filling_ = false;
}

void FineTunePage::choose_run(RunId run) {
    const auto row = model_.row_of(key_of(run));
    if (!row)
        return;
    is_filling_ = true;
    table_->select_source_row(*row);
    is_filling_ = false;
    chosen_for_user_ = run;
}

std::optional<RunId> FineTunePage::current_run() const {
    const int row = table_->current_source_row();
    return row < 0 ? std::nullopt : std::optional(model_.row(row).run.id);
}

void FineTunePage::follow_job(const JobId& id) {
    const auto job = services_.jobs.job(id);
    if (job && job->kind != JobKind::FineTune)
        return;
    const LiveRun* live = id == job_ ? runs_.live_of(id) : nullptr;
    if (live != nullptr && model_.row_of(key_of(live->run))) {
        job_ = {};
        choose_run(live->run);
        show_curve();
    }
    show_rows();
    show_header();
}

void FineTunePage::show_header() {
    const auto awaited = services_.jobs.job(job_);
    const bool waits = awaited && !is_over(awaited->state);
    const std::optional<RunId> run = current_run();
    if (waits)
        header_->show_run(awaited, std::nullopt);
    else
        header_->show_run(run ? runs_.job_of(*run) : std::nullopt, run);
    stack_->setCurrentWidget(!run && !waits ? static_cast<QWidget*>(empty_) : stack_->widget(0));
}

void FineTunePage::show_curve() {
    const auto metrics = curve_metrics();
    const CurveMetric& metric = metrics[static_cast<std::size_t>(std::max(0, metric_->currentIndex()))];
    metric_->setToolTip(metric.tip);
    ChartAxis up;
    up.title = metric.title;
    up.format = metric.format;
    chart_->set_y_axis(up);
    const std::optional<RunId> run = current_run();
    const ShotPoints* points = run ? runs_.shots(*run) : nullptr;
    const QString id = QLatin1String(metric.id);
    chart_->set_title(run && runs_.run(*run) != nullptr
                          ? tr("What measurements are worth: %1").arg(runs_.run(*run)->name)
                          : QString());
    const TrainingRun* known = run ? runs_.run(*run) : nullptr;
    const QString ours =
        known == nullptr ? QString() : known->parameters.value(QStringLiteral("model")).toString();
    const auto lines = points == nullptr ? std::vector<LineSeries>() : shot_lines(*points, id, ours);
    ChartAxis across;
    across.title = tr("matrices that were learned from");
    double most = 1;
    for (const LineSeries& line : lines)
        most = line.x.empty() ? most : std::max(most, line.x.back());
    across.minimum = -0.03 * most; // room for the dots at the ends
    across.maximum = 1.03 * most;
    chart_->set_x_axis(across);
    chart_->set_lines(lines);
    sentence_->setText(points == nullptr ? QString() : shot_sentence(*points, id, ours));
    sentence_->setVisible(!sentence_->text().isEmpty());
}

bool FineTunePage::is_settled() const {
    if (runs_.is_reading())
        return false;
    const std::optional<RunId> run = current_run();
    return !run || runs_.shots(*run) != nullptr;
}

QByteArray FineTunePage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << right_->saveState() << table_->save_state() << metric_->currentIndex();
    return state;
}

void FineTunePage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    QByteArray right;
    QByteArray table;
    int metric = 0;
    in >> splitter >> right >> table >> metric;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    right_->restoreState(right);
    table_->restore_state(table);
    if (metric >= 0 && metric < metric_->count())
        metric_->setCurrentIndex(metric);
}

} // namespace sparsight
