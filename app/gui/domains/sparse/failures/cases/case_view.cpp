#include "gui/domains/sparse/failures/cases/case_view.h"

#include "gui/domains/sparse/failures/cases/case_sections.h"
#include "gui/domains/sparse/failures/cases/case_study.h"
#include "gui/domains/sparse/failures/cases/reasons_section.h"
#include "gui/domains/sparse/failures/failure_words.h"
#include "gui/domains/sparse/failures/tuning/tuning_plan.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/failures/failure_lists.h"
#include "gui/jobs/job_texts.h"
#include "gui/page/domain_words.h"
#include "gui/selection/model_chip.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/look/card.h"
#include "widgets/look/form_layout.h"
#include "widgets/look/link_label.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <array>

namespace sparsight {

namespace {

/// In the order of the sections: lessons point at them.
constexpr std::array card_names{"case-outcome", "case-decision", "case-mechanism", "case-reasons",
                                "case-remedy"};

} // namespace

CaseView::CaseView(Services services, CaseStudy& study, TuningPlan& plan, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , study_(study)
    , headline_(new QLabel(this))
    , facts_(new QLabel(this))
    , newer_(new QLabel(this))
    , other_model_(new ModelChip(services.selection, this))
    , scroll_(new QScrollArea(this))
    , happened_(new OutcomeSection(this))
    , decision_(new DecisionSection(services, this))
    , mechanism_(new MechanismSection(this))
    , reasons_(new ReasonsSection(services, this))
    , remedy_(new RemedySection(services, plan, this))
    , sections_{happened_, decision_, mechanism_, reasons_, remedy_} {
    build();
    connect(&study_, &CaseStudy::changed, this, &CaseView::show_study);
    connect(decision_, &DecisionSection::measure_requested, &study_, &CaseStudy::measure);
    connect(reasons_, &ReasonsSection::ask_requested, &study_, &CaseStudy::ask_model);
}

void CaseView::build() {
    keep_font(*headline_, title_font);
    headline_->setObjectName(QStringLiteral("case-headline"));
    headline_->setWordWrap(true);
    headline_->setTextFormat(Qt::RichText);
    keep_font(*facts_, caption_font);
    facts_->setObjectName(QStringLiteral("case-facts"));
    facts_->setWordWrap(true);
    facts_->setForegroundRole(QPalette::PlaceholderText);
    headline_->setToolTip(
        tr("These times come from this evaluation, which times schedules in turns where it measures them. "
           "Other times differ: the selection shows collected ones, the decisions show those of the "
           "explanation. Before and after show the evaluation of both models."));
    newer_->setObjectName(QStringLiteral("case-newer"));
    newer_->setWordWrap(true);
    newer_->setTextFormat(Qt::RichText);
    reach_links_by_keyboard(*newer_);
    newer_->hide();
    other_model_->setObjectName(QStringLiteral("case-other-model"));
    connect(&services_.selection, &Selection::changed, this, &CaseView::show_other_model);
    connect(newer_, &QLabel::linkActivated, &study_, &CaseStudy::take_newer);
    auto* const questions = new FlowLayout;
    questions->setSpacing(grid_step / 2);
    auto* const inside = new QWidget(scroll_);
    auto* const parts = new QVBoxLayout(inside);
    parts->setContentsMargins(0, 0, grid_step, 0);
    parts->setSpacing(grid_step);
    for (std::size_t at = 0; at < sections_.size(); ++at) {
        CaseSection* const section = sections_[at];
        auto* const card = new Card(QStringLiteral("%1  %2").arg(at + 1).arg(section->question()), inside);
        card->set_content(section);
        card->setObjectName(QLatin1String(card_names[at]));
        parts->addWidget(card);
        auto* const button = new QToolButton(this);
        button->setText(QStringLiteral("%1  %2").arg(at + 1).arg(section->caption()));
        button->setToolTip(section->question());
        button->setAutoRaise(true);
        connect(button, &QToolButton::clicked, this, [this, at] { show_section(at); });
        questions->addWidget(button);
    }
    parts->addStretch(1);
    scroll_->setWidget(inside);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(grid_step / 2);
    column->addWidget(headline_);
    column->addWidget(facts_);
    column->addWidget(other_model_);
    column->addWidget(newer_);
    column->addLayout(questions);
    column->addWidget(scroll_, 1);
}

void CaseView::show_section(std::size_t section) {
    const QWidget* const card = sections_[section]->parentWidget();
    scroll_->verticalScrollBar()->setValue(card->mapTo(scroll_->widget(), QPoint(0, 0)).y());
}

void CaseView::show_study() {
    const FailureCase* const failure = study_.failure();
    if (failure == nullptr)
        return;
    const FailureSign& sign = failure->main();
    // A user who runs the fastest of all that were chosen loses nothing by a wrong order of these.
    const QString sentence =
        costs_time(sign.kind)
            ? tr("The schedule that %2 chose on <b>%1</b> <span style='color:%3'>%4</span>: %5 against %6.")
            : tr("The schedule that %2 ranked first on <b>%1</b> <span style='color:%3'>%4</span>: %5 "
                 "against "
                 "%6. This costs nothing, as the better one was chosen, too.");
    headline_->setText(with_whole_numbers(
        sentence.arg(QString::fromStdString(failure->workload).toHtmlEscaped(),
                     QString::fromStdString(failure->model_name).toHtmlEscaped(), current_theme().lose.name(),
                     takes_longer_text(sign.lost_share(), failure_words().against(sign.held_against)),
                     timed_text(sign.chosen), timed_text(sign.against))));
    QStringList facts{operator_text(study_.setting().op), family_text(pattern_family(failure->family)),
                      significance_text(sign.significance)};
    const auto matrix = find_matrix(services_.session, QString::fromStdString(failure->workload));
    if (!matrix)
        facts << tr("not in this workspace");
    else if (matrix->nnz > 0)
        facts.insert(1,
                     tr("%1 × %2, %3 entries")
                         .arg(count_text(matrix->rows), count_text(matrix->cols), count_text(matrix->nnz)));
    if (failure->line > 0)
        facts << tr("line %1 of the table").arg(failure->line);
    facts_->setText(with_whole_numbers(facts.join(QStringLiteral(" · "))));
    show_newer();
    show_other_model();
    for (CaseSection* const section : sections_)
        section->show_study(study_);
    if (std::exchange(shown_case_, key_of(*failure)) != key_of(*failure))
        scroll_->verticalScrollBar()->setValue(0);
}

/// Of one that the evaluation lacks the page tells.
void CaseView::show_other_model() {
    const FailureCase* const failure = study_.failure();
    const QString selected = services_.selection.current().model;
    if (failure == nullptr || !study_.setting().table.isEmpty() ||
        !study_.setting().models.contains(selected))
        return other_model_->show_models({}, {});
    const QString of = QString::fromStdString(failure->model_name);
    other_model_->show_models({of}, tr("The selected model %1 does not fail on %2: this is the case of %3.")
                                        .arg(selected, QString::fromStdString(failure->workload), of));
}

/// What was measured since may make another pair of it: what was measured of the one before stays in view.
void CaseView::show_newer() {
    const FailureCase* const newer = study_.newer();
    newer_->setVisible(newer != nullptr);
    if (newer == nullptr)
        return;
    const FailureSign& now = newer->main();
    newer_->setText(
        tr("Measured since: it is %1 against %2 of %3 now. What follows was measured and asked of the pair "
           "before. <a href='newer'>Look at the new pair</a>")
            .arg(timed_text(now.chosen), timed_text(now.against), failure_words().against(now.held_against)));
}

} // namespace sparsight
