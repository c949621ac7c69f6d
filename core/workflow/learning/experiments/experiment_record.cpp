#include "workflow/learning/experiments/experiment_record.h"

#include "store/workspace.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace sparsight {

Result<ExperimentRecord> ExperimentRecord::claim(Workspace& workspace, std::string_view kind,
                                                 const Json& parameters) {
    std::optional<ExperimentRecord> record;
    // At once, so that of two that come together one finds what the other has taken.
    auto done = in_one_transaction(workspace, [&]() -> Result<void> {
        const std::string text = parameters.dump();
        const auto known = find_training_run(workspace, kind, text);
        if (!known)
            return std::unexpected(known.error());
        if (*known && (*known)->is_finished) {
            record.emplace(ExperimentRecord(workspace, (*known)->id, std::nullopt, true));
            return {};
        }
        const auto run = *known ? Result<RunId>((*known)->id) : start_run(workspace, kind, text);
        if (!run)
            return std::unexpected(run.error());
        auto hold = RunHold::take(workspace, *run);
        if (!hold)
            return std::unexpected(std::move(hold).error());
        record.emplace(ExperimentRecord(workspace, *run, *std::move(hold), false));
        return *known ? resume_run(workspace, *run) : Result<void>();
    });
    if (!done)
        return std::unexpected(std::move(done).error());
    const auto metrics = stored_metrics(workspace, record->run_);
    if (!metrics)
        return std::unexpected(metrics.error());
    for (const auto& [series, points] : *metrics)
        for (const MetricPoint& point : points)
            record->points_.emplace(Place(series, point.step), point.value);
    return *std::move(record);
}

Result<void> ExperimentRecord::add(std::span<const std::pair<Place, double>> points) {
    std::vector<NamedMetric> metrics;
    for (const auto& [place, value] : points)
        metrics.push_back({place.first, {place.second, value}});
    if (auto kept = record_metrics(*workspace_, run_, metrics); !kept)
        return kept;
    points_.insert(points.begin(), points.end());
    return {};
}

Result<RunEnd> ExperimentRecord::finish(const Result<void>& done) {
    const bool is_stopped = !done && done.error().fault == Fault::Cancelled;
    const auto ended = end_run(*workspace_, run_,
                               done         ? RunState::Finished
                               : is_stopped ? RunState::Stopped
                                            : RunState::Failed,
                               done || is_stopped ? "" : done.error().text());
    hold_.reset();
    if (!done && !is_stopped)
        return std::unexpected(done.error());
    if (!ended)
        return std::unexpected(ended.error());
    return is_stopped ? RunEnd::Stopped : RunEnd::Finished;
}

} // namespace sparsight
