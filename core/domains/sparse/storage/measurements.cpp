#include "domains/sparse/storage/measurements.h"

#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/schedule/text.h"
#include "store/workspace.h"

#include <fmt/format.h>
#include <string>
#include <unordered_set>
#include <utility>

namespace sparsight {

namespace {

MeasurementConditions conditions(const MeasurementSetting& setting, Operator op) {
    return {setting.matrix, setting.machine, setting_of(op, setting.dense), setting.protocol, {}};
}

} // namespace

WrittenConfiguration written(const SuperSchedule& schedule) {
    std::string text = to_text(schedule);
    const SuperSchedule meant = canonical(schedule);
    std::string canonical_text = meant == schedule ? text : to_text(meant);
    return {.domain = std::string(sparse_domain),
            .family = std::string(name(schedule.op)),
            .text = std::move(text),
            .canonical = std::move(canonical_text),
            .threads = schedule.threads,
            .is_baseline = is_fixed_csr(schedule)};
}

Result<SuperSchedule> read_stored_schedule(const Workspace& workspace,
                                           const WrittenConfiguration& configuration) {
    const auto op = parse_operator(configuration.family);
    auto schedule = op ? parse_schedule(*op, configuration.text) : fail(Fault::Input, "no such operator");
    if (!schedule)
        return fail_in_file(Fault::Input, workspace.path().string(), 0,
                            fmt::format("the schedule \"{}\" of {} can't be read: {}", configuration.text,
                                        configuration.family, schedule.error().message));
    return schedule;
}

Result<void> record_measurement(Workspace& workspace, const MeasurementSetting& setting,
                                const SuperSchedule& schedule, const Measurement& measurement,
                                std::optional<RunId> run) {
    return record_measurement(workspace, conditions(setting, schedule.op), written(schedule), measurement,
                              run);
}

Result<std::optional<Measurement>> find_measurement(Workspace& workspace, const MeasurementSetting& setting,
                                                    const SuperSchedule& schedule) {
    return find_measurement(workspace, conditions(setting, schedule.op), written(schedule));
}

Result<std::vector<SuperSchedule>> missing_schedules(Workspace& workspace, const MeasurementSetting& setting,
                                                     Operator op, std::span<const SuperSchedule> schedules) {
    const auto measured = measured_canonical_texts(workspace, conditions(setting, op));
    if (!measured)
        return std::unexpected(measured.error());
    std::unordered_set<std::string> known(measured->begin(), measured->end());
    std::vector<SuperSchedule> missing;
    for (const SuperSchedule& schedule : schedules)
        if (known.insert(to_text(canonical(schedule))).second)
            missing.push_back(schedule);
    return missing;
}

Result<std::optional<Milliseconds>> shortest_median(Workspace& workspace, const MeasurementSetting& setting,
                                                    Operator op, int threads) {
    return shortest_median(workspace, conditions(setting, op), threads);
}

} // namespace sparsight
