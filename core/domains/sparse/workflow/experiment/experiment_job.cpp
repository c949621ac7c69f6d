#include "domains/sparse/workflow/experiment/experiment_job.h"

#include "domains/sparse/schedule/operator.h"
#include "domains/sparse/simulator/simulator.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/workflow/simulation/simulated_runtimes.h"
#include "machine/machine_presets.h"
#include "store/machines.h"
#include "store/workspace.h"
#include "study/measurement.h"
#include "workflow/machines/collection_job.h"
#include "workflow/machines/measuring_turn.h"
#include "workflow/machines/named_machines.h"
#include "workflow/process/learn_process.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace sparsight {
namespace {

/// The formula has no unit, and by it kernels take nanoseconds, which learning takes for outliers. Only the
/// order counts: what it says is taken for microseconds, as milliseconds.
PaperFormula plausible_formula() {
    return PaperFormula("paper-formula-x1000", 1000);
}

/// Nothing for the report's machine B, imagined by an earlier experiment. Errors (Fault::Input): the
/// workspace has none of this name, or it is simulated by anything else, so that what is chosen for it has no
/// times.
Result<std::optional<MachineRecord>> recorded_second_machine(Workspace& workspace, const std::string& name) {
    const auto known = require_machine(workspace, name);
    if (!known)
        return std::unexpected(known.error());
    const std::string& fingerprint = known->fingerprint;
    if (!fingerprint.starts_with("simulated:"))
        return *known;
    if (fingerprint.starts_with(fmt::format("simulated:{}:", plausible_formula().name())) &&
        known->name == report_machine_b().name)
        return std::nullopt;
    return fail(Fault::Input, fmt::format("the machine '{}' is simulated: expected one with imported "
                                          "runtimes, or no --second for the report's machine B",
                                          name));
}

/// Without runtimes yet.
Result<MachineRecord> imagined_second_machine(Workspace& workspace, const MachineRecord& first) {
    const auto id = record_simulated_machine(workspace, plausible_formula(), report_machine_b(), first);
    if (!id)
        return std::unexpected(id.error());
    const auto machines = list_machines(workspace);
    if (!machines)
        return std::unexpected(machines.error());
    return *std::ranges::find(*machines, *id, &MachineRecord::id);
}

/// From all that was measured of SpMM on the first machine in this setting.
Result<void> simulate_second_machine(Workspace& workspace, const MachineRecord& first,
                                     const MachineRecord& second, std::int64_t dense, Protocol protocol,
                                     int threads) {
    const auto simulated = simulate_runtimes(workspace, plausible_formula(),
                                             {.machine = first.id,
                                              .op = Operator::SpMM,
                                              .dense = dense,
                                              .protocol = std::string(name(protocol)),
                                              .threads = threads},
                                             second.id);
    if (!simulated)
        return std::unexpected(simulated.error());
    return {};
}

// Shares of the budget for measuring: what is learned from, and what is chosen on each machine.
constexpr double learning_share = 0.6;
constexpr double answering_share_of_experiment = 0.2;

constexpr std::int64_t fewest_matrices = 10; ///< that can be split at all sensibly

/// People see how far an evaluation is; programs follow the stages of the experiment, not its events.
class StageObserver final : public Observer {
public:
    explicit StageObserver(Observer& experiment)
        : experiment_(experiment) {}

    void progress(const Progress& state) override { experiment_.show(state); }
    void show(const Progress& state) override { experiment_.show(state); }
    void remark(std::string_view sentence) override { experiment_.remark(sentence); }
    void warn(std::string_view sentence) override { experiment_.warn(sentence); }

private:
    Observer& experiment_;
};

class Experiment {
public:
    Experiment(Workspace& workspace, const DomainRegistry& domains, const MeasuringDomains& measuring,
               const ExperimentRequest& request, Observer& observer, const std::stop_token& stop)
        : workspace_(workspace)
        , domains_(domains)
        , measuring_(measuring)
        , request_(request)
        , observer_(observer)
        , stop_(stop) {}

    Result<ExperimentOutcome> run() {
        if (const auto learner = find_learner(); !learner) // said before hours of measuring
            return std::unexpected(learner.error());
        const std::string suffix = request_.is_quick ? "-quick" : "";
        base_ = request_.weights.empty() ? "report-base" + suffix : request_.weights;
        meta_ = "report-meta" + suffix;
        tuned_ = "report-tuned" + suffix;
        for (const auto step : {&Experiment::check_weights, &Experiment::check_second_machine,
                                &Experiment::measure, &Experiment::train_base, &Experiment::train_meta,
                                &Experiment::imagine_second_machine, &Experiment::tune})
            if (auto done = (this->*step)(); !done)
                return std::unexpected(done.error());
        return evaluate();
    }

private:
    Result<void> check_weights() {
        if (request_.weights.empty())
            return {};
        auto model = require_model(workspace_, request_.weights);
        if (model)
            return {};
        model.error().message += "; `models import` reads WACO's weights";
        return std::unexpected(std::move(model).error());
    }

    void tell_stage(const std::string& stage) {
        observer_.event("stage", {{"stage", stage}});
        observer_.remark(stage);
    }

    Result<void> collect_on_this_computer(CollectionRequest request, double share) {
        if (request_.measuring.budget)
            request.budget = *request_.measuring.budget * share;
        const auto turn = measuring_turn(observer_, stop_, request.budget);
        if (!turn && turn.error().fault == Fault::Limit) {
            observer_.warn(turn.error().message);
            outcome_.complete = false; // what was trained so far stays of use
            return {};
        }
        if (!turn)
            return std::unexpected(turn.error());
        request.budget = turn->budget;
        const auto matrices = measuring_.require(sparse_domain);
        if (!matrices)
            return std::unexpected(matrices.error());
        request.setting = setting_of(Operator::SpMM, request_.dense);
        auto summary =
            collect(workspace_, **matrices, first_.id, request, collection_progress(observer_), stop_);
        if (!summary)
            return std::unexpected(summary.error());
        if (stop_.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        outcome_.complete = outcome_.complete && summary->complete;
        std::ranges::move(summary->failures, std::back_inserter(outcome_.failures));
        return {};
    }

    Result<void> measure() {
        auto machine = this_machine(workspace_, [&] {
            StageObserver probe(observer_);
            return measure_this_machine(probe, stop_);
        });
        if (!machine)
            return std::unexpected(machine.error());
        first_ = std::move(*machine);
        CollectionRequest request = request_.measuring;
        const auto matrices = chosen_matrices();
        if (!matrices)
            return std::unexpected(matrices.error());
        request.workloads = *matrices;
        request.wanted = SampledConfigurations{.count = request_.schedules, .seed = request_.seed};
        tell_stage(fmt::format("measuring {} schedules on each of {} matrices", request_.schedules,
                               matrices->size()));
        outcome_.complete = true;
        return collect_on_this_computer(std::move(request), learning_share);
    }

    Result<std::vector<std::string>> chosen_matrices() {
        if (!request_.matrices.empty())
            return request_.matrices;
        const auto records = list_matrices(workspace_);
        if (!records)
            return std::unexpected(records.error());
        std::vector<std::string> names;
        for (const MatrixRecord& record : *records)
            if (record.pattern != PayloadPlace::Unknown)
                names.push_back(record.name);
        if (std::ssize(names) < fewest_matrices)
            return fail(Fault::Input,
                        fmt::format("there are {} matrices with patterns: expected {} or more; `simulate "
                                    "simulated-matrices --count 200` makes some like the report's",
                                    names.size(), fewest_matrices));
        return names;
    }

    Result<void> make(const std::string& model, std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--dense", fmt::format("{}", request_.dense)});
        if (!split_.empty())
            arguments.insert(arguments.end(), {"--split", split_});
        if (auto made = make_model({.workspace = workspace_.path().string(), .seed = request_.seed}, model,
                                   std::move(arguments), observer_, stop_);
            !made)
            return made;
        return stop_.stop_requested() ? Result<void>(fail(Fault::Cancelled, "stopped")) : Result<void>();
    }

    /// `settings` are a method's own; those of --config stand above a preset.
    [[nodiscard]] std::vector<std::string> training(std::vector<std::string> settings) const {
        std::vector<std::string> arguments{"train", "--machines", first_.fingerprint, "--no-baseline"};
        if (request_.is_quick)
            arguments.insert(arguments.end(), {"--preset", "demo"});
        if (!request_.config.empty())
            arguments.insert(arguments.end(), {"--config", request_.config});
        if (split_.empty())
            arguments.insert(arguments.end(), {"--test-share", "0.2"});
        arguments.insert(arguments.end(), settings.begin(), settings.end());
        return arguments;
    }

    Result<void> train_base() {
        split_ = request_.split;
        if (!request_.weights.empty())
            return {};
        tell_stage(fmt::format("training {} as WACO does", base_));
        std::vector<std::string> settings{"--method", "supervised"}; // the other defaults are WACO's
        if (!request_.is_quick)
            settings.insert(settings.end(), {"--architecture", "waconet"});
        if (auto made = make(base_, training(std::move(settings))); !made)
            return made;
        if (split_.empty())
            split_ = base_; // the split that it has made
        return {};
    }

    Result<void> train_meta() {
        tell_stage(fmt::format("meta-training {} as the report does", meta_));
        std::vector<std::string> settings;
        if (request_.is_quick)
            settings = {"--method", "report", "--simulated", "A,B"};
        else
            settings = {"--preset", "report"};
        if (auto made = make(meta_, training(std::move(settings))); !made)
            return made;
        if (split_.empty())
            split_ = meta_;
        return {};
    }

    /// Before hours of measuring and training.
    Result<void> check_second_machine() {
        if (request_.second.empty())
            return {};
        auto found = recorded_second_machine(workspace_, request_.second);
        if (!found)
            return std::unexpected(std::move(found).error());
        is_imagined_ = !found->has_value();
        if (!is_imagined_)
            second_ = **std::move(found);
        return {};
    }

    Result<void> imagine_second_machine() {
        if (!is_imagined_)
            return {};
        auto made = imagined_second_machine(workspace_, first_);
        if (!made)
            return std::unexpected(std::move(made).error());
        second_ = *std::move(made);
        return simulate();
    }

    Result<void> simulate() {
        return simulate_second_machine(workspace_, first_, second_, request_.dense,
                                       request_.measuring.protocol, request_.measuring.threads);
    }

    Result<void> tune() {
        tell_stage(fmt::format("fine-tuning {} to {} on {} matrices", meta_, second_.name, request_.shots));
        return make(tuned_, {"finetune", "--model", meta_, "--machine", second_.fingerprint, "--matrices",
                             fmt::format("{}", request_.shots), "--epochs", "5"});
    }

    Result<ExperimentOutcome> evaluate() {
        tell_stage(fmt::format("{} and {} choose for {}", base_, meta_, first_.name));
        auto first = evaluate({base_, meta_}, "");
        if (!first)
            return std::unexpected(first.error());
        tell_stage(fmt::format("{} and {} choose for {}", base_, tuned_, second_.name));
        auto second = evaluate({base_, tuned_}, second_.fingerprint);
        if (!second)
            return std::unexpected(second.error());
        // What was measured here for an imagined machine may be the best that is known of this one by now.
        if (is_imagined_)
            first = evaluate({base_, meta_}, "");
        if (!first)
            return std::unexpected(first.error());
        outcome_.experiment = {std::move(*first), std::move(*second), request_.created_by};
        return std::move(outcome_);
    }

    Result<ModelEvaluation> evaluate(std::vector<std::string> models, const std::string& machine) {
        EvaluationRequest request;
        request.models = std::move(models);
        request.split = split_;
        request.setting = {.domain = std::string(sparse_domain), .text = {}};
        request.setting.options["dense"] = fmt::to_string(request_.dense);
        request.seed = request_.seed;
        request.created_by = request_.created_by;
        request.machine = machine;
        request.k = request_.k;
        request.measuring = request_.measuring;
        if (request_.measuring.budget)
            request.measuring.budget = *request_.measuring.budget * answering_share_of_experiment;
        const ImaginedTimes imagined(*this);
        if (is_imagined_)
            request.simulating = {&imagined};
        StageObserver stage(observer_);
        auto outcome = run_evaluation(workspace_, domains_, measuring_, request, stage, stop_);
        if (!outcome)
            return std::unexpected(outcome.error());
        if (stop_.stop_requested())
            return fail(Fault::Cancelled, "stopped");
        outcome_.complete = outcome_.complete && outcome->complete;
        std::ranges::move(outcome->measured.failures, std::back_inserter(outcome_.failures));
        return std::move(outcome->evaluation);
    }

    /// Of the imagined machine: what was chosen is measured here, and simulated from that.
    class ImaginedTimes final : public SimulatingDomain {
    public:
        explicit ImaginedTimes(Experiment& experiment)
            : experiment_(experiment) {}

        std::string_view name() const override { return sparse_domain; }
        std::optional<SimulatedConditions> conditions(const MachineRecord& machine) const override {
            if (machine.id != experiment_.second_.id)
                return std::nullopt;
            const CollectionRequest& measuring = experiment_.request_.measuring;
            return SimulatedConditions{std::string(sparsight::name(measuring.protocol)), measuring.threads};
        }
        Result<std::vector<CollectionFailure>> supply(Workspace&, const WantedTimes& wanted, Observer&,
                                                      const std::stop_token&) const override {
            CollectionRequest measuring = experiment_.request_.measuring;
            measuring.wanted = wanted.chosen;
            for (const auto& [matrix, schedules] : wanted.chosen.texts)
                measuring.workloads.push_back(matrix);
            if (auto measured =
                    experiment_.collect_on_this_computer(std::move(measuring), answering_share_of_experiment);
                !measured)
                return std::unexpected(std::move(measured).error());
            if (auto simulated = experiment_.simulate(); !simulated)
                return std::unexpected(std::move(simulated).error());
            return {};
        }

    private:
        Experiment& experiment_;
    };

    Workspace& workspace_;
    const DomainRegistry& domains_;
    const MeasuringDomains& measuring_;
    const ExperimentRequest& request_;
    Observer& observer_;
    const std::stop_token& stop_;
    MachineRecord first_;
    MachineRecord second_;
    bool is_imagined_ = true; ///< the second one
    std::string base_;
    std::string meta_;
    std::string tuned_;
    std::string split_;
    ExperimentOutcome outcome_;
};

} // namespace

Result<ExperimentOutcome> run_experiment(Workspace& workspace, const DomainRegistry& domains,
                                         const MeasuringDomains& measuring, const ExperimentRequest& request,
                                         Observer& observer, const std::stop_token& stop) {
    return Experiment(workspace, domains, measuring, request, observer, stop).run();
}

} // namespace sparsight
