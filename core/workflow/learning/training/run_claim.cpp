#include "workflow/learning/training/run_claim.h"

#include "store/workspace.h"
#include "workflow/learning/training/model_storage.h"
#include "workflow/learning/training/training_journal.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
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
            return fail(
                Fault::Input,
                fmt::format("there is a model called {} already (of {}), made by other settings: what "
                            "differs is {}; choose another name, or have it made anew with --renew",
                            model.name, model.created, *changed));
        replaces_ = fmt::format("{} was made by other settings, and is made anew: what differs is {}",
                                model.name, *changed);
        return {};
    }

    Result<void> take(std::optional<KnownRun> known, const std::optional<ModelRecord>& model) {
        const bool goes_on = is_gone_on_with(
            known, model, request_.redo == Redo::Always || (model && request_.redo == Redo::WhenChanged));
        if (request_.only_left && !goes_on)
            return fail(Fault::Input, "there is no stopped run of these settings to finish");
        const auto run = goes_on ? resumed(known->id) : start_run(workspace_, request_.kind, parameters_);
        if (!run)
            return std::unexpected(run.error());
        auto hold = RunHold::take(workspace_, *run);
        if (!hold)
            return std::unexpected(std::move(hold).error());
        claim_.emplace(ClaimedRun{*run, goes_on, goes_on ? std::move(known->state) : std::nullopt,
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

} // namespace sparsight
