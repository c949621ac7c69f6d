#include "gui/domains/sparse/whatif/what_if_page.h"

#include "base/parallel.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/whatif/machine_sliders.h"
#include "gui/domains/sparse/whatif/subject_choice.h"
#include "gui/domains/sparse/whatif/what_if_drawing.h"
#include "gui/domains/sparse/whatif/what_if_headline.h"
#include "gui/domains/sparse/whatif/winner_view.h"
#include "gui/jobs/job_service.h"
#include "gui/page/machine_words.h"
#include "gui/page/page.h"
#include "gui/runs/training_runs.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "machine/probe/probe.h"
#include "widgets/chart/plots/region_map.h"
#include "widgets/chart/plots/stacked_bars.h"
#include "widgets/look/number_input.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace sparsight {

namespace {

constexpr int lowest_height = 56 * grid_step; ///< of a page that says all above its bars

} // namespace

WhatIfPage::WhatIfPage(SparseServices services, TrainingRuns& runs, ResidentLearner& learner,
                       const MakeLoopAnalyst& make_analyst, QWidget* parent)
    : Page(PagePlace::WhatIf, QStringLiteral("whatif"), tr("What if"), QStringLiteral("what-if"), parent)
    , services_(services)
    , runs_(runs)
    , learner_(learner)
    , study_(services, this)
    , hot_loops_(make_analyst ? new HotLoopLine(make_analyst, this) : nullptr) {
    build();
    connect_all();
    tell_of_exports(*this);
    sides_[0].choice->choose(MachineChoice::preset_id(QStringLiteral("epyc-7543")));
    follow_machine(0);
    follow_selection();
}

std::size_t WhatIfPage::active() const {
    return has_second() && which_->currentIndex() == 1 ? 1 : 0;
}

bool WhatIfPage::has_second() const {
    return sides_[1].choice->chosen().has_value();
}

QString WhatIfPage::title_of(const Side& side) const {
    const auto chosen = side.choice->chosen();
    const QString title = chosen ? chosen->title : QString();
    return side.machine.is_changed() ? tr("%1, changed").arg(title) : title;
}

Operator WhatIfPage::op() const {
    return static_cast<Operator>(operator_->currentData().toInt());
}

WhatIfFormula WhatIfPage::formula() const {
    return learned_model().isEmpty() ? static_cast<WhatIfFormula>(formula_->currentData().toInt())
                                     : WhatIfFormula::Mechanistic;
}

QString WhatIfPage::learned_model() const {
    const QVariant chosen = formula_->currentData();
    return chosen.typeId() == QMetaType::QString ? chosen.toString() : QString();
}

QStringList WhatIfPage::models_for(const Side& side) const {
    const auto chosen = side.choice->chosen();
    const MachineRecord* const machine = chosen ? services_.session.machine(chosen->fingerprint) : nullptr;
    return models_that_tell(runs_.stored(), services_.session.domain(),
                            setting_of(op(), dense_index(op()) ? dense_->value() : 1),
                            machine == nullptr ? QString() : QString::fromStdString(machine->name));
}

bool WhatIfPage::tells_times(const QString& model) const {
    const auto& models = runs_.stored().models;
    const auto known = std::ranges::find(models, model, &KnownModel::name);
    return known != models.end() && known->is_gray_box();
}

/// Beside the formulas, those that can tell something of the first machine.
void WhatIfPage::offer_models() {
    const QStringList models = models_for(sides_[0]);
    const QString chosen = learned_model();
    const QSignalBlocker quiet(formula_);
    for (int place = formula_->count(); place-- > 0;)
        if (formula_->itemData(place).typeId() == QMetaType::QString)
            formula_->removeItem(place);
    for (const QString& model : models)
        formula_->addItem(tr("Learned by %1").arg(model), model);
    if (!chosen.isEmpty())
        formula_->setCurrentIndex(std::max(0, formula_->findData(chosen)));
}

/// A machine that was changed is none that a model knows.
void WhatIfPage::ask_models() {
    const auto& models = runs_.stored().models;
    const auto known = std::ranges::find(models, learned_model(), &KnownModel::name);
    for (Side& side : sides_) {
        const auto chosen = side.choice->chosen();
        const bool is_asked = chosen && known != models.end() && !side.machine.is_changed() &&
                              study_.study() && models_for(side).contains(learned_model());
        side.learned->ask(is_asked ? LearnedSubject{services_.session.path(), known->name, known->id,
                                                    chosen->fingerprint, study_.study()}
                                   : LearnedSubject{});
    }
}

void WhatIfPage::connect_all() {
    connect(&services_.selection, &Selection::changed, this, &WhatIfPage::follow_selection);
    for (const auto signal : {&WorkspaceSession::contents_changed, &WorkspaceSession::closed})
        connect(&services_.session, signal, this, &WhatIfPage::follow_selection);
    connect(&services_.session, &WorkspaceSession::measurements_changed, this, [this] {
        has_new_times_ = true;
        take_new_times();
    });
    for (const auto signal : {&JobService::job_finished, &JobService::job_changed, &JobService::job_removed})
        connect(&services_.jobs, signal, this, &WhatIfPage::take_new_times);
    connect(&study_, &ScheduleStudy::changed, this, &WhatIfPage::follow_study);
    connect(&study_, &ScheduleStudy::failed, this,
            [this](const QString& reason) { Q_EMIT notice(reason, true, QStringLiteral("count")); });
    connect(winners_, &WinnerView::mapped, this, &WhatIfPage::show_winners);
    connect(winners_, &WinnerView::axes_chosen, this, &WhatIfPage::ask_for_map);
    for (QComboBox* const combo : {operator_, set_})
        connect(combo, &QComboBox::currentIndexChanged, this, [this] {
            listed_.clear(); // a lesson's own schedules belong to it
            offer_listed();
            follow_subject();
        });
    connect(dense_, &QSpinBox::valueChanged, this, &WhatIfPage::follow_subject);
    connect(formula_, &QComboBox::currentIndexChanged, this, [this] {
        rank_again();
        ask_for_map();
    });
    connect(&runs_, &TrainingRuns::stored_changed, this, [this] {
        offer_models();
        rank_again();
    });
    for (std::size_t side = 0; side < sides_.size(); ++side) {
        connect(sides_[side].choice, &MachineChoice::chosen_changed, this,
                [this, side] { follow_machine(side); });
        connect(sides_[side].bars, &StackedBars::picked, this, &WhatIfPage::select);
        connect(sides_[side].learned, &LearnedTimes::changed, this, &WhatIfPage::rank_again);
    }
    connect(which_, &QTabBar::currentChanged, this, [this] {
        show_sliders();
        ask_for_map();
    });
    connect(sliders_, &MachineSliders::moved, this, &WhatIfPage::move);
    connect(sliders_, &MachineSliders::reset, this, [this] {
        sides_[active()].machine.reset();
        show_sliders();
        rank_again();
        ask_for_map();
    });
    connect(&winners_->map(), &RegionMap::went, this, &WhatIfPage::go);
    connect(&winners_->map(), &RegionMap::picked, this, &WhatIfPage::select);
}

StudySubject WhatIfPage::wanted_subject() const {
    StudySubject subject;
    const QString matrix = services_.selection.current().workload;
    const WorkloadRecord* const record = services_.session.workload(matrix);
    if (record != nullptr && record->payload != PayloadPlace::Unknown)
        subject.matrix = matrix;
    subject.op = op();
    subject.dense = dense_index(subject.op) ? dense_->value() : 1;
    subject.measured_only = set_->currentData().toInt() == 0;
    const auto machine = sides_[0].choice->chosen();
    if (subject.measured_only && machine)
        subject.machine = machine->fingerprint;
    subject.count = static_cast<std::size_t>(std::max(0, set_->currentData().toInt()));
    if (!listed_.empty() && listed_.front().op == subject.op)
        subject.listed = listed_;
    return subject;
}

void WhatIfPage::follow_subject() {
    dense_->setEnabled(dense_index(op()).has_value());
    offer_models();
    study_.set_subject(isVisible() ? wanted_subject() : study_.subject());
    show_empty();
}

void WhatIfPage::follow_selection() {
    const Selected now = services_.selection.current();
    const auto selected = parse_operator(now.family.toStdString());
    if (selected && !now.configuration.isEmpty() &&
        std::exchange(followed_schedule_, now.configuration) != now.configuration) {
        const QSignalBlocker quiet(operator_);
        operator_->setCurrentIndex(operator_->findData(static_cast<int>(*selected)));
    }
    // What was chosen here stays until another machine is selected elsewhere.
    if (now.machine != followed_machine_ &&
        sides_[0].choice->choose(MachineChoice::workspace_id(now.machine)))
        followed_machine_ = now.machine;
    follow_subject();
    mark_selected();
}

/// Nothing is counted for a page that nobody looks at.
void WhatIfPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    find_this_computer();
    take_new_times();
    follow_subject();
}

/// Not while a job measures: counting would take the computer from it.
void WhatIfPage::take_new_times() {
    if (isVisible() && !services_.jobs.is_measuring() && std::exchange(has_new_times_, false))
        study_.renew();
}

void WhatIfPage::find_this_computer() {
    if (std::exchange(has_looked_for_computer_, true))
        return;
    in_background(
        this, [] { return probe_this_computer({.measure = false, .stop = {}, .progress = {}}); },
        [this](const Result<MachineDescription>& machine) {
            if (!machine)
                return;
            for (const Side& side : sides_)
                side.choice->set_this_computer(*machine);
        });
}

void WhatIfPage::follow_study() {
    if (study_.study())
        Q_EMIT notice({}, false, QStringLiteral("count"));
    rank_again();
    ask_for_map();
    show_empty();
}

void WhatIfPage::follow_machine(std::size_t side) {
    const auto chosen = sides_[side].choice->chosen();
    sides_[side].machine = chosen ? EditedMachine(chosen->machine) : EditedMachine();
    if (side == 0 && chosen && !chosen->fingerprint.isEmpty() && sides_[0].choice->hasFocus())
        services_.selection.select_machine(chosen->fingerprint);
    sides_[1].bars->setVisible(has_second());
    which_->setVisible(has_second());
    follow_subject();
    show_sliders();
    rank_again();
    ask_for_map();
}

void WhatIfPage::move(MachineParameter parameter, double value) {
    sides_[active()].machine.set(parameter, value);
    rank_again();
    show_sliders();
    if (parameter == winners_->x() || parameter == winners_->y())
        winners_->show_here(sides_[active()].machine); // the map is of all its values
    else
        ask_for_map();
}

void WhatIfPage::go(double x, double y) {
    EditedMachine& machine = sides_[active()].machine;
    machine.set(winners_->x(), x);
    machine.set(winners_->y(), y);
    rank_again();
    show_sliders();
}

void WhatIfPage::rank_again() {
    ask_models();
    const auto study = study_.study();
    for (std::size_t at = 0; at < sides_.size(); ++at) {
        Side& side = sides_[at];
        const auto chosen = side.choice->chosen();
        if (!study || !chosen) {
            side.bars->set_picture({}, true);
            continue;
        }
        side.basis = paper_basis(study->recorded_on(chosen->fingerprint),
                                 resolve_parameters(side.machine.given()).values, study->profiles);
        const LearnedRanking* const learned = side.learned->ranking();
        side.ranked = learned != nullptr ? ranking_of(*learned)
                                         : rank_on(side.machine.now(), *study, formula(), side.basis);
        show_ranking(at);
    }
    show_headline();
    show_hot_loops();
}

/// The selected schedule, else the slowest, beside the fastest one of the first machine.
void WhatIfPage::show_hot_loops() {
    const auto study = study_.study();
    if (hot_loops_ == nullptr)
        return;
    const auto& order = sides_[0].ranked.ranking.order;
    const WorkloadRecord* const matrix = study ? services_.session.workload(study->subject.matrix) : nullptr;
    if (matrix == nullptr || order.size() < 2 || is_low_ || !sides_[0].choice->chosen()) {
        hot_loops_->show_pair(std::nullopt);
        return;
    }
    const auto facts = numeric_facts(*matrix);
    const auto extent = [&](const char* name) {
        const auto found = facts.find(name);
        return found == facts.end() ? std::int64_t{1} : static_cast<std::int64_t>(found->second);
    };
    const std::size_t fast = order.front();
    std::size_t slow = order.back();
    const auto selected = std::ranges::find(study->keys, sides_[0].bars->selected());
    if (const auto at = static_cast<std::size_t>(selected - study->keys.begin());
        selected != study->keys.end() && at != fast)
        slow = at;
    hot_loops_->show_pair(
        HotLoopPair{study->schedules[slow], study->schedules[fast], study->labels[slow], study->labels[fast],
                    extents(study->subject.op, extent("rows"), extent("cols"), study->subject.dense),
                    services_.session.path()});
}

void WhatIfPage::show_ranking(std::size_t at) {
    Side& side = sides_[at];
    const auto study = study_.study();
    const auto chosen = side.choice->chosen();
    StackedPicture picture = ranking_picture(
        *study, side.ranked, study->recorded_on(chosen->fingerprint),
        is_recording(chosen->fingerprint.toStdString()) ? tr("recorded") : tr("measured"), winners_->marks());
    picture.title = has_second() ? title_of(side) : QString();
    side.bars->setAccessibleName(tr("Ranking on %1").arg(title_of(side)));
    side.bars->set_picture(std::move(picture));
}

void WhatIfPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    if (is_low_ != (height() < lowest_height))
        show_headline();
}

void WhatIfPage::show_headline() {
    const auto study = study_.study();
    if (!study)
        return;
    std::vector<ShownMachine> shown;
    for (const Side& side : std::span(sides_).first(has_second() ? 2 : 1))
        shown.push_back({title_of(side), side.choice->chosen(), side.machine, side.ranked, *side.learned,
                         side.bars->selected()});
    QStringList lines;
    for (const ShownMachine& machine : shown)
        lines << far_off_text(*study, machine, has_second());
    lines.removeAll(QString());
    // Little room is left to the bars otherwise, whose first one is the winner's.
    const qsizetype told_when_low = lines.size();
    if (!lines.isEmpty() && learned_model().isEmpty())
        if (const QStringList models = models_for(sides_[0]);
            !models.isEmpty() && tells_times(models.front()))
            lines << tr("Choose <i>Learned by %1</i> under Formula for the times that this model expects.")
                         .arg(models.front().toHtmlEscaped());
    for (const ShownMachine& machine : shown)
        lines << winner_text(*study, machine);
    const QString whole = lines.join(QStringLiteral("<br>"));
    is_low_ = height() < lowest_height;
    headline_->setText(with_whole_numbers(
        is_low_ && told_when_low > 0 ? lines.first(told_when_low).join(QStringLiteral("<br>")) : whole));
    headline_->setToolTip(is_low_ ? whole : QString());
    reason_->setVisible(!is_low_);
    if (!learned_model().isEmpty())
        reason_->setText(learned_reason(learned_model(), shown));
    else if (formula() == WhatIfFormula::Paper)
        reason_->setText(paper_reason() + u' ' +
                         (sides_[0].basis.is_recorded
                              ? tr("It starts from recorded times.")
                              : tr("Too few times are known here, so it starts from simulated ones.")));
    else
        reason_->setText(tr("Simulated, not measured: each time is a sum of parts, and each part follows "
                            "other numbers of the machine. Slide one and see who wins then."));
}

void WhatIfPage::show_sliders() {
    const Side& side = sides_[active()];
    sliders_->show_machine(title_of(side), side.machine);
    sliders_->setEnabled(side.choice->chosen().has_value());
}

void WhatIfPage::ask_for_map() {
    const Side& side = sides_[active()];
    winners_->ask(side.choice->chosen() ? study_.study() : nullptr, side.machine, formula(), side.basis);
}

void WhatIfPage::show_winners() {
    winners_->show_here(sides_[active()].machine);
    mark_selected();
    if (study_.study()) // dots in the colours of the map
        for (std::size_t side = 0; side < sides_.size(); ++side)
            if (sides_[side].choice->chosen() && !sides_[side].bars->picture().bars.empty())
                show_ranking(side);
}

void WhatIfPage::mark_selected() {
    const auto schedule = parse_schedule(op(), services_.selection.current().configuration.toStdString());
    const QString key = schedule ? meaning_key(*schedule) : QString();
    for (const Side& side : sides_)
        side.bars->set_selected(key);
    winners_->map().set_selected(key);
    show_headline();
}

void WhatIfPage::select(const QString& key) {
    const auto study = study_.study();
    if (!study)
        return;
    const auto place = std::ranges::find(study->keys, key) - study->keys.begin();
    if (static_cast<std::size_t>(place) < study->texts.size()) {
        const std::string_view operator_name = name(study->subject.op);
        services_.selection.select_configuration(
            QString::fromUtf8(operator_name.data(), static_cast<qsizetype>(operator_name.size())),
            study->texts[static_cast<std::size_t>(place)]);
    }
}

bool WhatIfPage::show_configurations(const QStringList& configurations) {
    std::vector<SuperSchedule> listed;
    for (const QString& text : configurations) {
        const auto schedule = parse_schedule(op(), text.toStdString());
        if (!schedule)
            return false;
        listed.push_back(*schedule);
    }
    listed_ = std::move(listed);
    offer_listed();
    follow_subject();
    return true;
}

bool WhatIfPage::is_settled() const {
    return !study_.is_busy() && !winners_->is_busy() && (hot_loops_ == nullptr || hot_loops_->is_settled()) &&
           std::ranges::none_of(
               sides_, [](const Side& side) { return side.bars->is_moving() || side.learned->is_busy(); });
}

std::vector<PagePart> WhatIfPage::parts() const {
    std::vector<ParameterInfo> movable;
    for (const MachineParameter parameter : slider_parameters())
        movable.push_back(parameter_info(parameter));
    return parameter_parts(movable, tr("slider"));
}

void WhatIfPage::focus_part(const QString& key) {
    const auto parameter = parse_machine_parameter(key.toStdString());
    if (ValueSlider* const wanted = parameter ? sliders_->slider(*parameter) : nullptr) {
        wanted->slider()->setFocus(Qt::ShortcutFocusReason);
        sliders_scroll_->ensureWidgetVisible(wanted);
    }
}

} // namespace sparsight
