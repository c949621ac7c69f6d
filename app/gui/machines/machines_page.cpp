#include "gui/machines/machines_page.h"

#include "gui/icons/icon.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/machines/machine_actions.h"
#include "gui/machines/machine_comparison_view.h"
#include "gui/machines/machine_deviations.h"
#include "gui/machines/machine_editor.h"
#include "gui/machines/machine_facts.h"
#include "gui/page/domain_words.h"
#include "gui/page/machine_words.h"
#include "gui/page/page.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_edit.h"
#include "store/machines.h"
#include "widgets/look/column_scroll.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/table_view.h"

#include <QAction>
#include <QCoreApplication>
#include <QDataStream>
#include <QIODevice>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

struct MachinesTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::MachinesPage)
};

enum FactColumn { FactPart, FactName, FactValue, FactMeaning };

std::vector<RecordColumn<MachineFact>> fact_columns() {
    const auto column = [](const QString& title, QString MachineFact::* member) {
        RecordColumn<MachineFact> made;
        made.title = title;
        made.text = [member](const MachineFact& fact) { return fact.*member; };
        made.hint = [](const MachineFact& fact) { return fact.meaning; };
        return made;
    };
    RecordColumn<MachineFact> value = column(MachinesTable::tr("Value"), &MachineFact::value);
    value.alignment = Qt::AlignLeft;
    value.hint = [](const MachineFact& fact) { return fact.value; }; // there are many instruction sets
    return {column(MachinesTable::tr("Part"), &MachineFact::group),
            column(MachinesTable::tr("Fact"), &MachineFact::name), value,
            column(MachinesTable::tr("Meaning"), &MachineFact::meaning)};
}

} // namespace

MachinesPage::MachinesPage(Services services, TrainingRuns& runs, const Domain& domain, MachineStudy* study,
                           QWidget* parent)
    : Page(PagePlace::Machines, QStringLiteral("machines"), tr("Machines"), QStringLiteral("machines"),
           parent)
    , services_(services)
    , runs_(runs)
    , domain_(domain)
    , edits_(services.session)
    , machines_(machine_columns(study != nullptr, {}, {}), &fingerprint_of)
    , facts_(fact_columns(), [](const MachineFact& fact) { return fact.group + fact.name; })
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Vertical, this))
    , list_(new DataTable(this))
    , tabs_(new QTabWidget(this))
    , explained_(new ExplainedTable(
          tr("What the number means"),
          [this](int row) {
              return ExplainedTable::Explanation{facts_.row(row).name, facts_.row(row).meaning};
          },
          this))
    , editor_(new MachineEditor(this))
    , study_(study)
    , deviations_(new MachineDeviations(this))
    , actions_(new MachineActions(edits_, domain.words(), *this))
    , jobs_(new MachineJobs(services, domain, *this))
    , title_(new QLabel(this))
    , empty_(new EmptyState(this))
    , first_probe_(nullptr) {
    build_list();
    build_details();
    build_empty();
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 4);
    splitter_->setSizes({220, 435}); // as shares of the available height: there are few machines
    splitter_->setChildrenCollapsible(false);
    stack_->addWidget(splitter_);
    stack_->addWidget(empty_);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    outer->addWidget(stack_);
    connect_parts();
    setFocusProxy(list_->view());
    show_contents();
}

std::vector<PagePart> MachinesPage::parts() const {
    return study_ == nullptr ? std::vector<PagePart>() : parameter_parts(all_parameters(), tr("parameter"));
}

void MachinesPage::focus_part(const QString& key) {
    if (const auto parameter = parse_machine_parameter(key.toStdString()); parameter && study_ != nullptr) {
        tabs_->setCurrentWidget(editor_);
        editor_->go_to(*parameter);
    }
}

void MachinesPage::connect_parts() {
    tell_of_exports(*this);
    connect(jobs_, &MachineJobs::notice, this, &Page::notice);
    connect(jobs_, &MachineJobs::calibration_started, this, [this] { tabs_->setCurrentWidget(study_); });
    connect(&runs_, &TrainingRuns::stored_changed, this, &MachinesPage::follow);
    if (study_ != nullptr) {
        connect(study_, &MachineStudy::help_requested, this, &Page::help_requested);
        connect(study_, &MachineStudy::measurements_chosen, this, &MachinesPage::show_availability);
    }
    connect(jobs_->probe(), &QAction::changed, this, [this] {
        first_probe_->setEnabled(jobs_->probe()->isEnabled());
        first_probe_->setToolTip(jobs_->probe()->toolTip());
    });
    connect(list_, &DataTable::current_row_changed, this, [this](int row) {
        if (row >= 0 && !is_standing_in_)
            services_.selection.select_machine(machines_.key(row));
    });
    // Also for a click on the row that is already current.
    connect(list_->view(), &QAbstractItemView::clicked, this, [this] {
        if (const int row = list_->current_source_row(); row >= 0)
            services_.selection.select_machine(machines_.key(row));
    });
    connect(tabs_, &QTabWidget::currentChanged, this, [this](int tab) {
        if (const auto record = edits_.machine(shown_))
            (is_editable(*record) ? tab_of_imagined_ : tab_of_real_) = tab;
    });
    connect(editor_, &MachineEditor::parameter_edited, this, &MachinesPage::edit_parameter);
    connect(editor_, &MachineEditor::name_edited, this, &MachinesPage::rename);
    connect(actions_, &MachineActions::made, this, [this](const QString& fingerprint) {
        look_at(fingerprint);
        tabs_->setCurrentWidget(editor_); // an imagined machine is made to be edited
    });
    connect(actions_, &MachineActions::removed, this, &MachinesPage::select_neighbour_of);
    connect(actions_, &MachineActions::notice, this, &Page::notice);
    connect(&edits_, &MachineEdits::changed, this, &MachinesPage::show_contents);
    connect(&edits_, &MachineEdits::edited, this, [this](const QString& fingerprint) {
        machines_.update_row(*edits_.machine(fingerprint));
        follow();
    });
    connect(&edits_, &MachineEdits::touched, this, &MachinesPage::look_at);
    connect(&edits_, &MachineEdits::failed, this,
            [this](const QString& reason) { Q_EMIT notice(reason, true, QStringLiteral("edit")); });
    connect(&services_.session, &WorkspaceSession::opened, this, &MachinesPage::show_availability);
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &MachinesPage::show_availability);
    connect(&services_.selection, &Selection::changed, this, &MachinesPage::follow);
    connect(&services_.settings, &UserSettings::changed, this, &MachinesPage::follow);
}

/// Beyond these the menu of the table offers columns.
void MachinesPage::show_columns(const std::vector<MachineRecord>& machines) {
    if (study_ != nullptr)
        return;
    constexpr int most_shown = 9;
    const auto& sheets = services_.session.contents().machine_facts;
    auto columns = machine_columns(false, machines, sheets);
    QStringList titles;
    for (const auto& column : columns)
        titles << column.title;
    const bool are_others = titles != columns_;
    if (!are_others && sheets == sheets_)
        return;
    columns_ = titles;
    sheets_ = sheets;
    machines_.set_columns(std::move(columns));
    if (!are_others)
        return;
    for (int column = 0; column < machines_.columnCount(); ++column)
        list_->set_column_shown(column, column < most_shown);
    list_->fit_columns();
}

void MachinesPage::show_contents() {
    std::vector<MachineRecord> machines = edits_.machines();
    show_columns(machines);
    machines_.set_rows(std::move(machines));
    stack_->setCurrentWidget(machines_.rowCount() == 0 ? static_cast<QWidget*>(empty_) : splitter_);
    follow();
    show_availability();
}

void MachinesPage::follow() {
    QString fingerprint = services_.selection.current().machine;
    const QString here = services_.session.this_machine();
    const bool is_stand_in = !fingerprint.isEmpty() && fingerprint == here && !edits_.machine(here);
    if (!edits_.machine(fingerprint))
        fingerprint = here;
    MachineEdits::State record = edits_.machine(fingerprint);
    if (!record && machines_.rowCount() > 0)
        record = machines_.row(0);
    if (!record) {
        shown_.clear();
        title_->clear();
        facts_.set_rows({});
        if (study_ != nullptr)
            study_->show_machine({}, {});
        return;
    }
    shown_ = fingerprint_of(*record);
    if (const auto row = machines_.row_of(shown_); row && list_->current_source_row() != *row) {
        // Who chose this computer before the workspace knows it has chosen: a row in its place is shown, and
        // not selected.
        const QScopedValueRollback standing_in(is_standing_in_, is_stand_in);
        list_->select_source_row(*row);
    }
    if (study_ != nullptr)
        show_tab_of(*record);
    show_facts(*record);
    show_validation(*record);
    show_availability();
}

/// Deviations have a tab where some are known.
void MachinesPage::show_tab_of(const MachineRecord& record) {
    const int tab = tabs_->indexOf(deviations_);
    const int wanted = is_editable(record) ? tab_of_imagined_ : tab_of_real_;
    const bool has_some = deviations_->show_machine(runs_.stored(), shown_);
    const QSignalBlocker same_wish(tabs_); // the tab is shown again with a machine that has it
    tabs_->setTabVisible(tab, has_some);
    tabs_->setCurrentIndex(wanted != tab || has_some ? wanted : 0);
}

void MachinesPage::show_validation(const MachineRecord& record) {
    if (study_ == nullptr)
        return;
    std::vector<LearningSource> measurements;
    for (const LearningSource& source : runs_.stored().sources)
        if (source.machine == shown_ && source.workloads > 0)
            measurements.push_back(source);
    study_->show_machine(record, measurements);
}

void MachinesPage::show_facts(const MachineRecord& record) {
    const bool is_this = shown_ == services_.session.this_machine();
    const QString name = QString::fromStdString(record.name);
    QString title = is_this ? tr("%1 (this computer)").arg(name) : name;
    if (is_this && !is_speed_known(record))
        title += tr(". Speed not measured yet. Probe this computer.");
    title_->setText(title);
    const auto machine = description_of(record);
    const int explained_row = explained_->table().current_source_row();
    std::vector<MachineFact> facts = machine ? machine_facts(*machine) : std::vector<MachineFact>{};
    std::ranges::move(sheet_facts(services_.session.facts_of_machine(shown_)), std::back_inserter(facts));
    const bool are_of_one_part = std::ranges::all_of(
        facts, [&facts](const MachineFact& fact) { return fact.group == facts.front().group; });
    facts_.set_rows(std::move(facts));
    explained_->table().set_column_shown(FactPart, !are_of_one_part);
    if (facts_.rowCount() > 0 && (explained_row < 0 || explained_row >= facts_.rowCount()))
        explained_->choose_first();
    MachineDescription named;
    named.name = record.name;
    const QString reason = MachineActions::reason_against_editing(record);
    editor_->show_machine(machine.value_or(named), reason.isEmpty() ? reason_against_writing() : reason);
}

void MachinesPage::edit_parameter(MachineParameter parameter, double value, int gesture) {
    const MachineEdits::State record = edits_.machine(shown_);
    const auto machine = record ? description_of(*record) : std::nullopt;
    if (!machine || !is_editable(*record))
        return;
    const int merging = gesture * static_cast<int>(machine_parameter_count) + static_cast<int>(parameter);
    edits_.change(shown_, with_even_parameter(*machine, parameter, value),
                  tr("change %1").arg(parameter_words(parameter).name), merging);
}

void MachinesPage::rename(const QString& name) {
    const MachineEdits::State record = edits_.machine(shown_);
    auto machine = record ? description_of(*record) : std::nullopt;
    if (!machine || !is_editable(*record) || name.toStdString() == machine->name)
        return;
    if (name.isEmpty() || !edits_.is_name_free(name.toStdString())) {
        Q_EMIT notice(name.isEmpty() ? tr("A machine needs a name.")
                                     : tr("There is a machine '%1' already.").arg(name),
                      true, QStringLiteral("rename"));
        follow(); // shows the current name
        return;
    }
    Q_EMIT notice({}, false, QStringLiteral("rename"));
    machine->name = name.toStdString();
    edits_.change(shown_, *machine, tr("rename %1").arg(name));
}

void MachinesPage::look_at(const QString& fingerprint) {
    if (edits_.machine(fingerprint))
        services_.selection.select_machine(fingerprint);
    else
        select_neighbour_of(fingerprint);
}

/// For a machine that was just removed; the workspace may still list it for a moment.
void MachinesPage::select_neighbour_of(const QString& fingerprint) {
    if (services_.selection.current().machine != fingerprint)
        return;
    const int row = std::min(std::max(0, list_->current_source_row()), machines_.rowCount() - 1);
    services_.selection.select_machine(row < 0 ? QString() : machines_.key(row));
}

void MachinesPage::show_availability() {
    jobs_->set_machine(edits_.machine(shown_), study_ != nullptr ? study_->measurements() : std::nullopt,
                       reason_against_writing());
    qint64 times = 0;
    for (const LearningSource& source : runs_.stored().sources)
        if (source.machine == shown_)
            times += source.measurements;
    actions_->set_machine(shown_, times, reason_against_writing());
    if (first_new_ == nullptr)
        return;
    first_new_->setEnabled(actions_->make_new()->isEnabled());
    first_new_->setToolTip(actions_->make_new()->toolTip());
}

bool MachinesPage::is_settled() const {
    return edits_.is_settled() && (study_ == nullptr || study_->is_settled()) && !runs_.is_reading() &&
           (comparison_ == nullptr || comparison_->is_settled());
}

QString MachinesPage::reason_against_writing() const {
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    if (services_.session.is_gone())
        return tr("The file of this workspace is not there any more.");
    return services_.session.is_read_only() ? tr("This workspace can only be read.") : QString();
}

QByteArray MachinesPage::layout_state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << splitter_->saveState()
        << (study_ != nullptr ? study_->layout_state() : comparison_->layout_state());
    return state;
}

void MachinesPage::restore_layout(const QByteArray& layout) {
    QDataStream in(layout);
    QByteArray splitter;
    QByteArray validation;
    in >> splitter >> validation;
    if (in.status() != QDataStream::Ok)
        return;
    splitter_->restoreState(splitter);
    if (study_ != nullptr)
        study_->restore_layout(validation);
    else
        comparison_->restore_layout(validation);
}

void MachinesPage::build_list() {
    list_->set_model(&machines_);
    list_->set_selection_mode_single(true);
    list_->setAccessibleName(tr("Machines"));
    list_->addAction(actions_->remove()); // for its keyboard shortcut
    list_->add_tool(jobs_->probe())->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    std::vector<QAction*> others{actions_->remove(), actions_->export_file()};
    if (study_ != nullptr) {
        list_->add_tool(jobs_->calibrate(), true)->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        QToolButton* const make_new = list_->add_tool(actions_->make_new());
        make_new->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        make_new->setPopupMode(QToolButton::InstantPopup);
        others.insert(others.begin(), actions_->duplicate());
    }
    for (QAction* const action : others)
        list_->add_tool(action, true)->setToolButtonStyle(Qt::ToolButtonIconOnly);
    splitter_->addWidget(list_);
}

void MachinesPage::build_details() {
    DataTable& table = explained_->table();
    table.set_model(&facts_);
    table.set_column_shown(FactMeaning, false); // shown below the table
    table.view()->set_wide_column(FactValue);
    table.setAccessibleName(tr("Facts of the machine"));
    table.set_empty_text(tr("Nothing is known of this machine but its name."));
    keep_font(*title_, title_font);
    title_->setWordWrap(true); // processor names are long
    tabs_->setObjectName(QStringLiteral("machine-tabs"));
    explained_->setObjectName(QStringLiteral("facts"));
    tabs_->setDocumentMode(true);
    tabs_->addTab(explained_, tr("Fac&ts"));
    add_simulation_tabs();
    auto* below = new QWidget(this);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->addWidget(title_);
    column->addWidget(jobs_->progress_line());
    column->addWidget(tabs_, 1);
    splitter_->addWidget(below);
}

void MachinesPage::add_simulation_tabs() {
    if (study_ == nullptr) {
        editor_->hide();
        deviations_->hide();
        comparison_ = new MachineComparisonView(services_, this);
        tabs_->addTab(new ColumnScroll(comparison_, this), tr("&Comparison"));
        tabs_->setTabToolTip(1, tr("What it costs to copy the fastest %1 from one machine to another")
                                    .arg(one(domain_.words().configuration)));
        return;
    }
    editor_->setObjectName(QStringLiteral("simulation"));
    tabs_->addTab(editor_, tr("&Simulation"));
    tabs_->addTab(study_, tr("Validati&on"));
    tabs_->setCornerWidget(undo_buttons());
    tabs_->addTab(deviations_, tr("&Deviations from simulation"));
    tabs_->setTabVisible(tabs_->indexOf(deviations_), false);
    tabs_->setTabToolTip(1, tr("Every number that a simulation of this machine takes"));
    tabs_->setTabToolTip(2, tr("How accurately the simulation predicts the times measured on this machine"));
    tabs_->setTabToolTip(3,
                         tr("What a gray box that was adapted to this machine learned about its parameters"));
}

QWidget* MachinesPage::undo_buttons() {
    auto* const buttons = new QWidget;
    auto* const row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    for (QAction* const action : {actions_->undo(), actions_->redo()}) {
        auto* const button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        row->addWidget(button);
    }
    return buttons;
}

void MachinesPage::build_empty() {
    empty_->set_icon(icon(QStringLiteral("machines")));
    empty_->set_title(tr("No machine is known yet"));
    const QString probing = tr("Probing finds out what this computer is and measures its memory and "
                               "arithmetic: about ten seconds.");
    empty_->set_text(
        study_ == nullptr
            ? probing
            : tr("%1 Measuring %2 does not need it.").arg(probing, many(domain_.words().configuration)));
    first_probe_ = empty_->add_button(tr("&Probe this computer"), icon_on_accent(QStringLiteral("probe")));
    connect(first_probe_, &QPushButton::clicked, jobs_->probe(), &QAction::trigger);
    if (study_ == nullptr)
        return;
    first_new_ = empty_->add_button(tr("&Imagine a machine"), icon(QStringLiteral("new")));
    first_new_->setMenu(actions_->make_new()->menu());
}

} // namespace sparsight
