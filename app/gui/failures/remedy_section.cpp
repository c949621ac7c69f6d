#include "gui/failures/remedy_section.h"

#include "gui/failures/case_study.h"
#include "gui/failures/tuning_plan.h"
#include "gui/icons/icon.h"
#include "gui/jobs/counted_text.h"
#include "gui/jobs/job_progress_line.h"
#include "widgets/look/flow_layout.h"
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
    , plan_(plan)
    , add_(new QPushButton(icon(QStringLiteral("add")), tr("&Add these measurements to the next fine-tuning"),
                           this))
    , tune_(new QPushButton(icon(QStringLiteral("fine-tune")), tr("&Fine-tune again with them"), this))
    , clear_(new QPushButton(tr("C&lear"), this))
    , progress_(new JobProgressLine(services.jobs, this)) {
    schedule_ = add_text("schedule-change");
    others_ = add_text("other-changes");
    auto* const flow = new FlowLayout;
    flow->setSpacing(grid_step);
    add_->setObjectName(QStringLiteral("add-measurements"));
    tune_->setObjectName(QStringLiteral("tune-again"));
    clear_->setObjectName(QStringLiteral("clear-tuning"));
    clear_->setToolTip(tr("Takes all matrices out of the next fine-tuning; their measurements stay"));
    for (QPushButton* const button : {add_, tune_, clear_})
        flow->addWidget(button);
    column().addLayout(flow);
    waiting_ = add_remark("waiting-for-tuning");
    column().addWidget(progress_);
    outcome_ = add_text("tuning-outcome");
    comparison_ = add_text("before-after");
    connect(add_, &QPushButton::clicked, this, [this] {
        if (study_ != nullptr)
            plan_.add(*study_);
    });
    connect(tune_, &QPushButton::clicked, &plan_, &TuningPlan::fine_tune);
    connect(clear_, &QPushButton::clicked, &plan_, &TuningPlan::clear);
    connect(&plan_, &TuningPlan::changed, this, [this] {
        if (study_ != nullptr)
            show_plan(*study_);
    });
}

void RemedySection::show_study(const CaseStudy& study) {
    study_ = &study;
    const ShownExplanation* const shown = study.shown();
    if (shown != nullptr) {
        set_text(*schedule_, schedule_change_sentence(*shown, study.titles()));
        QStringList others{
            bulleted(tr("On another machine it would win (simulated):"), machine_change_sentences(*shown)),
            bulleted(tr("On another pattern it would win (simulated):"), pattern_change_sentences(*shown))};
        others.removeAll(QString());
        set_text(*others_, others.isEmpty() && shown->simulation_agrees
                               ? tr("No single change of the machine or of the pattern makes it win.")
                               : others.join(QStringLiteral("\n\n")));
    } else {
        set_text(*schedule_, study.is_busy() ? tr("Looking for the least change …") : study.no_explanation());
        set_text(*others_, {});
    }
    show_plan(study);
}

void RemedySection::show_plan(const CaseStudy& study) {
    const QString adding = plan_.adding_refusal(study);
    add_->setEnabled(adding.isEmpty());
    add_->setToolTip(adding.isEmpty() ? tr("The model will learn from this matrix; on this computer both "
                                           "schedules and what lies between them are measured first")
                                      : adding);
    const QString tuning = plan_.tuning_refusal();
    tune_->setEnabled(tuning.isEmpty());
    tune_->setToolTip(
        tuning.isEmpty()
            ? tr("Makes a new model from %1 and compares both on the same matrices").arg(plan_.model())
            : tuning);
    clear_->setVisible(!plan_.matrices().isEmpty());
    set_text(*waiting_, plan_.matrices().isEmpty()
                            ? QString()
                            : tr("%1 for the next fine-tuning of %2: %3")
                                  .arg(matrices_text(plan_.matrices().size()), plan_.model(),
                                       plan_.matrices().join(QStringLiteral(", "))));
    progress_->show_job(plan_.job());
    set_text(*outcome_, plan_.outcome().isEmpty() || plan_.tuned_model().isEmpty()
                            ? plan_.outcome()
                            : QStringLiteral("%1: %2").arg(plan_.tuned_model(), plan_.outcome()));
}

void RemedySection::show_comparison(const QString& text) {
    set_text(*comparison_, text);
}

} // namespace sparsight
