#include "gui/train/training_form.h"

#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/views/job_start.h"
#include "gui/page/domain_words.h"
#include "gui/runs/training_runs.h"
#include "gui/train/hyper_parameters.h"
#include "gui/train/learning_choices.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QButtonGroup>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

/// Empty where the option is not among them.
QString value_of(const TrainingValues& values, const QString& option) {
    const auto found = values.find(option);
    return found == values.end() ? QString() : found->second;
}

/// As --machines says it: only simulated ones.
bool is_without_machines(const TrainingValues& values) {
    return value_of(values, QStringLiteral("machines")) == QStringLiteral("none");
}

constexpr double share_to_train = 0.8; ///< of the workloads; the others choose the epoch and test

/// What a training goes through: epochs × workloads × machines.
double work_of(const TrainingRun& run) {
    const auto machines = run.parameters.value(QStringLiteral("data")).toObject().size();
    return static_cast<double>(run.epochs) * run.workloads * static_cast<double>(machines);
}

constexpr int lines_of_a_hint = 3; ///< that stands below the button in the narrowest window

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    keep_font(*label, title_font);
    return label;
}

} // namespace

TrainingForm::TrainingForm(Services services, TrainingRuns& runs, const Domain& domain, TrainingOffer offer,
                           QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , runs_(runs)
    , domain_(domain)
    , offer_(std::move(offer))
    , measured_(quick_preset().values)
    , sources_(new SourceChoice(domain.words(), offer_, this))
    , parameters_(new HyperParameters(domain.words(), offer_, this))
    , presets_(new QButtonGroup(this))
    , name_(new QLineEdit(this))
    , start_(new QPushButton(icon_on_accent(QStringLiteral("play")), tr("&Start training"), this))
    , reason_(new QLabel(this)) {
    setObjectName(QStringLiteral("training-form"));
    build();
    connect(&runs_, &TrainingRuns::stored_changed, this, &TrainingForm::follow_workspace);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &TrainingForm::follow_workspace);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished})
        connect(&services_.jobs, signal, this, &TrainingForm::show_state);
    connect(sources_, &SourceChoice::changed, this, &TrainingForm::show_state);
    connect(parameters_, &HyperParameters::changed, this, [this] {
        suggest_name();
        show_state();
    });
    connect(name_, &QLineEdit::textEdited, this, [this](const QString& text) {
        name_is_ours_ = text.isEmpty();
        show_state();
    });
    connect(start_, &QPushButton::clicked, this, &TrainingForm::start);
    parameters_->set_values(measured_);
    follow_workspace();
}

QWidget* TrainingForm::build_presets() {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid_step / 2);
    for (const TrainingPreset& preset : offer_.presets) {
        auto* button = new QPushButton(preset.text, row);
        button->setObjectName(QStringLiteral("preset-") + preset.id);
        button->setCheckable(true);
        button->setToolTip(explained_tooltip(preset.text, preset.tip));
        presets_->addButton(button);
        QSizePolicy policy = button->sizePolicy(); // the form is as wide as its fields, not as these words
        policy.setHorizontalPolicy(QSizePolicy::Ignored);
        button->setSizePolicy(policy);
        layout->addWidget(button, button->fontMetrics().horizontalAdvance(preset.text) + 2 * grid_step);
        connect(button, &QPushButton::clicked, this, [this, &preset] { choose(preset.values); });
    }
    presets_->setExclusive(false); // changed by hand it is none of them
    return row;
}

void TrainingForm::build() {
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, grid_step, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(build_presets());
    column->addSpacing(grid_step / 2);
    column->addWidget(heading(tr("Learn from"), this));
    column->addWidget(sources_);
    column->addSpacing(grid_step);
    auto* how = new QHBoxLayout;
    how->addWidget(heading(tr("Learn how"), this));
    auto* info = new InfoButton(tr("What the methods do, and how to read the curves"),
                                QStringLiteral("training"), this);
    connect(info, &InfoButton::help_requested, this, &TrainingForm::help_requested);
    how->addWidget(info);
    how->addStretch(1);
    column->addLayout(how);
    column->addWidget(parameters_);
    column->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);

    name_->setObjectName(QStringLiteral("model-name"));
    name_->setAccessibleName(tr("Name of the model"));
    name_->setToolTip(tr("The model’s name in the workspace"));
    auto* name_row = new QHBoxLayout;
    name_row->setContentsMargins(0, 0, grid_step, 0);
    auto* name_label = new QLabel(tr("&Name"), this);
    name_label->setBuddy(name_);
    name_row->addWidget(name_label);
    name_row->addWidget(name_, 1);
    start_->setObjectName(QStringLiteral("start-training"));
    start_->setProperty(primary_property, true);
    keep_font(*reason_, caption_font);
    reason_->setObjectName(QStringLiteral("start-refusal"));
    reason_->setWordWrap(true);
    reason_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    reason_->setForegroundRole(QPalette::PlaceholderText);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(grid_step / 2);
    outer->addWidget(scroll, 1);
    outer->addLayout(name_row);
    auto* start_row = new QHBoxLayout; // as wide as what scrolls above
    start_row->setContentsMargins(0, 0, grid_step, 0);
    start_row->addWidget(start_);
    outer->addLayout(start_row);
    outer->addWidget(reason_);
}

bool TrainingForm::learns_without_measurements() const {
    const StoredLearning& learning = runs_.stored();
    return !offer_.simulated.empty() && learning.sources.empty() &&
           (learning.with_data >= fewest_sides || offer_.generated_workloads > 0);
}

const TrainingValues& TrainingForm::first_values() const {
    return was_unmeasured_ ? offer_.presets.front().values : measured_;
}

bool TrainingForm::are_chosen(const TrainingValues& values) const {
    return parameters_->are(values) &&
           sources_->simulated() == value_of(values, QStringLiteral("simulated")) &&
           (!is_without_machines(values) || sources_->machines() == QStringList{QStringLiteral("none")});
}

void TrainingForm::choose(const TrainingValues& values) {
    sources_->set_simulated(value_of(values, QStringLiteral("simulated")));
    sources_->learn_from_machines(!is_without_machines(values));
    parameters_->set_values(values);
}

void TrainingForm::follow_workspace() {
    sources_->set_learning(runs_.stored(), services_.session.this_machine());
    if (learns_without_measurements() != was_unmeasured_) {
        const bool is_untouched = are_chosen(first_values());
        was_unmeasured_ = !was_unmeasured_;
        if (is_untouched) // what the user has changed stays
            choose(first_values());
    }
    suggest_name();
    show_state();
}

void TrainingForm::suggest_name() {
    if (!name_is_ours_)
        return;
    QStringList taken = runs_.model_names();
    for (const TrainingRun& run : runs_.stored().runs)
        taken << run.name;
    const QString stem = is_of_trees(parameters_->architecture())
                             ? parameters_->architecture()
                             : parameters_->architecture() + u'-' + parameters_->method();
    QString name = stem;
    for (int number = 2; taken.contains(name); ++number)
        name = QStringLiteral("%1-%2").arg(stem).arg(number);
    name_->setText(name);
}

TrainJob TrainingForm::request() const {
    TrainJob job;
    job.workspace = services_.session.path();
    job.name = name_->text().trimmed();
    job.machines = sources_->machines();
    if (const Setting setting = sources_->setting(); !setting.domain.empty())
        job.setting = job_setting(domain_, setting);
    job.method = parameters_->method();
    job.architecture = parameters_->architecture();
    job.split = sources_->split();
    job.split_by = sources_->split_by();
    if (const QString simulated = sources_->simulated(); !simulated.isEmpty())
        job.options.emplace_back(QStringLiteral("simulated"), simulated);
    for (const auto& [option, value] : parameters_->values()) {
        const bool is_switch = option == QStringLiteral("machine-features");
        if (!is_switch)
            job.options.emplace_back(option, value);
        else if (!value.isEmpty())
            job.options.emplace_back(option, QString());
    }
    return job;
}

QString TrainingForm::refusal() const {
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    conditions.models = runs_.model_names();
    if (runs_.stored().sources.empty() && !sources_->learns_from_simulated_alone())
        return (offer_.can_measure
                    ? tr("Nothing is measured yet: measure %1, or import recorded runtimes, to have "
                         "something to learn from.")
                    : tr("No times are known yet: import times of %1 to have something to learn from."))
            .arg(many(domain_.words().configuration));
    const TrainJob job = request();
    if (const auto refusal = launch_refusal(job, conditions))
        return *refusal;
    if (sources_->is_split_by_workload() && sources_->workload_count() < fewest_sides)
        return too_few_workloads();
    if (job.split_by == QStringLiteral("machine") && sources_->task_count() < fewest_sides)
        return tr("At least %1 machines are needed (you have %2): some are kept for testing.")
            .arg(fewest_sides)
            .arg(sources_->task_count());
    return services_.jobs.is_under_way(describe(job)) ? tr("Already running.") : QString();
}

/// With what to do about it.
QString TrainingForm::too_few_workloads() const {
    const bool are_simulated = sources_->learns_from_simulated_alone();
    const QString needed =
        (are_simulated ? tr("At least %1 %2 are needed (you have %3): some are kept for testing.")
                       : tr("At least %1 measured %2 are needed (you have %3): some are kept for testing."))
            .arg(fewest_sides)
            .arg(many(domain_.words().workload))
            .arg(sources_->workload_count());
    const QString remedy = are_simulated || !offer_.can_measure ? tr("Import more of them.")
                           : offer_.generated_workloads > 0
                               ? tr("Measure more of them, or take the preset %1, which generates some.")
                                     .arg(offer_.presets.front().text)
                               : tr("Measure more of them.");
    return needed + u' ' + remedy;
}

std::optional<JobEstimate> TrainingForm::estimate() const {
    const QString epochs = value_of(parameters_->values(), QStringLiteral("epochs"));
    const double wanted = epochs.toDouble() * share_to_train *
                          static_cast<double>(sources_->workload_count()) * sources_->task_count();
    if (wanted <= 0)
        return std::nullopt;
    for (const TrainingRun& run : runs_.stored().runs)
        if (const double done = work_of(run);
            run.kind == QStringLiteral("train") && run.architecture == parameters_->architecture() &&
            run.method == parameters_->method() && run.seconds > 0 && done > 0)
            return JobEstimate{std::max(1.0, std::round(run.seconds * wanted / done)),
                               tr("the run “%1”").arg(run.name)};
    return JobEstimate{std::max(1.0, std::round(wanted * JobKind::Train.guessed_seconds_a_unit)), {}};
}

QString TrainingForm::generated_text() const {
    const Noun& workload = domain_.words().workload;
    const std::int64_t present = runs_.stored().with_data;
    const QString missing = count_text(sources_->workload_count() - present);
    return present == 0 ? tr("The workspace has no %1 yet: %2 are generated and stay in it.")
                              .arg(many(workload), missing)
                        : tr("The workspace has only %1: %2 more are generated and stay in it.")
                              .arg(counted(present, workload), missing);
}

void TrainingForm::show_state() {
    const QString reason = refusal();
    start_->setEnabled(reason.isEmpty());
    start_->setToolTip(reason.isEmpty() ? tr("Runs in the background; the window may be closed meanwhile")
                                        : reason);
    const bool lacks_company =
        parameters_->method() != QStringLiteral("supervised") && sources_->task_count() == 1;
    const auto expected = estimate();
    QStringList hints;
    if (reason.isEmpty()) {
        if (sources_->generates_workloads())
            hints << generated_text();
        else if (lacks_company)
            hints << tr("A single machine has no differences between machines to learn.");
        if (expected && (sources_->generates_workloads() || !lacks_company))
            hints << estimate_text(*expected);
    }
    reason_->setText(reason.isEmpty() ? hints.join(u' ') : reason);
    // Always there, so that what is said and taken back while one chooses moves no button.
    reason_->setMinimumHeight(lines_of_a_hint * reason_->fontMetrics().lineSpacing());
    const auto& presets = offer_.presets;
    for (std::size_t i = 0; i < presets.size(); ++i)
        presets_->buttons()[static_cast<qsizetype>(i)]->setChecked(are_chosen(presets[i].values));
}

void TrainingForm::take_over(const TrainingRun& run) {
    TrainingValues values{{QStringLiteral("method"), run.method},
                          {QStringLiteral("architecture"), run.architecture}};
    for (const auto& [option, value] : training_values(run.parameters))
        values[option] = value;
    sources_->set_simulated(values[QStringLiteral("simulated")]);
    sources_->learn_from_machines(!is_without_machines(values));
    sources_->set_split_by(run.parameters.value(QStringLiteral("split_by")).toString());
    parameters_->set_values(values);
}

void TrainingForm::start() {
    start_job(
        *this, services_.jobs, request(),
        [this](const std::expected<JobId, QString>& job) {
            Q_EMIT notice(job ? QString() : job.error(), !job, QStringLiteral("train"));
            if (!job)
                return;
            name_is_ours_ = true; // the next one is another one
            Q_EMIT started(*job);
            show_state();
        },
        estimate());
}

} // namespace sparsight
