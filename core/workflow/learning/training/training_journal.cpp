#include "workflow/learning/training/training_journal.h"

#include "base/observer.h"
#include "store/workspace.h"
#include "workflow/learning/models/model_storage.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

Json parameters_of(const RunRecord& run) {
    const Json json = Json::parse(run.parameters, nullptr, /*allow_exceptions=*/false);
    return json.is_object() ? json : Json::object();
}

/// What is kept of a name is its newest model's: two at one name would be lost work, also of other settings.
Result<void> check_nobody_trains(Workspace& workspace, const std::string& name) {
    const auto holders = live_holders(workspace);
    if (!holders)
        return std::unexpected(holders.error());
    if (holders->empty())
        return {};
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    for (const RunHolder& holder : *holders) {
        const auto run = std::ranges::find(*runs, holder.run, &RunRecord::id);
        if (run != runs->end() && parameters_of(*run).value("name", Json()) == name)
            return fail(Fault::Environment, fmt::format("{} is being trained by process {} since {}", name,
                                                        holder.process, holder.since));
    }
    return {};
}

/// Their names, "data" for what was learned from.
std::vector<std::string> differences(const Json& before, const Json& now) {
    std::vector<std::string> names;
    for (const auto& [name, value] : now.items())
        if (before.contains(name) ? before.at(name) != value : name != "domain") // older runs do not name it
            names.push_back(name);
    return names;
}

/// What differs from when the model of this name was made; empty where no known run of this kind made it.
Result<std::string> changed_since(Workspace& workspace, const ModelRecord& model, std::string_view kind,
                                  const Json& parameters) {
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    const auto run = std::ranges::find_if(
        *runs, [&](const RunRecord& each) { return model.run && each.id == *model.run; });
    if (run == runs->end() || run->kind != kind)
        return std::string();
    const auto changed = differences(parameters_of(*run), parameters);
    return changed.empty() ? "the run itself" : fmt::format("{}", fmt::join(changed, ", "));
}

class Claiming {
public:
    Claiming(Workspace& workspace, const RunRequest& request)
        : workspace_(workspace)
        , request_(request)
        , parameters_(request.parameters.dump()) {}

    Result<void> run() {
        if (request_.name.empty())
            return check_new_name(workspace_, request_.name);
        if (auto free = check_nobody_trains(workspace_, request_.name); !free)
            return free;
        const auto taken = find_model(workspace_, request_.name);
        if (!taken)
            return std::unexpected(taken.error());
        if (*taken && request_.redo != Redo::Always) {
            // Not the newest run of these settings, which may be an --again that was stopped.
            auto own = find_run_of_model(workspace_, **taken, request_.kind, parameters_);
            if (!own)
                return std::unexpected(std::move(own).error());
            if (*own && (*own)->is_finished) {
                claim_.emplace(FinishedRun{**taken, (*own)->message});
                return {};
            }
            if (auto replaced = check_replacing(**taken); !replaced)
                return replaced;
        }
        auto known = find_training_run(workspace_, request_.kind, parameters_);
        if (!known)
            return std::unexpected(std::move(known).error());
        return take(*std::move(known), *taken);
    }

    [[nodiscard]] std::variant<FinishedRun, ClaimedRun> claim() && { return std::move(*claim_); }

private:
    Result<void> check_replacing(const ModelRecord& model) {
        const auto changed = changed_since(workspace_, model, request_.kind, request_.parameters);
        if (!changed)
            return std::unexpected(changed.error());
        if (changed->empty()) // the user's, imported or of a run that is forgotten
            return check_new_name(workspace_, request_.name);
        if (request_.redo == Redo::Never)
            return fail(Fault::Input, fmt::format("there is a model called {} already (of {}), with other "
                                                  "settings ({}): use another name, or --renew",
                                                  model.name, model.created, *changed));
        replaces_ = fmt::format("{} was made by other settings, and is made anew: what differs is {}",
                                model.name, *changed);
        return {};
    }

    Result<void> take(std::optional<KnownRun> known, const std::optional<ModelRecord>& model) {
        const bool resumes = is_resumed(
            known, model, request_.redo == Redo::Always || (model && request_.redo == Redo::WhenChanged));
        if (request_.only_left && !resumes)
            return fail(Fault::Input, "there is no stopped run of these settings to finish");
        const auto run = resumes ? resumed(known->id) : start_run(workspace_, request_.kind, parameters_);
        if (!run)
            return std::unexpected(run.error());
        auto hold = RunHold::take(workspace_, *run);
        if (!hold)
            return std::unexpected(std::move(hold).error());
        claim_.emplace(ClaimedRun{*run, resumes, resumes ? std::move(known->state) : std::nullopt,
                                  std::move(replaces_), model, *std::move(hold)});
        return {};
    }

    Result<RunId> resumed(RunId run) {
        if (auto done = resume_run(workspace_, run); !done)
            return std::unexpected(std::move(done).error());
        return run;
    }

    Workspace& workspace_;
    const RunRequest& request_;
    std::string parameters_;
    std::string replaces_;
    std::optional<std::variant<FinishedRun, ClaimedRun>> claim_;
};

} // namespace

Result<std::variant<FinishedRun, ClaimedRun>> claim_run(Workspace& workspace, const RunRequest& request) {
    Claiming claiming(workspace, request);
    // At once, so that of two that come together one finds what the other has taken.
    if (auto done = in_one_transaction(workspace, [&] { return claiming.run(); }); !done)
        return std::unexpected(std::move(done).error());
    return std::move(claiming).claim();
}

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

bool is_resumed(const std::optional<KnownRun>& known, const std::optional<ModelRecord>& model, bool again) {
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
        return fail(Fault::Input, fmt::format("another model took the name {} meanwhile (of {}): remove it "
                                              "with `models remove`, and run the same command again",
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
