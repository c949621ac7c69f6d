#include "gui/failures/mechanism_section.h"

#include "gui/failures/case_study.h"
#include "widgets/chart/stacked_bars.h"
#include "widgets/table/data_table.h"

#include <QToolButton>

namespace sparsight {

namespace {

constexpr int bars_height = 130;
constexpr int table_height = 420; ///< all rows of a measured pair

} // namespace

MechanismSection::MechanismSection(QWidget* parent)
    : CaseSection(tr("By what mechanism"), tr("Mechanism"), parent)
    , bars_(new StackedBars(this))
    , all_(new QToolButton(this))
    , terms_(new DataTable(this)) {
    sentence_ = add_text("mechanism-sentence");
    bars_->setFixedHeight(bars_height);
    bars_->setAccessibleName(tr("Both simulated times"));
    column().addWidget(bars_);
    machine_ = add_remark("mechanism-machine");
    all_->setObjectName(QStringLiteral("all-terms"));
    all_->setText(tr("All terms as a table"));
    all_->setToolTip(tr("Every part of both times, what is stored, and what the processor counted"));
    all_->setCheckable(true);
    all_->setAutoRaise(true);
    column().addWidget(all_, 0, Qt::AlignLeft);
    terms_->set_model(&rows_);
    terms_->setAccessibleName(tr("Parts of both times"));
    terms_->setFixedHeight(table_height);
    terms_->hide();
    column().addWidget(terms_);
    connect(all_, &QToolButton::toggled, terms_, &QWidget::setVisible);
}

void MechanismSection::show_study(const CaseStudy& study) {
    const ShownExplanation* const shown = study.shown();
    bars_->setVisible(shown != nullptr);
    all_->setVisible(shown != nullptr);
    terms_->setVisible(shown != nullptr && all_->isChecked());
    rows_.set_rows(shown != nullptr ? term_rows(*shown) : std::vector<TermRow>{});
    if (shown == nullptr) {
        set_text(*sentence_, study.is_busy() ? tr("Simulating …") : study.no_explanation());
        return set_text(*machine_, {});
    }
    set_text(*sentence_, !study.disagreement() ? mechanism_sentence(*shown, study.titles())
                         : shown->is_measured  ? study.disagreement_text()
                                               : tr("The simulator does not see what was lost: the parts of "
                                                     "its times say little here."));
    bars_->set_picture(terms_picture(*shown, study.titles()), true);
    QString machine;
    if (const PairStudy* const simulated = study.simulated())
        machine = simulated->machine_stands_in
                      ? tr("Simulated on this computer: of %1 no more than the name is known.")
                            .arg(study.setting().machine_name)
                      : tr("Simulated on %1.").arg(simulated->machine);
    if (shown->is_measured && !shown->no_counters.isEmpty())
        machine += u' ' + tr("Counters of the processor: %1.").arg(shown->no_counters);
    set_text(*machine_, machine.trimmed());
}

} // namespace sparsight
