#include "workflow/learning/training/training_journal.h"

#include "base/observer.h"
#include "store/workspace.h"
#include "workflow/learning/training/model_storage.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

constexpr std::chrono::milliseconds flush_interval{250};
constexpr std::chrono::seconds shortest_save_interval{1};
constexpr int worth_of_saving = 20; ///< times its cost

/// Runs of a kind with these parameters.
class SameRun {
public:
    SameRun(std::string_view kind, std::string_view parameters)
        : kind_(kind)
        , parameters_(parameters) {
        // Runs that were stored before there were several domains do not name theirs.
        Json older = Json::parse(parameters, nullptr, /*allow_exceptions=*/false);
        if (older.is_object() && older.erase("domain") > 0)
            older_ = older.dump();
    }

    [[nodiscard]] bool operator()(const RunRecord& run) const {
        return run.kind == kind_ && (run.parameters == parameters_ || run.parameters == older_);
    }

private:
    std::string_view kind_;
    std::string_view parameters_;
    std::string older_;
};

} // namespace

Result<std::optional<KnownRun>> find_training_run(Workspace& workspace, std::string_view kind,
                                                  std::string_view parameters) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const auto newest = std::ranges::find_if(runs->rbegin(), runs->rend(), SameRun(kind, parameters));
    if (newest == runs->rend())
        return std::nullopt;
    KnownRun known{newest->id, newest->state == RunState::Finished, newest->message, {}};
    auto state = find_training_state(workspace, known.id);
    if (!state)
        return std::unexpected(std::move(state).error());
    known.state = *std::move(state);
    return known;
}

Result<std::optional<KnownRun>> find_run_of_model(Workspace& workspace, const ModelRecord& model,
                                                  std::string_view kind, std::string_view parameters) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const SameRun is_same(kind, parameters);
    const auto own = std::ranges::find_if(
        *runs, [&](const RunRecord& run) { return run.id == model.run && is_same(run); });
    if (own == runs->end())
        return std::nullopt;
    return KnownRun{own->id, own->state == RunState::Finished, own->message, {}};
}

bool is_gone_on_with(const std::optional<KnownRun>& known, const std::optional<ModelRecord>& model,
                     bool again) {
    if (!known || known->is_finished)
        return false;
    return !again || (model && (!model->run || known->id > *model->run));
}

Result<MetricsByName> stored_metrics(Workspace& workspace, RunId run) {
    const auto names = metric_names(workspace, run);
    if (!names)
        return std::unexpected(names.error());
    MetricsByName metrics;
    for (const std::string& name : *names) {
        auto points = list_metric(workspace, run, name);
        if (!points)
            return std::unexpected(std::move(points).error());
        metrics[name] = *std::move(points);
    }
    return metrics;
}

Result<void> TrainingJournal::go_back_to(std::int64_t step, std::int64_t epoch) {
    return in_one_transaction(workspace_, [&]() -> Result<void> {
        const auto names = metric_names(workspace_, run_);
        if (!names)
            return std::unexpected(names.error());
        for (const std::string& name : *names)
            if (auto done = remove_metric_beyond(workspace_, run_, name, name == "loss" ? step : epoch);
                !done)
                return done;
        return {};
    });
}

void TrainingJournal::add(std::string name, std::int64_t step, double value) {
    metrics_.push_back({std::move(name), {step, value}});
}

Result<void> TrainingJournal::flush() {
    flushed_ = Clock::now();
    if (metrics_.empty())
        return {};
    auto done = record_metrics(workspace_, run_, metrics_);
    if (done)
        metrics_.clear();
    return done;
}

Result<void> TrainingJournal::save(const TrainingState& state, double seconds) {
    const Clock::time_point start = Clock::now();
    add(seconds_metric, 0, seconds);
    auto done = in_one_transaction(workspace_, [&]() -> Result<void> {
        if (auto flushed = flush(); !flushed)
            return flushed;
        return save_training_state(workspace_, run_, training_state_bytes(state));
    });
    saved_ = Clock::now();
    cost_of_saving_ = saved_ - start;
    return done;
}

Result<void> TrainingJournal::save_if_due(const TrainingState& state, double seconds) {
    const Clock::time_point now = Clock::now();
    if (now - saved_ >= std::max<Clock::duration>(shortest_save_interval, cost_of_saving_ * worth_of_saving))
        return save(state, seconds);
    return now - flushed_ >= flush_interval ? flush() : Result<void>();
}

namespace {

/// By its date, too: the number of a model that was removed is given again.
bool is_same(const ModelRecord& one, const std::optional<ModelRecord>& other) {
    return other && one.id == other->id && one.created == other->created;
}

Result<void> free_name(Workspace& workspace, const TrainedModel& model) {
    const auto now = find_model(workspace, model.name);
    if (!now)
        return std::unexpected(now.error());
    if (!*now)
        return {};
    if (!is_same(**now, model.replaced))
        return fail(Fault::Input,
                    fmt::format("the name {} has become that of another model (of {}) while this one was "
                                "made, and it is not replaced: remove it with `models remove`, and run the "
                                "same command again",
                                model.name, (*now)->created));
    return remove_model(workspace, (*now)->id);
}

} // namespace

Result<void> store_trained_model(Workspace& workspace, TrainingJournal& journal, const TrainedModel& model,
                                 const std::function<Result<void>()>& more) {
    return in_one_transaction(workspace, [&]() -> Result<void> {
        if (auto freed = free_name(workspace, model); !freed)
            return freed;
        if (auto kept = keep_model(workspace, {model.name, journal.run(), model.parent}, model.checkpoint);
            !kept)
            return std::unexpected(std::move(kept).error());
        if (more)
            if (auto kept = more(); !kept)
                return kept;
        if (auto flushed = journal.flush(); !flushed)
            return flushed;
        if (auto removed = remove_training_state(workspace, journal.run()); !removed)
            return removed;
        return end_run(workspace, journal.run(), RunState::Finished, model.ending);
    });
}

} // namespace sparsight
