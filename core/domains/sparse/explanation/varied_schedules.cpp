#include "domains/sparse/explanation/varied_schedules.h"

#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"

#include <unordered_set>

namespace sparsight {

namespace {

constexpr std::size_t measured_among_drawn = 5;

} // namespace

Result<std::vector<ResultRow>> measured_rows(Workspace& workspace, const ResultFilter& filter) {
    auto rows = list_results(workspace, filter);
    if (!rows)
        return rows;
    std::erase_if(*rows, [](const ResultRow& row) { return row.status != MeasurementStatus::Measured; });
    sort_fastest_first(*rows);
    return rows;
}

ScheduleSetRequest varied_schedules(Operator op, std::int64_t dense, std::span<const ResultRow> measured,
                                    std::size_t count, std::uint64_t seed) {
    ScheduleSetRequest request{op, dense, {}, count, seed};
    std::unordered_set<Configuration> taken{configuration_of(fixed_csr(op, 1))};
    for (const ResultRow& row : measured) {
        if (request.known.size() == measured_among_drawn)
            break;
        if (row.protocol == simulated_protocol)
            continue;
        if (const auto schedule = parse_schedule(op, row.schedule);
            schedule && taken.insert(configuration_of(*schedule)).second)
            request.known.push_back(*schedule);
    }
    return request;
}

} // namespace sparsight
