#include "gui/results/evaluate_panel.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/jobs/views/job_start.h"
#include "gui/page/domain_words.h"
#include "gui/results/changes_dialog.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "gui/settings/settings.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/eliding_combo_box.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSet>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidgetAction>
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <utility>

namespace sparsight {

namespace {

// What the choice of workloads stands for, besides names of splits.
const QString never_seen = QStringLiteral("*never-seen");
const QString selected_one = QStringLiteral("*selected");
const QString selected_rows = QStringLiteral("*rows");

} // namespace

EvaluatePanel::EvaluatePanel(Services services, TrainingRuns& runs, const Domain& domain, bool has_simulator,
                             QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , runs_(runs)
    , domain_(domain)
    , has_simulator_(has_simulator)
    , models_button_(new QToolButton(this))
    , models_(new QListWidget)
    , machine_(new ElidingComboBox(this))
    , workloads_(new QComboBox(this))
    , k_(new QSpinBox(this))
    , evaluate_(new QPushButton(icon_on_accent(QStringLiteral("measure")), tr("&Evaluate"), this))
    , reason_(new QLabel(this))
    , estimate_(new JobEstimateLabel(services.jobs, this))
    , progress_(new JobProgressLine(services.jobs, this)) {
    setObjectName(QStringLiteral("evaluate-panel"));
    build();
    connect(&runs_, &TrainingRuns::stored_changed, this, &EvaluatePanel::show_choices);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &EvaluatePanel::show_choices);
    connect(&services_.selection, &Selection::changed, this,
            [this](const Selected& now, const Selected& before) {
                if (now.model != before.model)
                    show_models();
                if (now.machine != before.machine)
                    follow_machine();
                show_state();
            });
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, &EvaluatePanel::show_state);
    for (QComboBox* box : std::initializer_list<QComboBox*>{machine_, workloads_})
        connect(box, &QComboBox::currentIndexChanged, this, &EvaluatePanel::show_state);
    connect(machine_, &QComboBox::currentIndexChanged, this, [this] {
        const QString asked = machine_->currentData().toString();
        if (is_filling_)
            return;
        const QString here = services_.session.this_machine();
        if (!asked.isEmpty())
            services_.selection.select_machine(machine_asked(sources_, asked));
        else if (services_.session.machine(here) != nullptr)
            services_.selection.select_machine(here);
        else // nothing that could be selected: the choice stays until another machine is
            followed_ = services_.selection.current().machine;
    });
    connect(models_, &QListWidget::itemChanged, this, [this] {
        if (is_filling_)
            return;
        has_chosen_models_ = true;
        show_state();
    });
    connect(evaluate_, &QPushButton::clicked, this, &EvaluatePanel::start);
    show_choices();
}

void EvaluatePanel::build() {
    auto* menu = new QMenu(this);
    auto* action = new QWidgetAction(menu);
    models_->setObjectName(QStringLiteral("evaluated-models"));
    models_->setMinimumWidth(260);
    models_->setMaximumHeight(260);
    action->setDefaultWidget(models_);
    menu->addAction(action);
    models_button_->setMenu(menu);
    models_button_->setPopupMode(QToolButton::InstantPopup);
    models_button_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    models_button_->setMinimumWidth(fontMetrics().averageCharWidth() * 18);
    machine_->setObjectName(QStringLiteral("evaluated-machine"));
    workloads_->setObjectName(QStringLiteral("evaluated-workloads"));
    workloads_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    workloads_->setMinimumContentsLength(14); // all in one line at 940 pixels
    machine_->setMinimumContentsLength(23);   // "AMD EPYC, 2 threads (recorded)"
    k_->setRange(1, 1000);
    k_->setValue(20);
    evaluate_->setObjectName(QStringLiteral("evaluate"));
    evaluate_->setProperty(primary_property, true);

    auto* const changes = new QPushButton(icon(QStringLiteral("compare")), tr("Cha&nges…"), this);
    changes->setObjectName(QStringLiteral("show-changes"));
    changes->setToolTip(tr("Compares times that were measured again with those that they replaced (Ctrl+T)"));
    connect(changes, &QPushButton::clicked, this, [this] { ChangesDialog::open_in(*window(), services_); });

    auto* fields = new FlowLayout;
    fields->setSpacing(grid_step);
    const int height = std::max(k_->sizeHint().height(), evaluate_->sizeHint().height());
    const auto add = [&](const QString& caption, QWidget* field, const QString& tip) {
        auto* cell = new QWidget(this);
        auto* lines = new QVBoxLayout(cell);
        lines->setContentsMargins(0, 0, 0, 0);
        lines->setSpacing(2);
        auto* label = new QLabel(caption, cell);
        keep_font(*label, caption_font);
        label->setBuddy(field);
        label->setToolTip(tip);
        lines->addWidget(label);
        lines->addWidget(field);
        if (!tip.isEmpty()) {
            field->setToolTip(tip);
            field->setAccessibleName(QString(caption).remove(u'&'));
        }
        field->setMinimumHeight(height);
        fields->addWidget(cell);
    };
    add(tr("M&odels"), models_button_,
        tr("Those that are ticked are compared on the same %1").arg(many(domain_.words().workload)));
    const QString times =
        domain_.chooses_among_recorded()
            ? tr("Times are looked up, which takes moments.")
            : tr("Measured here: this computer compiles and runs what models choose. Recorded machine: its "
                 "times are looked up, which takes moments. Simulated machine: missing times are "
                 "simulated.");
    add(tr("Ti&mes"), machine_, times);
    machine_->set_explanation(times);
    add(title_of_many(domain_.words().workload), workloads_,
        tr("Only %1 that no model was trained on tell what the models are worth")
            .arg(many(domain_.words().workload)));
    add(tr("&Choices"), k_,
        tr("How many %1 of each model are tried on a %2; the fastest of them counts")
            .arg(many(domain_.words().configuration), one(domain_.words().workload)));
    fields->begin_end();
    add(QStringLiteral(" "), changes, {});
    add(QStringLiteral(" "), evaluate_, {});

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(fields);
    keep_font(*reason_, caption_font);
    reason_->setObjectName(QStringLiteral("evaluate-refusal"));
    reason_->setWordWrap(true);
    reason_->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(reason_);
    column->addWidget(estimate_);
    estimate_->setAlignment(Qt::AlignRight); // below the button
    column->addWidget(progress_);
}

void EvaluatePanel::show_choices() {
    is_filling_ = true;
    const QString machine = machine_->currentData().toString();
    machine_->clear();
    if (!domain_.chooses_among_recorded())
        machine_->addItem(tr("measured here"), QString());
    sources_ = runs_.stored().sources;
    std::ranges::copy_if(runs_.stored().imagined, std::back_inserter(sources_),
                         [this](const LearningSource& source) { return is_simulated(source); });
    QStringList seen;
    for (const LearningSource& source : sources_)
        if (source.machine != services_.session.this_machine() && !seen.contains(source.job_name())) {
            seen << source.job_name();
            machine_->addItem(title_of(source), source.job_name());
        }
    const int kept = machine_->findData(machine);
    if (kept < 0)
        followed_.clear();
    machine_->setCurrentIndex(std::max(0, kept));
    follow_machine();
    const QString workloads = workloads_->currentData().toString();
    workloads_->clear();
    // Every model has learned something of the only workload.
    if (!domain_.chooses_among_recorded() || services_.session.contents().workloads.size() != 1)
        workloads_->addItem(tr("never trained on"), never_seen);
    workloads_->addItem(tr("the selected one"), selected_one);
    workloads_->addItem(offered_text(), selected_rows);
    for (const QString& split : runs_.stored().splits)
        workloads_->addItem(tr("test part of %1").arg(split), split);
    workloads_->setCurrentIndex(std::max(0, workloads_->findData(workloads)));
    is_filling_ = false;
    show_models();
}

/// "recorded: A100", "simulated: laptop"; a name that says it itself stands alone.
QString EvaluatePanel::title_of(const LearningSource& source) const {
    const QString kind = is_simulated(source) ? tr("simulated") : tr("recorded");
    const QString name = source.title();
    return name.contains(kind, Qt::CaseInsensitive) ? name : QStringLiteral("%1: %2").arg(kind, name);
}

/// Whether the times that the machine lacks are simulated.
bool EvaluatePanel::is_simulated(const LearningSource& source) const {
    const MachineRecord* const machine = services_.session.machine(source.machine);
    return has_simulator_ && machine != nullptr && is_editable(*machine);
}

/// What stands there stays where the selected machine has no times to look up.
void EvaluatePanel::follow_machine() {
    const QString machine = services_.selection.current().machine;
    if (machine == followed_)
        return;
    const bool is_here = machine == services_.session.this_machine();
    const QString wanted =
        is_here ? QString() : asked_of_machine(sources_, machine, machine_->currentData().toString());
    const int row = machine_->findData(wanted);
    if (row < 0 || (wanted.isEmpty() && !is_here))
        return;
    followed_ = machine;
    const bool was_filling = std::exchange(is_filling_, true);
    machine_->setCurrentIndex(row);
    is_filling_ = was_filling;
}

QString EvaluatePanel::offered_text() const {
    return offered_.size() > 1 ? tr("the selected rows (%1)").arg(offered_.size()) : tr("the selected rows");
}

void EvaluatePanel::offer_workloads(const QStringList& workloads) {
    if (workloads == offered_)
        return;
    offered_ = workloads;
    workloads_->setItemText(workloads_->findData(selected_rows), offered_text());
    show_state();
}

void EvaluatePanel::show_models() {
    QStringList ticked = models();
    if (ticked.isEmpty())
        has_chosen_models_ = false;
    if (const QString selected = services_.selection.current().model;
        !has_chosen_models_ && runs_.model(selected) != nullptr)
        ticked = QStringList{selected};
    is_filling_ = true;
    models_->clear();
    for (const KnownModel& model : runs_.stored().models) {
        auto* item = new QListWidgetItem(model.name, models_);
        item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled);
        const bool is_only_one = ticked.isEmpty() && models_->count() == 1; // the newest
        item->setCheckState(ticked.contains(model.name) || is_only_one ? Qt::Checked : Qt::Unchecked);
    }
    is_filling_ = false;
    show_state();
}

QStringList EvaluatePanel::models() const {
    QStringList ticked;
    for (int row = 0; row < models_->count(); ++row)
        if (models_->item(row)->checkState() == Qt::Checked)
            ticked << models_->item(row)->text();
    return ticked;
}

/// Workloads of the workspace that none of the models was trained on.
qint64 EvaluatePanel::never_seen_count(const QStringList& models) const {
    QStringList learned;
    for (const QString& name : models)
        if (const KnownModel* const model = runs_.model(name))
            learned << model->workloads;
    const QSet<QString> seen(learned.begin(), learned.end());
    return std::ranges::count_if(services_.session.contents().workloads, [&](const WorkloadRecord& workload) {
        return !seen.contains(QString::fromStdString(workload.name));
    });
}

EvaluateJob EvaluatePanel::request() const {
    EvaluateJob job;
    job.workspace = services_.session.path();
    job.models = models();
    const QString workloads = workloads_->currentData().toString();
    if (workloads == selected_one)
        job.workloads = QStringList{services_.selection.current().workload};
    else if (workloads == selected_rows)
        job.workloads = offered_;
    else if (workloads == never_seen)
        job.workload_count = never_seen_count(job.models);
    else
        job.split = workloads;
    job.workloads.removeAll(QString());
    job.machine = machine_->currentData().toString();
    job.k = k_->value();
    job.setting.workload = domain_.words().workload;
    job.setting.configuration = domain_.words().configuration;
    job.threads = services_.settings.thread_count();
    return job;
}

QString EvaluatePanel::refusal() const {
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    const EvaluateJob job = request();
    if (workloads_->currentData().toString() == selected_one && job.workloads.isEmpty())
        return tr("Select a %1 first.").arg(one(domain_.words().workload));
    if (workloads_->currentData().toString() == selected_rows && job.workloads.isEmpty())
        return tr("Select rows of the lower table first, with Ctrl or Shift.");
    const KnownModel* first = nullptr;
    for (const QString& name : job.models)
        if (const KnownModel* model = runs_.model(name)) {
            if (first != nullptr && model->purpose != first->purpose)
                return tr("%1 is of %2, %3 of %4: they can’t be compared.")
                    .arg(job.models.first(), first->purpose_text, name, model->purpose_text);
            first = model;
        }
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    if (job.machine.isEmpty() && domain_.chooses_among_recorded())
        return tr("No machine has recorded times.");
    if (const auto refusal = launch_refusal(job, conditions))
        return *refusal;
    return services_.jobs.is_under_way(describe(job)) ? tr("Already running.") : QString();
}

std::optional<Job> EvaluatePanel::running() const {
    for (const Job& job : services_.jobs.jobs())
        if (job.kind == JobKind::Evaluate && job.workspace == services_.session.path() && !is_over(job.state))
            return job;
    return std::nullopt;
}

void EvaluatePanel::start() {
    start_job(*this, services_.jobs, request(), [this](const std::expected<JobId, QString>& job) {
        Q_EMIT notice(job ? QString() : job.error(), !job, QStringLiteral("evaluate"));
        if (job)
            Q_EMIT started();
        show_state();
    });
}

void EvaluatePanel::show_state() {
    const QStringList chosen = models();
    models_button_->setText(
        chosen.isEmpty()     ? tr("no model")
        : chosen.size() == 1 ? models_button_->fontMetrics().elidedText(chosen.first(), Qt::ElideMiddle, 180)
                             : tr("%1 models").arg(chosen.size()));
    const QString reason = refusal();
    evaluate_->setEnabled(reason.isEmpty());
    reason_->setText(reason);
    reason_->setVisible(!reason.isEmpty());
    evaluate_->setToolTip(reason.isEmpty() ? tr("What is measured already is not measured again") : reason);
    const auto job = running();
    estimate_->show_estimate(reason.isEmpty() && !job ? std::optional(describe(request())) : std::nullopt);
    progress_->show_job(job);
}

} // namespace sparsight
