#include "workflow/learning/hardware/hardware_record.h"

#include "store/workspace.h"
#include "workflow/learning/training/training_journal.h"

#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

constexpr std::string_view hardware_kind = "experiment hardware";

// Names of metrics: "point/PAIR/SEED/RULE", by the number of measurements as the step.
constexpr std::string_view point_prefix = "point/";

std::string metric_of(const HardwareCell& cell) {
    return fmt::format("{}{}/{}/{}", point_prefix, cell.pair, cell.seed, cell.rule);
}

template <typename Number>
bool take_number(std::string_view& text, Number& number) {
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto length = static_cast<std::size_t>(stop - text.data());
    if (error != std::errc() || length >= text.size() || text[length] != '/')
        return false;
    text.remove_prefix(length + 1);
    return true;
}

std::optional<HardwareCell> cell_of(std::string_view metric) {
    if (!metric.starts_with(point_prefix))
        return std::nullopt;
    metric.remove_prefix(point_prefix.size());
    HardwareCell cell;
    if (!take_number(metric, cell.pair) || !take_number(metric, cell.seed))
        return std::nullopt;
    cell.rule = metric;
    return cell;
}

} // namespace

Result<HardwareRecord> HardwareRecord::claim(Workspace& workspace, const Json& parameters) {
    std::optional<HardwareRecord> record;
    // At once, so that of two that come together one finds what the other has taken.
    auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const std::string text = parameters.dump();
        const auto known = find_training_run(workspace, hardware_kind, text);
        if (!known)
            return std::unexpected(known.error());
        if (*known && (*known)->is_finished) {
            record.emplace(HardwareRecord(workspace, (*known)->id, std::nullopt, true));
            return {};
        }
        const auto run = *known ? Result<RunId>((*known)->id) : start_run(workspace, hardware_kind, text);
        if (!run)
            return std::unexpected(run.error());
        auto hold = RunHold::take(workspace, *run);
        if (!hold)
            return std::unexpected(std::move(hold).error());
        record.emplace(HardwareRecord(workspace, *run, *std::move(hold), false));
        return *known ? resume_run(workspace, *run) : Result<void>();
    });
    if (!done)
        return std::unexpected(std::move(done).error());
    const auto metrics = stored_metrics(workspace, record->run_);
    if (!metrics)
        return std::unexpected(metrics.error());
    for (const auto& [name, points] : *metrics)
        if (auto cell = cell_of(name))
            for (const MetricPoint& point : points) {
                cell->shots = static_cast<std::size_t>(point.step);
                record->points_.emplace(*cell, point.value);
            }
    return *std::move(record);
}

Result<void> HardwareRecord::add(std::span<const std::pair<HardwareCell, double>> points) {
    std::vector<NamedMetric> metrics;
    for (const auto& [cell, value] : points)
        metrics.push_back({metric_of(cell), {static_cast<std::int64_t>(cell.shots), value}});
    if (auto kept = record_metrics(*workspace_, run_, metrics); !kept)
        return kept;
    points_.insert(points.begin(), points.end());
    return {};
}

Result<void> HardwareRecord::end(RunState state, std::string_view message) {
    auto ended = end_run(*workspace_, run_, state, message);
    hold_.reset();
    return ended;
}

} // namespace sparsight
