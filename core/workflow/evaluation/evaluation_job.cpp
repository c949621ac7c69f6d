#include "workflow/evaluation/evaluation_job.h"

#include "base/memory.h"
#include "collection/collection_plan.h"
#include "evaluation/known_times.h"
#include "evaluation/reports/evaluation_report.h"
#include "evaluation/stored_turns.h"
#include "workflow/evaluation/earlier_evaluation.h"
#include "workflow/evaluation/evaluation_choices.h"
#include "workflow/evaluation/evaluation_plan.h"
#include "workflow/evaluation/rematch.h"
#include "workflow/evaluation/stored_results.h"
#include "workflow/machines/collection_job.h"
#include "workflow/machines/measuring_turn.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

namespace sparsight {

namespace {

constexpr double rematch_share = 0.25; ///< of a budget

class Evaluating {
public:
    Evaluating(Workspace& workspace, const EvaluationRequest& request, EvaluationPlan plan,
               Observer& observer, const std::stop_token& stop)
        : workspace_(workspace)
        , request_(request)
        , plan_(std::move(plan))
        , observer_(observer)
        , stop_(stop)
        , choices_(workspace, request, plan_, observer, stop) {}

    Result<std::optional<EvaluationOutcome>> find_stored() {
        const auto earlier = find_earlier();
        if (!earlier)
            return std::unexpected(earlier.error());
        if (!*earlier || !(*earlier)->is_same() || (*earlier)->run.state != RunState::Finished)
            return std::nullopt;
        run_ = (*earlier)->run.id;
        const auto chosen = choices_.are_stored(run_);
        const auto timed = chosen && *chosen ? are_times_stored() : chosen;
        if (!timed)
            return std::unexpected(timed.error());
        if (!*timed)
            return std::nullopt;
        tell_start();
        auto outcome = sum_up(outcome_without_figures());
        if (!outcome)
            return std::unexpected(std::move(outcome).error());
        outcome->earlier = to_text(**earlier);
        return *std::move(outcome);
    }

    Result<EvaluationOutcome> run() {
        const auto earlier = find_earlier();
        if (!earlier)
            return std::unexpected(earlier.error());
        tell_start();
        const auto run = begin_run(*earlier);
        if (!run)
            return std::unexpected(run.error());
        run_ = *run;
        auto outcome = choose_measure_and_sum_up();
        if (outcome && *earlier && !request_.measuring.again)
            outcome->earlier = to_text(**earlier);
        const RunState state =
            !outcome ? (outcome.error().fault == Fault::Cancelled ? RunState::Stopped : RunState::Failed)
            : outcome->complete ? RunState::Finished
                                : RunState::Stopped;
        const auto ended = end_run(workspace_, run_, state, outcome ? "" : outcome.error().text());
        if (outcome && !ended)
            return std::unexpected(ended.error());
        return outcome;
    }

private:
    Result<std::optional<EarlierEvaluation>> find_earlier() {
        auto earlier =
            find_earlier_evaluation(workspace_, plan_, parameters_of(plan_, request_, request_.seed));
        if (earlier && *earlier && (*earlier)->is_same())
            order_as_in((*earlier)->run, plan_.workloads);
        return earlier;
    }

    void tell_start() {
        Json models = Json::array();
        for (const ModelRecord& model : plan_.models)
            models.push_back(model.name);
        Json workloads = Json::array();
        for (const WorkloadRecord& workload : plan_.workloads)
            workloads.push_back(workload.name);
        Json facts{{"models", models},
                   {words().workload.many, workloads},
                   {"k", request_.k},
                   {"machine", plan_.machine.name},
                   {"measured", plan_.measuring != nullptr}};
        facts.update(setting_json(*plan_.domain, plan_.setting));
        facts["protocol"] = plan_.protocol;
        observer_.start(facts);
    }

    /// A run of the same request is taken up, also one that finished: what was chosen and measured stands.
    Result<RunId> begin_run(const std::optional<EarlierEvaluation>& earlier) {
        if (!earlier || !earlier->is_same() || request_.measuring.again)
            return start_run(workspace_, "evaluate", text_of(parameters_of(plan_, request_, request_.seed)));
        if (const auto resumed = resume_run(workspace_, earlier->run.id); !resumed)
            return std::unexpected(resumed.error());
        return earlier->run.id;
    }

    static std::string text_of(const Json& parameters) {
        return parameters.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

    [[nodiscard]] const DomainWords& words() const { return plan_.domain->words(); }

    /// Whether neither a measurement, nor a simulation, nor a look-up would add a time to what was chosen.
    Result<bool> are_times_stored() {
        const EvaluationScope scope = scope_of(plan_.workloads, 0);
        if (plan_.measuring != nullptr) {
            const CollectionRequest request = collection_request();
            const auto planned = plan_collection(workspace_, *plan_.measuring, plan_.machine.id, request);
            if (!planned)
                return std::unexpected(planned.error());
            if (!planned->failures.empty() ||
                !std::ranges::all_of(planned->workloads, &WorkloadPlan::is_done))
                return false;
            const auto wanted = wants_rematch(workspace_, *plan_.measuring, scope, plan_.workloads, request);
            return wanted ? Result<bool>(!*wanted) : wanted;
        }
        if (plan_.simulating != nullptr)
            return are_all_tried(scope);
        const auto elsewhere = find_turns_elsewhere(workspace_, *plan_.domain, scope);
        if (!elsewhere)
            return std::unexpected(elsewhere.error());
        return elsewhere->empty();
    }

    /// Whether the simulation has nothing to add: what it found too large has no time, and gets none.
    Result<bool> are_all_tried(const EvaluationScope& scope) const {
        const auto codec = plan_.domain->codec(plan_.setting);
        if (!codec)
            return std::unexpected(codec.error());
        const ConfigurationsByWorkload chosen = searched_configurations();
        for (const auto& [workload, texts] : chosen.texts) {
            const auto times = KnownTimes::read(workspace_, **codec, query_of(scope, workload));
            if (!times)
                return std::unexpected(times.error());
            const auto is_tried = [&](const std::string& text) {
                const auto parsed = (*codec)->parse(text);
                const ResultRecord* const row = parsed ? times->find(parsed->configuration) : nullptr;
                return row != nullptr && row->status != MeasurementStatus::Damaged;
            };
            if ((words().baseline && times->baseline() == nullptr) || !std::ranges::all_of(texts, is_tried))
                return false;
        }
        return true;
    }

    [[nodiscard]] EvaluationOutcome outcome_without_figures() const {
        EvaluationOutcome outcome;
        outcome.complete = true;
        outcome.trained = plan_.trained;
        outcome.remarks = plan_.remarks;
        return outcome;
    }

    Result<EvaluationOutcome> choose_measure_and_sum_up() {
        if (auto chosen = choices_.choose(run_); !chosen)
            return std::unexpected(chosen.error());
        EvaluationOutcome outcome = outcome_without_figures();
        if (plan_.measuring != nullptr) {
            auto measured = measure();
            if (!measured)
                return std::unexpected(measured.error());
            outcome.measured = std::move(measured->summary);
            outcome.complete = outcome.measured.complete && measured->in_turns;
        } else if (plan_.simulating != nullptr) {
            auto failures = plan_.simulating->supply(workspace_,
                                                     {.setting = plan_.setting,
                                                      .machine = plan_.machine,
                                                      .chosen = searched_configurations(),
                                                      .seed = request_.seed},
                                                     observer_, stop_);
            if (!failures)
                return std::unexpected(std::move(failures).error());
            outcome.measured.failures = *std::move(failures);
            outcome.complete = outcome.measured.failures.empty();
        } else if (auto found = look_up_turns(workspace_, *plan_.domain, scope_of(plan_.workloads, 0));
                   !found) {
            return std::unexpected(std::move(found).error());
        }
        return sum_up(std::move(outcome));
    }

    Result<EvaluationOutcome> sum_up(EvaluationOutcome outcome) {
        auto evaluation = evaluate(plan_.workloads, request_.resamples);
        if (!evaluation)
            return std::unexpected(evaluation.error());
        outcome.evaluation = std::move(*evaluation);
        if (auto told = tell_damaged(outcome); !told)
            return std::unexpected(std::move(told).error());
        tell_unsearched(outcome);
        tell_results(outcome.evaluation);
        return outcome;
    }

    [[nodiscard]] Result<void> tell_damaged(EvaluationOutcome& outcome) {
        auto times = list_results(workspace_, query_of(scope_of(plan_.workloads, 0), ""));
        if (!times)
            return std::unexpected(std::move(times).error());
        std::erase_if(*times, [&](const ResultRecord& each) {
            return std::ranges::find(plan_.workloads, each.workload, &WorkloadRecord::name) ==
                   plan_.workloads.end();
        });
        if (std::string damaged = damaged_sentence(*times); !damaged.empty())
            outcome.remarks.push_back(std::move(damaged));
        return {};
    }

    /// They are left out as what has no time, too; what kept them from being searched says more.
    void tell_unsearched(EvaluationOutcome& outcome) const {
        for (const auto& [workload, reason] : choices_.unsearched()) {
            outcome.unsearched.push_back({workload, reason});
            auto& left_out = outcome.evaluation.left_out;
            std::erase_if(left_out, [&](const LeftOutWorkload& each) { return each.workload == workload; });
            left_out.push_back({workload, reason});
        }
    }

    [[nodiscard]] ConfigurationsByWorkload searched_configurations() const {
        ConfigurationsByWorkload chosen = choices_.configurations();
        for (const auto& [workload, reason] : choices_.unsearched())
            chosen.texts.erase(workload);
        return chosen;
    }

    /// What was chosen, on all workloads that could be searched.
    [[nodiscard]] CollectionRequest collection_request() const {
        CollectionRequest request = request_.measuring;
        request.setting = plan_.setting;
        request.wanted = choices_.configurations();
        request.workloads.clear();
        for (const WorkloadRecord& workload : plan_.workloads)
            if (!choices_.unsearched().contains(workload.name))
                request.workloads.push_back(workload.name);
        return request;
    }

    struct Measured {
        CollectionSummary summary{};
        bool in_turns = false; ///< the fastest once more, on all workloads
    };

    Result<Measured> measure() {
        keep_freed_memory();
        CollectionRequest request = collection_request();
        const auto turn = measuring_turn(observer_, stop_, request.budget);
        if (!turn && turn.error().fault == Fault::Limit) { // the times of before are evaluated
            observer_.warn(turn.error().message);
            return Measured();
        }
        if (!turn)
            return std::unexpected(turn.error());
        const std::optional<Seconds> budget = turn->budget;
        request.budget = budget;
        const auto& unsearched = choices_.unsearched();
        if (request.workloads.empty())
            return fail(Fault::Input,
                        fmt::format("none of the {} can be searched: {}: {}", words().workload.many,
                                    unsearched.begin()->first, unsearched.begin()->second));
        if (request.budget) // some is kept for the last round: without it times are hardly comparable
            *request.budget *= 1 - rematch_share;
        auto summary = collect(workspace_, *plan_.measuring, plan_.machine.id, request, told(), stop_);
        if (!summary)
            return std::unexpected(std::move(summary).error());
        if (!summary->complete && stop_.stop_requested())
            return Measured{*std::move(summary), false};
        std::optional<Seconds> left;
        if (budget)
            left = *budget - summary->elapsed;
        const auto in_turns = run_rematch(workspace_, *plan_.measuring, scope_of(plan_.workloads, 0),
                                          plan_.workloads, request, left, observer_, stop_);
        if (!in_turns)
            return std::unexpected(in_turns.error());
        std::ranges::copy(in_turns->failures, std::back_inserter(summary->failures));
        return Measured{*std::move(summary), in_turns->complete};
    }

    /// A workload's results are told when the next one begins.
    CollectionObserver told() {
        CollectionObserver told = collection_observer(observer_, words());
        if (!observer_.tells_events())
            return told;
        auto on_workload = std::move(told.on_workload);
        told.on_workload = [this, on_workload](std::string_view workload, std::size_t number,
                                               std::size_t count) {
            if (current_)
                if (const auto evaluation = evaluate({*current_}, 0))
                    tell_results(*evaluation);
            const auto found = std::ranges::find(plan_.workloads, workload, &WorkloadRecord::name);
            current_ = found == plan_.workloads.end() ? std::nullopt : std::optional(*found);
            on_workload(workload, number, count);
        };
        return told;
    }

    [[nodiscard]] EvaluationScope scope_of(const std::vector<WorkloadRecord>& workloads,
                                           int resamples) const {
        EvaluationScope scope{.run = run_,
                              .models = {},
                              .workloads = {},
                              .machine = plan_.machine,
                              .setting = plan_.setting,
                              .protocol = plan_.protocol,
                              .threads = plan_.threads,
                              .condition = plan_.condition,
                              .k = request_.k,
                              .bootstrap = {.resamples = resamples, .seed = request_.seed}};
        for (const ModelRecord& model : plan_.models)
            scope.models.push_back(model.id);
        for (const WorkloadRecord& workload : workloads)
            scope.workloads.push_back(workload.id);
        return scope;
    }

    Result<ModelEvaluation> evaluate(const std::vector<WorkloadRecord>& workloads, int resamples) {
        auto evaluation = evaluate_models(workspace_, *plan_.domain, scope_of(workloads, resamples));
        if (evaluation)
            evaluation->created_by = request_.created_by;
        return evaluation;
    }

    void tell_results(const ModelEvaluation& evaluation) {
        for (const EvaluatedModel& model : evaluation.models) {
            for (const EvaluatedWorkload& workload : model.workloads) {
                if (!told_.insert({model.id, workload.times.workload, times_of(workload)}).second)
                    continue;
                Json result{{"model", model.name}, {words().workload.one, workload.times.workload}};
                if (words().baseline)
                    result[baseline_key(words())] = workload.times.baseline_ms;
                result["best_ms"] = workload.times.best_ms;
                if (words().baseline)
                    result["speedup"] = workload.times.speedup();
                result["best_known_ms"] = workload.times.best_known_ms;
                observer_.event("result", result);
            }
        }
    }

    Workspace& workspace_;
    const EvaluationRequest& request_;
    EvaluationPlan plan_;
    Observer& observer_;
    const std::stop_token& stop_;
    RunId run_{};
    EvaluationChoices choices_;
    std::optional<WorkloadRecord> current_;
    using Times = std::tuple<double, double, double>;
    static Times times_of(const EvaluatedWorkload& workload) {
        return {workload.times.baseline_ms, workload.times.best_ms, workload.times.best_known_ms};
    }
    std::set<std::tuple<ModelId, std::string, Times>> told_; ///< again only where more was measured since
};

} // namespace

Result<std::optional<EvaluationOutcome>>
find_stored_evaluation(Workspace& workspace, const DomainRegistry& domains, const MeasuringDomains& measuring,
                       const EvaluationRequest& request, Observer& observer) {
    if (request.measuring.again)
        return std::nullopt;
    // A plan may read every workload: mostly it is made once only, by run_evaluation().
    const auto runs = list_runs(workspace);
    if (!runs)
        return std::unexpected(runs.error());
    if (std::ranges::none_of(*runs, [](const RunRecord& run) {
            return run.kind == "evaluate" && run.state == RunState::Finished;
        }))
        return std::nullopt;
    auto plan = plan_evaluation(workspace, domains, measuring, request);
    if (!plan)
        return std::unexpected(plan.error());
    const std::stop_token never;
    return Evaluating(workspace, request, *std::move(plan), observer, never).find_stored();
}

Result<EvaluationOutcome> run_evaluation(Workspace& workspace, const DomainRegistry& domains,
                                         const MeasuringDomains& measuring, const EvaluationRequest& request,
                                         Observer& observer, const std::stop_token& stop) {
    auto plan = plan_evaluation(workspace, domains, measuring, request);
    if (!plan)
        return std::unexpected(plan.error());
    return Evaluating(workspace, request, *std::move(plan), observer, stop).run();
}

} // namespace sparsight
