#include "gui/domains/sparse/comparison/comparison_dialog.h"

#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/comparison/pair_study.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/page/page.h"
#include "gui/workspace/workspace_session.h"
#include "store/machines.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/chart/plots/waterfall_chart.h"
#include "widgets/look/page_states.h"
#include "widgets/look/theme.h"
#include "widgets/schedule/code/schedule_comparison.h"
#include "widgets/table/data_table.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace sparsight {

namespace {

ComparedSchedule compared(const SuperSchedule& schedule, const SchedulePicture& picture, const QString& title,
                          const QString& time) {
    ComparedSchedule side;
    side.title = title;
    side.time = time;
    side.meaning = QString::fromStdString(describe(schedule));
    side.code = picture.code;
    side.tree = picture.tree;
    if (!picture.storage.empty()) {
        side.storage = picture.storage.front();
        side.storage.title = title;
    }
    side.storage_problem = picture.storage_problem;
    return side;
}

/// How the measured times contradict the simulation; a measured explanation already reports this.
std::optional<Disagreement> contradiction_of(const ExplanationValues* shown, const ComparedTimes& times) {
    if (shown == nullptr)
        return std::nullopt;
    if (shown->is_measured)
        return shown->disagreement;
    const double simulated = shown->schedule.ms / shown->against.ms;
    return !times.are_known() ? std::nullopt
           : times.sign       ? disagreement_beyond_noise(*times.sign, simulated)
                        : disagreement_beyond_noise(times.known_against, times.known_schedule, simulated);
}

QString blame_text(const ExplanationValues& shown, const SideTitles& titles, const ComparedTimes& times,
                   const std::optional<Disagreement>& contradiction, const PairStudy& study,
                   const QString& where) {
    if (shown.is_measured)
        return QStringList{blame_sentence(shown),
                           ComparisonView::tr("Measured for this explanation, so the times differ a little "
                                              "from those above, which are of the evaluation."),
                           blame_method(shown)}
            .join(u' ')
            .trimmed();
    QStringList blame;
    if (contradiction)
        blame << disagreement_sentence(*contradiction,
                                       is_recording(study.subject.machine.toStdString())
                                           ? ComparisonView::tr("Recorded")
                                           : ComparisonView::tr("Measured"),
                                       titles, study.machine);
    else
        blame << blame_sentence(shown);
    if (!contradiction || study.machine_stands_in)
        blame << where;
    if (times.are_known())
        blame << simulation_distance(shown, *times.known_against.milliseconds,
                                     *times.known_schedule.milliseconds);
    blame << blame_method(shown);
    return blame.join(u' ').trimmed();
}

} // namespace

bool ComparedTimes::are_known() const {
    return known_against.milliseconds.value_or(0) > 0 && known_schedule.milliseconds.value_or(0) > 0;
}

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent)
    , schedules_(new ScheduleComparison(this))
    , blame_(new QLabel(this))
    , waterfall_(new WaterfallChart(this))
    , mechanism_(new QLabel(this))
    , bars_(new StackedBars(this))
    , terms_(new DataTable(this)) {
    for (QLabel* const label : {blame_, mechanism_}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setMargin(grid_step);
    }
    blame_->setObjectName(QStringLiteral("compared-blame"));
    schedules_->add_tab(make_decisions(), tr("&Decisions"),
                        tr("Which of the decisions in which they differ costs how much: measured where "
                           "that was done, otherwise simulated"));
    schedules_->add_tab(make_terms(), tr("&Terms"), tr("The parts of both simulated times"));
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(schedules_);
}

QWidget* ComparisonView::make_decisions() {
    auto* const scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* const inside = new QWidget(scroll);
    auto* const column = new QVBoxLayout(inside);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(blame_);
    column->addWidget(waterfall_);
    column->addStretch(1);
    scroll->setWidget(inside);
    return scroll;
}

QWidget* ComparisonView::make_terms() {
    auto* const box = new QWidget(this);
    auto* const column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    terms_->set_model(&term_rows_);
    terms_->setAccessibleName(tr("Parts of both times"));
    terms_->set_selection_mode_single(false);
    bars_->setAccessibleName(tr("Both simulated times"));
    auto* const splitter = new QSplitter(Qt::Vertical, box);
    splitter->addWidget(bars_);
    splitter->addWidget(terms_);
    splitter->setSizes({150, 370});
    splitter->setChildrenCollapsible(false);
    column->addWidget(mechanism_);
    column->addWidget(splitter, 1);
    return box;
}

void ComparisonView::set_empty_text(const QString& text) {
    schedules_->set_empty_text(text);
    waterfall_->set_empty_text(text);
    bars_->set_empty_text(text);
    terms_->set_empty_text(text);
}

void ComparisonView::show_study(const PairStudy& study, const SideTitles& titles, const ComparedTimes& times,
                                const ExplanationValues* measured) {
    const ExplanationValues* const shown = measured != nullptr ? measured
                                           : study.explanation ? &*study.explanation
                                                               : nullptr;
    const auto time_of = [&](const QString& known, const SideValues& side) {
        return known.isEmpty() && shown != nullptr ? time_text(side, shown->is_measured) : known;
    };
    static const ExplanationValues none;
    const ExplanationValues& explained = shown != nullptr ? *shown : none;
    schedules_->show_pair(compared(study.subject.against, study.pictures[0], titles.against,
                                   time_of(times.against, explained.against)),
                          compared(study.subject.schedule, study.pictures[1], titles.schedule,
                                   time_of(times.schedule, explained.schedule)));
    const QString where =
        study.machine_stands_in
            ? tr("Simulated on this computer: only the name of the machine itself is known.")
            : tr("Simulated on %1.").arg(study.machine);
    const auto contradiction = contradiction_of(shown, times);
    blame_->setText(shown != nullptr ? blame_text(*shown, titles, times, contradiction, study, where)
                                     : study.no_explanation);
    const QString mechanism = contradiction ? tr("The simulation disagrees with the measurement, so do not "
                                                 "trust its parts here.")
                              : shown       ? mechanism_sentence(*shown, titles)
                                            : QString();
    mechanism_->setText(shown ? QStringList{mechanism, where}.join(u' ').trimmed() : study.no_explanation);
    const bool has_steps = shown != nullptr && !shown->steps.empty() && !shown->is_same_program;
    waterfall_->set_picture(has_steps ? waterfall_picture(*shown, titles) : WaterfallPicture{});
    waterfall_->setVisible(has_steps);
    bars_->set_picture(shown ? terms_picture(*shown, titles) : StackedPicture{}, true);
    term_rows_.set_rows(shown ? term_rows(*shown) : std::vector<TermRow>{});
}

ComparisonDialog::ComparisonDialog(SparseServices services, ComparedPair pair, QWidget* parent)
    : QDialog(parent)
    , services_(services)
    , pair_(std::move(pair))
    , view_(new ComparisonView(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("comparison"));
    setWindowTitle(tr("Two schedules on %1").arg(pair_.subject.matrix));
    setSizeGripEnabled(true);
    resize(1100, 720);
    auto* const banner = new Banner(this);
    auto* const exports = new ExportNotices(*this);
    connect(exports, &ExportNotices::notice, banner, [banner](const QString& text, bool is_problem) {
        banner->show_message(is_problem ? Severity::Error : Severity::Information, text);
    });
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* const column = new QVBoxLayout(this);
    column->setSpacing(grid_step);
    column->addWidget(banner);
    column->addWidget(view_, 1);
    column->addWidget(buttons);
    view_->set_empty_text(tr("Counting what both take …"));
    connect(&services_.matrices, &MatrixLoader::loaded, this, [this](const QString& name) {
        if (is_waiting_ && name == pair_.subject.matrix)
            begin();
    });
    connect(&services_.matrices, &MatrixLoader::failed, this,
            [this](const QString& name, const QString& reason) {
                if (!is_waiting_ || name != pair_.subject.matrix)
                    return;
                is_waiting_ = false;
                say(reason);
            });
    const WorkloadRecord* const record = services_.session.workload(pair_.subject.matrix);
    if (record == nullptr || record->payload == PayloadPlace::Unknown)
        begin_without_pattern();
    else if (services_.matrices.find(pair_.subject.matrix))
        begin();
    else
        services_.matrices.request(pair_.subject.matrix);
}

void ComparisonDialog::say(const QString& text) {
    view_->set_empty_text(text);
}

void ComparisonDialog::begin() {
    is_waiting_ = false;
    const auto matrix = services_.matrices.find(pair_.subject.matrix);
    if (!matrix)
        return;
    studies_.ask([subject = pair_.subject, pattern = matrix->pattern,
                  machine = MachineRequest(services_.session, pair_.subject.machine)](
                     const std::stop_token& stop) { return study_pair(subject, *pattern, machine, stop); },
                 [this](const Result<std::shared_ptr<const PairStudy>>& study, bool) { take(study); });
}

void ComparisonDialog::begin_without_pattern() {
    is_waiting_ = false;
    studies_.ask([subject = pair_.subject](const std::stop_token&) { return study_without_pattern(subject); },
                 [this](const Result<std::shared_ptr<const PairStudy>>& study, bool) { take(study); });
}

void ComparisonDialog::take(const Result<std::shared_ptr<const PairStudy>>& study) {
    if (study)
        view_->show_study(**study, pair_.titles, pair_.times, pair_.measured ? &*pair_.measured : nullptr);
    else
        say(QString::fromStdString(study.error().text()));
}

} // namespace sparsight
