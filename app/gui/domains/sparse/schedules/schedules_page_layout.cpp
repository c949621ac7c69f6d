// How the page is put together, and what of that a layout keeps.
#include "gui/domains/sparse/comparison/compare_action.h"
#include "gui/domains/sparse/details/schedule_details.h"
#include "gui/domains/sparse/details/why_view.h"
#include "gui/domains/sparse/schedules/machine_link.h"
#include "gui/domains/sparse/schedules/measure_fields.h"
#include "gui/domains/sparse/schedules/measure_panel.h"
#include "gui/domains/sparse/schedules/no_times.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/domains/sparse/schedules/schedules_page.h"
#include "widgets/chart/chart.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/labels.h"
#include "widgets/look/link_label.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sparsight {

void SchedulesPage::build() {
    keep_font(*machine_, caption_font);
    machine_->setWordWrap(true);
    machine_->setTextFormat(Qt::RichText);
    machine_->setObjectName(QStringLiteral("shown-machine"));
    reach_links_by_keyboard(*machine_);
    connect(machine_, &QLabel::linkActivated, this, [this](const QString& link) {
        if (link == QStringLiteral("this"))
            show_this_machine();
        else
            services_.selection.select_machine(linked_machine(link));
    });
    keep_font(*headline_, title_font);
    headline_->setWordWrap(true);
    headline_->setTextFormat(Qt::RichText);
    headline_->setObjectName(QStringLiteral("headline"));
    reach_links_by_keyboard(*headline_);
    connect(headline_, &QLabel::linkActivated, this, [this] {
        const RankedResult* const rival = fastest_rival(results_); // fixed CSR is measured with it
        if (const RankedResult* const again = rival != nullptr ? rival : reader_.best())
            measure_->measure_schedule(QString::fromStdString(again->row.schedule));
    });
    keep_font(*baseline_, caption_font);
    baseline_->setWordWrap(true);
    baseline_->setForegroundRole(QPalette::PlaceholderText);
    keep_font(*collected_, caption_font);
    collected_->setForegroundRole(QPalette::PlaceholderText);
    collected_->setObjectName(QStringLiteral("how-timed"));
    baseline_->setObjectName(QStringLiteral("baseline-note"));
    left_->addWidget(chart_);
    left_->addWidget(table_);
    left_->setSizes({250, 340});
    left_->setStretchFactor(0, 2);
    left_->setStretchFactor(1, 3);
    left_->setChildrenCollapsible(false);
    connect(empty_, &NoTimes::notice, this, &Page::notice);
    connect(empty_, &NoTimes::setting_chosen, this, [this](const TimedSetting& setting) {
        measure_->fields().set_operator(setting.op);
        if (setting.op != Operator::SpMV)
            measure_->fields().set_dense(setting.dense);
        if (setting.threads > 0)
            measure_->fields().set_threads(setting.threads);
    });
    // Of the lowest window three rows are seen below the chart; a lower one scrolls.
    chart_->setMinimumHeight(15 * grid_step);
    table_->setMinimumHeight(20 * grid_step);
    stack_->addWidget(new ColumnScroll(left_, this));
    stack_->addWidget(empty_);
    splitter_->addWidget(stack_);
    splitter_->addWidget(new ColumnScroll(details_, this));
    splitter_->setSizes({545, 375}); // the ranking tells its schedules apart at 1280 pixels
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 1);
    splitter_->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->setSpacing(grid_step / 2);
    column->addWidget(measure_);
    column->addWidget(machine_);
    column->addWidget(headline_);
    column->addWidget(collected_);
    column->addWidget(baseline_);
    column->addWidget(splitter_, 1);
    setFocusProxy(table_->view());
}

void SchedulesPage::build_table() {
    table_->set_model(&model_);
    new CompareAction(services_, *table_, [this](int row) {
        const ResultRow& result = model_.row(row).row;
        const Selected now = services_.selection.current();
        return ComparableRow{now.workload,
                             now.machine,
                             op_name(result.op),
                             result.dense,
                             QString::fromStdString(result.schedule),
                             {},
                             known_time_text(result.median_ms, result.spread_ms),
                             {.milliseconds = time_by_the_clock(result.protocol, result.median_ms),
                              .spread_ms = result.spread_ms.value_or(0),
                              .is_at_least = result.status == MeasurementStatus::GaveUp}};
    });
    table_->setAccessibleName(tr("Schedules with their times"));
    table_->setObjectName(QStringLiteral("schedule-results"));
    chart_->setObjectName(QStringLiteral("speedup-chart"));
    details_->setObjectName(QStringLiteral("schedule-details"));
    why_->setObjectName(QStringLiteral("why"));
    QTabWidget& tabs = details_->tabs();
    tabs.insertTab(0, why_, tr("Wh&y"));
    tabs.setTabToolTip(0, tr("Which decisions make the difference to fixed CSR"));
    tabs.setCurrentIndex(0);
    table_->view()->set_name_column(ResultsModel::Schedule);
    table_->view()->setTextElideMode(Qt::ElideMiddle); // names of schedules may differ only at their ends
    table_->sort_by(ResultsModel::Rank, Qt::AscendingOrder);
    table_->set_column_shown(ResultsModel::Spread, false); // the tooltip of the time has it
    table_->set_column_shown(ResultsModel::Code, false);   // that of the schedule; names need the room
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

QByteArray SchedulesPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << left_->saveState() << table_->save_state()
        << details_->tabs().currentIndex() << measure_->fields().state();
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
    QByteArray measured; // layouts of before have none
    in >> measured;
    measure_->fields().restore_state(measured);
}

} // namespace sparsight
