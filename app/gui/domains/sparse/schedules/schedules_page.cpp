#include "gui/domains/sparse/schedules/schedules_page.h"

#include "domains/sparse/schedule/text.h"
#include "gui/domains/sparse/details/costed_code.h"
#include "gui/domains/sparse/details/schedule_details.h"
#include "gui/domains/sparse/details/timeline_view.h"
#include "gui/domains/sparse/details/why_view.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/domains/sparse/schedules/machine_link.h"
#include "gui/domains/sparse/schedules/measure_fields.h"
#include "gui/domains/sparse/schedules/measure_panel.h"
#include "gui/domains/sparse/schedules/no_times.h"
#include "gui/domains/sparse/schedules/result_summary.h"
#include "gui/domains/sparse/schedules/results_model.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/jobs/job_service.h"
#include "gui/page/page.h"
#include "gui/selection/selection.h"
#include "gui/workspace/workspace_session.h"
#include "store/machines.h"
#include "widgets/chart/chart.h"
#include "widgets/look/labels.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "widgets/table/data_table.h"

#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <algorithm>

namespace sparsight {

SchedulesPage::SchedulesPage(SparseServices services, QWidget* parent)
    : Page(PagePlace::Configurations, QStringLiteral("schedules"), tr("Schedules"),
           QStringLiteral("schedules"), parent)
    , services_(services)
    , reader_(services.session)
    , measure_(new MeasurePanel(services, this))
    , machine_(new QLabel(this))
    , headline_(new QLabel(this))
    , collected_(new ElidedLabel(this))
    , baseline_(new QLabel(this))
    , splitter_(new QSplitter(Qt::Horizontal, this))
    , left_(new QSplitter(Qt::Vertical, this))
    , stack_(new QStackedWidget(this))
    , empty_(new NoTimes(services, this))
    , chart_(new Chart(this))
    , table_(new DataTable(this))
    , details_(new ScheduleDetails(this))
    , timeline_(new TimelineView(services, this))
    , why_(new WhyView(services, this)) {
    const int tab = details_->tabs().addTab(timeline_, tr("T&imeline"));
    details_->tabs().setTabToolTip(tab, tr("When each thread works on which chunk"));
    build_chart();
    build_table();
    build();
    connect(measure_, &MeasurePanel::setting_changed, this, [this] {
        // The operator is part of what is selected: a schedule is one of an operator.
        if (op_name(measure_->fields().op()) != services_.selection.current().family)
            services_.selection.select_configuration(op_name(measure_->fields().op()), {});
        ask_for_results();
        show_details();
    });
    connect(measure_, &MeasurePanel::notice, this, &Page::notice);
    connect(measure_, &MeasurePanel::measuring_started, this, &SchedulesPage::show_this_machine);
    connect(why_, &WhyView::notice, this, &Page::notice);
    // What was asked about stays selected, even if the new times make another schedule the best.
    connect(why_, &WhyView::asked_to_measure, this, [this] { chosen_for_user_.clear(); });
    connect(details_, &ScheduleDetails::measure_requested, this, &SchedulesPage::measure_edited);
    connect(details_, &ScheduleDetails::widened, stack_, &QWidget::setHidden);
    connect(&reader_, &ResultsReader::results_changed, this, &SchedulesPage::show_results);
    connect(&reader_, &ResultsReader::failed, this,
            [this](const QString& reason) { Q_EMIT notice(reason, true, QStringLiteral("read")); });
    connect(&services_.selection, &Selection::changed, this, &SchedulesPage::follow);
    connect(&services_.session, &WorkspaceSession::contents_changed, this, &SchedulesPage::follow);
    connect(&services_.session, &WorkspaceSession::opened, this, [this] { baseline_note_.forget(); });
    connect(&services_.matrices, &MatrixLoader::loaded, this, &SchedulesPage::show_details);
    connect(&services_.jobs, &JobService::event_received, this,
            [this](const JobId&, const QJsonObject& event) {
                if (event[QStringLiteral("event")].toString() == QStringLiteral("step"))
                    services_.session.refresh();
            });
    const auto say_whether_one_can_measure = [this] {
        details_->set_measure_refusal(measure_->refusal_of_one());
    };
    connect(&services_.jobs, &JobService::job_changed, this, say_whether_one_can_measure);
    for (const auto signal : {&JobService::job_added, &JobService::job_changed, &JobService::job_finished,
                              &JobService::job_removed})
        connect(&services_.jobs, signal, this, [this] {
            if (results_.empty())
                show_empty();
        });
    connect(&services_.session, &WorkspaceSession::gone_changed, this, say_whether_one_can_measure);
    tell_of_exports(*this);
    follow();
}

void SchedulesPage::follow() {
    const Selected& now = services_.selection.current();
    if (now.configuration != followed_.configuration)
        is_carried_over_ = false;
    else if (now.workload != followed_.workload)
        is_carried_over_ = !now.configuration.isEmpty();
    followed_ = now;
    if (const auto op = parse_operator(now.family.toStdString()); op && *op != measure_->fields().op())
        measure_->fields().set_operator(*op);
    if (find_matrix(services_.session, now.workload))
        services_.matrices.request(now.workload);
    ask_for_results();
    show_details();
    mark_selected();
}

void SchedulesPage::ask_for_results() {
    ResultFilter filter;
    const Selected& now = services_.selection.current();
    const QString machine = now.machine.isEmpty() ? services_.session.this_machine() : now.machine;
    filter.matrix = now.workload.toStdString();
    filter.machine = machine.toStdString();
    filter.op = measure_->fields().op();
    filter.dense = measure_->fields().dense();
    // Another machine's runtimes have a protocol and threads of their own: its largest part is ranked.
    if (is_of_this_machine()) {
        filter.protocol = name(measure_->request().protocol);
        filter.threads = measure_->request().threads;
    }
    if (machine.isEmpty()) // this computer is not known yet: there are no times of it
        filter.matrix.clear();
    if (filter != reader_.filter())
        reader_.set_filter(filter);
}

bool SchedulesPage::is_of_this_machine() const {
    const QString& machine = services_.selection.current().machine;
    return machine.isEmpty() || machine == services_.session.this_machine();
}

void SchedulesPage::show_results() {
    Q_EMIT notice({}, false, QStringLiteral("read")); // what could not be read is told of behind it
    results_ = reader_.results();
    if (!is_of_this_machine()) // what was imported has no order of its own
        for (RankedResult& result : results_)
            result.is_before_baseline = false;
    is_filling_ = true; // the table moves its current row when that is removed: nobody has chosen it
    model_.set_rows(results_);
    is_filling_ = false;
    stack_->setCurrentWidget(results_.empty() ? static_cast<QWidget*>(empty_) : stack_->widget(0));
    show_empty();
    show_machine();
    show_headline();
    show_chart();
    keep_what_is_measured_anew();
    choose_best();
    mark_selected();
    show_why();
}

void SchedulesPage::show_empty() {
    const MeasureFields& fields = measure_->fields();
    const Selected& now = services_.selection.current();
    empty_->show_for({now.workload, now.machine, fields.op(), fields.dense(), measure_->is_measuring()},
                     reader_.read_results());
}

/// Times of another machine are not to be taken for this computer's. Where few times are shown, a machine
/// that has more is one click away.
void SchedulesPage::show_machine() {
    const QString& shown = services_.selection.current().machine;
    const MachineRecord* const record = is_of_this_machine() ? nullptr : services_.session.machine(shown);
    const auto& others = reader_.read_results().machines;
    const auto richer = std::ranges::find_if(others, [this](const TimedMachine& machine) {
        return machine.fingerprint != services_.session.this_machine();
    });
    const bool is_offered = richer != others.end() && !results_.empty(); // else NoTimes offers it
    QStringList parts;
    if (record != nullptr)
        parts << (is_recording(record->fingerprint)
                      ? tr("Times recorded on <b>%1</b>. <a href='this'>Show this computer</a>")
                      : tr("Times on <b>%1</b>. <a href='this'>Show this computer</a>"))
                     .arg(QString::fromStdString(record->name).toHtmlEscaped());
    else if (is_offered)
        parts << tr("Times of <b>this computer</b>.");
    if (is_offered)
        parts << (is_recording(richer->fingerprint.toStdString())
                      ? tr("<a href='%1'>Show the %2 recorded times of %3</a>")
                      : tr("<a href='%1'>Show the %2 times of %3</a>"))
                     .arg(link_to_machine(richer->fingerprint),
                          count_text(static_cast<qint64>(richer->times)), richer->name.toHtmlEscaped());
    machine_->setVisible(!parts.isEmpty());
    machine_->setText(parts.join(QStringLiteral(" ")));
}

void SchedulesPage::show_this_machine() {
    if (is_of_this_machine())
        return;
    // Also where the workspace does not know it yet: no machine would mean that none was chosen.
    services_.selection.select_machine(services_.session.this_machine());
}

/// The selected schedule stays while its time is left out, until it is measured anew, and from then on.
void SchedulesPage::keep_what_is_measured_anew() {
    const std::string selected = services_.selection.current().configuration.toStdString();
    const auto& left_out = reader_.read_results().left_out;
    if (has_result(selected))
        is_carried_over_ = false; // it was measured here, too
    else if (!is_carried_over_ && std::ranges::find(left_out, selected) != left_out.end())
        chosen_for_user_.clear();
}

bool SchedulesPage::has_result(const std::string& schedule) const {
    return std::ranges::find(results_, schedule, [](const RankedResult& result) {
               return result.row.schedule;
           }) != results_.end();
}

/// There is always one to look at: the best, until another is chosen or this one is edited.
void SchedulesPage::choose_best() {
    const Selected& now = services_.selection.current();
    // What was chosen on another matrix stays where it was measured here, too, to be compared.
    const bool is_left_over = is_carried_over_ && !has_result(now.configuration.toStdString());
    const bool is_free = now.configuration.isEmpty() || now.configuration == chosen_for_user_ || is_left_over;
    if (!is_free || reader_.best() == nullptr || !isVisible() || details_->is_edited())
        return;
    Selected best = now;
    best.family = op_name(reader_.best()->row.op);
    best.configuration = QString::fromStdString(reader_.best()->row.schedule);
    chosen_for_user_ = best.configuration;
    services_.selection.replace(std::move(best));
}

void SchedulesPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    choose_best();
}

void SchedulesPage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    if (is_short_ != is_low())
        show_headline();
    else
        show_remarks();
}

void SchedulesPage::mark_selected() {
    const std::string selected = services_.selection.current().configuration.toStdString();
    const auto& results = reader_.results();
    const auto found =
        std::ranges::find(results, selected, [](const RankedResult& result) { return result.row.schedule; });
    if (found == results.end()) { // it is a draft, or is being measured anew
        chart_->set_selected({});
        is_filling_ = true;
        table_->select_source_row(-1);
        is_filling_ = false;
        return;
    }
    chart_->set_selected(key_of(*found));
    if (const auto row = model_.row_of(key_of(*found)); row && table_->current_source_row() != *row) {
        is_filling_ = true; // following is not choosing
        table_->select_source_row(*row);
        is_filling_ = false;
    }
}

void SchedulesPage::show_headline() {
    is_short_ = is_low();
    ResultSummary facts{.matrix = services_.selection.current().workload,
                        .best = reader_.best(),
                        .fixed_csr = reader_.fixed_csr(),
                        .rivals = rivals(results_),
                        .can_measure_again = is_of_this_machine(),
                        .rival = fastest_rival(results_),
                        .winner = clear_winner(results_),
                        .in_turns = reader_.in_turns()};
    const QString whole = result_summary_text(facts);
    facts.is_short = is_short_;
    const QString text = result_summary_text(facts);
    headline_->setVisible(!text.isEmpty());
    headline_->setText(with_whole_numbers(text));
    const QString note = baseline_note_.text_for(reader_.filter(), results_);
    baseline_->setVisible(!note.isEmpty() && !is_short_);
    baseline_->setText(note);
    QString collected =
        reader_.best() != nullptr && reader_.best()->is_simulated()
            ? tr("These times are simulated, not measured.")
            : tr("Times as collected, one after the other; Results and Failures have those in turns.") +
                  QLatin1Char(' ') +
                  tr("A speedup is over fixed CSR at that moment: the lowest time need not come first.");
    if (const auto left_out = std::ssize(reader_.read_results().left_out); left_out > 0)
        collected.prepend(
            (left_out == 1
                 ? tr("1 time of another code generator is left out.")
                 : tr("%1 times of another code generator are left out.").arg(count_text(left_out))) +
            QLatin1Char(' ') + tr("Measure takes them anew.") + QLatin1Char(' '));
    if (const auto others = static_cast<qint64>(reader_.read_results().other_conditions); others > 0) {
        const int threads = results_.empty() ? 0 : results_.front().row.threads;
        collected.prepend((threads == 1 ? tr("These are times with 1 thread.")
                                        : tr("These are times with %1 threads.").arg(threads)) +
                          QLatin1Char(' ') +
                          (others == 1
                               ? tr("1 time with other threads or by another protocol is left out.")
                               : tr("%1 times with other threads or by another protocol are left out.")
                                     .arg(count_text(others))) +
                          QLatin1Char(' '));
    }
    collected_->setText(collected);
    collected_->setToolTip(collected);
    QStringList told{is_short_ ? whole : QString(), is_short_ ? note : QString(), collected};
    told.removeAll(QString());
    headline_->setToolTip(told.join(QStringLiteral("<br>")));
    show_remarks();
}

bool SchedulesPage::is_low() const {
    constexpr int low = 56 * grid_step;
    return height() < low;
}

void SchedulesPage::show_remarks() {
    const RankedResults& read = reader_.read_results();
    const bool tells_of_others = !read.left_out.empty() || read.other_conditions > 0;
    collected_->setVisible(reader_.best() != nullptr && (tells_of_others || !is_low()));
    measure_->set_compact(is_low());
}

void SchedulesPage::show_chart() {
    chart_->set_title((reader_.in_turns() == nullptr ? tr("Speedup over fixed CSR on %1")
                                                     : tr("Speedup over fixed CSR on %1, as collected"))
                          .arg(services_.selection.current().workload));
    chart_->set_bars(speedup_bars(results_));
}

std::optional<SuperSchedule> SchedulesPage::selected_schedule() const {
    const Selected& now = services_.selection.current();
    const auto op = parse_operator(now.family.toStdString());
    if (!op || now.configuration.isEmpty())
        return std::nullopt;
    const auto schedule = parse_schedule(*op, now.configuration.toStdString());
    return schedule ? std::optional(*schedule) : std::nullopt;
}

void SchedulesPage::show_details() {
    details_->show(selected_schedule(), services_.matrices.find(services_.selection.current().workload),
                   measure_->fields().dense());
    details_->set_cost_setting(cost_setting());
    details_->set_measure_refusal(measure_->refusal_of_one());
    timeline_->show(selected_schedule(), services_.matrices.find(services_.selection.current().workload),
                    measure_->fields().dense(), measure_->request().threads);
    show_why();
}

void SchedulesPage::show_why() {
    const Selected& now = services_.selection.current();
    why_->ask({.matrix = now.workload,
               .machine = now.machine,
               .op = measure_->fields().op(),
               .dense = measure_->fields().dense(),
               .threads = is_of_this_machine() ? measure_->request().threads : 0,
               .schedule = selected_schedule()},
              reader_.results());
    const auto schedule = selected_schedule();
    const RankedResult* const known = schedule ? find_result(reader_.results(), *schedule) : nullptr;
    timeline_->compare_with(known == nullptr
                                ? TimelineView::KnownRun()
                                : TimelineView::KnownRun{clock_time_of(known->row), known->row.threads,
                                                         is_recording(now.machine.toStdString())});
}

CostSetting SchedulesPage::cost_setting() const {
    const QString& chosen = services_.selection.current().machine;
    const QString machine = chosen.isEmpty() ? services_.session.this_machine() : chosen;
    const MachineRecord* const record = services_.session.machine(machine);
    CostSetting setting;
    setting.is_here = is_of_this_machine();
    setting.machine_key =
        machine + (record == nullptr ? QString() : QString::fromStdString(record->description));
    setting.threads = setting.is_here ? measure_->request().threads : 0;
    setting.machine = MachineRequest(services_.session, chosen);
    setting.worker = services_.jobs.worker_program();
    setting.workspace = services_.session.path();
    return setting;
}

void SchedulesPage::select_result(const RankedResult& result) {
    if (QString::fromStdString(result.row.schedule) != chosen_for_user_)
        chosen_for_user_.clear();
    services_.selection.select_configuration(op_name(result.row.op),
                                             QString::fromStdString(result.row.schedule));
}

void SchedulesPage::measure_edited(const QString& schedule) {
    services_.selection.select_configuration(op_name(measure_->fields().op()), schedule);
    measure_->measure_schedule(schedule);
}

bool SchedulesPage::is_settled() const {
    const Selected& now = services_.selection.current();
    const bool is_loaded =
        !find_matrix(services_.session, now.workload) || services_.matrices.find(now.workload);
    return is_loaded && !reader_.is_reading() && details_->is_settled() && timeline_->is_settled() &&
           why_->is_settled();
}

} // namespace sparsight
