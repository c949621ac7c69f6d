#include "domains/blocks/study/study_record.h"

#include "store/workspace.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

constexpr std::string_view study_kind = "blocks study";
constexpr std::string_view predicted_prefix = "predicted/";
constexpr std::string_view figure_prefix = "figure/";
// Of a training's journal.
constexpr const char* epoch_seconds = "epoch/seconds";
constexpr const char* validation_error = "validation/time_error";

Result<std::vector<std::pair<double, double>>> curve_of(Workspace& workspace, RunId run) {
    const auto seconds = list_metric(workspace, run, epoch_seconds);
    if (!seconds)
        return std::unexpected(seconds.error());
    const auto errors = list_metric(workspace, run, validation_error);
    if (!errors)
        return std::unexpected(errors.error());
    std::vector<std::pair<double, double>> curve;
    for (const MetricPoint& error : *errors)
        if (const auto at = std::ranges::find(*seconds, error.step, &MetricPoint::step); at != seconds->end())
            curve.emplace_back(at->value, error.value);
    return curve;
}

} // namespace

std::string StudyRecord::parameters(const StudyCell& cell) const {
    const nlohmann::ordered_json json{{"model", cell.model},
                                      {"machines", cell.machines},
                                      {"way", cell.way},
                                      {"target", cell.target},
                                      {"shots", cell.shots},
                                      {"seed", cell.seed},
                                      {"epochs", cell.epochs},
                                      {"width", cell.width},
                                      {"data", fmt::format("{:016x}", blocks_.digest)}};
    return json.dump();
}

std::string StudyRecord::model_name(const StudyCell& cell) const {
    std::string name = fmt::format("study {:08x}: {}", blocks_.digest >> 32U, describe(cell));
    std::ranges::replace(name, ',', ';'); // commas divide names on the command line
    return name;
}

Result<std::optional<RunRecord>> StudyRecord::run_of(const StudyCell& cell) const {
    auto runs = list_runs(workspace_);
    if (!runs)
        return std::unexpected(std::move(runs).error());
    const std::string text = parameters(cell);
    const auto newest = std::ranges::find_if(runs->rbegin(), runs->rend(), [&](const RunRecord& run) {
        return run.kind == study_kind && run.parameters == text;
    });
    return newest == runs->rend() ? std::nullopt : std::optional(std::move(*newest));
}

Result<bool> StudyRecord::is_finished(const StudyCell& cell) const {
    const auto run = run_of(cell);
    if (!run)
        return std::unexpected(run.error());
    return *run && (*run)->state == RunState::Finished;
}

Result<std::optional<CellResult>> StudyRecord::find(const StudyCell& cell) const {
    const auto run = run_of(cell);
    if (!run)
        return std::unexpected(run.error());
    if (!*run || (*run)->state != RunState::Finished)
        return std::nullopt;
    const auto names = metric_names(workspace_, (*run)->id);
    if (!names)
        return std::unexpected(names.error());
    CellResult result;
    for (const std::string& name : *names) {
        const bool is_prediction = name.starts_with(predicted_prefix);
        if (!is_prediction && !name.starts_with(figure_prefix))
            continue;
        const auto points = list_metric(workspace_, (*run)->id, name);
        if (!points)
            return std::unexpected(points.error());
        for (const MetricPoint& point : *points)
            if (is_prediction)
                result.predicted[name.substr(predicted_prefix.size())].emplace(WorkloadId(point.step),
                                                                               point.value);
            else
                result.figures[name.substr(figure_prefix.size())] = point.value;
    }
    auto curve = curve_of(workspace_, (*run)->id);
    if (!curve)
        return std::unexpected(std::move(curve).error());
    result.curve = *std::move(curve);
    return result;
}

Result<std::optional<ClaimedCell>> StudyRecord::claim(const StudyCell& cell) {
    std::optional<ClaimedCell> claimed;
    const auto done = in_one_transaction(workspace_, [&]() -> Result<void> {
        const auto known = run_of(cell);
        if (!known)
            return std::unexpected(known.error());
        if (*known && (*known)->state == RunState::Finished)
            return {};
        const auto run =
            *known ? Result<RunId>((*known)->id) : start_run(workspace_, study_kind, parameters(cell));
        if (!run)
            return std::unexpected(run.error());
        auto hold = RunHold::take(workspace_, *run);
        if (!hold && hold.error().fault == Fault::Environment)
            return {}; // of another process
        if (!hold)
            return std::unexpected(std::move(hold).error());
        auto state = find_training_state(workspace_, *run);
        if (!state)
            return std::unexpected(std::move(state).error());
        claimed.emplace(ClaimedCell{*run, *std::move(state), *std::move(hold)});
        return *known ? resume_run(workspace_, *run) : Result<void>();
    });
    if (!done)
        return std::unexpected(done.error());
    return claimed;
}

Result<void> StudyRecord::finish(const ClaimedCell& claimed, const CellResult& result,
                                 const std::function<Result<void>()>& more) {
    std::vector<NamedMetric> metrics;
    for (const auto& [machine, blocks] : result.predicted)
        for (const auto& [block, cycles] : blocks)
            metrics.push_back(
                {fmt::format("{}{}", predicted_prefix, machine), {static_cast<std::int64_t>(block), cycles}});
    for (const auto& [name, value] : result.figures)
        metrics.push_back({fmt::format("{}{}", figure_prefix, name), {0, value}});
    return in_one_transaction(workspace_, [&]() -> Result<void> {
        if (auto kept = record_metrics(workspace_, claimed.run, metrics); !kept)
            return kept;
        if (more)
            if (auto kept = more(); !kept)
                return kept;
        if (auto removed = remove_training_state(workspace_, claimed.run); !removed)
            return removed;
        return end_run(workspace_, claimed.run, RunState::Finished);
    });
}

Result<void> StudyRecord::leave(const ClaimedCell& claimed, const Error& why) {
    const bool is_stopped = why.fault == Fault::Cancelled;
    return end_run(workspace_, claimed.run, is_stopped ? RunState::Stopped : RunState::Failed,
                   is_stopped ? "" : why.text());
}

} // namespace sparsight
