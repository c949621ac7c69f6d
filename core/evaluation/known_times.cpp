#include "evaluation/known_times.h"

#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/schedule/text.h"

#include <algorithm>

namespace sparsight {

namespace {

std::optional<int> threads_of_fixed_csr(const std::vector<ResultRow>& rows) {
    const auto row = std::ranges::find_if(rows, [](const ResultRow& each) {
        return each.is_fixed_csr && each.status == MeasurementStatus::Measured;
    });
    return row == rows.end() ? std::nullopt : std::optional(row->threads);
}

} // namespace

bool is_better_known(const ResultRow& row, const ResultRow& other) {
    const bool is_measured = row.status == MeasurementStatus::Measured;
    if (is_measured != (other.status == MeasurementStatus::Measured))
        return is_measured;
    if (row.median_ms.has_value() != other.median_ms.has_value())
        return row.median_ms.has_value();
    return row.median_ms < other.median_ms;
}

Result<KnownTimes> KnownTimes::read(Workspace& workspace, const ResultFilter& filter) {
    auto rows = list_results(workspace, filter);
    if (!rows)
        return std::unexpected(rows.error());
    const std::optional<int> threads = filter.threads ? filter.threads : threads_of_fixed_csr(*rows);
    KnownTimes times;
    for (ResultRow& row : *rows)
        if (!threads || row.threads == *threads)
            times.add(std::move(row));
    return times;
}

void KnownTimes::add(ResultRow row) {
    const auto schedule = parse_schedule(row.op, row.schedule);
    if (!schedule)
        return;
    newest_ = std::max(newest_, row.measured);
    const auto [place, is_new] = places_.emplace(to_text(canonical_without_threads(*schedule)), rows_.size());
    if (is_new)
        rows_.push_back(std::move(row));
    else if (is_better_known(row, rows_[place->second]))
        rows_[place->second] = std::move(row);
    const std::size_t at = place->second;
    if (rows_[at].status != MeasurementStatus::Measured)
        return;
    if (!best_ || is_better_known(rows_[at], rows_[*best_]))
        best_ = at;
    if (rows_[at].is_fixed_csr && (!fixed_csr_ || is_better_known(rows_[at], rows_[*fixed_csr_])))
        fixed_csr_ = at;
}

const ResultRow* KnownTimes::find(const SuperSchedule& schedule) const {
    const auto place = places_.find(to_text(canonical_without_threads(schedule)));
    return place == places_.end() ? nullptr : &rows_[place->second];
}

std::vector<const ResultRow*> KnownTimes::fastest(std::size_t count) const {
    std::vector<const ResultRow*> measured;
    for (const ResultRow& row : rows_)
        if (row.status == MeasurementStatus::Measured && row.median_ms)
            measured.push_back(&row);
    std::ranges::stable_sort(measured, {}, [](const ResultRow* row) { return *row->median_ms; });
    measured.resize(std::min(count, measured.size()));
    return measured;
}

} // namespace sparsight
