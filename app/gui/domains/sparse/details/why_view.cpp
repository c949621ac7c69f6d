#include "gui/domains/sparse/details/why_view.h"

#include "domains/sparse/explanation/pages/collection_report.h"
#include "domains/sparse/schedule/text.h"
#include "evaluation/failures/failure_case.h"
#include "gui/domains/sparse/comparison/compare_action.h"
#include "gui/domains/sparse/comparison/steps_fold.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/page/why_column.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/look/number_text.h"

#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

SideTitles titles() {
    return {WhyView::tr("fixed CSR"), WhyView::tr("selected schedule")};
}

/// Nothing is to be explained without a schedule, and of the baseline itself.
std::optional<PairSubject> pair_of(const WhyView::Question& question, int threads) {
    if (question.matrix.isEmpty() || !question.schedule || is_fixed_csr(*question.schedule))
        return std::nullopt;
    return PairSubject{question.matrix,    fixed_csr(question.op, std::max(1, threads)),
                       *question.schedule, dense_index(question.op) ? question.dense : 1,
                       question.machine,   threads};
}

ClockTime time_of(const SideValues& side) {
    return {.milliseconds = side.ms, .spread_ms = side.spread_ms, .is_at_least = side.is_at_least};
}

/// "is 1.82× as fast as fixed CSR", "takes 2.22× as long as fixed CSR"
QString relation_text(double factor, bool is_uncertain) {
    const double apart = std::max(factor, 1 / factor);
    if (is_equally_fast(apart - 1))
        return WhyView::tr("is as fast as fixed CSR");
    const QString times = (is_uncertain ? QStringLiteral("~") : QString()) + speedup_text(apart);
    return factor < 1 ? WhyView::tr("is %1 as fast as fixed CSR").arg(times)
                      : WhyView::tr("takes %1 as long as fixed CSR").arg(times);
}

bool has_steps(const ExplanationValues* shown) {
    return shown != nullptr && !shown->steps.empty() && !shown->is_same_program;
}

} // namespace

WhyView::WhyView(SparseServices services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , explanation_(services)
    , column_(new WhyColumn(this))
    , measure_(new QPushButton(icon(QStringLiteral("measure")), tr("Measure the steps &between"), this))
    , progress_(new JobProgressLine(services.jobs, this))
    , measured_(new WaterfallChart(this))
    , simulated_(new WaterfallChart(this))
    , fold_(new StepsFold(simulated_, this)) {
    build();
    connect(measure_, &QPushButton::clicked, &explanation_, &PairExplanation::measure);
    connect(measure_, &QPushButton::clicked, this, &WhyView::asked_to_measure);
    connect(&explanation_, &PairExplanation::changed, this, &WhyView::show_state);
    connect(&explanation_, &PairExplanation::notice, this, &WhyView::notice);
    connect(&services_.session, &WorkspaceSession::opened, this, [this] {
        explanation_.set_pair(std::nullopt); // a matrix of the same name is another one there
        begin();
    });
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &WhyView::begin);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished})
        connect(&services_.jobs, signal, this, [this] {
            if (waits_ != services_.jobs.is_measuring())
                begin();
        });
    show_state();
}

void WhyView::build() {
    measure_->setObjectName(QStringLiteral("measure-steps"));
    progress_->setObjectName(QStringLiteral("why-progress"));
    measured_->setObjectName(QStringLiteral("measured-steps"));
    measured_->setAccessibleName(tr("Measured steps from fixed CSR to the selected schedule"));
    simulated_->setObjectName(QStringLiteral("simulated-steps"));
    simulated_->setAccessibleName(tr("Simulated steps from fixed CSR to the selected schedule"));
    fold_->setObjectName(QStringLiteral("fold-simulated-steps"));
    column_->add_to_line(measure_);
    for (QWidget* const each : {static_cast<QWidget*>(progress_), static_cast<QWidget*>(measured_),
                                static_cast<QWidget*>(fold_), static_cast<QWidget*>(simulated_)})
        column_->add_steps(each);
    auto* const whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(column_);
}

void WhyView::ask(const Question& question, std::span<const RankedResult> results) {
    question_ = question;
    take_times(results);
    begin();
}

/// Both times of one protocol and of one number of threads; fixed CSR's at the moment of the other one, which
/// the ranking and its headline name, too.
void WhyView::take_times(std::span<const RankedResult> results) {
    baseline_ = {.milliseconds = {}};
    known_ = {.milliseconds = {}};
    collected_.reset();
    is_of_that_moment_ = false;
    if (!question_.schedule)
        return;
    const RankedResult* const selected = find_result(results, *question_.schedule);
    if (selected == nullptr || selected->row.op != question_.op)
        return;
    const RankedResult* const baseline = last_fixed_csr(results, selected->row);
    if (question_.threads == 0)
        question_.threads = selected->row.threads;
    known_ = clock_time_of(selected->row);
    if (baseline != nullptr) {
        baseline_ = clock_time_of(baseline->row);
        collected_ = collected_time(selected->row, baseline->row);
    }
    is_of_that_moment_ = baseline_.milliseconds && selected->row.reference_ms;
    if (is_of_that_moment_)
        baseline_.milliseconds = selected->row.reference_ms;
}

/// A simulation takes all cores: it would spoil times that are measured meanwhile.
void WhyView::begin() {
    if (!isVisible())
        return;
    waits_ = services_.jobs.is_measuring();
    const auto wanted = pair_of(question_, question_.threads);
    if (wanted != explanation_.pair()) {
        fold_->setChecked(false);
        measured_->set_selected({});
        simulated_->set_selected({});
    }
    explanation_.set_pair(waits_ && wanted != explanation_.pair() ? std::nullopt : wanted);
    show_state();
}

void WhyView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    begin();
}

bool WhyView::is_settled() const {
    return !isVisible() || !explanation_.is_busy();
}

QString WhyView::nothing_to_explain() const {
    if (question_.matrix.isEmpty())
        return tr("Select a matrix to see why a schedule is fast on it.");
    if (!question_.schedule)
        return tr("Select a schedule in the table, or measure some.");
    if (is_fixed_csr(*question_.schedule))
        return tr("Fixed CSR is the baseline itself. Select another schedule to see which decisions make the "
                  "difference.");
    if (explanation_.shown() != nullptr)
        return {};
    if (!explanation_.pair())
        return tr("The steps are simulated once the measurement is over, so as not to disturb it.");
    if (explanation_.is_busy())
        return tr("Simulating the steps from fixed CSR to this schedule …");
    return explanation_.no_study().isEmpty()
               ? tr("The steps can’t be simulated: %1. Select a schedule that stores less.")
                     .arg(explanation_.no_explanation())
               : explanation_.no_study();
}

void WhyView::show_state() {
    const QString nothing = nothing_to_explain();
    const ExplanationValues* const measured =
        nothing.isEmpty() && explanation_.measured() ? &*explanation_.measured() : nullptr;
    const PairStudy* const study = nothing.isEmpty() ? explanation_.simulated() : nullptr;
    const ExplanationValues* const simulated =
        study != nullptr && study->explanation ? &*study->explanation : nullptr;
    const auto disagreeing = nothing.isEmpty() ? disagreement() : std::nullopt;
    const QString distance =
        !disagreeing && measured == nullptr && simulated != nullptr ? distance_text() : QString();
    const bool contradiction = disagreeing || !distance.isEmpty();
    QStringList sentences{nothing, disagreeing ? disagreement_text(*disagreeing) : distance};
    if (measured != nullptr)
        sentences << blame_sentence(*measured);
    else if (simulated != nullptr && !contradiction)
        sentences << blame_sentence(*simulated);
    else if (contradiction)
        sentences << tr("Only measured steps tell which decision makes the difference.");
    sentences.removeAll(QString());
    column_->show_sentence(sentences.join(u' '));
    column_->show_setting(nothing.isEmpty() ? setting_text() : QString());
    const bool has_basis = measured != nullptr || (simulated != nullptr && !contradiction);
    column_->show_basis(!has_basis                 ? QString()
                        : measured != nullptr      ? tr("measured here")
                        : study->machine_stands_in ? tr("simulated on %1 in its place").arg(study->machine)
                                                   : tr("simulated on %1").arg(study->machine),
                        measured == nullptr);
    const QString refusal = explanation_.measuring_refusal();
    measure_->setEnabled(refusal.isEmpty());
    measure_->setToolTip(refusal.isEmpty() ? tr("Runs the schedules between both on this computer, for about "
                                                "a quarter of a minute, and keeps their times")
                                           : refusal);
    measure_->setVisible(nothing.isEmpty() && explanation_.subject().has_value());
    progress_->show_job(explanation_.measuring());
    show_steps(simulated, measured);
    fold_->show_picture(measured != nullptr || contradiction);
    QStringList method;
    if (nothing.isEmpty() && baseline_.milliseconds && known_.milliseconds)
        method
            << (is_of_that_moment_
                    ? tr("The times of the ranking are %1 (fixed CSR at that moment) and %2 (this schedule).")
                    : tr("The times of the ranking are %1 (fixed CSR) and %2 (this schedule)."))
                   .arg(duration_text(*baseline_.milliseconds), duration_text(*known_.milliseconds));
    if (nothing.isEmpty() && has_steps(explanation_.shown()) && (measured != nullptr || !contradiction))
        method << blame_method(*explanation_.shown());
    column_->show_method(method.join(u' '));
}

void WhyView::show_steps(const ExplanationValues* simulated, const ExplanationValues* measured) {
    for (const auto& [chart, shown] : {std::pair{measured_, measured}, std::pair{simulated_, simulated}})
        chart->set_picture(has_steps(shown) ? waterfall_picture(*shown, titles()) : WaterfallPicture{});
    measured_->setVisible(has_steps(measured));
}

/// Of the times that lead the view: those of the measured steps, else those of the page.
std::optional<Disagreement> WhyView::disagreement() const {
    const auto& measured = explanation_.measured();
    const PairStudy* const study = explanation_.simulated();
    if (study == nullptr || !study->explanation || study->explanation->is_same_program)
        return std::nullopt;
    const double simulated = study->explanation->schedule.ms / study->explanation->against.ms;
    if (measured)
        return disagreement_beyond_noise(time_of(measured->against), time_of(measured->schedule), simulated);
    const auto found = disagreement_beyond_noise(baseline_, known_, simulated);
    const bool may_be_noise = found && collected_ && std::log(found->apart()) <= collected_->noise();
    return may_be_noise ? std::nullopt : found;
}

QString WhyView::disagreement_text(const Disagreement& found) const {
    const auto& measured = explanation_.measured();
    const bool is_uncertain = measured ? !differ_beyond_noise(measured->schedule.ms - measured->against.ms,
                                                              time_of(measured->schedule).spread_ms,
                                                              time_of(measured->against).spread_ms)
                                       : collected_ && collected_->verdict() == Verdict::WithinNoise;
    return (is_recorded() ? tr("Recorded: this schedule %1. Simulated on %2: it %3.")
                          : tr("Measured: this schedule %1. Simulated on %2: it %3."))
        .arg(relation_text(found.measured_factor, is_uncertain), explanation_.simulated()->machine,
             relation_text(found.simulated_factor, false));
}

/// Where the simulated steps lead the view: how far one of their ends is off its known time.
QString WhyView::distance_text() const {
    const PairStudy& study = *explanation_.simulated();
    if (study.machine_stands_in)
        return {};
    const QString own =
        far_off_text(study.explanation->schedule.ms, study.simulation_error, known_, is_recorded());
    return own.isEmpty() ? far_off_text(study.explanation->against.ms, study.simulation_error, baseline_,
                                        is_recorded(), tr("fixed CSR"))
                         : own;
}

bool WhyView::is_recorded() const {
    return is_recording(question_.machine.toStdString());
}

/// "demo-mesh · SpMM, 256 columns · 8 threads"; the machine stands beside the waterfall.
QString WhyView::setting_text() const {
    QStringList parts{question_.matrix,
                      dense_index(question_.op)
                          ? tr("%1, %2 columns").arg(operator_text(question_.op)).arg(question_.dense)
                          : operator_text(question_.op)};
    if (question_.threads > 0)
        parts << (question_.threads == 1 ? tr("1 thread") : tr("%1 threads").arg(question_.threads));
    return parts.join(QStringLiteral(" · "));
}

} // namespace sparsight
