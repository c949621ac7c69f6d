#include "gui/train/fine_tune_form.h"

#include "gui/icons/icon.h"
#include "gui/jobs/counted_text.h"
#include "gui/jobs/job_service.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "gui/train/runs_model.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/kept_font.h"
#include "widgets/look/number_text.h"
#include "widgets/look/style.h"
#include "widgets/look/theme.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

const QString scratch = QStringLiteral("scratch"); ///< as the command calls it

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    keep_font(*label, title_font);
    return label;
}

QListWidget* make_list(const QString& id, const QString& name, const QString& tip, QWidget* parent) {
    auto* list = new QListWidget(parent);
    list->setObjectName(id);
    list->setAccessibleName(name);
    list->setToolTip(tip);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setTextElideMode(Qt::ElideRight);
    list->setMinimumHeight(84);
    list->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored); // they share what room there is
    return list;
}

QString current_of(const QListWidget& list) {
    return list.currentItem() == nullptr ? QString() : list.currentItem()->data(Qt::UserRole).toString();
}

bool has(const QListWidget& list, const QString& wanted) {
    for (int i = 0; i < list.count(); ++i)
        if (list.item(i)->data(Qt::UserRole).toString() == wanted)
            return true;
    return false;
}

void choose(QListWidget& list, const QString& wanted) {
    int row = list.count() > 0 ? 0 : -1;
    for (int i = 0; i < list.count(); ++i)
        if (list.item(i)->data(Qt::UserRole).toString() == wanted)
            row = i;
    list.setCurrentRow(row);
}

} // namespace

FineTuneForm::FineTuneForm(Services services, TrainingRuns& runs, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , runs_(runs)
    , models_(make_list(QStringLiteral("fine-tune-model"), tr("Model"),
                        tr("The model to begin with. Meta-trained ones are made for this."), this))
    , machines_(make_list(QStringLiteral("fine-tune-machine"), tr("Machine"),
                          tr("The machine to adapt to, best one that the model was not trained on"), this))
    , shots_(new QButtonGroup(this))
    , shots_note_(new QLabel(this))
    , curve_(new QCheckBox(tr("and draw the shot curve"), this))
    , rivals_(make_list(QStringLiteral("rivals"), tr("Compared with"),
                        tr("What gets the same measurements, for comparison"), this))
    , name_(new QLineEdit(this))
    , start_(new QPushButton(icon_on_accent(QStringLiteral("play")), tr("&Fine-tune"), this))
    , reason_(new QLabel(this)) {
    setObjectName(QStringLiteral("fine-tune-form"));
    build();
    connect(&runs_, &TrainingRuns::stored_changed, this, &FineTuneForm::show_models);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &FineTuneForm::show_state);
    connect(&services_.selection, &Selection::changed, this,
            [this](const Selected& now, const Selected& before) {
                // Trees aren't in the list: what stands there stays, and the others keep what they selected.
                if (now.model != before.model && now.model != model() && has(*models_, now.model))
                    choose(*models_, now.model);
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
    });
    connect(shots_, &QButtonGroup::idClicked, this, &FineTuneForm::show_state);
    connect(curve_, &QCheckBox::toggled, rivals_, &QWidget::setVisible);
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
    column->addWidget(heading(tr("1  Which model"), this));
    column->addWidget(models_, 2);
    column->addSpacing(grid_step);
    column->addWidget(heading(tr("2  Onto which machine"), this));
    column->addWidget(machines_, 2);
    column->addSpacing(grid_step);
    column->addWidget(heading(tr("3  From how many matrices"), this));
    auto* row = new QHBoxLayout;
    row->setSpacing(grid_step / 2);
    for (const int count : {1, 5, 10, 25, 50, 100}) {
        auto* button = new QPushButton(QString::number(count), this);
        button->setObjectName(QStringLiteral("shots-%1").arg(count));
        button->setCheckable(true);
        button->setMinimumWidth(fontMetrics().averageCharWidth() * 3);
        QSizePolicy policy = button->sizePolicy();
        policy.setHorizontalPolicy(QSizePolicy::Ignored);
        button->setSizePolicy(policy);
        button->setChecked(count == 10);
        shots_->addButton(button, count);
        row->addWidget(button, 1);
    }
    column->addLayout(row);
    keep_font(*shots_note_, caption_font);
    shots_note_->setForegroundRole(QPalette::PlaceholderText);
    shots_note_->setWordWrap(true);
    column->addWidget(shots_note_);
    curve_->setObjectName(QStringLiteral("shot-curve"));
    curve_->setChecked(true);
    curve_->setToolTip(
        tr("Repeats it with fewer and more matrices, each with five draws, beside others that get the "
           "same ones: what are measurements worth to whom?"));
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
    auto* label = new QLabel(tr("&Name"), this);
    label->setBuddy(name_);
    name_row->addWidget(label);
    name_row->addWidget(name_, 1);
    outer->addLayout(name_row);
    start_->setObjectName(QStringLiteral("start-fine-tuning"));
    start_->setProperty(primary_property, true);
    outer->addWidget(start_);
    keep_font(*reason_, caption_font);
    reason_->setObjectName(QStringLiteral("fine-tune-refusal"));
    reason_->setWordWrap(true);
    reason_->setForegroundRole(QPalette::PlaceholderText);
    outer->addWidget(reason_);
}

QString FineTuneForm::model() const {
    return current_of(*models_);
}

QString FineTuneForm::machine() const {
    return current_of(*machines_);
}

void FineTuneForm::show_models() {
    const QString before = model().isEmpty() ? services_.selection.current().model : model();
    is_filling_ = true;
    models_->clear();
    for (const KnownModel& known : runs_.stored().models) {
        if (known.architecture == QStringLiteral("trees"))
            continue; // they are grown, not adapted
        const QString how = known.parent ? tr("fine-tuned") : method_text(known.method);
        auto* item =
            new QListWidgetItem(how.isEmpty() ? known.name : tr("%1  ·  %2").arg(known.name, how), models_);
        item->setData(Qt::UserRole, known.name);
        item->setToolTip(tr("%1\n%2, trained on %3")
                             .arg(known.name, known.architecture, known.machines.join(QStringLiteral(", "))));
    }
    choose(*models_, before);
    is_filling_ = false;
    show_machines();
    show_rivals();
    suggest_name();
}

void FineTuneForm::show_machines() {
    const QString before = machine();
    const KnownModel* known = runs_.model(model());
    is_filling_ = true;
    machines_->clear();
    QString unknown_to_it;
    QStringList seen;
    for (const LearningSource& source : runs_.stored().sources) {
        if (known == nullptr || source.op != known->op || seen.contains(source.machine))
            continue;
        seen << source.machine; // of several dense extents the one with most measurements
        const bool was_trained_on =
            known->machines.contains(source.name) || known->machines.contains(source.machine);
        if (!was_trained_on && unknown_to_it.isEmpty())
            unknown_to_it = source.machine;
        auto* item = new QListWidgetItem(
            was_trained_on ? tr("%1  ·  it knows it").arg(source.name) : source.name, machines_);
        item->setData(Qt::UserRole, source.machine);
        item->setToolTip(
            tr("%1: %2, %3 of known pattern")
                .arg(source.name, measurements_text(source.measurements), matrices_text(source.matrices)));
    }
    choose(*machines_, before.isEmpty() ? unknown_to_it : before);
    is_filling_ = false;
    show_shots();
}

std::int64_t FineTuneForm::matrices_there() const {
    const KnownModel* known = runs_.model(model());
    for (const LearningSource& source : runs_.stored().sources)
        if (known != nullptr && source.op == known->op && source.machine == machine())
            return source.matrices;
    return 0;
}

std::int64_t FineTuneForm::dense() const {
    const KnownModel* known = runs_.model(model());
    for (const LearningSource& source : runs_.stored().sources)
        if (known != nullptr && source.op == known->op && source.machine == machine())
            return source.dense;
    return 256;
}

void FineTuneForm::show_shots() {
    const std::int64_t there = matrices_there();
    for (QAbstractButton* button : shots_->buttons()) {
        const bool is_enough = shots_->id(button) < there;
        button->setEnabled(is_enough);
        button->setToolTip(
            is_enough
                ? QString()
                : tr("%1 of known pattern, and some must be left to test with").arg(matrices_text(there)));
    }
    if (shots_->checkedButton() != nullptr && !shots_->checkedButton()->isEnabled())
        for (QAbstractButton* button : shots_->buttons()) // the most that there are
            if (button->isEnabled())
                button->setChecked(true);
    shots_note_->setText(there > 0 ? tr("Measured there: %1.").arg(matrices_text(there)) : QString());
    show_state();
}

void FineTuneForm::show_rivals() {
    QStringList ticked{scratch};
    if (rivals_->count() > 0) {
        ticked.clear();
        for (int i = 0; i < rivals_->count(); ++i)
            if (rivals_->item(i)->checkState() == Qt::Checked)
                ticked << rivals_->item(i)->data(Qt::UserRole).toString();
    }
    rivals_->clear();
    const auto add = [&](const QString& text, const QString& value) {
        auto* item = new QListWidgetItem(text, rivals_);
        item->setData(Qt::UserRole, value);
        item->setFlags(Qt::ItemIsUserCheckable | Qt::ItemIsEnabled);
        item->setCheckState(ticked.contains(value) ? Qt::Checked : Qt::Unchecked);
    };
    add(tr("training from scratch"), scratch);
    const KnownModel* known = runs_.model(model());
    for (const KnownModel& other : runs_.stored().models)
        if (known != nullptr && other.name != known->name && other.op == known->op &&
            other.architecture != QStringLiteral("trees"))
            add(other.name, other.name);
    rivals_->setVisible(curve_->isChecked());
}

void FineTuneForm::suggest_name() {
    if (name_is_ours_ && !model().isEmpty()) {
        QString where = machine();
        for (const LearningSource& source : runs_.stored().sources)
            if (source.machine == machine())
                where = source.name;
        QString stem = QStringLiteral("%1 on %2").arg(model(), where);
        stem.remove(u',');
        QString name = stem;
        for (int number = 2; runs_.model(name) != nullptr; ++number)
            name = QStringLiteral("%1 %2").arg(stem).arg(number);
        name_->setText(name);
    }
    show_state();
}

FineTuneJob FineTuneForm::request() const {
    FineTuneJob job;
    job.workspace = services_.session.path();
    job.model = model();
    job.machine = machine();
    job.name = name_->text().trimmed();
    job.matrices = std::max(0, shots_->checkedId());
    job.dense = dense();
    if (const KnownModel* known = runs_.model(model()))
        job.op = known->op;
    if (!curve_->isChecked())
        return job;
    for (const int shots : {0, 1, 5, 10, 25, 50, 100})
        if (shots <= job.matrices)
            job.shots << QString::number(shots);
    for (int i = 0; i < rivals_->count(); ++i)
        if (rivals_->item(i)->checkState() == Qt::Checked)
            job.against << rivals_->item(i)->data(Qt::UserRole).toString();
    return job;
}

QString FineTuneForm::refusal() const {
    if (!services_.session.is_open())
        return tr("No workspace is open.");
    if (models_->count() == 0)
        return tr("There is no model to begin with: train one on the Train page first.");
    if (machines_->count() == 0)
        return tr("No machine has measurements of this model’s operator.");
    if (matrices_there() < 2)
        return tr(
            "Only one matrix is measured on this machine: expected one to learn from and one to test with.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    conditions.models = runs_.model_names();
    const FineTuneJob job = request();
    if (const auto refusal = fine_tune_refusal(job, conditions))
        return *refusal;
    return services_.jobs.is_under_way(describe(job)) ? tr("This very fine-tuning is under way.") : QString();
}

void FineTuneForm::show_state() {
    const QString reason = refusal();
    start_->setEnabled(reason.isEmpty());
    start_->setToolTip(reason);
    reason_->setText(reason);
    reason_->setVisible(!reason.isEmpty());
}

void FineTuneForm::start() {
    const auto job = services_.jobs.start(request());
    if (!job) {
        Q_EMIT notice(job.error(), true);
        return;
    }
    name_is_ours_ = true;
    Q_EMIT started(*job);
    show_state();
}

} // namespace sparsight
