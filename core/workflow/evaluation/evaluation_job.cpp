#include "workflow/evaluation/evaluation_job.h"

#include "base/memory.h"
#include "base/progress.h"
#include "collection/rematch.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/sparse_setting.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/storage/pattern_storage.h"
#include "domains/sparse/storage/schedules.h"
#include "evaluation/rematch_times.h"
#include "workflow/evaluation/evaluation_plan.h"
#include "workflow/machines/collection_job.h"
#include "workflow/machines/this_machine.h"
#include "workflow/process/timed_stop.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <vector>

namespace sparsight {

namespace {

struct Round {
    const MatrixRecord* matrix = nullptr;
    std::vector<SuperSchedule> schedules;
};

/// Those that there is something to do on.
Result<std::vector<Round>> rounds_of(Workspace& workspace, const EvaluationScope& scope,
                                     std::span<const MatrixRecord> matrices, int turns, bool again) {
    const auto domain = make_sparse_domain();
    const auto codec = domain->codec(scope.setting);
    if (!codec)
        return std::unexpected(codec.error());
    std::vector<Round> rounds;
    for (const MatrixRecord& matrix : matrices) {
        const auto found = contenders(workspace, *domain, scope, matrix.id, matrix.name);
        if (!found)
            return std::unexpected(found.error());
        const auto known = RematchTimes::read(workspace, *codec, scope.run, matrix.id);
        if (!known)
            return std::unexpected(known.error());
        if (!found->empty() && (again || !known->are_of(*found, turns)))
            rounds.push_back({&matrix, schedules_of(*found, 1)});
    }
    return rounds;
}

/// Tells of measurements over all rounds.
class RoundProgress {
public:
    RoundProgress(const std::vector<Round>& rounds, int turns, Observer& observer)
        : observer_(observer)
        , turns_(static_cast<std::uint64_t>(turns)) {
        for (const Round& round : rounds)
            total_ += measurements(round);
    }

    void begin(const Round& round) {
        what_ = fmt::format("measuring the fastest on {} in turns", round.matrix->name);
    }
    void tell(std::uint64_t done_of_round) {
        const std::uint64_t done = before_ + done_of_round;
        std::optional<Seconds> left;
        if (done > 0)
            left = Seconds(stopwatch_.seconds() / static_cast<double>(done) *
                           static_cast<double>(total_ - done));
        observer_.progress({.stage = what_, .done = done, .total = total_, .left = left});
    }
    void end(const Round& round) { before_ += measurements(round); }

private:
    [[nodiscard]] std::uint64_t measurements(const Round& round) const {
        return round.schedules.size() * turns_;
    }

    Observer& observer_;
    std::uint64_t turns_;
    Stopwatch stopwatch_;
    std::string what_;
    std::uint64_t before_ = 0;
    std::uint64_t total_ = 0;
};

Result<std::vector<RematchTime>> measure(Workspace& workspace, const Round& round,
                                         const RematchSettings& settings, const std::stop_token& stop,
                                         RoundProgress& progress) {
    auto pattern = load_pattern(workspace, round.matrix->id);
    if (!pattern)
        return std::unexpected(std::move(pattern).error());
    progress.begin(round);
    return measure_in_turns(*std::move(pattern), round.schedules, settings, stop,
                            [&](const Progress& state) { progress.tell(state.done); });
}

} // namespace

Result<RematchOutcome> run_rematch(Workspace& workspace, const EvaluationScope& scope,
                                   std::span<const MatrixRecord> matrices, const CollectionRequest& measuring,
                                   std::optional<Seconds> time, Observer& observer,
                                   const std::stop_token& stop) {
    RematchSettings settings;
    settings.dense = sparse_setting(scope.setting).dense;
    settings.threads = measuring.threads;
    settings.protocol = measuring.protocol;
    settings.limits = measuring.limits;
    const auto rounds = rounds_of(workspace, scope, matrices, settings.turns, measuring.again);
    if (!rounds)
        return std::unexpected(rounds.error());
    std::optional<TimedStop> out_of_time;
    if (time)
        out_of_time.emplace(stop, *time);
    RematchOutcome outcome;
    RoundProgress progress(*rounds, settings.turns, observer);
    for (const Round& round : *rounds) {
        const auto times =
            measure(workspace, round, settings, out_of_time ? out_of_time->token() : stop, progress);
        if (!times) {
            outcome.complete = false;
            if (times.error().fault == Fault::Cancelled)
                break;
            outcome.failures.push_back({round.matrix->name, "", times.error()});
        } else if (auto stored = record_rematch(workspace, scope.run, round.matrix->id, *times); !stored) {
            return std::unexpected(std::move(stored).error());
        }
        progress.end(round);
    }
    return outcome;
}

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

    Result<EvaluationOutcome> run() {
        tell_start();
        const auto run = begin_run();
        if (!run)
            return std::unexpected(run.error());
        run_ = *run;
        auto outcome = choose_measure_and_sum_up();
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
    void tell_start() {
        Json models = Json::array();
        for (const ModelRecord& model : plan_.models)
            models.push_back(model.name);
        Json matrices = Json::array();
        for (const MatrixRecord& matrix : plan_.matrices)
            matrices.push_back(matrix.name);
        observer_.start({{"models", models},
                         {"matrices", matrices},
                         {"k", request_.k},
                         {"machine", plan_.machine.name},
                         {"measured", plan_.is_measured},
                         {"operator", name(plan_.op)},
                         {"dense", plan_.dense},
                         {"protocol", plan_.protocol}});
    }

    /// A run of the same request is taken up, also one that finished: what was chosen and measured stands.
    Result<RunId> begin_run() {
        const std::string parameters = parameters_of(plan_, request_, request_.seed);
        const auto runs = list_runs(workspace_);
        if (!runs)
            return std::unexpected(runs.error());
        const auto same = std::ranges::find_if(runs->rbegin(), runs->rend(), [&](const RunRecord& run) {
            return run.kind == "evaluate" && run.parameters == parameters;
        });
        if (same == runs->rend() || request_.measuring.again)
            return start_run(workspace_, "evaluate", parameters);
        if (const auto resumed = resume_run(workspace_, same->id); !resumed)
            return std::unexpected(resumed.error());
        return same->id;
    }

    Result<EvaluationOutcome> choose_measure_and_sum_up() {
        if (auto chosen = choices_.choose(run_); !chosen)
            return std::unexpected(chosen.error());
        EvaluationOutcome outcome;
        outcome.complete = true;
        outcome.trained = plan_.trained;
        outcome.remarks = plan_.remarks;
        if (plan_.is_measured) {
            auto measured = measure();
            if (!measured)
                return std::unexpected(measured.error());
            outcome.measured = std::move(measured->summary);
            outcome.complete = outcome.measured.complete && measured->in_turns;
        } else if (request_.supply_times) {
            if (auto supplied = request_.supply_times(choices_.schedules()); !supplied)
                return std::unexpected(supplied.error());
        }
        auto evaluation = evaluate(plan_.matrices, request_.resamples);
        if (!evaluation)
            return std::unexpected(evaluation.error());
        outcome.evaluation = std::move(*evaluation);
        tell_unsearched(outcome);
        tell_results(outcome.evaluation);
        return outcome;
    }

    /// They are left out as what has no time, too; what kept them from being searched says more.
    void tell_unsearched(EvaluationOutcome& outcome) const {
        for (const auto& [matrix, reason] : choices_.unsearched()) {
            outcome.unsearched.push_back({matrix, reason});
            auto& left_out = outcome.evaluation.left_out;
            std::erase_if(left_out, [&](const LeftOutMatrix& each) { return each.matrix == matrix; });
            left_out.push_back({matrix, reason});
        }
    }

    struct Measured {
        CollectionSummary summary;
        bool in_turns = false; ///< the fastest once more, on all matrices
    };

    Result<Measured> measure() {
        keep_freed_memory();
        const auto turn = measuring_turn(observer_, stop_);
        if (!turn)
            return std::unexpected(turn.error());
        CollectionRequest request = request_.measuring;
        request.op = plan_.op;
        request.dense = plan_.dense;
        request.schedules = choices_.schedules();
        request.matrices.clear();
        const auto& unsearched = choices_.unsearched();
        for (const MatrixRecord& matrix : plan_.matrices)
            if (!unsearched.contains(matrix.name))
                request.matrices.push_back(matrix.name);
        if (request.matrices.empty())
            return fail(Fault::Input, fmt::format("none of the matrices can be searched: {}: {}",
                                                  unsearched.begin()->first, unsearched.begin()->second));
        if (request.budget) // some is kept for the last round: without it times are hardly comparable
            *request.budget *= 1 - rematch_share;
        auto summary = collect(workspace_, plan_.machine.id, request, told(), stop_);
        if (!summary)
            return std::unexpected(std::move(summary).error());
        if (!summary->complete && stop_.stop_requested())
            return Measured{*std::move(summary), false};
        std::optional<Seconds> left;
        if (request.budget)
            left = *request_.measuring.budget - summary->elapsed;
        const auto in_turns = run_rematch(workspace_, scope_of(plan_.matrices, 0), plan_.matrices, request,
                                          left, observer_, stop_);
        if (!in_turns)
            return std::unexpected(in_turns.error());
        std::ranges::copy(in_turns->failures, std::back_inserter(summary->failures));
        return Measured{*std::move(summary), in_turns->complete};
    }

    /// A matrix's results are told when the next one begins.
    CollectionObserver told() {
        CollectionObserver told = collection_observer(observer_);
        if (!observer_.tells_events())
            return told;
        auto on_matrix = std::move(told.on_matrix);
        told.on_matrix = [this, on_matrix](std::string_view matrix, std::size_t number, std::size_t count) {
            if (current_)
                if (const auto evaluation = evaluate({*current_}, 0))
                    tell_results(*evaluation);
            const auto found = std::ranges::find(plan_.matrices, matrix, &MatrixRecord::name);
            current_ = found == plan_.matrices.end() ? std::nullopt : std::optional(*found);
            on_matrix(matrix, number, count);
        };
        return told;
    }

    [[nodiscard]] EvaluationScope scope_of(const std::vector<MatrixRecord>& matrices, int resamples) const {
        EvaluationScope scope{.run = run_,
                              .models = {},
                              .matrices = {},
                              .machine = plan_.machine,
                              .setting = setting_of(plan_.op, plan_.dense),
                              .protocol = plan_.protocol,
                              .threads = plan_.threads,
                              .k = request_.k,
                              .bootstrap = {.resamples = resamples, .seed = request_.seed}};
        for (const ModelRecord& model : plan_.models)
            scope.models.push_back(model.id);
        for (const MatrixRecord& matrix : matrices)
            scope.matrices.push_back(matrix.id);
        return scope;
    }

    Result<ModelEvaluation> evaluate(const std::vector<MatrixRecord>& matrices, int resamples) {
        auto evaluation = evaluate_models(workspace_, *make_sparse_domain(), scope_of(matrices, resamples));
        if (evaluation)
            evaluation->created_by = request_.created_by;
        return evaluation;
    }

    void tell_results(const ModelEvaluation& evaluation) {
        for (const EvaluatedModel& model : evaluation.models) {
            for (const EvaluatedMatrix& matrix : model.matrices) {
                if (!told_.insert({model.id, matrix.times.matrix, times_of(matrix)}).second)
                    continue;
                observer_.event("result", {{"model", model.name},
                                           {"matrix", matrix.times.matrix},
                                           {"fixed_csr_ms", matrix.times.fixed_csr_ms},
                                           {"best_ms", matrix.times.best_ms},
                                           {"speedup", matrix.times.speedup()},
                                           {"best_known_ms", matrix.times.best_known_ms}});
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
    std::optional<MatrixRecord> current_;
    using Times = std::tuple<double, double, double>;
    static Times times_of(const EvaluatedMatrix& matrix) {
        return {matrix.times.fixed_csr_ms, matrix.times.best_ms, matrix.times.best_known_ms};
    }
    std::set<std::tuple<ModelId, std::string, Times>> told_; ///< again only where more was measured since
};

} // namespace

Result<EvaluationOutcome> run_evaluation(Workspace& workspace, const EvaluationRequest& request,
                                         Observer& observer, const std::stop_token& stop) {
    auto plan = plan_evaluation(workspace, request);
    if (!plan)
        return std::unexpected(plan.error());
    return Evaluating(workspace, request, *std::move(plan), observer, stop).run();
}

} // namespace sparsight
