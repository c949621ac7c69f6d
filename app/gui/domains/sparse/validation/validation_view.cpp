#include "gui/domains/sparse/validation/validation_view.h"

#include "domains/sparse/schedule/operator.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/domains/sparse/validation/validation_figures.h"
#include "gui/domains/sparse/validation/validation_results.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/machines/machine_facts.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "store/machines.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/labels.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

QString words_of(const LearningSource& source) {
    const SparseSetting setting = sparse_setting(source.setting);
    const QString op =
        setting.op == Operator::SpMV
            ? operator_text(setting.op)
            : ValidationView::tr("%1, extent %2").arg(operator_text(setting.op)).arg(setting.dense);
    return ValidationView::tr("%1 (%2)").arg(op, matrices_text(source.workloads));
}

bool is_simulated(const MachineRecord& machine) {
    const auto description = description_of(machine);
    return description && description->source == MachineSource::Simulated;
}

} // namespace

ValidationView::ValidationView(Services services, QWidget* parent)
    : MachineStudy(parent)
    , services_(services)
    , study_(services)
    , choice_(new QComboBox(this))
    , which_(new QComboBox(this))
    , fields_(nullptr)
    , progress_(nullptr)
    , bar_(new QProgressBar(this))
    , step_(new QLabel(this))
    , finding_(new QLabel(this))
    , remark_(new QLabel(this))
    , stack_(new QStackedWidget(this))
    , results_(new ValidationResults(this))
    , empty_(new EmptyState(this)) {
    build_empty();
    build();
    connect(&study_, &ValidationStudy::changed, this, &ValidationView::show_study);
    connect(&study_, &ValidationStudy::progressed, this, &ValidationView::show_progress);
    connect(&services_.selection, &Selection::changed, results_,
            [this](const Selected& now) { results_->select(now.workload); });
    connect(results_, &ValidationResults::picked, this, [this](const QString& matrix) {
        if (!matrix.isEmpty())
            services_.selection.select_workload(matrix);
    });
    connect(choice_, &QComboBox::currentIndexChanged, this, [this] {
        Q_EMIT measurements_chosen();
        look();
    });
    connect(which_, &QComboBox::currentIndexChanged, this, &ValidationView::look);
    show_study();
}

void ValidationView::build() {
    setObjectName(QStringLiteral("validation"));
    keep_font(*finding_, title_font);
    finding_->setWordWrap(true);
    finding_->setObjectName(QStringLiteral("validation-finding"));
    keep_font(*remark_, caption_font);
    remark_->setWordWrap(true);
    remark_->setForegroundRole(QPalette::PlaceholderText);
    remark_->setObjectName(QStringLiteral("validation-remark"));
    auto* const results = new QWidget(this);
    auto* const lines = new QVBoxLayout(results);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(grid_step / 2);
    lines->addWidget(finding_);
    lines->addWidget(remark_);
    lines->addWidget(results_, 1);
    stack_->addWidget(results);
    stack_->addWidget(empty_);
    auto* const scroll = new QScrollArea(this); // either needs more than a low window has
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setMinimumHeight(6 * fontMetrics().height());
    scroll->setWidget(stack_);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->setSpacing(grid_step / 2);
    fields_ = build_fields();
    column->addWidget(fields_);
    progress_ = build_progress();
    column->addWidget(progress_);
    column->addWidget(scroll, 1);
}

QWidget* ValidationView::build_fields() {
    choice_->setObjectName(QStringLiteral("validated-measurements"));
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    which_->setObjectName(QStringLiteral("validated-matrices"));
    which_->addItem(QString(), true);
    say_what_is_kept_back();
    which_->addItem(tr("all that have times"), false);
    auto* const fields = new QWidget(this);
    auto* const row = new FlowLayout(fields);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(grid_step);
    const auto add = [&](const QString& caption, QComboBox* field, const QString& tip) {
        auto* const label = new QLabel(caption, fields);
        label->setBuddy(field);
        label->setToolTip(tip);
        field->setToolTip(tip);
        field->setAccessibleName(QString(caption).remove(u'&'));
        auto* const named = new QWidget(fields); // a caption wraps with its field
        auto* const both = new QHBoxLayout(named);
        both->setContentsMargins(0, 0, 0, 0);
        both->addWidget(label);
        both->addWidget(field);
        row->addWidget(named);
    };
    add(tr("Tim&es"), choice_,
        tr("Times of this machine: the simulation is compared with them, and a calibration fits it to them"));
    add(tr("Matr&ices"), which_,
        tr("Only matrices that the calibration has not seen show how accurate the simulation is"));
    auto* const info = new InfoButton(tr("What these figures say, and how to read the pictures"),
                                      QStringLiteral("machines#how-accurate-the-simulation-is"), this);
    connect(info, &InfoButton::help_requested, this, &ValidationView::help_requested);
    row->addWidget(info);
    return fields;
}

QWidget* ValidationView::build_progress() {
    auto* const line = new QWidget(this);
    auto* const row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    bar_->setTextVisible(false);
    bar_->setMaximumHeight(grid_step);
    auto* const cancel = new QPushButton(icon(QStringLiteral("stop")), tr("&Cancel"), line);
    cancel->setObjectName(QStringLiteral("stop-validation"));
    connect(cancel, &QPushButton::clicked, &study_, &ValidationStudy::stop);
    row->addWidget(bar_, 1);
    row->addWidget(step_, 1);
    row->addWidget(cancel);
    return line;
}

void ValidationView::build_empty() {
    empty_->set_icon(icon(QStringLiteral("machines")));
    go_measuring_ = empty_->add_button(tr("&Measure schedules"), icon_on_accent(QStringLiteral("measure")));
    go_measuring_->setObjectName(QStringLiteral("validation-go-measuring"));
    compute_ = empty_->add_button(tr("&Compute"), icon(QStringLiteral("refresh")));
    compute_->setObjectName(QStringLiteral("compute-validation"));
    look_at_all_ = empty_->add_button(tr("&Look at all matrices"));
    look_at_all_->setObjectName(QStringLiteral("validate-all"));
    connect(go_measuring_, &QPushButton::clicked, this,
            [this] { services_.selection.select_page(QStringLiteral("schedules")); });
    connect(compute_, &QPushButton::clicked, &study_, &ValidationStudy::compute);
    connect(look_at_all_, &QPushButton::clicked, this,
            [this] { which_->setCurrentIndex(which_->findData(false)); });
}

void ValidationView::show_machine(const std::optional<MachineRecord>& machine,
                                  const std::vector<LearningSource>& measurements) {
    machine_ = machine;
    fill_measurements(measurements);
    const auto description = machine ? description_of(*machine) : std::nullopt;
    results_->set_recorded(machine_ && is_recording(machine_->fingerprint));
    results_->show_parameters(description ? fitted_rows(*description) : std::vector<FittedRow>());
    look();
    show_study();
}

void ValidationView::fill_measurements(const std::vector<LearningSource>& measurements) {
    if (measurements == known_)
        return;
    const auto chosen = this->measurements();
    known_ = measurements;
    const QSignalBlocker quiet(choice_);
    choice_->clear();
    for (const LearningSource& source : known_) {
        choice_->addItem(words_of(source));
        if (chosen && source.setting == chosen->setting)
            choice_->setCurrentIndex(choice_->count() - 1);
    }
}

std::optional<LearningSource> ValidationView::measurements() const {
    const int at = choice_->currentIndex();
    const bool is_known = at >= 0 && static_cast<std::size_t>(at) < known_.size();
    return is_known ? std::optional(known_[static_cast<std::size_t>(at)]) : std::nullopt;
}

/// What is not seen is not computed.
void ValidationView::look() {
    const auto source = measurements();
    if (!machine_ || !source || is_simulated(*machine_) || !services_.session.is_open())
        return study_.look_at({});
    const SparseSetting setting = sparse_setting(source->setting);
    if (isVisible())
        study_.look_at(ValidationSubject{services_.session.path(), fingerprint_of(*machine_),
                                         machine_->description, setting.op, setting.dense,
                                         source->measurements, which_->currentData().toBool()});
}

void ValidationView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    look();
}

void ValidationView::show_study() {
    progress_->setVisible(study_.is_busy());
    show_progress();
    const auto validation = study_.validation();
    if (validation != shown_) {
        shown_ = validation;
        results_->show_validation(shown_);
        results_->select(services_.selection.current().workload);
        finding_->setText(shown_ ? validation_finding(*shown_) : QString());
    }
    say_what_is_kept_back();
    remark_->setText(shown_ ? remark() : QString());
    const bool has_fields = machine_ && !is_simulated(*machine_) && !known_.empty();
    fields_->setVisible(has_fields);
    stack_->setCurrentWidget(shown_ ? stack_->widget(0) : static_cast<QWidget*>(empty_));
    if (!shown_)
        show_empty();
}

/// Of few matrices nothing was, and then all are shown whichever is chosen.
void ValidationView::say_what_is_kept_back() {
    const bool none = shown_ && shown_->all_were_fitted;
    which_->setItemText(which_->findData(true), none ? tr("none was kept back: all that were fitted")
                                                     : tr("kept back from calibrations"));
}

/// Under figures, which may be older than what was measured.
QString ValidationView::remark() const {
    const QString of_figures = validation_remark(*shown_, which_->currentData().toBool());
    if (study_.state() != ValidationStudy::State::Waiting)
        return of_figures;
    return tr("These are earlier figures: a measurement is running, and they are computed anew when it has "
              "ended.") +
           u' ' + of_figures;
}

void ValidationView::show_progress() {
    const JobProgress progress = study_.progress();
    sparsight::show_progress(*bar_, progress);
    step_->setText(progress.total > 0 ? QStringLiteral("%1: %2").arg(progress.what, progress_text(progress))
                                      : progress.what);
}

void ValidationView::show_empty() {
    const auto say = [this](const QString& title, const QString& text,
                            std::initializer_list<QPushButton*> offered) {
        empty_->set_title(title);
        empty_->set_text(text);
        for (QPushButton* const button : {go_measuring_, compute_, look_at_all_})
            button->setVisible(std::ranges::count(offered, button) > 0);
    };
    if (machine_ && is_simulated(*machine_))
        return say(tr("Nothing to hold it against"),
                   tr("The numbers of this machine were chosen, and no such machine was measured. Real "
                      "machines are validated and calibrated here."),
                   {});
    if (known_.empty() || study_.state() == ValidationStudy::State::Nothing)
        return say(tr("Nothing was measured on this machine"),
                   tr("Measure schedules on several matrices, or import runtimes with their matrices. This "
                      "page then compares the simulation with them, and Calibrate fits it to them."),
                   {go_measuring_});
    switch (study_.state()) {
    case ValidationStudy::State::Waiting:
        return say(tr("A measurement is running"),
                   tr("What computes beside it would spoil it: this is computed when it has ended."), {});
    case ValidationStudy::State::Stopped:
        return say(tr("Stopped"), tr("Computing it looks at every schedule that was measured."), {compute_});
    case ValidationStudy::State::Failed:
        return which_->currentData().toBool() ? say(tr("Nothing to compare"), study_.reason(), {look_at_all_})
                                              : say(tr("Nothing to compare"), study_.reason(), {compute_});
    default:
        return say(tr("Simulating what was measured"),
                   tr("Every schedule that was measured is looked at, and simulated as this machine would "
                      "run it."),
                   {});
    }
}

QByteArray ValidationView::layout_state() const {
    return results_->layout_state();
}

void ValidationView::restore_layout(const QByteArray& layout) {
    results_->restore_layout(layout);
}

} // namespace sparsight
