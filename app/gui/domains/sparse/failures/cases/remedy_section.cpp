#include "gui/domains/sparse/failures/cases/case_sections.h"

#include "gui/domains/sparse/failures/cases/case_study.h"
#include "gui/domains/sparse/failures/tuning/before_after_view.h"
#include "gui/domains/sparse/failures/tuning/tuning_comparison.h"
#include "gui/domains/sparse/failures/tuning/tuning_plan.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_texts.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/theme.h"

#include <QPushButton>

namespace sparsight {

namespace {

/// Those that change least stand first; more are not read.
constexpr qsizetype most_told = 3;

QString bulleted(const QString& title, const QStringList& sentences) {
    if (sentences.isEmpty())
        return {};
    QStringList lines{title};
    for (const QString& sentence : sentences.first(std::min(most_told, sentences.size())))
        lines << QStringLiteral("• ") + sentence;
    return lines.join(u'\n');
}

} // namespace

RemedySection::RemedySection(Services services, TuningPlan& plan, QWidget* parent)
    : CaseSection(tr("What would fix it"), tr("Remedy"), parent)
    , services_(services)
    , plan_(plan)
    , calibrate_(new QPushButton(icon(QStringLiteral("machines")),
                                 tr("Ca&librate the simulation of its machine"), this))
    , add_(new QPushButton(icon(QStringLiteral("add")), tr("&Add these measurements to the next fine-tuning"),
                           this))
    , tune_(new QPushButton(icon(QStringLiteral("fine-tune")), tr("&Re-run fine-tuning with them"), this))
    , clear_(new QPushButton(tr("C&lear"), this))
    , compare_(new QPushButton(icon(QStringLiteral("compare")), tr("Compare &both again"), this))
    , progress_(new JobProgressLine(services.jobs, this)) {
    schedule_ = add_text("schedule-change");
    others_ = add_text("other-changes");
    contradiction_ = add_text("simulation-contradicts");
    calibrate_->setObjectName(QStringLiteral("calibrate-machine"));
    calibrate_->setToolTip(tr("Opens the Machines page, where the simulation is fitted to measurements"));
    column().addWidget(calibrate_, 0, Qt::AlignLeft);
    auto* const flow = new FlowLayout;
    flow->setSpacing(grid_step);
    add_->setObjectName(QStringLiteral("add-measurements"));
    tune_->setObjectName(QStringLiteral("tune-again"));
    clear_->setObjectName(QStringLiteral("clear-tuning"));
    compare_->setObjectName(QStringLiteral("compare-again"));
    compare_->setToolTip(tr("Evaluates both models on what neither has learned from"));
    for (QPushButton* const button : {add_, tune_, clear_, compare_})
        flow->addWidget(button);
    column().addLayout(flow);
    waiting_ = add_remark("waiting-for-tuning");
    column().addWidget(progress_);
    outcome_ = add_text("tuning-outcome");
    before_after_ = new BeforeAfterView(this);
    column().addWidget(before_after_);
    comparison_ = add_text("before-after");
    connect(calibrate_, &QPushButton::clicked, this, &RemedySection::show_calibration);
    connect(add_, &QPushButton::clicked, this, [this] {
        if (study_ != nullptr)
            plan_.add(*study_);
    });
    connect(tune_, &QPushButton::clicked, &plan_, &TuningPlan::fine_tune);
    connect(clear_, &QPushButton::clicked, &plan_, &TuningPlan::clear);
    connect(compare_, &QPushButton::clicked, &plan_, &TuningPlan::compare);
    connect(&plan_, &TuningPlan::changed, this, [this] {
        if (study_ != nullptr)
            show_plan(*study_);
    });
}

void RemedySection::show_study(const CaseStudy& study) {
    study_ = &study;
    show_changes(study);
    show_contradiction(study);
    show_plan(study);
}

void RemedySection::show_changes(const CaseStudy& study) {
    const ExplanationValues* const shown = study.shown();
    if (shown == nullptr) {
        set_text(*schedule_, study.is_busy() ? tr("Looking for the least change …") : study.no_explanation());
        return set_text(*others_, {});
    }
    if (study.disagreement() ||
        !shown->simulation_agrees) { // what the simulator would change is of another case than this one
        set_text(*schedule_,
                 shown->is_measured ? schedule_change_sentence(*shown, study.titles()) : QString());
        return set_text(*others_, {});
    }
    set_text(*schedule_, schedule_change_sentence(*shown, study.titles()));
    QStringList others{
        bulleted(tr("Machines on which it would win (simulated):"), machine_change_sentences(*shown)),
        bulleted(tr("Patterns on which it would win (simulated):"), pattern_change_sentences(*shown)),
        losing_pattern_sentence(*shown)};
    others.removeAll(QString());
    set_text(*others_, others.isEmpty()
                           ? tr("No single change of the machine or of the pattern makes it win (simulated).")
                           : others.join(QStringLiteral("\n\n")));
}

void RemedySection::show_contradiction(const CaseStudy& study) {
    const bool is_contradicted = study.disagreement().has_value();
    const bool has_machine =
        services_.session.machine(study.setting().machine) != nullptr && study.setting().table.isEmpty();
    set_text(*contradiction_,
             !is_contradicted ? QString()
             : has_machine
                 ? tr("%1 and the simulator disagree, so a fix suggested by the simulation cannot be "
                      "trusted. Calibrate the simulator to what was measured, or measure the "
                      "schedules between both.")
                       .arg(study.clock_name())
                 : tr("%1 and the simulator disagree, so a fix suggested by the simulation cannot be "
                      "trusted.")
                       .arg(study.clock_name()));
    calibrate_->setVisible(is_contradicted && has_machine);
}

void RemedySection::show_calibration() {
    if (study_ == nullptr)
        return;
    Selected target = services_.selection.current();
    target.machine = study_->setting().machine;
    target.page = QStringLiteral("machines");
    services_.selection.select(target);
}

void RemedySection::show_plan(const CaseStudy& study) {
    const QString adding = plan_.adding_refusal(study);
    add_->setEnabled(adding.isEmpty());
    add_->setToolTip(
        adding.isEmpty()
            ? tr("Makes it a training matrix, no longer held out. This computer measures both schedules and "
                 "those between them, then those that a search by measured times finds")
            : adding);
    const QString tuning = plan_.tuning_refusal();
    tune_->setEnabled(tuning.isEmpty());
    tune_->setToolTip(tuning.isEmpty()
                          ? tr("Makes a new model from %1 and compares both on held-out matrices "
                               "that neither has learned from")
                                .arg(plan_.model())
                          : tuning);
    const TuningState& state = plan_.state();
    const QString clearing = plan_.clearing_refusal();
    clear_->setVisible(!state.matrices.isEmpty());
    clear_->setEnabled(clearing.isEmpty());
    clear_->setToolTip(clearing.isEmpty()
                           ? tr("Takes all matrices out of the next fine-tuning; their measurements stay")
                           : clearing);
    const bool lacks_comparison = state.is_made && !state.comparing && !state.comparison;
    compare_->setVisible(lacks_comparison);
    compare_->setEnabled(plan_.comparing_refusal().isEmpty());
    set_text(*waiting_, waiting_text());
    progress_->show_job(plan_.job());
    set_text(*outcome_, state.outcome.isEmpty() || state.tuned.isEmpty()
                            ? state.outcome
                            : QStringLiteral("%1: %2").arg(state.tuned, state.outcome));
    before_after_->show_outcomes(
        state, study.failure() != nullptr ? QString::fromStdString(study.failure()->workload) : QString());
    set_text(*comparison_, state.comparison ? comparison_text(state, *state.comparison) : QString());
}

/// What was added leaves what is held out, and what remains to compare on.
QString RemedySection::waiting_text() const {
    const TuningState& state = plan_.state();
    if (state.matrices.isEmpty())
        return {};
    const HeldOutMatrices held_out = plan_.held_out();
    const QString added = tr("%1 for the next fine-tuning of %2: %3.")
                              .arg(matrices_text(state.matrices.size()), plan_.model(),
                                   state.matrices.join(QStringLiteral(", ")));
    const QString rest = held_out.family.isEmpty()
                             ? tr("No other held-out matrix is of this family (%1). Before and after can be "
                                  "compared only on %2 of other families.")
                                   .arg(families_text(state.families), matrices_text(held_out.all.size()))
                             : tr("These are training matrices now. Before and after are compared on the %1 "
                                  "that stay held out, %2 of the same family (%3).")
                                   .arg(matrices_text(held_out.all.size()))
                                   .arg(held_out.family.size())
                                   .arg(families_text(state.families));
    return added + u' ' + rest;
}

} // namespace sparsight
