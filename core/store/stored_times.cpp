#include "store/stored_times.h"

#include "store/intact_rows.h"
#include "store/sqlite.h"
#include "store/workspace.h"

namespace sparsight {

Result<void> visit_times(Workspace& workspace, const ResultQuery& query,
                         const std::function<Result<void>(const StoredTime&)>& visit) {
    static const std::string all = checked(
        "SELECT w.name, k.name, s.domain, s.text, m.condition, c.canonical, m.status, m.median_ms, "
        "    m.spread_ms, m.repeats, m.reason, m.measured, {} "
        "FROM measurements m JOIN workloads w ON w.id = m.workload_id JOIN machines k ON k.id = m.machine_id "
        "JOIN study_settings s ON s.id = m.setting_id JOIN configurations c ON c.id = m.configuration_id "
        "WHERE (?1 = '' OR (s.domain = ?1 AND w.domain = ?1)) AND (?3 = '' OR k.name = ?3 OR k.fingerprint = "
        "?3) "
        "    AND (?4 = '' OR s.text = ?4) AND (?5 = '' OR m.protocol = ?5) AND ");
    // Those of one workload are found by an index.
    const std::string sql =
        all +
        (query.workload.empty() ? "?2 = ''" : "m.workload_id IN (SELECT id FROM workloads WHERE name = ?2)") +
        " ORDER BY m.id";
    auto row = workspace.database().query(sql, query.domain, query.workload, query.machine, query.setting,
                                          query.protocol);
    if (!row)
        return std::unexpected(std::move(row).error());
    for (StoredTime time;;) {
        const auto has_row = row->step();
        if (!has_row)
            return std::unexpected(has_row.error());
        if (!*has_row)
            return {};
        time.workload = row->text_view(0);
        time.machine = row->text_view(1);
        time.setting = {row->text(2), row->text(3)};
        time.condition = row->text_view(4);
        time.configuration = row->text_view(5);
        time.status = parse_measurement_status(row->text_view(6)).value_or(MeasurementStatus::Failed);
        time.median_ms = row->optional_real(7);
        time.spread_ms = row->optional_real(8);
        time.repeats = static_cast<int>(row->integer(9));
        time.reason = row->text_view(10);
        time.measured = row->text_view(11);
        if (row->integer(12) == 0) {
            time.status = MeasurementStatus::Damaged;
            time.median_ms = time.spread_ms = std::nullopt;
            time.reason = damaged_reason;
        }
        if (auto visited = visit(time); !visited)
            return visited;
    }
}

} // namespace sparsight
