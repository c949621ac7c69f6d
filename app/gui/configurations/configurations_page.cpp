#include "gui/configurations/configurations_page.h"

#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/chart.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
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
        [](double milliseconds) { return duration_text(milliseconds); });
    column.export_title = QStringLiteral("median_ms");
    column.hint = [](const ConfigurationTime& time) {
        const ResultRecord& result = time.result;
        if (!result.median_ms)
            return QString::fromStdString(result.reason);
        return result.spread_ms ? duration_with_spread(*result.median_ms, *result.spread_ms)
                                : duration_text(*result.median_ms);
    };
    return column;
}

RecordColumn<ConfigurationTime> ratio_column() {
    auto column = value_column<ConfigurationTime>(
        Columns::tr("Of the best"), Columns::tr("Its time over that of the fastest one"),
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

/// Numbers are sorted as numbers.
RecordColumn<ConfigurationTime> decision_column(const MadeDecision& decision, qsizetype place) {
    RecordColumn<ConfigurationTime> column;
    column.title = decision.name;
    column.export_title = QString::fromStdString(decision.key);
    column.text = [place](const ConfigurationTime& time) {
        const QString value = time.values.value(place);
        return value.isEmpty() ? unknown_text() : value;
    };
    column.raw = [place](const ConfigurationTime& time) {
        const QString value = time.values.value(place);
        bool is_number = false;
        const double number = value.toDouble(&is_number);
        return value.isEmpty() ? QVariant() : is_number ? QVariant(number) : QVariant(value);
    };
    return column;
}

RecordColumn<ConfigurationTime> status_column() {
    auto column =
        text_column<ConfigurationTime>(Columns::tr("Status"), {}, [](const ConfigurationTime& time) {
            return status_text(time.result.status);
        });
    column.hint = [](const ConfigurationTime& time) {
        const QString reason = QString::fromStdString(time.result.reason);
        return reason.isEmpty() ? status_meaning(time.result.status) : reason;
    };
    return column;
}

} // namespace

ConfigurationsPage::ConfigurationsPage(Services services, QWidget* parent)
    : Page(PagePlace::Configurations, QStringLiteral("configurations"), {}, QStringLiteral("schedules"),
           parent)
    , services_(services)
    , workload_(new QComboBox(this))
    , machine_(new QComboBox(this))
    , set_(new QComboBox(this))
    , set_name_(new QLabel(tr("&Setting"), this))
    , headline_(new QLabel(this))
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Vertical, this))
    , chart_(new Chart(this))
    , table_(new DataTable(this))
    , empty_(new EmptyState(this)) {
    build();
    make_columns({});
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &ConfigurationsPage::show_words);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, [this] {
        fill_choices();
        follow();
    });
    connect(&services_.session, &WorkspaceSession::measurements_changed, this, [this] {
        is_stale_ = true;
        follow();
    });
    connect(&services_.selection, &Selection::changed, this, &ConfigurationsPage::follow);
    tell_of_exports(*this);
    show_words();
}

QString ConfigurationsPage::title(const Domain& domain) const {
    return title_of_many(domain.words().configuration);
}

QWidget* ConfigurationsPage::build_choice() {
    auto* const choice = new QWidget(this);
    auto* const row = new QHBoxLayout(choice);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid_step);
    auto* const workload_name = new QLabel(choice);
    workload_name->setObjectName(QStringLiteral("workload-label"));
    auto* const machine_name = new QLabel(tr("&Machine"), choice);
    workload_name->setBuddy(workload_);
    machine_name->setBuddy(machine_);
    set_name_->setBuddy(set_);
    workload_->setObjectName(QStringLiteral("workload"));
    machine_->setObjectName(QStringLiteral("machine"));
    machine_->setAccessibleName(tr("Machine"));
    set_->setObjectName(QStringLiteral("setting"));
    set_->setAccessibleName(tr("Setting"));
    for (QComboBox* const box : {workload_, machine_, set_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumContentsLength(8);
    }
    for (QWidget* const part :
         std::initializer_list<QWidget*>{workload_name, workload_, machine_name, machine_, set_name_, set_})
        row->addWidget(part);
    row->addStretch(1);
    connect(workload_, &QComboBox::activated, this,
            [this] { services_.selection.select_workload(workload_->currentText()); });
    connect(machine_, &QComboBox::activated, this,
            [this] { services_.selection.select_machine(machine_->currentData().toString()); });
    connect(set_, &QComboBox::activated, this, &ConfigurationsPage::show_set);
    return choice;
}

void ConfigurationsPage::build() {
    keep_font(*headline_, title_font);
    headline_->setWordWrap(true);
    headline_->setObjectName(QStringLiteral("headline"));
    ChartAxis across;
    across.format = ValueFormat::Count;
    across.title = tr("rank");
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
        if (row < 0 || is_filling_)
            return;
        const ResultRecord& result = model_->row(row).result;
        services_.selection.select_configuration(QString::fromStdString(result.family),
                                                 QString::fromStdString(result.configuration));
    });
    splitter_->addWidget(chart_);
    splitter_->addWidget(table_);
    splitter_->setSizes({230, 380});
    splitter_->setStretchFactor(0, 2);
    splitter_->setStretchFactor(1, 3);
    splitter_->setChildrenCollapsible(false);
    empty_->set_icon(icon(QStringLiteral("schedules")));
    stack_->addWidget(splitter_);
    stack_->addWidget(empty_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    column->addWidget(build_choice());
    column->addWidget(headline_);
    column->addWidget(stack_, 1);
    setFocusProxy(table_->view());
}

void ConfigurationsPage::show_words() {
    const DomainWords& words = services_.session.domain().words();
    findChild<QLabel*>(QStringLiteral("workload-label"))
        ->setText(QStringLiteral("&%1").arg(title_of_one(words.workload)));
    workload_->setAccessibleName(title_of_one(words.workload));
    table_->setAccessibleName(title_of_many(words.configuration));
    chart_->set_title(tr("All %1, the fastest first").arg(many(words.configuration)));
    chart_->set_empty_text(tr("No times are known here."));
    empty_->set_title(tr("No times are known here"));
    empty_->set_text(tr("Choose another machine or another %1, or import times with the File menu.")
                         .arg(one(words.workload)));
    sets_.clear();
    asked_.clear();
    fill_choices();
    follow();
}

void ConfigurationsPage::fill_choices() {
    const QSignalBlocker quiet_workload(workload_);
    const QSignalBlocker quiet_machine(machine_);
    workload_->clear();
    for (const WorkloadRecord& workload : services_.session.contents().workloads)
        workload_->addItem(QString::fromStdString(workload.name));
    machine_->clear();
    for (const MachineRecord& machine : services_.session.contents().machines)
        machine_->addItem(QString::fromStdString(machine.name), QString::fromStdString(machine.fingerprint));
}

/// One workload and one machine are always selected while the page is shown.
void ConfigurationsPage::follow() {
    if (!isVisible())
        return;
    Selected wanted = services_.selection.current();
    const WorkspaceContents& contents = services_.session.contents();
    if (services_.session.workload(wanted.workload) == nullptr)
        wanted.workload =
            contents.workloads.empty() ? QString() : QString::fromStdString(contents.workloads.front().name);
    if (services_.session.machine(wanted.machine) == nullptr)
        wanted.machine = contents.machines.empty()
                             ? QString()
                             : QString::fromStdString(contents.machines.front().fingerprint);
    if (wanted != services_.selection.current()) {
        services_.selection.replace(wanted); // leads back to this function
        return;
    }
    workload_->setCurrentText(wanted.workload);
    machine_->setCurrentIndex(machine_->findData(wanted.machine));
    const QString subject = wanted.workload + u'\n' + wanted.machine;
    if (subject != asked_ || is_stale_) {
        asked_ = subject;
        is_stale_ = false;
        read();
    }
    mark_selected();
}

void ConfigurationsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    follow();
}

void ConfigurationsPage::read() {
    const Selected now = services_.selection.current();
    if (!services_.session.is_open() || now.workload.isEmpty() || now.machine.isEmpty()) {
        answers_.cancel();
        show_sets({});
        return;
    }
    answers_.ask([file = services_.session.path().toStdString(), &domain = services_.session.domain(),
                  workload = now.workload.toStdString(), machine = now.machine.toStdString()](
                     const std::stop_token&) { return read_time_sets(file, domain, workload, machine); },
                 [this](Result<std::vector<TimeSet>> sets, bool is_newest) {
                     if (!is_newest)
                         return;
                     Q_EMIT notice(sets ? QString() : QString::fromStdString(sets.error().text()), !sets,
                                   QStringLiteral("read"));
                     show_sets(sets ? std::move(*sets) : std::vector<TimeSet>());
                 });
}

void ConfigurationsPage::show_sets(std::vector<TimeSet> sets) {
    sets_ = std::move(sets);
    const QString chosen = set_->currentData().toString();
    {
        const QSignalBlocker quiet(set_);
        set_->clear();
        for (const TimeSet& set : sets_)
            set_->addItem(set.title, set.key);
        set_->setCurrentIndex(std::max(0, set_->findData(chosen)));
    }
    const bool has_choice = sets_.size() > 1;
    set_->setVisible(has_choice);
    set_name_->setVisible(has_choice);
    show_set();
}

const TimeSet* ConfigurationsPage::shown() const {
    const auto found = std::ranges::find(sets_, set_->currentData().toString(), &TimeSet::key);
    return found == sets_.end() ? nullptr : &*found;
}

void ConfigurationsPage::show_set() {
    const TimeSet none;
    const TimeSet& set = shown() != nullptr ? *shown() : none;
    is_filling_ = true; // the table moves its current row when that is removed: the user has not chosen it
    make_columns(set);
    model_->set_rows(set.times);
    is_filling_ = false;
    stack_->setCurrentWidget(set.times.empty() ? static_cast<QWidget*>(empty_) : splitter_);
    show_headline(set);
    show_chart(set);
    mark_selected();
}

void ConfigurationsPage::make_columns(const TimeSet& set) {
    const DomainWords& words = services_.session.domain().words();
    QStringList keys{title_of_one(words.configuration)};
    for (const MadeDecision& decision : set.decisions)
        keys << QString::fromStdString(decision.key);
    if (model_ != nullptr && keys == columns_)
        return;
    columns_ = keys;
    std::vector<RecordColumn<ConfigurationTime>> columns{rank_column(), time_column(), ratio_column()};
    if (words.baseline)
        columns.push_back(speedup_column(*words.baseline));
    qsizetype place = 0;
    for (const MadeDecision& decision : set.decisions)
        columns.push_back(decision_column(decision, place++));
    const int text = static_cast<int>(columns.size());
    columns.push_back(text_column<ConfigurationTime>(title_of_one(words.configuration), {}, &text_of));
    columns.push_back(status_column());
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
    headline_->setText(tr("The fastest %1 runs %2 in %3 on %4: %5")
                           .arg(one(services_.session.domain().words().configuration), now.workload,
                                duration_text(best->result.median_ms.value_or(0)),
                                machine != nullptr ? QString::fromStdString(machine->name) : now.machine,
                                text_of(*best)));
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
    if (!row || table_->current_source_row() == *row)
        return;
    is_filling_ = true; // following is not choosing
    table_->select_source_row(*row);
    is_filling_ = false;
}

bool ConfigurationsPage::is_settled() const {
    return !answers_.is_busy();
}

QByteArray ConfigurationsPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState();
    return state;
}

void ConfigurationsPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    in >> splitter;
    if (in.status() == QDataStream::Ok)
        splitter_->restoreState(splitter);
}

} // namespace sparsight
