#include "gui/domains/sparse/failures/cases/case_sections.h"

#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/comparison/steps_fold.h"
#include "gui/domains/sparse/failures/cases/case_study.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/failures/blame_picture.h"
#include "gui/failures/failure_lists.h"
#include "gui/icons/icon.h"
#include "gui/jobs/views/job_progress_line.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/schedule/code/schedule_comparison.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sparsight {

namespace {

constexpr int one_step_height = 280;

} // namespace

DecisionSection::DecisionSection(Services services, QWidget* parent)
    : CaseSection(tr("Which decision lost it"), tr("Decision"), parent)
    , basis_(new Chip({}, this))
    , measure_(new QPushButton(icon(QStringLiteral("measure")), tr("&Measure it"), this))
    , progress_(new JobProgressLine(services.jobs, this))
    , waterfall_(new WaterfallChart(this))
    , fold_(new StepsFold(waterfall_, this))
    , one_step_(new CodeComparison(this)) {
    sentence_ = add_text("blame-sentence");
    auto* const line = new FlowLayout; // a long name of a machine must not widen the column
    line->setSpacing(grid_step);
    line->set_level();
    line->addWidget(basis_);
    line->addWidget(measure_);
    measure_->setObjectName(QStringLiteral("measure-blame"));
    column().addLayout(line);
    column().addWidget(progress_);
    fold_->setObjectName(QStringLiteral("fold-blame"));
    column().addWidget(fold_);
    waterfall_->setObjectName(QStringLiteral("blame-waterfall"));
    waterfall_->set_empty_text(tr("Simulating the schedules between both …"));
    column().addWidget(waterfall_);
    method_ = add_remark("blame-method");
    step_title_ = add_text("one-step-title");
    one_step_->setObjectName(QStringLiteral("one-step"));
    one_step_->setFixedHeight(one_step_height);
    one_step_->hide();
    column().addWidget(one_step_);
    connect(measure_, &QPushButton::clicked, this, &DecisionSection::measure_requested);
    connect(waterfall_, &WaterfallChart::picked, this, [this] {
        if (study_ != nullptr)
            show_one_step(*study_);
    });
}

void DecisionSection::show_study(const CaseStudy& study) {
    study_ = &study;
    const FailureCase* const failure = study.failure();
    if (failure == nullptr)
        return;
    const QString shown_case = key_of(*failure);
    if (std::exchange(shown_case_, shown_case) != shown_case) {
        waterfall_->set_selected({});
        fold_->setChecked(false);
    }
    const QString refusal = study.measuring_refusal();
    measure_->setEnabled(refusal.isEmpty());
    measure_->setToolTip(refusal.isEmpty() ? tr("Runs the schedules between both on this computer, for about "
                                                "a quarter of a minute, and keeps their times")
                                           : refusal);
    measure_->setVisible(study.subject().has_value());
    measure_->setText(is_contradicted(study) ? tr("&Measure the steps between") : tr("&Measure it"));
    progress_->show_job(study.measuring());
    const ExplanationValues* const shown = study.shown();
    if (shown == nullptr) {
        show_table_blame(study);
    } else {
        set_text(*sentence_, is_contradicted(study) ? study.disagreement_text() + u' ' +
                                                          tr("Only measuring tells which decision lost it.")
                                                    : blame_sentence(*shown) + study.distance_text());
        basis_->setText(shown->is_measured ? tr("measured here")
                                           : tr("simulated on %1").arg(study.simulated()->machine));
        basis_->set_hatched(!shown->is_measured);
        basis_->show();
        // Of one program there is nothing to share out.
        const bool has_steps = !shown->steps.empty() && !shown->is_same_program;
        waterfall_->set_picture(has_steps ? waterfall_picture(*shown, study.titles()) : WaterfallPicture{});
        fold_->show_picture(is_contradicted(study));
        QStringList method;
        if (has_steps && !is_contradicted(study))
            method << blame_method(*shown)
                   << tr("A bar shows the schedule with this decision alone changed.");
        const FailureSign& sign = failure->main();
        if (!shown->is_measured && study.setting().source != TimeSource::Simulated)
            method.prepend(
                (study.setting().source == TimeSource::Measured ? tr("Simulated; measured were %1 and %2.")
                                                                : tr("Simulated; recorded were %1 and %2."))
                    .arg(duration_text(sign.against.milliseconds), duration_text(sign.chosen.milliseconds)));
        else if (shown->is_measured && study.setting().source == TimeSource::Measured)
            method.prepend(
                tr("Measured for this explanation; in the evaluation they took %1 and %2.")
                    .arg(duration_text(sign.against.milliseconds), duration_text(sign.chosen.milliseconds)));
        if (sign.chosen.raw_ms)
            method << tr("The evaluation’s time is from turns that did not choose the schedule. The raw time "
                         "of its own turns was %1.")
                          .arg(duration_text(*sign.chosen.raw_ms));
        set_text(*method_, method.join(u' '));
    }
    show_one_step(study);
}

void DecisionSection::show_table_blame(const CaseStudy& study) {
    const FailureCase& failure = *study.failure();
    const bool is_from_table = failure.diagnosis && !study.is_busy();
    const QString reason = failure.undiagnosed.empty() || study.setting().table.isEmpty()
                               ? study.no_explanation()
                               : tr("Not explained: %1.").arg(QString::fromStdString(failure.undiagnosed));
    set_text(*sentence_, is_from_table || study.is_busy() ? QString() : reason);
    basis_->setVisible(is_from_table);
    fold_->hide();
    waterfall_->show();
    waterfall_->set_picture(is_from_table ? blame_picture(failure, failure_words(),
                                                          {against_key(), study.titles().against},
                                                          {schedule_key(), study.titles().schedule})
                                          : WaterfallPicture{});
    waterfall_->set_empty_text(study.is_busy() ? tr("Simulating the schedules between both …")
                                               : tr("No decision can be blamed without its pattern."));
    if (!is_from_table)
        return set_text(*method_, {});
    basis_->setText(basis_text(failure.diagnosis->basis));
    basis_->set_hatched(true);
    set_text(*method_, failure.diagnosis->basis == DiagnosisBasis::Statistics
                           ? tr("The pattern is missing, so this is what the same decisions go along with "
                                "over the whole table. That is no experiment. %1")
                                 .arg(study.no_study())
                           : QString());
}

/// The steps stay folded then.
bool DecisionSection::is_contradicted(const CaseStudy& study) {
    const ExplanationValues* const shown = study.shown();
    return shown != nullptr && !shown->is_measured && !shown->is_same_program &&
           study.disagreement().has_value();
}

void DecisionSection::show_one_step(const CaseStudy& study) {
    const ExplanationValues* const shown = study.shown();
    const QString selected = waterfall_->selected();
    QString text;
    QString schedule;
    if (shown != nullptr && selected == schedule_key()) {
        schedule = shown->schedule.schedule;
        text = tr("All decisions changed: %1").arg(time_text(shown->schedule, shown->is_measured));
    } else if (shown != nullptr && selected == against_key()) {
        schedule = shown->against.schedule;
        text = tr("No decision changed: %1").arg(time_text(shown->against, shown->is_measured));
    } else if (shown != nullptr) {
        const auto step = std::ranges::find(shown->steps, selected, &StepValues::decision);
        if (step != shown->steps.end()) {
            schedule = step->alone;
            text = tr("%1 as %2, nothing else changed: %3")
                       .arg(decision_name(step->decision), decision_value(step->after),
                            step->alone_ms ? duration_text(*step->alone_ms) : tr("can’t be built"));
        }
    }
    const QString code = study.code_of(schedule);
    set_text(*step_title_, code.isEmpty() ? QString() : text);
    one_step_->setVisible(!code.isEmpty());
    if (!code.isEmpty())
        one_step_->set_codes(study.code_of(shown->against.schedule), code);
}

} // namespace sparsight
