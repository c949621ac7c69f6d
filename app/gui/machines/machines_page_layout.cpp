#include "gui/icons/icon.h"
#include "gui/jobs/job_progress_line.h"
#include "gui/machines/machine_actions.h"
#include "gui/machines/machine_editor.h"
#include "gui/machines/machine_jobs.h"
#include "gui/machines/machines_page.h"
#include "gui/machines/validation_view.h"
#include "widgets/look/empty_state.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/explained_table.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int meaning_column = 3; // of the facts

} // namespace

void MachinesPage::build_list() {
    list_->set_model(&machines_);
    list_->set_selection_mode_single(true);
    list_->setAccessibleName(tr("Machines"));
    list_->addAction(actions_->remove()); // its key
    list_->add_tool(jobs_->probe())->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    list_->add_tool(jobs_->calibrate(), true)->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    QToolButton* const make_new = list_->add_tool(actions_->make_new());
    make_new->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    make_new->setPopupMode(QToolButton::InstantPopup);
    for (QAction* const action : {actions_->duplicate(), actions_->remove(), actions_->export_file()})
        list_->add_tool(action, true)->setToolButtonStyle(Qt::ToolButtonIconOnly);
    splitter_->addWidget(list_);
}

void MachinesPage::build_details() {
    DataTable& table = explained_->table();
    table.set_model(&facts_);
    table.set_column_shown(meaning_column, false); // below the table
    table.setAccessibleName(tr("Facts of the machine"));
    table.set_empty_text(tr("Nothing is known of this machine but its name."));
    keep_font(*title_, title_font);
    title_->setWordWrap(true); // names of processors are long
    tabs_->setObjectName(QStringLiteral("machine-tabs"));
    explained_->setObjectName(QStringLiteral("facts"));
    editor_->setObjectName(QStringLiteral("simulation"));
    tabs_->setDocumentMode(true);
    tabs_->addTab(explained_, tr("Fac&ts"));
    tabs_->addTab(editor_, tr("&Simulation"));
    tabs_->addTab(validation_, tr("&Validation"));
    tabs_->setCornerWidget(undo_buttons());
    tabs_->setTabToolTip(1, tr("Every number that a simulation of this machine takes"));
    tabs_->setTabToolTip(2, tr("How true the simulation is of what was measured on this machine"));
    auto* below = new QWidget(this);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->addWidget(title_);
    column->addWidget(jobs_->progress_line());
    column->addWidget(tabs_, 1);
    splitter_->addWidget(below);
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
    empty_->set_text(
        tr("Probing finds out what this computer is and measures its memory and arithmetic: about ten "
           "seconds. Measuring schedules does not need it."));
    first_probe_ = empty_->add_button(tr("&Probe this computer"), icon_on_accent(QStringLiteral("probe")));
    connect(first_probe_, &QPushButton::clicked, jobs_->probe(), &QAction::trigger);
    first_new_ = empty_->add_button(tr("&Imagine a machine"), icon(QStringLiteral("new")));
    first_new_->setMenu(actions_->make_new()->menu());
}

} // namespace sparsight
