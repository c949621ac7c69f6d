#include "gui/configurations/configurations_page.h"

#include "gui/configurations/configuration_why.h"
#include "gui/configurations/measure_bar.h"
#include "gui/decisions/decisions_view.h"
#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/selection/times_choice.h"
#include "gui/tuners/search_progress_view.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/look/page_states.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"
#include "workflow/evaluation/stored_results.h"

#include <QAction>
#include <QCoreApplication>
#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

struct Columns {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ConfigurationsPage)
};

QString text_of(const ConfigurationTime& time) {
    return QString::fromStdString(time.result.configuration);
}

RecordColumn<ConfigurationTime> rank_column() {
    return value_column<ConfigurationTime>(
        Columns::tr("Rank"), Columns::tr("1 is the fastest"),
        [](const ConfigurationTime& time) { return time.rank > 0 ? std::optional(time.rank) : std::nullopt; },
        [](int rank) { return count_text(rank); });
}

RecordColumn<ConfigurationTime> time_column() {
    auto column = value_column<ConfigurationTime>(
        Columns::tr("Time"), Columns::tr("Median of the runs"),
        [](const ConfigurationTime& time) { return time.result.median_ms; },
        [](double milliseconds) { return runtime_text(milliseconds); });
    column.export_title = QStringLiteral("median_ms");
    column.hint = [](const ConfigurationTime& time) {
        const ResultRecord& result = time.result;
        if (!result.median_ms)
            return QString::fromStdString(result.reason);
        return result.spread_ms ? runtime_with_spread(*result.median_ms, *result.spread_ms)
                                : runtime_text(*result.median_ms);
    };
    return column;
}

RecordColumn<ConfigurationTime> ratio_column() {
    auto column = value_column<ConfigurationTime>(
        Columns::tr("Ratio to best"), Columns::tr("Its time over that of the fastest one"),
        [](const ConfigurationTime& time) { return time.ratio; },
        [](double ratio) { return speedup_text(ratio); });
    column.export_title = QStringLiteral("ratio_to_best");
    return column;
}

RecordColumn<ConfigurationTime> speedup_column(const Noun& baseline) {
    auto column = value_column<ConfigurationTime>(
        Columns::tr("Speedup"), Columns::tr("Time of %1 over the time of this one").arg(one(baseline)),
        [](const ConfigurationTime& time) { return time.result.speedup; },
        [](double speedup) { return speedup_text(speedup); });
    column.colour = [](const ConfigurationTime& time) -> QVariant {
        if (!time.result.speedup || time.result.is_baseline)
            return {};
        return *time.result.speedup >= 1 ? current_theme().win : current_theme().lose;
    };
    return column;
}

RecordColumn<ConfigurationTime> status_column() {
    auto column =
        text_column<ConfigurationTime>(Columns::tr("Status"), {}, [](const ConfigurationTime& time) {
            return status_text(time.result.status, shown_status(time.result));
        });
    column.hint = [](const ConfigurationTime& time) {
        const QString reason = QString::fromStdString(time.result.reason);
        return reason.isEmpty() ? status_meaning(time.result.status, shown_status(time.result)) : reason;
    };
    return column;
}

} // namespace

ConfigurationsPage::ConfigurationsPage(Services services, bool can_measure, QWidget* parent)
    : Page(PagePlace::Configurations, QStringLiteral("configurations"), {}, QStringLiteral("schedules"),
           parent)
    , services_(services)
    , times_(new TimesChoice(services, this))
    , measuring_(can_measure ? new MeasureBar(services, this) : nullptr)
    , headline_(new QLabel(this))
    , stack_(new QStackedWidget(this))
    , tabs_(new QTabWidget(this))
    , sides_(new QSplitter(Qt::Horizontal, this))
    , splitter_(new QSplitter(Qt::Vertical, this))
    , chart_(new Chart(this))
    , table_(new DataTable(this))
    , why_(new ConfigurationWhy(services, this))
    , decisions_(new DecisionsView([this]() -> const TimeSet& { return times_->shown(); }, this))
    , tuners_(new SearchProgressView(services, this))
    , show_why_(new QAction(icon(QStringLiteral("help")), tr("Wh&y"), this))
    , empty_(new EmptyState(this)) {
    build();
    make_columns({});
    connect(times_, &TimesChoice::set_changed, this, &ConfigurationsPage::show_set);
    connect(times_, &TimesChoice::notice, this, &Page::notice);
    connect(empty_, &EmptyState::link_activated, times_, &TimesChoice::follow_link);
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &ConfigurationsPage::show_words);
    connect(&services_.selection, &Selection::changed, this, &ConfigurationsPage::mark_selected);
    tell_of_exports(*this);
    show_words();
}

QString ConfigurationsPage::title(const Domain& domain) const {
    return title_of_many(domain.words().configuration);
}

void ConfigurationsPage::build() {
    keep_font(*headline_, title_font);
    headline_->setWordWrap(true);
    headline_->setObjectName(QStringLiteral("headline"));
    ChartAxis across;
    across.format = ValueFormat::Count;
    across.title = tr("rank");
    chart_->setObjectName(QStringLiteral("configuration-times"));
    chart_->set_x_axis(across);
    ChartAxis up;
    up.title = tr("time");
    up.format = ValueFormat::Duration;
    up.logarithmic = true;
    chart_->set_y_axis(up);
    connect(chart_, &Chart::picked, this, [this](const QVariant& key) {
        if (const auto row = model_->row_of(key.toString()))
            table_->select_source_row(*row);
    });
    table_->setObjectName(QStringLiteral("configuration-list"));
    table_->set_selection_mode_single(true);
    connect(table_, &DataTable::current_row_changed, this, [this](int row) {
        if (row >= 0 && !is_filling_)
            select(row);
    });
    splitter_->addWidget(chart_);
    splitter_->addWidget(table_);
    splitter_->setSizes({230, 380});
    splitter_->setStretchFactor(0, 2);
    splitter_->setStretchFactor(1, 3);
    splitter_->setChildrenCollapsible(false);
    show_why_->setObjectName(QStringLiteral("show-why"));
    show_why_->setToolTip(tr("Shows or hides which decisions make the selected one fast or slow"));
    show_why_->setCheckable(true);
    why_->hide(); // until the page is known to be wide enough
    table_->add_tool(show_why_);
    connect(show_why_, &QAction::toggled, why_, &QWidget::setVisible);
    connect(show_why_, &QAction::triggered, this, [this] { has_own_why_ = true; });
    sides_->addWidget(splitter_);
    sides_->addWidget(why_);
    sides_->setSizes({640, 400});
    sides_->setStretchFactor(0, 3);
    sides_->setStretchFactor(1, 2);
    sides_->setChildrenCollapsible(false);
    build_tabs();
    empty_->set_icon(icon(QStringLiteral("schedules")));
    stack_->addWidget(tabs_);
    stack_->addWidget(empty_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->addWidget(times_);
    if (measuring_ != nullptr) {
        column->addWidget(measuring_);
        connect(measuring_, &MeasureBar::notice, this, &Page::notice);
    }
    column->addWidget(headline_);
    column->addWidget(stack_, 1);
    setFocusProxy(table_->view());
}

void ConfigurationsPage::build_tabs() {
    connect(decisions_, &DecisionsView::picked, this, [this](const QString& configuration) {
        if (const auto row = model_->row_of(configuration))
            select(*row);
    });
    tabs_->setObjectName(QStringLiteral("configuration-tabs"));
    tabs_->setDocumentMode(true);
    tabs_->addTab(sides_, tr("&Times"));
    tabs_->addTab(decisions_, tr("&Decisions"));
    tabs_->addTab(tuners_, tr("T&uners"));
    tabs_->setTabToolTip(1, tr("Plots of all decisions and their times"));
    tabs_->setTabToolTip(2, tr("How few measurements lead to the fastest one, by tuner"));
    connect(tuners_, &SearchProgressView::notice, this, &Page::notice);
}

void ConfigurationsPage::select(int row) {
    const ResultRecord& result = model_->row(row).result;
    services_.selection.select_configuration(QString::fromStdString(result.family),
                                             QString::fromStdString(result.configuration));
}

void ConfigurationsPage::show_words() {
    const DomainWords& words = services_.session.domain().words();
    table_->setAccessibleName(title_of_many(words.configuration));
    chart_->set_title(tr("All %1, the fastest first").arg(many(words.configuration)));
    chart_->set_empty_text(tr("No times are known here."));
    decisions_->set_noun(words.configuration);
    empty_->set_title(tr("No times are known here"));
    show_offers();
}

void ConfigurationsPage::show_offers() {
    const QString what_to_do =
        (measuring_ != nullptr
             ? tr("Choose another machine or another %1, or measure here.")
             : tr("Choose another machine or another %1, or import times with the File menu."))
            .arg(one(services_.session.domain().words().workload));
    empty_->set_text(times_->with_offers(what_to_do));
}

void ConfigurationsPage::show_set() {
    const TimeSet& set = times_->shown();
    is_filling_ = true; // the table moves its current row when that is removed: the user has not chosen it
    make_columns(set);
    model_->set_rows(set.times);
    table_->set_column_shown(status_place_, // it says something where there is another status
                             std::ranges::any_of(set.times, [](const ConfigurationTime& time) {
                                 return time.result.status != MeasurementStatus::Measured;
                             }));
    is_filling_ = false;
    if (measuring_ != nullptr)
        measuring_->set_setting(set.setting);
    show_offers();
    stack_->setCurrentWidget(set.times.empty() ? static_cast<QWidget*>(empty_) : tabs_);
    show_chart(set);
    decisions_->set_changed();
    tuners_->show_times(set.setting, times_->machines_with_times());
    mark_selected();
}

void ConfigurationsPage::make_columns(const TimeSet& set) {
    const DomainWords& words = services_.session.domain().words();
    QStringList keys{title_of_one(words.configuration)};
    for (const ShownDecision& decision : set.decisions)
        keys << QString::fromStdString(decision.key);
    if (model_ != nullptr && keys == columns_)
        return;
    columns_ = keys;
    std::vector<RecordColumn<ConfigurationTime>> columns{rank_column(), time_column(), ratio_column()};
    if (words.baseline)
        columns.push_back(speedup_column(*words.baseline));
    status_place_ = static_cast<int>(columns.size()); // before the decisions, of which there may be many
    columns.push_back(status_column());
    qsizetype place = 0;
    for (const ShownDecision& decision : set.decisions)
        columns.push_back(decision_column(decision, place++, &ConfigurationTime::values));
    const int text = static_cast<int>(columns.size());
    columns.push_back(text_column<ConfigurationTime>(title_of_one(words.configuration), {}, &text_of));
    auto model = std::make_unique<Model>(std::move(columns), &text_of);
    table_->set_model(model.get());
    model_ = std::move(model);
    table_->sort_by(0, Qt::AscendingOrder);
    table_->set_column_shown(text, set.decisions.empty()); // the decisions say the same; the menu offers it
}

void ConfigurationsPage::show_headline(const TimeSet& set) {
    const ConfigurationTime* const best = set.best();
    headline_->setVisible(best != nullptr);
    if (best == nullptr)
        return;
    const Selected now = services_.selection.current();
    const MachineRecord* const machine = services_.session.machine(now.machine);
    QString text =
        tr("The fastest %1 runs %2 in %3 on %4: %5")
            .arg(one(services_.session.domain().words().configuration), now.workload,
                 runtime_text(best->result.median_ms.value_or(0)),
                 machine != nullptr ? QString::fromStdString(machine->name) : now.machine, text_of(*best));
    const auto selected = std::ranges::find(set.times, now.configuration, &text_of);
    if (selected != set.times.end() && selected->rank > 1 && selected->ratio)
        text += QStringLiteral(". ") + tr("The selected one takes %1 of this time and has rank %2.")
                                           .arg(speedup_text(*selected->ratio), count_text(selected->rank));
    headline_->setText(with_whole_numbers(text));
}

void ConfigurationsPage::show_chart(const TimeSet& set) {
    ScatterSeries series;
    series.name = tr("time");
    for (const ConfigurationTime& time : set.times) {
        if (time.rank == 0)
            break;
        ScatterPoint point;
        point.x = time.rank;
        point.y = time.result.median_ms.value_or(0);
        point.label = text_of(time);
        point.key = text_of(time);
        series.points.push_back(std::move(point));
    }
    chart_->set_points({std::move(series)});
}

void ConfigurationsPage::mark_selected() {
    const QString selected = services_.selection.current().configuration;
    const auto row = model_->row_of(selected);
    chart_->set_selected(row ? QVariant(selected) : QVariant());
    why_->ask(times_->shown(), row ? selected : QString());
    decisions_->set_selected(row ? selected : QString());
    show_headline(times_->shown());
    if (!row)
        return;
    is_filling_ = true; // following is not choosing
    table_->select_source_row(*row);
    is_filling_ = false;
}

bool ConfigurationsPage::is_settled() const {
    return !times_->is_reading() && why_->is_settled() && decisions_->is_settled();
}

/// A narrow page has no room for both, unless the user wants it so.
void ConfigurationsPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    constexpr int narrowest_beside = 800;
    if (!has_own_why_)
        show_why_->setChecked(width() >= narrowest_beside);
}

QByteArray ConfigurationsPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << sides_->saveState() << has_own_why_ << show_why_->isChecked()
        << tabs_->currentIndex();
    return state;
}

void ConfigurationsPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    in >> splitter;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    QByteArray sides; // layouts of earlier versions end before it
    bool has_own_why = false;
    bool shows_why = true;
    in >> sides >> has_own_why >> shows_why;
    if (in.status() != QDataStream::Ok)
        return;
    sides_->restoreState(sides);
    has_own_why_ = has_own_why;
    if (has_own_why_)
        show_why_->setChecked(shows_why);
    int tab = 0;
    in >> tab;
    tabs_->setCurrentIndex(in.status() == QDataStream::Ok ? tab : 0);
}

} // namespace sparsight
