#include "gui/schedules/schedules_page.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/page/export_notices.h"
#include "gui/schedules/measure_panel.h"
#include "gui/schedules/schedule_details.h"
#include "gui/selection/selection.h"
#include "gui/workspace/matrix_loader.h"
#include "gui/workspace/workspace_session.h"
#include "schedule/text.h"
#include "widgets/chart/chart.h"
#include "widgets/look/empty_state.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <cmath>

namespace sparsight {

namespace {

QString op_name(Operator op) {
    const std::string_view text = name(op);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

Bar speedup_bar(const RankedResult& result) {
    Bar bar;
    bar.value = *result.row.speedup_over_fixed_csr;
    bar.label = QString::fromStdString(result.row.schedule);
    bar.colour = result.row.is_fixed_csr ? ChartColour::Reference
                 : bar.value >= 1        ? ChartColour::Win
                                         : ChartColour::Lose;
    bar.key = key_of(result);
    bar.note = duration_with_spread(result.row.median_ms.value_or(0), result.row.spread_ms.value_or(0));
    return bar;
}

} // namespace

SchedulesPage::SchedulesPage(Services services, QWidget* parent)
    : Page(QStringLiteral("schedules"), tr("Schedules"), QStringLiteral("schedules"), parent)
    , services_(services)
    , reader_(services.session)
    , measure_(new MeasurePanel(services, this))
    , headline_(new QLabel(this))
    , splitter_(new QSplitter(Qt::Horizontal, this))
    , left_(new QSplitter(Qt::Vertical, this))
    , stack_(new QStackedWidget(this))
    , empty_(new EmptyState(this))
    , chart_(new Chart(this))
    , table_(new DataTable(this))
    , details_(new ScheduleDetails(this)) {
    build_chart();
    build_table();
    build();
    connect(measure_, &MeasurePanel::setting_changed, this, [this] {
        // The operator is part of what is selected: a schedule is one of an operator.
        if (op_name(measure_->op()) != services_.selection.current().op)
            services_.selection.select_schedule(op_name(measure_->op()), {});
        ask_for_results();
        show_details();
    });
    connect(measure_, &MeasurePanel::notice, this, &Page::notice);
    connect(details_, &ScheduleDetails::measure_requested, this, &SchedulesPage::measure_edited);
    connect(&reader_, &ResultsReader::results_changed, this, &SchedulesPage::show_results);
    connect(&reader_, &ResultsReader::failed, this,
            [this](const QString& reason) { Q_EMIT notice(reason, true); });
    connect(&services_.selection, &Selection::changed, this, &SchedulesPage::follow);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &SchedulesPage::follow);
    connect(&services_.matrices, &MatrixLoader::loaded, this, &SchedulesPage::show_details);
    connect(&services_.jobs, &JobService::event_received, this,
            [this](const JobId&, const QJsonObject& event) {
                if (event[QStringLiteral("event")].toString() == QStringLiteral("step"))
                    services_.session.refresh();
            });
    const auto say_whether_one_can_measure = [this] {
        details_->set_measure_refusal(measure_->refusal_of_one());
    };
    connect(&services_.jobs, &JobService::job_changed, this, say_whether_one_can_measure);
    connect(&services_.session, &WorkspaceSession::gone_changed, this, say_whether_one_can_measure);
    tell_of_exports(*this);
    follow();
}

void SchedulesPage::build() {
    keep_font(*headline_, title_font);
    headline_->setWordWrap(true);
    headline_->setTextFormat(Qt::RichText);
    headline_->setObjectName(QStringLiteral("headline"));
    connect(headline_, &QLabel::linkActivated, this, [this] {
        if (reader_.best() != nullptr)
            measure_->measure_schedule(QString::fromStdString(reader_.best()->row.schedule));
    });
    left_->addWidget(chart_);
    left_->addWidget(table_);
    left_->setSizes({250, 340});
    left_->setStretchFactor(0, 2);
    left_->setStretchFactor(1, 3);
    left_->setChildrenCollapsible(false);
    empty_->set_icon(icon(QStringLiteral("schedules")));
    empty_->set_title(tr("Nothing measured here yet"));
    empty_->set_text(
        tr("Press Measure: fixed CSR and the number of schedules above are compiled and run on this "
           "computer, and the fastest is at the top."));
    stack_->addWidget(left_);
    stack_->addWidget(empty_);
    splitter_->addWidget(stack_);
    splitter_->addWidget(details_);
    splitter_->setSizes({600, 320}); // the ranking tells its schedules apart at 1280 pixels
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 1);
    splitter_->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->addWidget(measure_);
    column->addWidget(headline_);
    column->addWidget(splitter_, 1);
    setFocusProxy(table_->view());
}

void SchedulesPage::build_table() {
    table_->set_model(&model_);
    table_->set_selection_mode_single(true);
    table_->setAccessibleName(tr("Measured schedules"));
    table_->sort_by(ResultsModel::Rank, Qt::AscendingOrder);
    table_->set_column_shown(ResultsModel::Spread, false); // the tooltip of the time has it
    connect(table_, &DataTable::current_row_changed, this, [this](int row) {
        if (row >= 0 && !is_filling_)
            select_result(model_.row(row));
    });
}

void SchedulesPage::build_chart() {
    ChartAxis across;
    across.title = tr("schedules, fastest first");
    chart_->set_x_axis(across);
    chart_->set_empty_text(tr("Speedups stand here once fixed CSR and others are measured."));
    ChartAxis up;
    up.title = tr("speedup");
    up.format = ValueFormat::Speedup;
    chart_->set_y_axis(up);
    chart_->set_reference(1, tr("fixed CSR 1.0×"));
    connect(chart_, &Chart::picked, this, [this](const QVariant& key) {
        if (const auto row = model_.row_of(key.toString()))
            select_result(model_.row(*row));
    });
}

void SchedulesPage::follow() {
    const Selected& now = services_.selection.current();
    if (const auto op = parse_operator(now.op.toStdString()); op && *op != measure_->op())
        measure_->set_operator(*op);
    if (services_.session.matrix(now.matrix) != nullptr)
        services_.matrices.request(now.matrix);
    ask_for_results();
    show_details();
    mark_selected();
}

void SchedulesPage::ask_for_results() {
    ResultFilter filter;
    const Selected& now = services_.selection.current();
    const QString machine = now.machine.isEmpty() ? services_.session.this_machine() : now.machine;
    filter.matrix = now.matrix.toStdString();
    filter.machine = machine.toStdString();
    filter.op = measure_->op();
    filter.dense = measure_->dense();
    // Another machine's runtimes have a protocol and threads of their own; times of different ones don't
    // compare.
    if (is_of_this_machine()) {
        filter.protocol = name(measure_->request().protocol);
        filter.threads = measure_->request().threads;
    }
    if (services_.session.machine(machine) == nullptr)
        filter.matrix.clear(); // nothing was measured on it yet
    if (filter != reader_.filter())
        reader_.set_filter(filter);
}

bool SchedulesPage::is_of_this_machine() const {
    const QString& machine = services_.selection.current().machine;
    return machine.isEmpty() || machine == services_.session.this_machine();
}

void SchedulesPage::show_results() {
    is_filling_ = true; // the table moves its current row when that is removed: nobody has chosen it
    model_.set_rows(reader_.results());
    is_filling_ = false;
    stack_->setCurrentWidget(reader_.results().empty() ? static_cast<QWidget*>(empty_) : left_);
    show_headline();
    show_chart();
    choose_best();
    mark_selected();
}

/// There is always one to look at: the best, until another is chosen or this one is edited.
void SchedulesPage::choose_best() {
    const Selected& now = services_.selection.current();
    const bool is_free = now.schedule.isEmpty() || now.schedule == chosen_for_user_;
    if (!is_free || reader_.best() == nullptr || !isVisible() || details_->is_edited())
        return;
    Selected best = now;
    best.op = op_name(reader_.best()->row.op);
    best.schedule = QString::fromStdString(reader_.best()->row.schedule);
    chosen_for_user_ = best.schedule;
    services_.selection.replace(std::move(best));
}

void SchedulesPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    choose_best();
}

void SchedulesPage::mark_selected() {
    const std::string selected = services_.selection.current().schedule.toStdString();
    const auto& results = reader_.results();
    const auto found =
        std::ranges::find(results, selected, [](const RankedResult& result) { return result.row.schedule; });
    if (found == results.end())
        return;
    chart_->set_selected(key_of(*found));
    if (const auto row = model_.row_of(key_of(*found)); row && table_->current_source_row() != *row) {
        is_filling_ = true; // following is not choosing
        table_->select_source_row(*row);
        is_filling_ = false;
    }
}

void SchedulesPage::show_headline() {
    const RankedResult* best = reader_.best();
    headline_->setVisible(best != nullptr);
    if (best != nullptr)
        headline_->setText(headline(*best, reader_.fixed_csr()));
}

QString SchedulesPage::headline(const RankedResult& best, const RankedResult* fixed) const {
    const QString matrix = services_.selection.current().matrix.toHtmlEscaped();
    const double time = best.row.median_ms.value_or(0);
    if (fixed == nullptr || !best.row.speedup_over_fixed_csr)
        return tr("On %1 the best takes %2; fixed CSR is not measured.").arg(matrix, duration_text(time));
    const double fixed_time = fixed->row.median_ms.value_or(0);
    if (best.row.is_fixed_csr)
        return tr("On %1 nothing measured beats fixed CSR (%2).").arg(matrix, duration_text(time));
    const QString compared =
        tr("On %1 the best of %2 is <span style='color:%3'>%4</span> as fast as fixed CSR: %5 instead of %6");
    const double noise = std::hypot(best.row.spread_ms.value_or(0), fixed->row.spread_ms.value_or(0));
    const bool is_sure = fixed_time - time > noise;
    const QString text = compared.arg(matrix, count_text(static_cast<qint64>(reader_.results().size())),
                                      (is_sure ? current_theme().win : current_theme().dim_text).name(),
                                      (is_sure ? QString() : QStringLiteral("~")) +
                                          speedup_text(*best.row.speedup_over_fixed_csr),
                                      duration_text(time), duration_text(fixed_time));
    return is_sure ? text + QLatin1Char('.')
                   : text + tr(", which is within the spread of the two (± %1).").arg(duration_text(noise)) +
                         (is_of_this_machine()
                              ? tr(" <a href='again'>Measure both again</a> when the computer is idle.")
                              : QString());
}

void SchedulesPage::show_chart() {
    BarSeries bars;
    bars.name = tr("speedup");
    bars.baseline = 1;
    for (const RankedResult& result : reader_.results())
        if (result.rank > 0 && result.row.speedup_over_fixed_csr)
            bars.bars.push_back(speedup_bar(result));
    chart_->set_title(tr("Speedup over fixed CSR on %1").arg(services_.selection.current().matrix));
    chart_->set_bars(std::move(bars));
}

void SchedulesPage::show_details() {
    const Selected& now = services_.selection.current();
    std::optional<SuperSchedule> schedule;
    if (const auto op = parse_operator(now.op.toStdString()); op && !now.schedule.isEmpty())
        if (auto parsed = parse_schedule(*op, now.schedule.toStdString()))
            schedule = *parsed;
    details_->show(schedule, services_.matrices.find(now.matrix), measure_->dense());
    details_->set_measure_refusal(measure_->refusal_of_one());
}

void SchedulesPage::select_result(const RankedResult& result) {
    if (QString::fromStdString(result.row.schedule) != chosen_for_user_)
        chosen_for_user_.clear();
    services_.selection.select_schedule(op_name(result.row.op), QString::fromStdString(result.row.schedule));
}

void SchedulesPage::measure_edited(const QString& schedule) {
    services_.selection.select_schedule(op_name(measure_->op()), schedule);
    measure_->measure_schedule(schedule);
}

bool SchedulesPage::is_settled() const {
    const Selected& now = services_.selection.current();
    const bool is_loaded =
        services_.session.matrix(now.matrix) == nullptr || services_.matrices.find(now.matrix);
    return is_loaded && !reader_.is_reading() && details_->is_settled();
}

QByteArray SchedulesPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << left_->saveState() << table_->save_state()
        << details_->tabs().currentIndex();
    return state;
}

void SchedulesPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    QByteArray left;
    QByteArray table;
    int tab = 0;
    in >> splitter >> left >> table >> tab;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    left_->restoreState(left);
    table_->restore_state(table);
    details_->tabs().setCurrentIndex(tab);
}

} // namespace sparsight
