#include "gui/domains/sparse/whatif/schedule_study.h"

#include "base/parallel.h"
#include "domains/sparse/explanation/measured_clock.h"
#include "domains/sparse/explanation/varied_schedules.h"
#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/schedules.h"
#include "gui/domains/sparse/comparison/compare_action.h"
#include "gui/domains/sparse/matrices/loaded_matrix.h"
#include "gui/workspace/workspace_session.h"

#include <algorithm>

namespace sparsight {

namespace {

struct Question {
    StudySubject subject;
    std::shared_ptr<const CsrPattern> pattern;
    std::string file; ///< of the workspace
    std::vector<std::string> machines;
};

ResultFilter filter_of(const StudySubject& subject, const std::string& machine) {
    return {.matrix = subject.matrix.toStdString(),
            .machine = machine,
            .op = subject.op,
            .dense = dense_index(subject.op) ? subject.dense : 1};
}

ScheduleSetRequest request_of(const StudySubject& subject, const std::vector<ResultRow>& measured) {
    if (subject.listed.empty() && !subject.measured_only)
        return varied_schedules(subject.op, subject.dense, measured, subject.count, 1);
    ScheduleSetRequest request{subject.op, subject.dense, subject.listed, 0, 1};
    if (subject.listed.empty())
        for (const ResultRow& row : measured)
            if (const auto schedule = parse_schedule(row.op, row.schedule))
                request.known.push_back(*schedule);
    return request;
}

/// Times that a clock told, on the machine of the subject. Empty where it has none.
Result<std::vector<ResultRow>> rows_of_machine(Workspace& workspace, const StudySubject& subject) {
    if (!subject.measured_only || subject.machine.isEmpty())
        return std::vector<ResultRow>{};
    auto rows = measured_rows(workspace, filter_of(subject, subject.machine.toStdString()));
    if (rows)
        std::erase_if(*rows, [](const ResultRow& row) { return row.protocol == simulated_protocol; });
    return rows;
}

void name_schedules(Study& study, const std::vector<ResultRow>& measured) {
    std::map<QString, QString> written;
    for (const ResultRow& row : measured)
        if (const auto schedule = parse_schedule(row.op, row.schedule))
            written.emplace(meaning_key(*schedule), QString::fromStdString(row.schedule));
    for (SuperSchedule schedule : study.schedules) {
        const QString key = meaning_key(schedule);
        const auto known = written.find(key);
        schedule.threads = available_threads();
        study.keys.push_back(key);
        study.texts.push_back(known != written.end() ? known->second
                                                     : QString::fromStdString(to_text(schedule)));
    }
    for (const std::string& name : nicknames(study.schedules))
        study.labels.push_back(QString::fromStdString(name));
}

/// Those of the threads of fixed CSR; without a time of it of those threads that most times have.
Result<KnownTimes> times_of_one_thread_count(Workspace& workspace, ResultFilter filter) {
    const auto sparse = make_sparse_domain();
    auto times = known_times(workspace, *sparse, filter);
    if (!times)
        return times;
    std::map<int, std::size_t> counts;
    for (const ResultRecord& row : times->rows())
        if (row.status == MeasurementStatus::Measured)
            ++counts[row.threads];
    if (counts.size() < 2)
        return times;
    filter.threads =
        std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
    return known_times(workspace, *sparse, filter);
}

Result<std::shared_ptr<const Study>> answer(const Question& question, const std::stop_token& stop) {
    auto workspace = Workspace::open(
        question.file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!workspace)
        return std::unexpected(workspace.error());
    const std::vector<ResultRow> measured =
        measured_rows(*workspace, filter_of(question.subject, {})).value_or(std::vector<ResultRow>{});
    const auto here = rows_of_machine(*workspace, question.subject);
    if (!here)
        return std::unexpected(here.error());
    auto set = schedule_set(ProfiledPattern(*question.pattern),
                            request_of(question.subject, here->empty() ? measured : *here),
                            {available_threads(), stop, {}});
    if (!set)
        return std::unexpected(std::move(set.error()));
    auto study = std::make_shared<Study>();
    study->subject = question.subject;
    study->schedules = std::move(set->schedules);
    study->profiles = std::move(set->profiles);
    name_schedules(*study, measured);
    for (const std::string& machine : question.machines) {
        const auto times = times_of_one_thread_count(*workspace, filter_of(question.subject, machine));
        if (!times)
            return std::unexpected(times.error());
        ClockTimes& known = study->known[QString::fromStdString(machine)];
        for (const SuperSchedule& schedule : study->schedules) {
            const ResultRecord* const row = times->find(configuration_of(schedule));
            ClockTime& time = known.times.emplace_back();
            if (row == nullptr || row->status != MeasurementStatus::Measured)
                continue;
            time.milliseconds = time_by_the_clock(row->protocol, row->median_ms);
            time.spread_ms = row->spread_ms.value_or(0);
            known.threads = row->threads;
        }
    }
    return study;
}

} // namespace

QString meaning_key(const SuperSchedule& schedule) {
    SuperSchedule alone = canonical(schedule);
    alone.threads = 1;
    return QString::fromStdString(to_text(alone));
}

std::vector<std::optional<double>> Study::recorded_on(const QString& fingerprint) const {
    std::vector<std::optional<double>> milliseconds(schedules.size());
    if (const auto found = known.find(fingerprint); found != known.end())
        std::ranges::transform(found->second.times, milliseconds.begin(), &ClockTime::milliseconds);
    return milliseconds;
}

bool Study::has(const QString& key) const {
    return std::ranges::find(keys, key) != keys.end();
}

ScheduleStudy::ScheduleStudy(SparseServices services, QObject* parent)
    : QObject(parent)
    , services_(services) {
    connect(&services_.matrices, &MatrixLoader::loaded, this, [this](const QString& name) {
        if (is_waiting_ && name == subject_.matrix)
            begin();
    });
    connect(&services_.matrices, &MatrixLoader::failed, this,
            [this](const QString& name, const QString& reason) {
                if (!is_waiting_ || name != subject_.matrix)
                    return;
                is_waiting_ = false;
                Q_EMIT failed(reason);
                Q_EMIT changed();
            });
}

void ScheduleStudy::set_subject(const StudySubject& subject) {
    if (subject == subject_)
        return;
    subject_ = subject;
    if (study_ && (study_->subject.matrix != subject.matrix || study_->subject.op != subject.op))
        study_.reset();
    renew();
}

void ScheduleStudy::renew() {
    answers_.cancel();
    is_waiting_ = false;
    if (!subject_.matrix.isEmpty() && services_.session.is_open()) {
        is_waiting_ = true;
        if (services_.matrices.find(subject_.matrix))
            begin();
        else
            services_.matrices.request(subject_.matrix);
    } else {
        study_.reset();
    }
    Q_EMIT changed();
}

void ScheduleStudy::begin() {
    is_waiting_ = false;
    const auto matrix = services_.matrices.find(subject_.matrix);
    if (!matrix)
        return;
    Question question{subject_, matrix->pattern, services_.session.path().toStdString(), {}};
    for (const MachineRecord& machine : services_.session.contents().machines)
        question.machines.push_back(machine.fingerprint);
    answers_.ask(
        [question = std::move(question)](const std::stop_token& stop) { return answer(question, stop); },
        [this](Result<std::shared_ptr<const Study>> study, bool) {
            if (study)
                study_ = *study;
            else if (study.error().fault != Fault::Cancelled)
                Q_EMIT failed(QString::fromStdString(study.error().text()));
            Q_EMIT changed();
        });
}

} // namespace sparsight
