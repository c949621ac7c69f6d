#include "evaluation/known_times.h"

#include "store/measurements.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sparsight {

namespace {

std::optional<int> threads_of_baseline(const std::vector<ResultRecord>& rows) {
    const auto row = std::ranges::find_if(rows, [](const ResultRecord& each) {
        return each.is_baseline && each.status == MeasurementStatus::Measured;
    });
    return row == rows.end() ? std::nullopt : std::optional(row->threads);
}

/// The date of its oldest time; empty where there is none of another one.
template <typename Admits>
std::string since_engine(const std::vector<ResultRecord>& rows, const std::string& engine,
                         const Admits& admits) {
    bool is_newer = false;
    std::string since;
    for (const ResultRecord& row : rows) {
        if (!admits(row) || !has_time(row.status))
            continue;
        is_newer = is_newer || row.engine != engine;
        if (row.engine == engine && (since.empty() || row.measured < since))
            since = row.measured;
    }
    return is_newer ? since : std::string();
}

} // namespace

bool is_better_known(const ResultRecord& row, const ResultRecord& other) {
    const bool is_measured = row.status == MeasurementStatus::Measured;
    if (is_measured != (other.status == MeasurementStatus::Measured))
        return is_measured;
    if (row.median_ms.has_value() != other.median_ms.has_value())
        return row.median_ms.has_value();
    if (is_measured && row.is_baseline && other.is_baseline)
        return row.measured >= other.measured; // of one moment that of the later row, as in lists of results
    return row.median_ms < other.median_ms;
}

Result<std::shared_ptr<const ConfigurationSpace>>
space_of(Workspace& workspace, const Domain& domain, const Setting& setting, const WorkloadRecord& workload) {
    auto recorded = recorded_canonical_texts(workspace, setting, workload.id);
    if (!recorded)
        return std::unexpected(std::move(recorded).error());
    return domain.space(
        {.setting = setting, .facts = numeric_facts(workload), .recorded = *std::move(recorded)});
}

Result<KnownTimes> KnownTimes::read(Workspace& workspace, const ConfigurationCodec& codec,
                                    const ResultQuery& query) {
    auto rows = list_results(workspace, query);
    if (!rows)
        return std::unexpected(rows.error());
    const std::optional<int> threads = query.threads ? query.threads : threads_of_baseline(*rows);
    const auto is_admitted = [&](const ResultRecord& row) { return !threads || row.threads == *threads; };
    const ResultRecord* last = nullptr;
    for (const ResultRecord& row : *rows)
        if (is_admitted(row) && has_time(row.status) && (last == nullptr || row.measured > last->measured))
            last = &row;
    const std::string engine = last == nullptr ? std::string() : last->engine;
    KnownTimes times;
    times.engine_ = engine;
    times.engine_since_ = since_engine(*rows, engine, is_admitted);
    for (ResultRecord& row : *rows) {
        if (!is_admitted(row) || (row.engine != engine && row.status != MeasurementStatus::Damaged))
            continue;
        if (const auto parsed = codec.parse(row.configuration))
            times.add(parsed->configuration, std::move(row));
    }
    times.find_baseline_and_best();
    return times;
}

void KnownTimes::add(const Configuration& configuration, ResultRecord row) {
    newest_ = std::max(newest_, row.measured);
    const auto [place, is_new] = places_.emplace(configuration, rows_.size());
    if (is_new) {
        rows_.push_back(std::move(row));
        configurations_.push_back(configuration);
    } else if (is_better_known(row, rows_[place->second])) {
        rows_[place->second] = std::move(row);
    }
}

/// Once all are known: a later time of the baseline may be longer than the one that it replaces.
void KnownTimes::find_baseline_and_best() {
    for (std::size_t at = 0; at < rows_.size(); ++at) {
        const ResultRecord& row = rows_[at];
        if (row.status != MeasurementStatus::Measured || !row.median_ms)
            continue;
        if (!best_ || row.median_ms < rows_[*best_].median_ms)
            best_ = at;
        if (row.is_baseline && (!baseline_ || is_better_known(row, rows_[*baseline_])))
            baseline_ = at;
    }
}

const ResultRecord* KnownTimes::find(const Configuration& configuration) const {
    const auto place = places_.find(configuration);
    return place == places_.end() ? nullptr : &rows_[place->second];
}

const ResultRecord* KnownTimes::first_in_lists() const {
    std::vector<RankedTime> times;
    std::ranges::transform(rows_, std::back_inserter(times),
                           [](const ResultRecord& row) { return ranked_time(row); });
    const std::vector<std::size_t> places = fastest_first(times);
    return best_ ? &rows_[places.front()] : nullptr;
}

std::vector<const ResultRecord*> KnownTimes::fastest(std::size_t count) const {
    std::vector<const ResultRecord*> measured;
    for (const ResultRecord& row : rows_)
        if (row.status == MeasurementStatus::Measured && row.median_ms)
            measured.push_back(&row);
    std::ranges::stable_sort(measured, {}, [](const ResultRecord* row) { return *row->median_ms; });
    measured.resize(std::min(count, measured.size()));
    return measured;
}

} // namespace sparsight
