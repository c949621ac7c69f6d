#include "gui/domains/sparse/schedules/ranked_results.h"

#include "domains/sparse/explanation/pages/collection_report.h"
#include "domains/sparse/schedule/nickname.h"
#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "evaluation/stored_turns.h"
#include "gui/domains/sparse/comparison/compare_action.h"
#include "gui/workspace/workspace_session.h"
#include "store/machines.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace sparsight {

namespace {

struct ResultTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ResultTexts)
};

/// Times compare within these alone.
auto setting_of(const ResultRow& row) {
    return std::tie(row.matrix, row.machine, row.op, row.dense, row.protocol, row.threads);
}

void compare_with_fixed_csr(std::vector<RankedResult>& ranked) {
    const auto before = [](const ResultRow* a, const ResultRow* b) {
        return setting_of(*a) < setting_of(*b);
    };
    std::map<const ResultRow*, const ResultRow*, decltype(before)> baselines(before);
    for (const RankedResult& result : ranked) // of several texts that mean it the last one, as in the store
        if (result.rank > 0 && result.row.is_fixed_csr) {
            const ResultRow*& baseline = baselines[&result.row];
            if (baseline == nullptr || baseline->measured < result.row.measured)
                baseline = &result.row;
        }
    for (RankedResult& result : ranked) {
        const auto baseline = baselines.find(&result.row);
        if (result.rank == 0 || result.row.is_fixed_csr || baseline == baselines.end())
            continue;
        result.is_in_noise = !differs_from_fixed_csr(result.row, *baseline->second);
        // A collection measures fixed CSR first; times of the same form compare as texts.
        result.is_before_baseline =
            !result.row.reference_ms && result.row.measured < baseline->second->measured;
    }
}

/// Leaves the part with the most times; of two as large ones that with fixed CSR. Returns the number of other
/// times.
std::size_t leave_out_other_conditions(std::vector<ResultRow>& rows) {
    using Condition = std::pair<std::string, int>;
    const auto condition_of = [](const ResultRow& row) { return Condition(row.protocol, row.threads); };
    std::map<Condition, std::pair<std::size_t, bool>> sizes;
    std::size_t times = 0;
    for (const ResultRow& row : rows) {
        auto& [size, has_fixed_csr] = sizes[condition_of(row)];
        if (!has_time(row.status))
            continue;
        ++size;
        ++times;
        has_fixed_csr = has_fixed_csr || row.is_fixed_csr;
    }
    if (sizes.size() < 2)
        return 0;
    const auto largest = std::ranges::max_element(sizes, {}, [](const auto& part) { return part.second; });
    std::erase_if(rows, [&](const ResultRow& row) { return condition_of(row) != largest->first; });
    return times - largest->second.first;
}

/// Times of two versions of the code generator can't be compared: those of the one that was measured last
/// stay. Returns the texts of the others.
std::vector<std::string> leave_out_other_engines(std::vector<ResultRow>& rows) {
    const auto when_timed = [](const ResultRow& row) {
        return has_time(row.status) ? row.measured : std::string();
    };
    const auto last = std::ranges::max_element(rows, {}, when_timed);
    std::vector<std::string> left_out;
    if (last == rows.end())
        return left_out;
    std::erase_if(rows, [&left_out, engine = last->engine](const ResultRow& row) {
        const bool is_other = row.engine != engine && row.status != MeasurementStatus::Damaged;
        if (is_other)
            left_out.push_back(row.schedule);
        return is_other;
    });
    return left_out;
}

/// Texts that can't be read stand for themselves.
void name_schedules(std::vector<RankedResult>& ranked) {
    std::vector<SuperSchedule> schedules;
    std::vector<RankedResult*> named;
    for (RankedResult& result : ranked) {
        if (const auto schedule = parse_schedule(result.row.op, result.row.schedule)) {
            schedules.push_back(*schedule);
            named.push_back(&result);
        } else {
            result.nickname = result.row.schedule;
        }
    }
    const std::vector<std::string> names = nicknames(schedules);
    for (std::size_t each = 0; each < named.size(); ++each)
        named[each]->nickname = names[each];
}

} // namespace

QString speedup_text(const RankedResult& result) {
    const auto& speedup = result.row.speedup_over_fixed_csr;
    if (!speedup)
        return unknown_text();
    return (result.is_in_noise ? QStringLiteral("~") : QString()) + speedup_text(*speedup);
}

const RankedResult* find_result(std::span<const RankedResult> results, const SuperSchedule& schedule) {
    const auto found = std::ranges::find_if(results, [&](const RankedResult& result) {
        const auto listed = parse_schedule(result.row.op, result.row.schedule);
        return listed && *listed == schedule;
    });
    return found == results.end() ? nullptr : &*found;
}

ClockTime clock_time_of(const ResultRow& row) {
    const bool is_known =
        row.status == MeasurementStatus::Measured || row.status == MeasurementStatus::GaveUp;
    return {.milliseconds = is_known ? time_by_the_clock(row.protocol, row.median_ms) : std::nullopt,
            .spread_ms = row.spread_ms.value_or(0),
            .is_at_least = row.status == MeasurementStatus::GaveUp};
}

QString explaining_range(const RankedResult& result) {
    const auto& range = result.row.fixed_csr_range;
    const bool leads = result.row.speedup_over_fixed_csr.value_or(0) > 1;
    if (!result.is_in_noise || !leads || !range || result.row.median_ms.value_or(0) < range->shortest_ms)
        return {};
    return ResultTexts::tr("%1 to %2")
        .arg(duration_text(range->shortest_ms), duration_text(range->longest_ms));
}

QString time_with_spread(const RankedResult& result) {
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const double milliseconds = result.row.median_ms.value_or(unknown);
    return result.is_simulated() ? QCoreApplication::translate("sparsight::RankedResult", "%1, simulated")
                                       .arg(duration_text(milliseconds))
                                 : duration_with_spread(milliseconds, result.row.spread_ms.value_or(unknown));
}

std::vector<RankedResult> rank_results(std::vector<ResultRow> rows) {
    sort_fastest_first(rows);
    std::vector<RankedResult> ranked;
    ranked.reserve(rows.size());
    for (ResultRow& row : rows) {
        const int rank = row.status == MeasurementStatus::Measured ? static_cast<int>(ranked.size()) + 1 : 0;
        ranked.push_back({.rank = rank, .row = std::move(row)});
    }
    compare_with_fixed_csr(ranked);
    name_schedules(ranked);
    return ranked;
}

namespace {

template <typename Admits>
const RankedResult* find_last_fixed_csr(std::span<const RankedResult> results, const Admits& admits) {
    const RankedResult* last = nullptr;
    for (const RankedResult& result : results)
        if (result.rank > 0 && result.row.is_fixed_csr && admits(result.row) &&
            (last == nullptr || last->row.measured < result.row.measured))
            last = &result;
    return last;
}

} // namespace

const RankedResult* last_fixed_csr(std::span<const RankedResult> results) {
    return find_last_fixed_csr(results, [](const ResultRow&) { return true; });
}

const RankedResult* last_fixed_csr(std::span<const RankedResult> results, const ResultRow& row) {
    return find_last_fixed_csr(results,
                               [&row](const ResultRow& each) { return setting_of(each) == setting_of(row); });
}

RankedResults rank_comparable(std::vector<ResultRow> rows) {
    RankedResults ranked;
    ranked.other_conditions = leave_out_other_conditions(rows);
    ranked.left_out = leave_out_other_engines(rows);
    ranked.results = rank_results(std::move(rows));
    return ranked;
}

namespace {

/// Of the matrix and the machine of a filter that no time passes.
Result<std::vector<TimedSetting>> timed_settings(Workspace& workspace, ResultFilter filter) {
    const ResultFilter wanted = filter;
    filter.op.reset();
    filter.dense.reset();
    filter.threads.reset();
    const auto rows = list_results(workspace, filter);
    if (!rows)
        return std::unexpected(rows.error());
    std::map<std::tuple<Operator, std::int64_t, int>, std::size_t> times;
    for (const ResultRow& row : *rows)
        if (row.status == MeasurementStatus::Measured)
            ++times[{row.op, row.dense, wanted.threads ? row.threads : 0}];
    std::vector<TimedSetting> settings;
    for (const auto& [setting, count] : times)
        settings.push_back({std::get<0>(setting), std::get<1>(setting), std::get<2>(setting), count});
    std::ranges::stable_sort(settings, std::ranges::greater(), [&wanted](const TimedSetting& setting) {
        return std::pair(setting.op == wanted.op, setting.times);
    });
    return settings;
}

/// Of the matrix and the setting of a filter that no time passes.
Result<std::vector<TimedMachine>> timed_machines(Workspace& workspace, ResultFilter filter) {
    const std::string asked = std::exchange(filter.machine, {});
    filter.protocol.clear(); // each machine has its own
    filter.threads.reset();
    const auto rows = list_results(workspace, filter);
    if (!rows)
        return std::unexpected(rows.error());
    std::map<std::string, std::size_t> times;
    for (const ResultRow& row : *rows)
        if (row.median_ms) // as in the ranking there
            ++times[row.machine];
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    std::vector<TimedMachine> timed;
    for (const MachineRecord& machine : *machines)
        if (const auto found = times.find(machine.name); found != times.end() && machine.fingerprint != asked)
            timed.push_back({QString::fromStdString(machine.fingerprint),
                             QString::fromStdString(machine.name), found->second});
    std::ranges::stable_sort(timed, std::ranges::greater(), &TimedMachine::times);
    return timed;
}

/// Threads are a condition of a run: texts of the same schedule may differ in them.
SuperSchedule meaning_of(SuperSchedule schedule) {
    schedule.threads = 1;
    return canonical(std::move(schedule));
}

/// The one of the list that means this schedule; nullptr: it is not listed.
const RankedResult* find_schedule(std::span<const RankedResult> results, const SuperSchedule& wanted) {
    const SuperSchedule meaning = meaning_of(wanted);
    const auto found = std::ranges::find_if(results, [&meaning](const RankedResult& result) {
        const auto schedule = parse_schedule(result.row.op, result.row.schedule);
        return schedule && meaning_of(*schedule) == meaning;
    });
    return found == results.end() ? nullptr : &*found;
}

/// The figure that `results --best` has beside the collected one.
Result<std::optional<TurnsResult>> read_turns(Workspace& workspace, const std::string& machine,
                                              std::span<const RankedResult> results) {
    if (results.empty() || results.front().rank == 0)
        return std::nullopt;
    const ResultRow& best = results.front().row;
    ResultRecord collected;
    collected.workload = best.matrix;
    collected.machine = best.machine;
    collected.machine_fingerprint = machine;
    collected.setting = setting_of(best.op, best.dense);
    collected.protocol = best.protocol;
    collected.threads = best.threads;
    const auto found = fastest_in_turns(workspace, *make_sparse_domain(), std::span(&collected, 1));
    if (!found)
        return std::unexpected(found.error());
    if (!found->front())
        return std::nullopt;
    TurnsResult in_turns{*found->front(), found->front()->configuration};
    const auto schedule = parse_schedule(best.op, in_turns.fastest.configuration);
    if (!schedule)
        return in_turns;
    const RankedResult* const listed = find_schedule(results, *schedule);
    in_turns.nickname = listed != nullptr ? listed->nickname : nickname(*schedule);
    in_turns.is_fixed_csr = is_fixed_csr(*schedule);
    return in_turns;
}

} // namespace

ResultsReader::ResultsReader(WorkspaceSession& session, QObject* parent)
    : QObject(parent)
    , session_(session) {
    connect(&session, &WorkspaceSession::measurements_changed, this, &ResultsReader::read);
    connect(&session, &WorkspaceSession::closed, this, &ResultsReader::read);
}

void ResultsReader::set_filter(ResultFilter filter) {
    filter_ = std::move(filter);
    read_ = {}; // those of another question must not stand under the new one
    read();
}

const RankedResult* ResultsReader::fixed_csr() const {
    return last_fixed_csr(results());
}

const RankedResult* ResultsReader::best() const {
    return results().empty() || results().front().rank == 0 ? nullptr : &results().front();
}

void ResultsReader::read() {
    if (!session_.is_open() || filter_.matrix.empty()) {
        answers_.cancel();
        read_ = {};
        Q_EMIT results_changed();
        return;
    }
    answers_.ask(
        [file = session_.path().toStdString(),
         filter = filter_](const std::stop_token&) -> Result<RankedResults> {
            auto workspace = Workspace::open(
                file, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
            if (!workspace)
                return std::unexpected(workspace.error());
            auto rows = list_results(*workspace, filter);
            if (!rows)
                return std::unexpected(rows.error());
            RankedResults ranked = rank_comparable(std::move(*rows));
            for (RankedResult& result : ranked.results)
                result.is_recorded = is_recording(filter.machine);
            auto in_turns = read_turns(*workspace, filter.machine, ranked.results);
            if (!in_turns)
                return std::unexpected(in_turns.error());
            ranked.in_turns = *std::move(in_turns);
            if (ranked.results.size() > few_results)
                return ranked;
            auto machines = timed_machines(*workspace, filter);
            if (!machines)
                return std::unexpected(machines.error());
            std::erase_if(*machines, [&ranked](const TimedMachine& machine) {
                return machine.times <= ranked.results.size();
            });
            ranked.machines = std::move(*machines);
            if (!ranked.results.empty())
                return ranked;
            auto elsewhere = timed_settings(*workspace, filter);
            if (!elsewhere)
                return std::unexpected(elsewhere.error());
            ranked.elsewhere = std::move(*elsewhere);
            return ranked;
        },
        // Shown even if more was measured meanwhile: otherwise a quick worker keeps the view empty.
        [this, file = session_.path(), filter = filter_](Result<RankedResults> results, bool) {
            if (file != session_.path() || filter != filter_)
                return;
            if (results)
                read_ = std::move(*results);
            Q_EMIT results_changed();
            if (!results && !session_.look_for_file()) // that it is gone is said by the window
                Q_EMIT failed(QString::fromStdString(results.error().text()));
        });
}

} // namespace sparsight
