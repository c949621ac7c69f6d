#include "gui/domains/sparse/details/timeline_view.h"

#include "domains/sparse/explanation/explanation.h"
#include "domains/sparse/kernel/measurement/thread_timeline.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/simulator/simulated_timeline.h"
#include "gui/domains/sparse/comparison/explanation_drawing.h"
#include "gui/domains/sparse/comparison/pair_study.h"
#include "gui/failures/model_question.h"
#include "gui/icons/icon.h"
#include "gui/jobs/job_service.h"
#include "gui/jobs/views/job_progress_line.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "widgets/chart/plots/lane_plot.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QHBoxLayout>
#include <QJsonDocument>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

constexpr double ms_of_ns = 1e-6;

/// "12.3 %"; a share below one is the rule, and its sign matters.
QString percent_number(double share) {
    return TimelineView::tr("%1 %").arg(fixed_text(100 * share, 1));
}

QString chunk_note(const ThreadTimeline& timeline, const ChunkInterval& interval) {
    const ChunkPlace place = place_of(timeline, interval);
    const QString first = count_text(place.first);
    const QString last = count_text(place.last);
    const QString where = timeline.loop.ids_per_iteration == 0
                              ? TimelineView::tr("iterations %1 to %2 of %3")
                                    .arg(first, last, QString::fromStdString(timeline.loop.name))
                          : timeline.loop.over_rows ? TimelineView::tr("rows %1 to %2").arg(first, last)
                                                    : TimelineView::tr("columns %1 to %2").arg(first, last);
    const QString chunk = count_text(interval.chunk + 1);
    return interval.chunks == 1 ? TimelineView::tr("Chunk %1: %2").arg(chunk, where)
                                : TimelineView::tr("%1 chunks; the first is chunk %2: %3")
                                      .arg(count_text(interval.chunks), chunk, where);
}

LaneGroup lane_group(const ThreadTimeline& timeline) {
    const double total = static_cast<double>(timeline.total_ns) * ms_of_ns;
    LaneGroup group{.name = (timeline.measured ? TimelineView::tr("Recorded on this computer: %1")
                                               : TimelineView::tr("Simulated on %2: %1"))
                                .arg(duration_text(total)),
                    .lanes = static_cast<std::size_t>(timeline.threads),
                    .hatched = !timeline.measured,
                    .total = total,
                    .opening = static_cast<double>(timeline.opening_ns) * ms_of_ns,
                    .opening_note = timeline.measured ? TimelineView::tr("The result is cleared")
                                                      : TimelineView::tr("The threads are started")};
    if (!timeline.measured)
        group.name = group.name.arg(QString::fromStdString(timeline.machine));
    for (const ChunkInterval& each : timeline.intervals)
        group.bars.push_back({.lane = static_cast<std::size_t>(each.thread),
                              .begin = static_cast<double>(each.begin_ns) * ms_of_ns,
                              .end = static_cast<double>(each.end_ns) * ms_of_ns,
                              .note = chunk_note(timeline, each)});
    return group;
}

} // namespace

QString balance_sentence(const ThreadTimeline& timeline) {
    const LoadBalance balance = load_balance(timeline);
    const QString busiest = duration_text(balance.busiest_ms);
    if (timeline.threads == 1)
        return TimelineView::tr("One thread works %1.").arg(busiest);
    if (!balance.waiting_ms || !balance.imbalance)
        return TimelineView::tr(
                   "Thread %1 works longest: %2. How long threads wait in each region is not known.")
            .arg(count_text(balance.busiest + 1), busiest);
    const QString factor = speedup_text(*balance.imbalance);
    if (balance.is_even() && timeline.threads == 2)
        return TimelineView::tr("Both threads work about as long: %1 (imbalance %2).").arg(busiest, factor);
    if (balance.is_even())
        return TimelineView::tr("All %1 threads work about as long: %2 (imbalance %3).")
            .arg(count_text(timeline.threads), busiest, factor);
    const QString waiting = duration_text(*balance.waiting_ms);
    if (timeline.regions > 1)
        return TimelineView::tr("The threads work %1 and wait %2 for each other on average, over %3 regions: "
                                "imbalance %4.")
            .arg(duration_text(balance.mean_ms), waiting, count_text(timeline.regions), factor);
    if (timeline.threads == 2)
        return TimelineView::tr("Thread %1 works %2, the other one waits %3 for it: imbalance %4.")
            .arg(count_text(balance.busiest + 1), busiest, waiting, factor);
    return TimelineView::tr("Thread %1 works %2, the others wait %3 for it on average: imbalance %4.")
        .arg(count_text(balance.busiest + 1), busiest, waiting, factor);
}

QString overhead_sentence(const ThreadTimeline& timeline) {
    if (!timeline.overhead)
        return {};
    const QString cost =
        TimelineView::tr("Recording costs %1 ± %2 of the time of a run.")
            .arg(percent_number(timeline.overhead->share), percent_number(timeline.overhead->error));
    if (timeline.overhead->disturbs())
        return cost + u' ' +
               TimelineView::tr("That is more than 5 %: short chunks look longer than they are.");
    if (timeline.overhead->is_undecided())
        return cost + u' ' +
               TimelineView::tr(
                   "Whether that is below 5 % is not decided: record again on a quiet computer.");
    return cost;
}

LanePicture lane_picture(std::span<const ThreadTimeline> timelines) {
    LanePicture picture{.x = {.title = TimelineView::tr("Time"), .unit = QStringLiteral("ms")},
                        .lane_title = TimelineView::tr("Thread")};
    for (const ThreadTimeline& timeline : timelines) {
        picture.groups.push_back(lane_group(timeline));
        const QString csv = QString::fromStdString(timeline_csv(timeline));
        picture.csv += picture.csv.isEmpty() ? csv : csv.mid(csv.indexOf(u'\n') + 1);
    }
    return picture;
}

TimelineView::TimelineView(Services services, QWidget* parent)
    : QWidget(parent)
    , services_(services)
    , record_(new QPushButton(icon(QStringLiteral("measure")), tr("&Record"), this))
    , progress_(new JobProgressLine(services.jobs, this))
    , balance_(new QLabel(this))
    , remarks_(new QLabel(this))
    , plot_(new LanePlot(this)) {
    setObjectName(QStringLiteral("timeline"));
    build();
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_removed})
        connect(&services_.jobs, signal, this, &TimelineView::follow_jobs);
    connect(&services_.jobs, &JobService::job_finished, this, [this](const JobId& id) {
        const auto finished = services_.jobs.job(id);
        if (!has_subject() || !finished || finished->arguments != describe(job()).arguments)
            return;
        problem_ = finished->error;
        read_recorded();
    });
    connect(&services_.session, &WorkspaceSession::gone_changed, this, &TimelineView::follow_jobs);
    show_timelines();
    show_state();
}

void TimelineView::build() {
    record_->setObjectName(QStringLiteral("record-timeline"));
    balance_->setObjectName(QStringLiteral("timeline-balance"));
    remarks_->setObjectName(QStringLiteral("timeline-remarks"));
    plot_->setObjectName(QStringLiteral("timeline-plot"));
    for (QLabel* const label : {balance_, remarks_}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->hide();
    }
    keep_font(*remarks_, caption_font);
    remarks_->setForegroundRole(QPalette::PlaceholderText);
    auto* const line = new QHBoxLayout;
    line->addWidget(record_);
    line->addWidget(progress_, 1);
    line->addStretch(0);
    auto* const column = new QVBoxLayout(this);
    column->setContentsMargins(0, grid_step, 0, 0);
    column->setSpacing(grid_step);
    column->addLayout(line);
    column->addWidget(balance_);
    column->addWidget(remarks_);
    column->addWidget(plot_, 1);
    connect(record_, &QPushButton::clicked, this, &TimelineView::record);
}

void TimelineView::show(const std::optional<SuperSchedule>& schedule,
                        std::shared_ptr<const MatrixAnalysis> matrix, std::int64_t dense, int threads) {
    const QString machine = services_.selection.current().machine;
    const MachineRecord* const record =
        services_.session.machine(machine.isEmpty() ? services_.session.this_machine() : machine);
    const std::string described = record == nullptr ? std::string() : record->description;
    if (schedule == schedule_ && matrix == matrix_ && dense == dense_ && threads == threads_ &&
        machine == machine_ && described == described_)
        return;
    schedule_ = schedule;
    matrix_ = std::move(matrix);
    dense_ = dense;
    threads_ = threads;
    machine_ = machine;
    described_ = described;
    is_asked_ = false;
    simulated_.reset();
    recorded_.reset();
    problem_.clear();
    answers_.cancel();
    if (isVisible())
        simulate();
    show_timelines();
    show_state();
}

void TimelineView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (!is_asked_)
        simulate();
    show_state();
}

/// Not while a job measures: it takes a core from what is timed.
void TimelineView::simulate() {
    if (!has_subject())
        return;
    read_recorded();
    if (services_.jobs.is_measuring())
        return;
    is_asked_ = true;
    const bool is_here = machine_.isEmpty() || machine_ == services_.session.this_machine();
    answers_.ask(
        [schedule = *schedule_, pattern = matrix_->pattern, dense = dense_, threads = is_here ? threads_ : 0,
         machine = MachineRequest(services_.session, machine_)](
            const std::stop_token& stop) -> Result<SimulatedRun> {
            const SimulatedMachine simulated = machine.resolve();
            auto timeline = simulated_timeline(ProfiledPattern(*pattern), schedule, dense,
                                               parameters_with_threads(simulated.machine, threads), stop);
            if (!timeline)
                return std::unexpected(std::move(timeline).error());
            timeline->machine = simulated.name.toStdString();
            return SimulatedRun{*std::move(timeline), simulation_error(simulated.machine),
                                simulated.stands_in};
        },
        [this](Result<SimulatedRun> run, bool is_newest) {
            if (!is_newest)
                return;
            if (run)
                simulated_ = *std::move(run);
            else
                problem_ = QString::fromStdString(run.error().text());
            show_timelines();
        });
    show_timelines();
}

void TimelineView::compare_with(const KnownRun& known) {
    known_ = known;
    show_balance();
}

/// Nothing of a run with other threads, and of a machine that another one stands in for.
QString TimelineView::distance_text() const {
    if (!simulated_ || simulated_->stands_in || known_.threads != simulated_->timeline.threads)
        return {};
    const double simulated_ms = static_cast<double>(simulated_->timeline.total_ns) * ms_of_ns;
    const QString distance = far_off_text(simulated_ms, simulated_->error, known_.time, known_.is_recorded);
    return distance.isEmpty() || recorded_ || known_.is_recorded
               ? distance
               : distance + u' ' + tr("Record shows what the threads really do.");
}

TimelineJob TimelineView::job() const {
    SuperSchedule schedule = *schedule_;
    schedule.threads = threads_;
    return {services_.session.path(),
            matrix_->name,
            QString::fromStdString(to_text(schedule)),
            schedule.op,
            dense_,
            threads_};
}

void TimelineView::record() {
    if (!has_subject())
        return;
    if (const auto started = services_.jobs.start(job()); !started)
        problem_ = started.error();
    show_timelines();
    show_state();
}

void TimelineView::follow_jobs() {
    if (!isVisible())
        return;
    if (!is_asked_ && !services_.jobs.is_measuring())
        simulate();
    show_state();
}

void TimelineView::read_recorded() {
    const QJsonObject told = end_of_newest(services_.jobs, describe(job()));
    const std::string text = QJsonDocument(told[QStringLiteral("timeline")].toObject())
                                 .toJson(QJsonDocument::Compact)
                                 .toStdString();
    if (auto recorded = timeline_from_json(Json::parse(text, nullptr, false)))
        recorded_ = *std::move(recorded);
    busy_share_ = told[QStringLiteral("busy_share")].toDouble();
    show_timelines();
}

QString TimelineView::refusal() const {
    if (!has_subject())
        return tr("Select a schedule and a matrix first.");
    LaunchConditions conditions;
    conditions.worker_program = services_.jobs.worker_program();
    conditions.workspace_is_there = !services_.session.is_gone();
    conditions.workspace_is_writable = !services_.session.is_read_only();
    if (newest_job(services_.jobs, describe(job()), false))
        return tr("It is being recorded.");
    return launch_refusal(job(), conditions).value_or(QString());
}

void TimelineView::show_state() {
    const QString reason = refusal();
    if (!reason.isEmpty() && record_->hasFocus()) // disabled, it would hand the focus on to another part
        plot_->setFocus();
    record_->setEnabled(reason.isEmpty());
    record_->setToolTip(reason.isEmpty() ? tr("Runs this schedule on this computer for about a second and "
                                              "records when each thread takes each chunk")
                                         : reason);
    progress_->show_job(has_subject() ? newest_job(services_.jobs, describe(job()), false) : std::nullopt);
}

/// Of the recorded run, where there is one.
void TimelineView::show_balance() {
    const ThreadTimeline* const shown = recorded_    ? &*recorded_
                                        : simulated_ ? &simulated_->timeline
                                                     : nullptr;
    QStringList sentences{distance_text(), shown == nullptr ? QString() : balance_sentence(*shown)};
    sentences.removeAll(QString());
    balance_->setText(sentences.join(u' '));
    balance_->setVisible(shown != nullptr);
}

void TimelineView::show_timelines() {
    std::vector<ThreadTimeline> shown;
    if (recorded_)
        shown.push_back(*recorded_);
    if (simulated_)
        shown.push_back(simulated_->timeline);
    plot_->set_picture(lane_picture(shown));
    plot_->set_empty_text(!has_subject()        ? tr("Select a schedule in the table, or measure some.")
                          : !problem_.isEmpty() ? problem_
                          : is_asked_           ? tr("Simulating …")
                                                : tr("The simulation waits for the end of a measurement, "
                                                               "which it would disturb."));
    show_balance();
    QStringList remarks;
    if (!shown.empty() && !overhead_sentence(shown.front()).isEmpty())
        remarks << overhead_sentence(shown.front());
    if (recorded_ && busy_share_ > 0)
        remarks << tr("Other programs took %1 of the processors meanwhile.").arg(percent_number(busy_share_));
    if (recorded_ && recorded_->is_merged())
        remarks
            << tr("%1 chunks are drawn as %2 bars: chunks that follow each other on a thread were merged.")
                   .arg(count_text(recorded_->chunks), count_text(std::ssize(recorded_->intervals)));
    if (simulated_ && simulated_->timeline.regions > 1)
        remarks << tr("The simulation draws the %1 parallel regions as one.")
                       .arg(count_text(simulated_->timeline.regions));
    if (!shown.empty() && !problem_.isEmpty())
        remarks << problem_;
    remarks_->setText(remarks.join(u' '));
    remarks_->setVisible(!remarks.isEmpty());
}

} // namespace sparsight
