#include "gui/candidates/search_panel.h"

#include "gui/candidates/search_words.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/jobs/views/job_start.h"
#include "gui/page/domain_words.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/model_chip.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QDataStream>
#include <QEvent>
#include <QIODevice>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <ranges>
#include <utility>

namespace sparsight {

namespace {

constexpr int state_version = 1;

} // namespace

SearchPanel::SearchPanel(Services services, TrainingRuns& runs, const SearchFeatures& features,
                         QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , runs_(runs)
    , needs_data_(features.needs_data)
    , setting_(features.make_setting ? features.make_setting(this)
                                     : new KnownSettings(services.session, runs, this))
    , model_(new QComboBox(this))
    , manner_(new SearchMethodForm(this))
    , search_(new QPushButton(icon_on_accent(QStringLiteral("search")), tr("Se&arch"), this))
    , other_model_(new ModelChip(services.selection, this))
    , reason_(new QLabel(this))
    , estimate_(new JobEstimateLabel(services.jobs, this))
    , progress_(new JobProgressLine(services.jobs, this)) {
    setObjectName(QStringLiteral("search-panel"));
    build();
    level_fields();
    connect(&runs_, &TrainingRuns::stored_changed, this, [this] {
        setting_->refresh();
        show_models();
    });
    connect(&services_.session, &WorkspaceSession::domain_changed, this, &SearchPanel::show_words);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &SearchPanel::show_method);
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &SearchPanel::show_state);
    connect(&services_.selection, &Selection::changed, this,
            [this](const Selected& now, const Selected& before) {
                if (now.model != before.model) {
                    has_chosen_purpose_ = false;
                    show_models();
                }
                show_method();
            });
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, &SearchPanel::show_state);
    connect(model_, &QComboBox::currentIndexChanged, this, [this] {
        if (is_filling_)
            return;
        services_.selection.select_model(model_->currentText());
        show_state();
        Q_EMIT subject_changed();
    });
    connect(setting_, &SearchedSetting::purpose_chosen, this, [this] {
        has_chosen_purpose_ = true;
        show_models();
        if (model_->count() > 0)
            services_.selection.select_model(model_->currentText());
        Q_EMIT subject_changed();
    });
    connect(setting_, &SearchedSetting::changed, this, [this] {
        show_state();
        Q_EMIT subject_changed();
    });
    connect(manner_, &SearchMethodForm::changed, this, &SearchPanel::show_state);
    connect(search_, &QPushButton::clicked, this, &SearchPanel::start);
    show_words();
    show_models();
}

void SearchPanel::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    model_->setObjectName(QStringLiteral("searching-model"));
    model_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    model_->setMinimumContentsLength(14);
    search_->setObjectName(QStringLiteral("search"));
    search_->setProperty(primary_property, true);

    FieldRow row(*column);
    setting_->add_before_model(row);
    model_label_ = row.add(tr("&Model"), model_, {});
    setting_->add_after_model(row);
    manner_->add_to(row);
    row.begin_end();
    row.add(search_);
    other_model_->setObjectName(QStringLiteral("search-other-model"));
    column->addWidget(other_model_);
    connect(other_model_, &ModelChip::action_chosen, this, [this] {
        has_chosen_purpose_ = false;
        show_models();
    });
    keep_font(*reason_, caption_font);
    reason_->setObjectName(QStringLiteral("search-refusal"));
    reason_->setWordWrap(true);
    reason_->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(reason_);
    column->addWidget(estimate_);
    estimate_->setAlignment(Qt::AlignRight); // below the button
    column->addWidget(progress_);
}

/// Gives all fields the height of the tallest kind, so that they stand in one line.
void SearchPanel::level_fields() {
    QList<QWidget*> fields{model_, search_};
    fields += setting_->fields() + manner_->fields();
    const auto heights =
        std::views::transform(fields, [](const QWidget* field) { return field->sizeHint().height(); });
    const int height = std::ranges::max(heights);
    for (QWidget* field : fields)
        field->setMinimumHeight(height);
}

void SearchPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        level_fields();
}

void SearchPanel::show_words() {
    const Domain& domain = services_.session.domain();
    const QString tip = tr("It scores %1 for the selected %2 without running them; lower is faster")
                            .arg(many(domain.words().configuration), one(domain.words().workload));
    model_->setToolTip(tip);
    model_label_->setToolTip(tip);
    manner_->show_words(domain);
}

/// What is searched for is what the selected model is made for, or the newest one, until the user chooses
/// something else.
void SearchPanel::follow_purpose() {
    const auto& models = runs_.stored().models;
    const KnownModel* model = runs_.model(services_.selection.current().model);
    if (model == nullptr && model_->count() == 0 && !models.empty())
        model = &models.front();
    if (model != nullptr)
        setting_->follow(*model);
}

/// Lists the models of the purpose and keeps the selected model chosen where it is one of them.
void SearchPanel::show_models() {
    if (!has_chosen_purpose_)
        follow_purpose();
    const QString before = model_->currentText();
    is_filling_ = true;
    model_->clear();
    for (const KnownModel& model : runs_.stored().models)
        if (model.purpose == setting_->purpose())
            model_->addItem(model.name);
    const int selected = model_->findText(services_.selection.current().model);
    model_->setCurrentIndex(selected >= 0          ? selected
                            : model_->count() == 0 ? -1
                                                   : std::max(0, model_->findText(before)));
    is_filling_ = false;
    show_other_model();
    show_method();
    if (model_->currentText() != before)
        Q_EMIT subject_changed();
}

void SearchPanel::show_other_model() {
    const KnownModel* const selected = runs_.model(services_.selection.current().model);
    if (selected == nullptr || model_->count() == 0)
        return other_model_->show_models({}, {});
    other_model_->show_models(
        {model_->currentText()},
        tr("The selected model %1 is made for %2, and the search is for %3. %4 is used.")
            .arg(selected->name, selected->purpose_text, setting_->purpose_text(), model_->currentText()),
        tr("Search for %1").arg(selected->purpose_text));
}

void SearchPanel::show_method() {
    const KnownModel* const model = runs_.model(model_->currentText());
    manner_->allow_recorded(!is_for_this_computer());
    manner_->allow_walk(model == nullptr || model->has_embeddings());
    show_state();
}

bool SearchPanel::is_for_this_computer() const {
    return search_target().isEmpty();
}

QString SearchPanel::search_target() const {
    const QString machine = services_.selection.current().machine;
    return machine == services_.session.this_machine() ? QString() : machine;
}

SearchJob SearchPanel::request() const {
    SearchJob job;
    job.workspace = services_.session.path();
    job.model = model_->currentText();
    if (const QString workload = services_.selection.current().workload;
        services_.session.workload(workload) != nullptr)
        job.workloads = {workload};
    manner_->apply_to(job);
    job.setting = setting_->setting();
    job.machine = search_target();
    job.map = true;
    return job;
}

SearchSubject SearchPanel::subject() const {
    const SearchJob job = request();
    return {job.workspace, job.model, job.workloads.value(0), job.machine, job.setting.others, model_made()};
}

QString SearchPanel::refusal() const {
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    const SearchJob job = request();
    if (job.workloads.isEmpty())
        return tr("Select a %1 first.").arg(one(services_.session.domain().words().workload));
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_there = !services_.session.is_gone();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    for (const WorkloadRecord& record : services_.session.contents().workloads)
        if (needs_data_ && record.payload == PayloadPlace::Unknown)
            conditions.workloads_without_data << QString::fromStdString(record.name);
    if (const auto refusal = launch_refusal(job, conditions))
        return job.model.isEmpty() && !runs_.stored().models.empty()
                   ? tr("There is no model of %1: train one first.").arg(setting_->purpose_text())
                   : *refusal;
    return services_.jobs.is_under_way(describe(job)) ? tr("Already running.") : QString();
}

std::optional<Job> SearchPanel::running() const {
    for (const Job& job : services_.jobs.jobs())
        if (job.kind == JobKind::Search && job.workspace == services_.session.path() && !is_over(job.state))
            return job;
    return std::nullopt;
}

QDateTime SearchPanel::model_made() const {
    const QString chosen = model_->currentText();
    for (const KnownModel& model : runs_.stored().models)
        if (model.name == chosen)
            return model.created;
    return {};
}

void SearchPanel::start() {
    // the chosen model is the one shown now, whoever chose it
    services_.selection.select_model(model_->currentText());
    start_job(*this, services_.jobs, request(), [this](const std::expected<JobId, QString>& job) {
        Q_EMIT notice(job ? QString() : job.error(), !job, QStringLiteral("search"));
        show_state();
    });
}

QByteArray SearchPanel::state() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << state_version;
    manner_->save(out);
    setting_->save(out);
    return state;
}

void SearchPanel::restore_state(const QByteArray& state) {
    QDataStream in(state);
    int version = 0;
    in >> version;
    if (in.status() != QDataStream::Ok || version != state_version)
        return;
    manner_->restore(in);
    setting_->restore(in);
}

void SearchPanel::show_state() {
    const QString reason = refusal();
    search_->setEnabled(reason.isEmpty());
    search_->setToolTip(reason.isEmpty() ? tr("Let the model choose; nothing is run") : reason);
    reason_->setText(reason);
    const auto job = running();
    reason_->setVisible(!reason.isEmpty() && !job);
    estimate_->show_estimate(reason.isEmpty() && !job ? std::optional(describe(request())) : std::nullopt);
    progress_->show_job(job);
}

namespace {

QSpinBox* make_number(const char* name, int least, int most, int value, QWidget* panel) {
    auto* field = new QSpinBox(panel);
    field->setObjectName(QLatin1String(name));
    field->setRange(least, most);
    field->setValue(value);
    return field;
}

} // namespace

SearchMethodForm::SearchMethodForm(QWidget* panel)
    : QObject(panel)
    , method_(new QComboBox(panel))
    , k_(make_number("searched-k", 1, 200, 20, panel))
    , width_(make_number("searched-ef", 1, 1000, 200, panel))
    , budget_(make_number("searched-budget", 100, 1'000'000, 5000, panel)) {
    method_->setObjectName(QStringLiteral("search-method"));
    method_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    budget_->setSingleStep(1000);
    build_methods();
    connect(method_, &QComboBox::currentIndexChanged, this, [this] {
        show_method();
        Q_EMIT changed();
    });
    connect(method_, &QComboBox::activated, this, [this] { is_walk_wanted_ = false; });
    for (QSpinBox* field : {k_, width_, budget_})
        connect(field, &QSpinBox::valueChanged, this, &SearchMethodForm::changed);
}

void SearchMethodForm::build_methods() {
    for (const char* name : {"index", "exhaustive", "evolution", "annealing", "recorded"}) {
        const QString method = QLatin1String(name);
        method_->addItem(search_method_text(method), method);
    }
}

/// Where all configurations are known, each of them is scored unless the user wants something else.
void SearchMethodForm::show_words(const Domain& domain) {
    words_ = domain.words();
    for (int place = 0; place < method_->count(); ++place)
        method_->setItemData(place, search_method_meaning(method_->itemData(place).toString(), words_),
                             Qt::ToolTipRole);
    const QString configurations = many(words_.configuration);
    const auto explain = [](QLabel* caption, QWidget* field, const QString& tip) {
        caption->setToolTip(tip);
        field->setToolTip(tip);
    };
    k_label_->setText(tr("Best %1 (&k)").arg(configurations));
    k_->setAccessibleName(tr("Best %1").arg(configurations));
    explain(k_label_, k_, tr("How many %1 are wanted: the k of the best scores").arg(configurations));
    explain(width_label_, width_,
            tr("How many %1 the walk keeps in view. It ends when all their neighbours were looked at. A "
               "larger ef finds more of the best, and takes longer")
                .arg(configurations));
    explain(budget_label_, budget_,
            tr("How many %1 may be scored beyond the pool: more find better ones, and take longer")
                .arg(configurations));
    if (method() == QLatin1String("index") || method() == QLatin1String("exhaustive"))
        method_->setCurrentIndex(method_->findData(
            domain.chooses_among_recorded() ? QStringLiteral("exhaustive") : QStringLiteral("index")));
    show_walk();
}

void SearchMethodForm::add_to(FieldRow& row) {
    row.add(tr("Me&thod"), method_, {});
    k_label_ = row.add({}, k_, {});
    width_label_ = row.add(tr("Search &width (ef)"), width_, {});
    budget_label_ = row.add(tr("&Budget"), budget_, {});
    show_method();
}

QList<QWidget*> SearchMethodForm::fields() const {
    return {method_, k_, width_, budget_};
}

void SearchMethodForm::allow_recorded(bool allowed) {
    auto* items = qobject_cast<QStandardItemModel*>(method_->model());
    QStandardItem* recorded = items->item(method_->findData(QStringLiteral("recorded")));
    recorded->setEnabled(allowed);
    recorded->setToolTip(allowed
                             ? search_method_meaning(QStringLiteral("recorded"), words_)
                             : tr("Select a machine whose runtimes were recorded, on the Machines page."));
    if (!allowed && method() == QLatin1String("recorded"))
        method_->setCurrentIndex(0);
    show_walk();
}

void SearchMethodForm::allow_walk(bool allowed) {
    can_walk_ = allowed;
    show_walk();
}

void SearchMethodForm::show_walk() {
    const QString walk = QStringLiteral("index");
    const QString all = QStringLiteral("exhaustive");
    auto* const items = qobject_cast<QStandardItemModel*>(method_->model());
    QStandardItem* const item = items->item(method_->findData(walk));
    item->setEnabled(can_walk_);
    item->setToolTip(can_walk_ ? search_method_meaning(walk, words_)
                               : tr("This model has no embeddings of %1, so there is no graph to walk "
                                    "through. It scores all of them.")
                                     .arg(many(words_.configuration)));
    if (!can_walk_ && method() == walk) {
        is_walk_wanted_ = true;
        method_->setCurrentIndex(method_->findData(all));
    } else if (can_walk_ && std::exchange(is_walk_wanted_, false) && method() == all) {
        method_->setCurrentIndex(method_->findData(walk));
    }
    show_method();
}

void SearchMethodForm::show_method() {
    const QString meaning = search_method_meaning(method(), words_);
    const auto* const items = qobject_cast<QStandardItemModel*>(method_->model());
    method_->setToolTip(is_walk_wanted_ && !can_walk_
                            ? meaning + u'\n' +
                                  items->item(method_->findData(QStringLiteral("index")))->toolTip()
                            : meaning);
    width_label_->parentWidget()->setVisible(method() == QLatin1String("index"));
    budget_label_->parentWidget()->setVisible(method() == QLatin1String("evolution") ||
                                              method() == QLatin1String("annealing"));
}

QString SearchMethodForm::method() const {
    return method_->currentData().toString();
}

void SearchMethodForm::apply_to(SearchJob& job) const {
    job.k = k_->value();
    job.method = method();
    if (method() == QLatin1String("index"))
        job.width = width_->value();
    if (!budget_label_->parentWidget()->isHidden())
        job.budget = budget_->value();
}

void SearchMethodForm::save(QDataStream& out) const {
    out << (is_walk_wanted_ ? QStringLiteral("index") : method()) << k_->value() << width_->value()
        << budget_->value();
}

void SearchMethodForm::restore(QDataStream& in) {
    QString method;
    int k = 0;
    int width = 0;
    int budget = 0;
    in >> method >> k >> width >> budget;
    if (in.status() != QDataStream::Ok)
        return;
    if (const int at = method_->findData(method); at >= 0)
        method_->setCurrentIndex(at);
    k_->setValue(k);
    width_->setValue(width);
    budget_->setValue(budget);
    is_walk_wanted_ = false;
    show_walk();
}

} // namespace sparsight
