#include "gui/train/fine_tune_form.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/views/job_start.h"
#include "gui/page/domain_words.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/model_chip.h"
#include "gui/selection/selection.h"
#include "gui/train/advised_measuring.h"
#include "gui/train/learned_workloads.h"
#include "gui/train/learning_choices.h"
#include "gui/train/runs_model.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/number_text.h"
#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

const QString scratch = QStringLiteral("scratch"); ///< as the command calls it
const QString simulator = QStringLiteral("simulator");
constexpr int fewest_parted = 3; ///< workloads: with fewer the command parts their configurations, too

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    keep_font(*label, title_font);
    return label;
}

} // namespace

FineTuneForm::FineTuneForm(Services services, TrainingRuns& runs, const Domain& domain, bool has_simulator,
                           QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , runs_(runs)
    , domain_(domain)
    , has_simulator_(has_simulator)
    , models_(new ChoiceList(QStringLiteral("fine-tune-model"), tr("Model"),
                             tr("The model to begin with. Meta-trained ones are made for this."), this))
    , selected_model_(new ModelChip(services.selection, this))
    , machines_(new ChoiceList(QStringLiteral("fine-tune-machine"), tr("Machine"),
                               tr("The machine to adapt to, best one that the model was not trained on"),
                               this))
    , measuring_(new AdvisedMeasuring(services, domain, this))
    , question_(heading({}, this))
    , learned_(new LearnedWorkloads(this))
    , curve_(new QCheckBox(tr("and draw the shot curve"), this))
    , rivals_(new ChoiceList(QStringLiteral("rivals"), tr("Compared with"),
                             tr("What gets the same measurements, for comparison"), this))
    , name_(new QLineEdit(this))
    , start_(new QPushButton(icon_on_accent(QStringLiteral("play")), tr("F&ine-tune"), this))
    , reason_(new QLabel(this))
    , estimate_(new JobEstimateLabel(services.jobs, this)) {
    setObjectName(QStringLiteral("fine-tune-form"));
    build();
    connect(&runs_, &TrainingRuns::stored_changed, this, &FineTuneForm::show_models);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &FineTuneForm::show_state);
    connect(&services_.selection, &Selection::changed, this,
            [this](const Selected& now, const Selected& before) {
                // Trees aren't in the list: what stands there stays, and the others keep what they selected.
                if (now.model != before.model && now.model != model() && models_->has(now.model))
                    models_->choose(now.model);
                show_selected_model();
                if (now.machine != before.machine)
                    follow_machine();
            });
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished})
        connect(&services_.jobs, signal, this, &FineTuneForm::show_state);
    connect(models_, &QListWidget::currentItemChanged, this, [this] {
        if (is_filling_)
            return;
        show_machines();
        show_rivals();
        suggest_name();
        if (!model().isEmpty())
            services_.selection.select_model(model());
    });
    connect(machines_, &QListWidget::currentItemChanged, this, [this] {
        if (is_filling_)
            return;
        show_shots();
        suggest_name();
        if (const QString chosen = machine_asked(targets_, machine()); !chosen.isEmpty())
            services_.selection.select_machine(chosen);
    });
    connect(learned_, &LearnedWorkloads::changed, this, &FineTuneForm::show_state);
    connect(measuring_, &AdvisedMeasuring::changed, this, [this] {
        show_advice();
        show_state();
    });
    connect(measuring_, &AdvisedMeasuring::notice, this, &FineTuneForm::notice);
    connect(curve_, &QCheckBox::toggled, rivals_, &QWidget::setVisible);
    connect(curve_, &QCheckBox::toggled, this, &FineTuneForm::show_state);
    connect(rivals_, &QListWidget::itemChanged, this, &FineTuneForm::show_state);
    connect(name_, &QLineEdit::textEdited, this, [this](const QString& text) {
        name_is_ours_ = text.isEmpty();
        show_state();
    });
    connect(start_, &QPushButton::clicked, this, &FineTuneForm::start);
    show_models();
}

void FineTuneForm::build() {
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, grid_step, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(heading(tr("1  Model"), this));
    column->addWidget(models_, 2);
    column->addWidget(selected_model_);
    column->addSpacing(grid_step);
    column->addWidget(heading(tr("2  Target machine"), this));
    column->addWidget(machines_, 2);
    measuring_->setVisible(has_simulator_);
    column->addWidget(measuring_);
    column->addSpacing(grid_step);
    column->addWidget(question_);
    column->addWidget(learned_);
    curve_->setObjectName(QStringLiteral("shot-curve"));
    curve_->setChecked(true);
    column->addWidget(curve_);
    column->addWidget(rivals_, 2);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(grid_step / 2);
    outer->addWidget(scroll, 1);
    name_->setObjectName(QStringLiteral("tuned-name"));
    name_->setAccessibleName(tr("Name of the new model"));
    auto* name_row = new QHBoxLayout;
    name_row->setContentsMargins(0, 0, grid_step, 0);
    auto* label = new QLabel(tr("&Name"), this);
    label->setBuddy(name_);
    name_row->addWidget(label);
    name_row->addWidget(name_, 1);
    outer->addLayout(name_row);
    start_->setObjectName(QStringLiteral("start-fine-tuning"));
    start_->setProperty(primary_property, true);
    auto* start_row = new QHBoxLayout; // as wide as what scrolls above
    start_row->setContentsMargins(0, 0, grid_step, 0);
    start_row->addWidget(start_);
    outer->addLayout(start_row);
    keep_font(*reason_, caption_font);
    reason_->setObjectName(QStringLiteral("fine-tune-refusal"));
    reason_->setWordWrap(true);
    reason_->setForegroundRole(QPalette::PlaceholderText);
    outer->addWidget(reason_);
    outer->addWidget(estimate_);
}

QString FineTuneForm::model() const {
    return models_->value();
}

QString FineTuneForm::machine() const {
    return machines_->value();
}

void FineTuneForm::show_models() {
    const QString before = model().isEmpty() ? services_.selection.current().model : model();
    targets_ = runs_.stored().learnable(has_simulator_);
    is_filling_ = true;
    models_->clear();
    for (const KnownModel& known : runs_.stored().models) {
        if (is_of_trees(known.architecture))
            continue; // they are grown, not adapted
        const QString how = known.parent ? tr("fine-tuned") : method_text(known.method, domain_.words());
        auto* item =
            models_->add(how.isEmpty() ? known.name : tr("%1  ·  %2").arg(known.name, how), known.name);
        item->setToolTip(tr("%1\n%2, trained on %3")
                             .arg(known.name, known.architecture, known.machines.join(QStringLiteral(", "))));
    }
    models_->choose(models_->has(before) ? before : newest_with_something_new());
    is_filling_ = false;
    show_selected_model();
    show_machines();
    show_rivals();
    suggest_name();
}

/// Trees alone are in no list: every other model can be adapted.
void FineTuneForm::show_selected_model() {
    const QString selected = services_.selection.current().model;
    const bool is_other = runs_.model(selected) != nullptr && !models_->has(selected) && !model().isEmpty();
    selected_model_->show_models(
        is_other ? QStringList{model()} : QStringList(),
        tr("The selected model %1 consists of boosted trees, which can’t be fine-tuned. %2 is used.")
            .arg(selected, model()));
}

/// A model that knows every machine has nothing to be adapted to. Empty where there is no other one.
QString FineTuneForm::newest_with_something_new() const {
    const auto has_something_new = [&](const KnownModel& model) {
        return models_->has(model.name) &&
               std::ranges::any_of(runs_.stored().sources, [&](const LearningSource& source) {
                   return source.purpose == model.purpose && !source.was_learned_by(model);
               });
    };
    const auto& models = runs_.stored().models;
    const auto found = std::ranges::find_if(models, has_something_new);
    return found == models.end() ? QString() : found->name;
}

std::optional<LearningSource> FineTuneForm::unmeasured_computer(const KnownModel* model) const {
    const QString here = services_.session.this_machine();
    const MachineRecord* const machine = services_.session.machine(here);
    const bool is_measured = std::ranges::any_of(targets_, [&](const LearningSource& source) {
        return source.machine == here && model != nullptr && source.purpose == model->purpose;
    });
    if (model == nullptr || !model->is_gray_box() || machine == nullptr || is_measured)
        return std::nullopt;
    LearningSource source;
    source.machine = here;
    source.name = QString::fromStdString(machine->name);
    source.purpose = model->purpose;
    return source;
}

/// Begins with the selected machine unless the model knows it, else with one that it does not know.
void FineTuneForm::show_machines() {
    const QString before = machine();
    const KnownModel* known = runs_.model(model());
    std::erase_if(targets_, [](const LearningSource& source) { return source.setting.domain.empty(); });
    if (auto here = unmeasured_computer(known))
        targets_.push_back(*std::move(here));
    is_filling_ = true;
    machines_->clear();
    QString unknown_to_it;
    QStringList seen;
    for (const LearningSource& source : targets_) {
        if (known == nullptr || source.purpose != known->purpose || seen.contains(source.job_name()))
            continue;
        seen << source.job_name(); // of several settings the one with most measurements
        const QString name = source.is_imagined ? tr("%1  ·  simulated").arg(source.title()) : source.title();
        const bool is_known = source.was_learned_by(*known);
        const bool is_selected = source.machine == services_.selection.current().machine &&
                                 source.machine != machine_asked(targets_, unknown_to_it);
        // A measured machine is begun with, unless the user has selected a simulated one.
        const bool may_begin =
            (!source.is_imagined && source.workloads > 0) || is_selected || runs_.stored().sources.empty();
        if (!is_known && may_begin && (unknown_to_it.isEmpty() || is_selected))
            unknown_to_it = source.job_name();
        auto* item =
            machines_->add(is_known ? tr("%1  ·  already trained on it").arg(name) : name, source.job_name());
        const QString there = source.setting.domain.empty() ? tr("not measured yet")
                              : source.is_imagined ? tr("its runtimes are simulated when the run begins")
                                                   : measurements_text(source.measurements);
        item->setToolTip(
            tr("%1: %2, %3").arg(source.title(), there, counted(source.workloads, domain_.words().workload)));
    }
    machines_->choose(!before.isEmpty()         ? before
                      : unknown_to_it.isEmpty() ? selected_source()
                                                : unknown_to_it);
    is_filling_ = false;
    show_shots();
}

QString FineTuneForm::selected_source() const {
    return asked_of_machine(targets_, services_.selection.current().machine, machine());
}

/// What stands there stays where the model has no times of the selected machine.
void FineTuneForm::follow_machine() {
    const QString wanted = selected_source();
    if (!machines_->has(wanted) || wanted == machine())
        return;
    is_filling_ = true;
    machines_->choose(wanted);
    is_filling_ = false;
    show_shots();
    suggest_name();
}

/// What is measured there for the purpose of the model, or can be simulated; of several settings the one with
/// most.
const LearningSource* FineTuneForm::source() const {
    const KnownModel* known = runs_.model(model());
    for (const LearningSource& source : targets_)
        if (known != nullptr && source.purpose == known->purpose && source.job_name() == machine())
            return &source;
    return nullptr;
}

std::int64_t FineTuneForm::workloads_there() const {
    const LearningSource* there = source();
    return there == nullptr ? 0 : there->workloads;
}

bool FineTuneForm::learns_from_rows() const {
    return domain_.chooses_among_recorded() && workloads_there() < fewest_parted;
}

void FineTuneForm::show_shots() {
    const LearningSource* there = source();
    const bool rows = learns_from_rows();
    const Noun& noun = rows ? domain_.words().configuration : domain_.words().workload;
    measuring_->show_target(runs_.model(model()), machine_asked(targets_, machine()), workloads_there());
    show_advice();
    learned_->shots().set_available(rows && there != nullptr ? there->measurements : workloads_there(), noun,
                                    there != nullptr && there->is_imagined);
    curve_->setToolTip(tr("Fine-tunes with several numbers of %1, five draws each. Compares the results with "
                          "other models that learn from the same ones.")
                           .arg(many(noun)));
    show_state();
}

void FineTuneForm::show_advice() {
    const auto advice = has_simulator_ ? measuring_->offer() : std::nullopt;
    const Noun& noun = learns_from_rows() ? domain_.words().configuration : domain_.words().workload;
    question_->setText(advice ? tr("3  From which %1").arg(many(noun))
                              : tr("3  From how many %1").arg(many(noun)));
    learned_->set_advice(advice, noun);
}

void FineTuneForm::show_rivals() {
    QStringList ticked = rivals_->count() > 0 ? rivals_->ticked() : QStringList{scratch};
    if (!rivals_->has(simulator))
        ticked << simulator;
    rivals_->clear();
    rivals_->add_tickable(tr("training from scratch"), scratch, ticked.contains(scratch));
    const KnownModel* known = runs_.model(model());
    if (known != nullptr && known->is_gray_box())
        rivals_->add_tickable(tr("its calibrated simulator alone"), simulator, ticked.contains(simulator));
    for (const KnownModel& other : runs_.stored().models)
        if (known != nullptr && other.name != known->name && other.purpose == known->purpose &&
            !is_of_trees(other.architecture))
            rivals_->add_tickable(other.name, other.name, ticked.contains(other.name));
    rivals_->setVisible(curve_->isChecked());
}

void FineTuneForm::suggest_name() {
    if (name_is_ours_ && !model().isEmpty()) {
        QString stem = QStringLiteral("%1 on %2").arg(model(), runs_.machine_name(machine()));
        stem.remove(u',');
        QString name = stem;
        for (int number = 2; runs_.model(name) != nullptr; ++number)
            name = QStringLiteral("%1 %2").arg(stem).arg(number);
        name_->setText(name);
        name_->setCursorPosition(0); // its beginning tells more than its end
    }
    show_state();
}

FineTuneJob FineTuneForm::request() const {
    FineTuneJob job;
    job.workspace = services_.session.path();
    job.model = model();
    job.machine = machine();
    job.name = name_->text().trimmed();
    if (learns_from_rows())
        job.rows = learned_->shots().chosen();
    else
        job.workloads = learned_->shots().chosen();
    job.workload_names = learned_->advised();
    if (const LearningSource* there = source())
        job.setting = job_setting(domain_, there->setting);
    if (!curve_->isChecked())
        return job;
    job.shots = learned_->up_to_chosen();
    job.against = rivals_->ticked();
    return job;
}

QString FineTuneForm::refusal() const {
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    if (models_->count() == 0)
        return tr("There is no model to begin with: train one on the Train page first.");
    if (machines_->count() == 0)
        return tr("No machine has times of what this model is for (%1).")
            .arg(runs_.model(model()) != nullptr ? runs_.model(model())->purpose_text : QString());
    if (source() != nullptr && source()->is_imagined && workloads_there() < fewest_parted)
        return tr("At least %1 %2 are needed to simulate (you have %3): some are kept for testing.")
            .arg(fewest_parted)
            .arg(many(domain_.words().workload))
            .arg(workloads_there());
    if (source() != nullptr && source()->setting.domain.empty())
        return tr("No %1 has times on this computer yet: choose what to measure first.")
            .arg(one(domain_.words().workload));
    if (workloads_there() < 2 && !learns_from_rows())
        return tr("Only one %1 has times on this machine: expected one to learn from and one to test with.")
            .arg(one(domain_.words().workload));
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    conditions.models = runs_.model_names();
    const FineTuneJob job = request();
    if (const auto refusal = launch_refusal(job, conditions))
        return *refusal;
    return services_.jobs.is_under_way(describe(job)) ? tr("Already running.") : QString();
}

void FineTuneForm::show_state() {
    const QString reason = refusal();
    start_->setEnabled(reason.isEmpty());
    start_->setToolTip(reason);
    reason_->setText(reason);
    reason_->setVisible(!reason.isEmpty());
    estimate_->show_estimate(reason.isEmpty() ? std::optional(describe(request())) : std::nullopt);
}

void FineTuneForm::start() {
    start_job(*this, services_.jobs, request(), [this](const std::expected<JobId, QString>& job) {
        Q_EMIT notice(job ? QString() : job.error(), !job, QStringLiteral("fine-tune"));
        if (!job)
            return;
        name_is_ours_ = true;
        Q_EMIT started(*job);
        show_state();
    });
}

} // namespace sparsight
