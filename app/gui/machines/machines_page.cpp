#include "gui/machines/machines_page.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/page/availability.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"
#include "machine/machine_json.h"
#include "widgets/look/empty_state.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"
#include "widgets/table/explained_table.h"
#include "widgets/table/table_view.h"

#include <QDateTime>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sparsight {

namespace {

constexpr int meaning_column = 3;

QString fingerprint_of(const MachineRecord& record) {
    return QString::fromStdString(record.fingerprint);
}

QString when(const std::string& utc) {
    const auto time = QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate);
    return QLocale().toString(time.toLocalTime(), QLocale::ShortFormat);
}

struct MachinesTable {
    Q_DECLARE_TR_FUNCTIONS(sparsight::MachinesPage)
};

QString kind_of(const MachineRecord& record) {
    const auto machine = machine_from_text(record.description);
    switch (machine ? machine->source : MachineSource::Recorded) {
    case MachineSource::Probed:
        return MachinesTable::tr("used here");
    case MachineSource::Simulated:
        return MachinesTable::tr("simulated");
    case MachineSource::Recorded:
        break;
    }
    return MachinesTable::tr("recorded");
}

/// A collection writes down what the computer is; how fast it is only a probe finds out.
bool is_speed_known(const MachineRecord& record) {
    const auto machine = machine_from_text(record.description);
    return machine && machine->copy_bandwidth.all_threads;
}

std::vector<RecordColumn<MachineRecord>> machine_columns() {
    RecordColumn<MachineRecord> name;
    name.title = MachinesTable::tr("Machine");
    name.text = [](const MachineRecord& record) { return QString::fromStdString(record.name); };
    name.hint = [](const MachineRecord& record) {
        return MachinesTable::tr("Fingerprint %1").arg(fingerprint_of(record));
    };
    RecordColumn<MachineRecord> kind;
    kind.title = MachinesTable::tr("Kind");
    kind.tooltip =
        MachinesTable::tr("Used here: a computer that this program ran on. Recorded: known by imported "
                          "runtimes. Simulated: its numbers were chosen.");
    kind.text = &kind_of;
    RecordColumn<MachineRecord> date;
    date.title = MachinesTable::tr("Speed measured");
    date.text = [](const MachineRecord& record) {
        return is_speed_known(record) ? when(record.probed) : MachinesTable::tr("not yet");
    };
    date.raw = [](const MachineRecord& record) { return QVariant(QString::fromStdString(record.probed)); };
    return {name, kind, date};
}

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
    value.hint = [](const MachineFact& fact) { return fact.value; }; // the instruction sets are many
    return {column(MachinesTable::tr("Part"), &MachineFact::group),
            column(MachinesTable::tr("What"), &MachineFact::name), value,
            column(MachinesTable::tr("What it means"), &MachineFact::meaning)};
}

} // namespace

MachinesPage::MachinesPage(Services services, QWidget* parent)
    : Page(QStringLiteral("machines"), tr("Machines"), QStringLiteral("machines"), parent)
    , services_(services)
    , machines_(machine_columns(), &fingerprint_of)
    , facts_(fact_columns(), [](const MachineFact& fact) { return fact.group + fact.name; })
    , stack_(new QStackedWidget(this))
    , splitter_(new QSplitter(Qt::Vertical, this))
    , list_(new DataTable(this))
    , explained_(new ExplainedTable(
          tr("What the number means"),
          [this](int row) {
              return ExplainedTable::Explanation{facts_.row(row).name, facts_.row(row).meaning};
          },
          this))
    , title_(new QLabel(this))
    , empty_(new EmptyState(this))
    , first_probe_(nullptr)
    , probe_(new QAction(icon(QStringLiteral("probe")), tr("&Probe this computer"), this)) {
    probe_->setObjectName(QStringLiteral("probe"));
    connect(probe_, &QAction::triggered, this, &MachinesPage::probe);
    list_->set_model(&machines_);
    list_->set_selection_mode_single(true);
    list_->setAccessibleName(tr("Machines"));
    QToolButton* button = list_->add_tool(probe_);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(list_, &DataTable::current_row_changed, this, [this](int row) {
        if (row >= 0)
            services_.selection.select_machine(machines_.key(row));
    });
    DataTable& table = explained_->table();
    table.set_model(&facts_);
    table.set_column_shown(meaning_column, false); // below the table
    table.setAccessibleName(tr("Facts of the machine"));
    table.set_empty_text(tr("Nothing is known of this machine but its name."));
    keep_font(*title_, title_font);
    title_->setWordWrap(true); // names of processors are long

    auto* below = new QWidget(this);
    auto* column = new QVBoxLayout(below);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->addWidget(title_);
    column->addWidget(explained_, 1);
    splitter_->addWidget(list_);
    splitter_->addWidget(below);
    splitter_->setStretchFactor(0, 1);
    splitter_->setStretchFactor(1, 3);
    splitter_->setChildrenCollapsible(false);
    build_empty();
    stack_->addWidget(splitter_);
    stack_->addWidget(empty_);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(grid_step, grid_step, grid_step, grid_step);
    outer->addWidget(stack_);

    connect(&services_.session, &WorkspaceSession::contents_changed, this, &MachinesPage::show_contents);
    connect(&services_.session, &WorkspaceSession::opened, this, &MachinesPage::show_availability);
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &MachinesPage::show_availability);
    connect(&services_.selection, &Selection::changed, this, &MachinesPage::follow);
    connect(&services_.settings, &UserSettings::changed, this, &MachinesPage::follow);
    connect(&services_.jobs, &JobService::job_changed, this, &MachinesPage::show_job);
    connect(&services_.jobs, &JobService::job_finished, this, &MachinesPage::show_job);
    setFocusProxy(list_->view());
    show_contents();
}

void MachinesPage::build_empty() {
    empty_->set_icon(icon(QStringLiteral("machines")));
    empty_->set_title(tr("No machine is known yet"));
    empty_->set_text(
        tr("Probing finds out what this computer is and measures its memory and arithmetic: about ten "
           "seconds. Measuring schedules does not need it."));
    first_probe_ = empty_->add_button(tr("&Probe this computer"), icon_on_accent(QStringLiteral("probe")));
    connect(first_probe_, &QPushButton::clicked, probe_, &QAction::trigger);
}

void MachinesPage::show_contents() {
    const auto& machines = services_.session.contents().machines;
    machines_.set_rows(machines);
    stack_->setCurrentWidget(machines.empty() ? static_cast<QWidget*>(empty_) : splitter_);
    show_availability();
    follow();
}

void MachinesPage::follow() {
    QString fingerprint = services_.selection.current().machine;
    if (services_.session.machine(fingerprint) == nullptr)
        fingerprint = services_.session.this_machine();
    const MachineRecord* record = services_.session.machine(fingerprint);
    if (record == nullptr && machines_.rowCount() > 0)
        record = services_.session.machine(machines_.key(0));
    if (record == nullptr) {
        title_->clear();
        facts_.set_rows({});
        return;
    }
    if (const auto row = machines_.row_of(fingerprint_of(*record));
        row && list_->current_source_row() != *row)
        list_->select_source_row(*row);
    const bool is_this = fingerprint_of(*record) == services_.session.this_machine();
    const QString name = QString::fromStdString(record->name);
    const auto machine = machine_from_text(record->description);
    QString title = is_this ? tr("%1 (this computer)").arg(name) : name;
    if (is_this && !is_speed_known(*record))
        title += tr(" — its speed is not measured yet: probe it");
    title_->setText(title);
    facts_.set_rows(machine ? machine_facts(*machine) : std::vector<MachineFact>{});
    if (facts_.rowCount() > 0)
        explained_->choose_first();
}

void MachinesPage::probe() {
    ProbeJob request;
    request.workspace = services_.session.path();
    const auto started = services_.jobs.start(request);
    if (!started) {
        Q_EMIT notice(started.error(), true);
        return;
    }
    job_ = *started;
    show_availability();
}

void MachinesPage::show_job(const JobId& id) {
    if (id == job_)
        show_availability();
}

void MachinesPage::show_availability() {
    const auto job = services_.jobs.job(job_);
    const MachineRecord* here = services_.session.machine(services_.session.this_machine());
    probe_->setText(here != nullptr && is_speed_known(*here) ? tr("&Probe this computer again")
                                                             : tr("&Probe this computer"));
    QString reason;
    if (!services_.session.is_open())
        reason = tr("No workspace is open.");
    else if (services_.session.is_gone())
        reason = tr("The file of this workspace is not there any more.");
    else if (services_.session.is_read_only())
        reason = tr("This workspace can only be read.");
    else if (job && !is_over(job->state))
        reason = tr("It is being probed now: %1").arg(job->progress.what);
    set_availability(*probe_, reason);
    first_probe_->setEnabled(probe_->isEnabled());
    first_probe_->setToolTip(probe_->toolTip());
}

QByteArray MachinesPage::layout_state() const {
    return splitter_->saveState();
}

void MachinesPage::restore_layout(const QByteArray& layout) {
    splitter_->restoreState(layout);
}

} // namespace sparsight
