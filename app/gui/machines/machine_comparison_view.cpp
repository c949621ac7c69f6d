#include "gui/machines/machine_comparison_view.h"

#include "gui/icons/icon.h"
#include "gui/page/domain_words.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "store/workspace.h"
#include "widgets/chart/plots/heat_map.h"
#include "widgets/look/number_text.h"
#include "widgets/look/page_states.h"
#include "widgets/look/runtime_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QDataStream>
#include <QHBoxLayout>
#include <QIODevice>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <cmath>

namespace sparsight {

namespace {

struct ComparisonTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::MachineComparisonView)
};

QString pair_key(const MachinePairRow& pair) {
    return QStringLiteral("%1/%2").arg(pair.row).arg(pair.column);
}

std::vector<RecordColumn<MachinePairRow>> pair_columns() {
    auto slowdown = value_column<MachinePairRow>(
        ComparisonTable::tr("Cost of the copy"),
        ComparisonTable::tr("Time of the copied configuration over the best time on the machine"),
        [](const MachinePairRow& pair) { return pair.pair.slowdown; },
        [](double value) { return std::isinf(value) ? ComparisonTable::tr("fails") : speedup_text(value); });
    slowdown.export_title = QStringLiteral("slowdown");
    auto tau = value_column<MachinePairRow>(
        ComparisonTable::tr("Kendall τ"),
        ComparisonTable::tr("1: both machines have the same order. 0: no relation."),
        [](const MachinePairRow& pair) { return pair.pair.kendall_tau; },
        [](double value) { return fixed_text(value, 3); });
    tau.export_title = QStringLiteral("kendall_tau");
    auto accuracy = value_column<MachinePairRow>(
        ComparisonTable::tr("Pairs ordered alike"),
        ComparisonTable::tr("Share of pairs of configurations. 50 % is chance."),
        [](const MachinePairRow& pair) { return pair.pair.pair_accuracy; },
        [](double value) { return share_text(value); });
    accuracy.export_title = QStringLiteral("pair_accuracy");
    auto common = value_column<MachinePairRow>(
        ComparisonTable::tr("Common"), ComparisonTable::tr("Configurations that both machines have tried"),
        [](const MachinePairRow& pair) { return std::optional(static_cast<double>(pair.pair.common)); },
        [](double value) { return count_text(std::llround(value)); });
    common.export_title = QStringLiteral("common");
    return {text_column<MachinePairRow>(ComparisonTable::tr("Copied to"), {},
                                        [](const MachinePairRow& pair) { return pair.to; }),
            text_column<MachinePairRow>(ComparisonTable::tr("Copied from"), {},
                                        [](const MachinePairRow& pair) { return pair.from; }),
            slowdown,
            tau,
            accuracy,
            common};
}

std::vector<RecordColumn<SheetDifference>> difference_columns(const QString& to, const QString& from) {
    auto name = text_column<SheetDifference>(ComparisonTable::tr("Fact"), {},
                                             [](const SheetDifference& each) { return each.name; });
    name.hint = [](const SheetDifference& each) { return each.meaning; };
    return {name, text_column<SheetDifference>(to, {}, [](const SheetDifference& each) { return each.to; }),
            text_column<SheetDifference>(from, {}, [](const SheetDifference& each) { return each.from; })};
}

} // namespace

MachineComparisonView::MachineComparisonView(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , pairs_(pair_columns(), &pair_key)
    , differences_(difference_columns({}, {}), [](const SheetDifference& each) { return each.name; })
    , workload_name_(new QLabel(this))
    , workload_(new QComboBox(this))
    , figure_(new QComboBox(this))
    , form_(new QComboBox(this))
    , sentence_(new QLabel(this))
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Horizontal, this))
    , forms_(new QStackedWidget(this))
    , map_(new HeatMap(this))
    , table_(new DataTable(this))
    , pair_title_(new QLabel(this))
    , difference_table_(new DataTable(this))
    , empty_(new EmptyState(this)) {
    setObjectName(QStringLiteral("machine-comparison"));
    build();
    connect(workload_, &QComboBox::activated, this,
            [this] { services_.selection.select_workload(workload_->currentText()); });
    connect(figure_, &QComboBox::activated, this, &MachineComparisonView::show_figure);
    connect(form_, &QComboBox::activated, forms_, &QStackedWidget::setCurrentIndex);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, [this] {
        fill_workloads();
        follow();
    });
    connect(&services_.session, &WorkspaceSession::measurements_changed, this, [this] {
        is_stale_ = true;
        follow();
    });
    connect(&services_.selection, &Selection::changed, this, &MachineComparisonView::follow);
    fill_workloads();
}

void MachineComparisonView::build() {
    const QString workload = title_of_one(services_.session.domain().words().workload);
    workload_name_->setText(QStringLiteral("&%1").arg(workload));
    workload_name_->setBuddy(workload_);
    workload_->setObjectName(QStringLiteral("compared-workload"));
    workload_->setAccessibleName(workload);
    auto* const figure_name = new QLabel(tr("F&igure"), this);
    figure_name->setBuddy(figure_);
    figure_->setObjectName(QStringLiteral("compared-figure"));
    figure_->addItem(tr("Cost of a copy"), static_cast<int>(MachineFigure::Slowdown));
    figure_->addItem(tr("Kendall τ"), static_cast<int>(MachineFigure::KendallTau));
    figure_->addItem(tr("Pairs ordered alike"), static_cast<int>(MachineFigure::PairAccuracy));
    auto* const form_name = new QLabel(tr("Vie&w"), this);
    form_name->setBuddy(form_);
    form_->setObjectName(QStringLiteral("compared-form"));
    form_->addItems({tr("Map"), tr("Table")});
    auto* const row = new QHBoxLayout;
    row->setSpacing(grid_step);
    for (QComboBox* const box : {workload_, figure_, form_})
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (QWidget* const part :
         std::initializer_list<QWidget*>{workload_name_, workload_, figure_name, figure_, form_name, form_})
        row->addWidget(part);
    row->addStretch(1);
    sentence_->setObjectName(QStringLiteral("comparison-sentence"));
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    build_map();
    build_differences();
    splitter_->setChildrenCollapsible(false);
    splitter_->setSizes({560, 300});
    splitter_->setStretchFactor(0, 3);
    splitter_->setStretchFactor(1, 2);
    empty_->set_icon(icon(QStringLiteral("compare")));
    empty_->set_title(tr("Machines can’t be compared yet"));
    stack_->addWidget(splitter_);
    stack_->addWidget(empty_);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->setSpacing(grid_step);
    column->addLayout(row);
    column->addWidget(sentence_);
    column->addWidget(stack_, 1);
}

void MachineComparisonView::build_map() {
    map_->setObjectName(QStringLiteral("machine-map"));
    map_->setAccessibleName(tr("Machines compared"));
    connect(map_, &HeatMap::went, this, [this](const QString& row, const QString& column) {
        const auto place = [this](const QString& key) {
            const auto& rows = map_->picture().rows;
            return static_cast<std::size_t>(std::ranges::find(rows, key, &HeatEntry::key) - rows.begin());
        };
        choose(place(row), place(column));
    });
    table_->setObjectName(QStringLiteral("machine-pairs"));
    table_->setAccessibleName(tr("Pairs of machines"));
    table_->set_selection_mode_single(true);
    table_->set_model(&pairs_);
    connect(table_, &DataTable::current_row_changed, this, [this](int row) {
        if (row < 0 || is_filling_)
            return;
        // Later: the table is still handling the click.
        QMetaObject::invokeMethod(
            this, [this, pair = pairs_.row(row)] { choose(pair.row, pair.column); }, Qt::QueuedConnection);
    });
    constexpr int least_lines = 16; // of a map that can be read; the tab scrolls where there is less
    map_->setMinimumHeight(least_lines * fontMetrics().height());
    forms_->addWidget(map_);
    forms_->addWidget(table_);
    splitter_->addWidget(forms_);
}

void MachineComparisonView::build_differences() {
    pair_title_->setWordWrap(true);
    pair_title_->setObjectName(QStringLiteral("pair-title"));
    difference_table_->setObjectName(QStringLiteral("sheet-differences"));
    difference_table_->setAccessibleName(tr("Differences of the data sheets"));
    difference_table_->set_model(&differences_);
    difference_table_->set_selection_mode_single(true);
    auto* const beside = new QWidget(splitter_);
    auto* const column = new QVBoxLayout(beside);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step);
    column->addWidget(pair_title_);
    column->addWidget(difference_table_, 1);
    splitter_->addWidget(beside);
}

void MachineComparisonView::fill_workloads() {
    const QSignalBlocker quiet(workload_);
    workload_->clear();
    for (const WorkloadRecord& workload : services_.session.contents().workloads)
        workload_->addItem(QString::fromStdString(workload.name));
    workload_->setCurrentText(services_.selection.current().workload);
}

void MachineComparisonView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    follow();
}

void MachineComparisonView::follow() {
    if (!isVisible())
        return;
    const auto& workloads = services_.session.contents().workloads;
    QString wanted = services_.selection.current().workload;
    if (services_.session.workload(wanted) == nullptr)
        wanted = workloads.empty() ? QString() : QString::fromStdString(workloads.front().name);
    workload_->setCurrentText(wanted);
    if (wanted == asked_ && !is_stale_) {
        show_selected();
        return;
    }
    asked_ = wanted;
    is_stale_ = false;
    read(wanted);
}

void MachineComparisonView::read(const QString& workload) {
    if (!services_.session.is_open() || workload.isEmpty()) {
        answers_.cancel();
        show_comparison(fail(Fault::Input, {}));
        return;
    }
    answers_.ask(
        [file = services_.session.path().toStdString(), &domain = services_.session.domain(),
         name = workload.toStdString()](const std::stop_token& stop) -> Result<MachineComparison> {
            auto workspace = Workspace::open(
                file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
            if (!workspace)
                return std::unexpected(std::move(workspace).error());
            return compare_machines(*workspace, domain, {.workload = name}, stop);
        },
        [this](Result<MachineComparison> comparison, bool is_newest) {
            if (is_newest)
                show_comparison(std::move(comparison));
        });
}

void MachineComparisonView::show_comparison(Result<MachineComparison> comparison) {
    const bool has_problem = !comparison && comparison.error().fault != Fault::Input;
    const QString reason = !has_problem ? QString() : QString::fromStdString(comparison.error().text());
    comparison_.reset();
    pair_.reset();
    if (comparison)
        comparison_ = *std::move(comparison);
    const Noun& noun = services_.session.domain().words().workload;
    empty_->set_text(tr("Times of one %1 on two machines are needed. %2").arg(one(noun), reason).trimmed());
    stack_->setCurrentWidget(comparison_ ? static_cast<QWidget*>(splitter_) : empty_);
    sentence_->setVisible(comparison_.has_value());
    std::vector<MachinePairRow> pairs;
    if (comparison_) {
        QString text = QString::fromStdString(comparison_sentence(services_.session.domain(), *comparison_));
        for (const std::string& note : comparison_->notes)
            text += u' ' + QString::fromStdString(note);
        sentence_->setText(with_whole_numbers(text));
        const auto& machines = comparison_->machines;
        for (std::size_t row = 0; row < machines.size(); ++row)
            for (std::size_t column = 0; column < machines.size(); ++column)
                if (row != column)
                    pairs.push_back({row, column, QString::fromStdString(machines[row].label),
                                     QString::fromStdString(machines[column].label),
                                     comparison_->matrix.pair(row, column)});
    }
    is_filling_ = true; // the table moves its current row: the user has not chosen it
    pairs_.set_rows(std::move(pairs));
    is_filling_ = false;
    show_figure();
    show_selected();
}

MachineFigure MachineComparisonView::figure() const {
    return static_cast<MachineFigure>(figure_->currentData().toInt());
}

void MachineComparisonView::show_figure() {
    map_->set_picture(comparison_ ? comparison_picture(*comparison_, figure()) : HeatPicture());
}

/// Where the selected machine is not in the pair, the pair is that with the costliest copy to it.
void MachineComparisonView::show_selected() {
    if (!comparison_)
        return;
    const std::string machine = services_.selection.current().machine.toStdString();
    const auto& machines = comparison_->machines;
    if (!pair_ || machines[pair_->first].fingerprint != machine) {
        const auto found = std::ranges::find(machines, machine, &ComparedMachine::fingerprint);
        const auto row = static_cast<std::size_t>(found == machines.end() ? 0 : found - machines.begin());
        std::size_t costliest = row == 0 ? 1 : 0;
        for (std::size_t column = 0; column < machines.size(); ++column)
            if (column != row && comparison_->matrix.pair(row, column).slowdown.value_or(0) >
                                     comparison_->matrix.pair(row, costliest).slowdown.value_or(0))
                costliest = column;
        pair_ = {row, costliest};
    }
    show_pair();
}

void MachineComparisonView::choose(std::size_t row, std::size_t column) {
    if (!comparison_ || row >= comparison_->machines.size() || column >= comparison_->machines.size())
        return;
    pair_ = {row, column};
    const QString machine = QString::fromStdString(comparison_->machines[row].fingerprint);
    if (services_.selection.current().machine != machine)
        services_.selection.select_machine(machine); // leads to show_selected()
    else
        show_pair();
}

void MachineComparisonView::show_pair() {
    const auto [row, column] = *pair_;
    const ComparedMachine& to = comparison_->machines[row];
    const ComparedMachine& from = comparison_->machines[column];
    const QString to_name = QString::fromStdString(to.label);
    const QString from_name = QString::fromStdString(from.label);
    map_->set_selected(QString::fromStdString(to.fingerprint + '\n' + to.condition));
    is_filling_ = true;
    table_->select_source_row(
        row == column ? -1 : pairs_.row_of(QStringLiteral("%1/%2").arg(row).arg(column)).value_or(-1));
    is_filling_ = false;
    const auto& slowdown = comparison_->matrix.pair(row, column).slowdown;
    if (row == column)
        pair_title_->setText(tr("%1: its best time is %2.").arg(to_name, runtime_text(to.best_ms)));
    else if (!slowdown)
        pair_title_->setText(tr("%1 and %2 have no configuration in common.").arg(from_name, to_name));
    else if (std::isinf(*slowdown))
        pair_title_->setText(tr("The best of %1 does not run on %2.").arg(from_name, to_name));
    else
        pair_title_->setText(
            tr("The best of %1 takes %2 as long on %3 as the best there. Their data sheets differ in:")
                .arg(from_name, speedup_text(*slowdown), to_name));
    const auto sheet = [this](const ComparedMachine& machine) {
        return services_.session.facts_of_machine(QString::fromStdString(machine.fingerprint));
    };
    const QByteArray here = sheet(to);
    const QByteArray there = sheet(from);
    difference_table_->set_empty_text(here.isEmpty() && there.isEmpty()
                                          ? tr("No data sheet describes them. Import one with the times.")
                                          : tr("Their data sheets do not differ."));
    differences_.set_columns(difference_columns(to_name, from_name));
    differences_.set_rows(sheet_differences(here, there));
    difference_table_->fit_columns();
}

QByteArray MachineComparisonView::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState() << figure_->currentIndex() << form_->currentIndex();
    return state;
}

void MachineComparisonView::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    int figure = 0;
    int form = 0;
    in >> splitter >> figure >> form;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    figure_->setCurrentIndex(std::clamp(figure, 0, figure_->count() - 1));
    form_->setCurrentIndex(std::clamp(form, 0, form_->count() - 1));
    forms_->setCurrentIndex(form_->currentIndex());
    show_figure();
    show_selected();
}

} // namespace sparsight
