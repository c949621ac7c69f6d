#include "learning/training/trainer.h"

#include "learning/processes/joint_training.h"
#include "model/tensors/torch_runtime.h"

#include <ATen/TensorOperators.h>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

/// One Adam step over the weights and the rates.
void outer_step(TrainingState& state, const TrainingOptions& options, double rate,
                const std::vector<at::Tensor>& gradients) {
    NamedTensors& weights = state.parameters.weights;
    std::vector<std::string> names = weights.names();
    std::vector<at::Tensor> tensors;
    for (const at::Tensor& weight : weights.tensors()) // here, so that the inner rates do not decay, too
        tensors.push_back(weight.detach() * (1 - rate * options.weight_decay));
    if (state.parameters.rates)
        for (std::size_t p = 0; p < weights.size(); ++p) {
            names.push_back("rate of " + weights.names()[p]);
            tensors.push_back(state.parameters.rates->tensors()[p]);
        }
    AdamStep next =
        adam_step({}, rate, NamedTensors(std::move(names), std::move(tensors)), gradients, state.adam);
    state.adam = std::move(next.state);
    const auto first = next.parameters.tensors().begin();
    const auto middle = first + static_cast<std::ptrdiff_t>(weights.size());
    const NamedTensors moved = weights.with({first, middle});
    if (state.parameters.rates)
        state.parameters.rates = weights.with({middle, next.parameters.tensors().end()});
    weights = moved;
}

std::unexpected<Error> diverged(const TrainingOptions& options, const TrainingState& state,
                                std::string_view what) {
    const std::string cause =
        is_meta(options.method) && options.inner.rate * options.inner.steps > 0.1
            ? fmt::format("the inner rate of {} is probably too high", options.inner.rate)
        : options.longest_gradient == 0
            ? fmt::format("the rate of {} is probably too high, or the gradients should be clipped",
                          options.rate)
            : fmt::format("the rate of {} is probably too high", options.rate);
    return fail(Fault::Input,
                fmt::format("training diverged: in epoch {}, step {}, the {} is no finite number; {}",
                            state.epoch + 1, state.step + 1, what, cause));
}

/// Keeps the state's best up to date. Whether this epoch is it.
bool note_epoch(TrainingState& state, const RankingReport& overall) {
    const bool is_best = overall.workloads == 0 || !state.best_loss || overall.loss < *state.best_loss;
    if (is_best) {
        state.best = leaves(state.parameters.weights);
        if (state.parameters.rates)
            state.best_rates = leaves(*state.parameters.rates);
        state.best_loss = overall.workloads == 0 ? std::nullopt : std::optional(overall.loss);
        state.best_epoch = state.epoch;
    }
    state.epochs_without_gain = is_best ? 0 : state.epochs_without_gain + 1;
    return is_best;
}

Result<void> tell(const TrainingObserver& observer, const TrainingState& state) {
    return observer.checkpoint ? observer.checkpoint(state) : Result<void>();
}

/// The data and the observer of a run.
struct Run {
    ExampleStore& examples;
    const WorkloadSplit& split;
    const TrainingOptions& options;
    const TrainingObserver& observer;
    const std::stop_token& stop;
    const ProcessGroup& group;
};

/// Steps that are done count in the examples.
Result<void> train_epoch(const Run& run, const std::vector<StepPlan>& plan, TrainingState& state,
                         std::size_t& looked_at) {
    const TrainingOptions& options = run.options;
    const double rate = rate_of_epoch(options, state.epoch);
    while (state.step < plan.size()) {
        auto found = step_gradient(run.examples, plan[state.step], options, state.parameters, run.group,
                                   run.stop.stop_requested());
        if (!found)
            return std::unexpected(std::move(found).error());
        if (!std::isfinite(found->loss))
            return diverged(options, state, "loss");
        const double norm = clip_gradients(found->tensors, options.longest_gradient);
        if (!std::isfinite(norm))
            return diverged(options, state, "gradient");
        outer_step(state, options, rate, found->tensors);
        ++state.step;
        ++state.steps;
        state.loss_sum += found->loss;
        looked_at += found->examples;
        if (run.observer.step)
            run.observer.step({state.epoch, state.step, plan.size(), found->loss, norm, found->examples});
        if (auto kept = tell(run.observer, state); !kept)
            return std::unexpected(std::move(kept).error());
    }
    return {};
}

/// What the simulator does in the validation by itself: training never moves its parameters, so that no
/// method's inner loop matters. Empty where the network is no gray box, or nothing is validated with.
Result<std::vector<RankingReport>> validate_simulator(const Run& run, const NamedTensors& weights) {
    std::vector<RankingReport> reports;
    if (run.examples.encoder().gray_box() == nullptr || run.split.validation.empty())
        return reports;
    for (std::size_t task = 0; task < run.examples.tasks().tasks.size(); ++task) {
        auto report =
            report_simulator(run.examples, weights, run.options.loss, task, run.split.validation, run.stop);
        if (!report)
            return std::unexpected(std::move(report).error());
        reports.push_back(*std::move(report));
    }
    return reports;
}

/// The steps that are left and the validation of one epoch.
/// `seconds` of training are added up, validation left out.
Result<void> train_and_validate(const Run& run, TrainingState& state, double& seconds) {
    const TrainingOptions& options = run.options;
    const auto plan = plan_epoch(run.examples.tasks(), run.split.train, options, state.epoch);
    if (plan.empty()) {
        const Noun& noun = run.examples.tasks().words.workload;
        return fail(
            Fault::Input,
            fmt::format("there is nothing to train on: {} needs at least {} on a machine",
                        name(options.method),
                        is_meta(options.method) ? "two measured " + noun.many : "one measured " + noun.one));
    }
    const Stopwatch training;
    std::size_t looked_at = 0;
    auto whole = train_epoch(run, plan, state, looked_at);
    const double spent = training.seconds();
    seconds += spent;
    if (!whole)
        return whole;
    auto reports = validate(run.examples, run.split, run.split.validation, options, state.parameters,
                            run.stop, run.observer.validation);
    auto simulator = reports ? validate_simulator(run, state.parameters.weights)
                             : Result<std::vector<RankingReport>>(std::unexpected(reports.error()));
    auto validated = agree(run.group, simulator ? Result<void>() : std::unexpected(simulator.error()));
    if (!validated)
        return validated;
    EpochReport report{.epoch = state.epoch,
                       .training_loss = state.loss_sum / static_cast<double>(plan.size()),
                       .rate = rate_of_epoch(options, state.epoch),
                       .seconds = seconds,
                       .tasks = *std::move(reports),
                       .simulator = *std::move(simulator)};
    report.examples_per_second = static_cast<double>(looked_at) / std::max(spent, 1e-9);
    report.overall = combine(report.tasks);
    report.is_best = note_epoch(state, report.overall);
    ++state.epoch;
    state.step = 0;
    state.loss_sum = 0;
    if (run.observer.epoch)
        run.observer.epoch(report);
    return tell(run.observer, state);
}

} // namespace

Result<std::vector<RankingReport>> validate(ExampleStore& examples, const WorkloadSplit& split,
                                            std::span<const std::size_t> workloads,
                                            const TrainingOptions& options, const MetaParameters& parameters,
                                            const std::stop_token& stop, const ProgressSink& progress) {
    return guarded([&]() -> Result<std::vector<RankingReport>> {
        std::vector<RankingReport> reports;
        for (std::size_t task = 0; task < examples.tasks().tasks.size(); ++task) {
            NamedTensors weights = parameters.weights;
            // Without validation workloads no support set is needed.
            const auto planned = workloads.empty()
                                     ? std::vector<ExampleChoice>{}
                                     : plan_validation_support(examples.tasks(), task, split.train, options);
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped while a model was validated");
            if (!planned.empty()) {
                const auto episode = examples.episode(options.method, options.loss, {task, planned, {}});
                if (!episode)
                    return std::unexpected(episode.error());
                weights = adapt(options.method, options.inner, parameters, *episode);
            }
            auto report = report_ranking(examples, weights, options.loss, task, workloads, stop, progress);
            if (!report)
                return std::unexpected(std::move(report).error());
            reports.push_back(*std::move(report));
        }
        return reports;
    });
}

Result<TrainingResult> train(ExampleStore& examples, const WorkloadSplit& split,
                             const TrainingOptions& options, TrainingState state,
                             const TrainingObserver& observer, const std::stop_token& stop,
                             const ProcessGroup& group) {
    if (auto checked = check(options); !checked)
        return std::unexpected(std::move(checked).error());
    if (state.method != options.method)
        return fail(Fault::Input, fmt::format("a training run by {} can't go on by {}", name(state.method),
                                              name(options.method)));
    auto common = shared_state(group, std::move(state));
    if (!common)
        return std::unexpected(std::move(common).error());
    state = *std::move(common);
    const Run run{examples, split, options, observer, stop, group};
    return guarded([&]() -> Result<TrainingResult> {
        double seconds = 0;
        while (state.epoch < options.epochs) {
            if (options.patience > 0 && state.epochs_without_gain >= options.patience)
                return TrainingResult{std::move(state), TrainingEnd::StoppedEarly};
            const auto done = train_and_validate(run, state, seconds);
            if (!done && done.error().fault == Fault::Cancelled)
                return TrainingResult{std::move(state), TrainingEnd::Stopped};
            if (!done)
                return std::unexpected(done.error());
        }
        return TrainingResult{std::move(state), TrainingEnd::Finished};
    });
}

namespace {

std::int64_t count_examples(const StepPlan& step) {
    std::size_t count = 0;
    for (const EpisodePlan& episode : step)
        for (const auto* choices : {&episode.support, &episode.query})
            for (const ExampleChoice& choice : *choices)
                count += choice.configurations.size();
    return static_cast<std::int64_t>(count);
}

} // namespace

std::int64_t examples_of_full_step(const TrainingOptions& options) {
    const std::int64_t of_workload = options.configurations_per_workload;
    switch (options.method) {
    case Method::Supervised:
        return of_workload * options.workloads_per_step;
    case Method::Report: // the same workload before and after the step
        return of_workload * options.tasks_per_step * 2;
    default:
        return of_workload * options.tasks_per_step * (options.support_workloads + options.query_workloads);
    }
}

Result<TrainingLength> training_length(const TaskSet& tasks, const std::vector<std::size_t>& train,
                                       const TrainingOptions& options, std::int64_t examples) {
    TrainingLength length;
    for (; length.steps == 0 || length.examples < examples; ++length.epochs) {
        const auto plan = plan_epoch(tasks, train, options, length.epochs);
        for (const StepPlan& step : plan) {
            if (length.steps > 0 && length.examples >= examples)
                break;
            length.examples += count_examples(step);
            ++length.steps;
        }
        if (length.examples == 0)
            return fail(Fault::Input,
                        fmt::format("there is nothing to train on by {}", name(options.method)));
    }
    return length;
}

Result<TrainingState> train_for(ExampleStore& examples, const std::vector<std::size_t>& train,
                                TrainingOptions options, const TrainingLength& length, TrainingState state,
                                const TrainingObserver& observer, const std::stop_token& stop) {
    if (state.steps >= length.steps)
        return state;
    options.epochs = length.epochs;
    options.patience = 0;
    std::stop_source enough;
    const std::stop_callback also(stop, [&] { enough.request_stop(); });
    TrainingObserver until = observer;
    until.checkpoint = [&](const TrainingState& now) -> Result<void> {
        if (now.steps >= length.steps)
            enough.request_stop();
        return observer.checkpoint ? observer.checkpoint(now) : Result<void>();
    };
    auto result =
        sparsight::train(examples, {train, {}, {}}, options, std::move(state), until, enough.get_token());
    if (!result)
        return std::unexpected(std::move(result).error());
    if (result->state.steps < length.steps)
        return fail(Fault::Cancelled, "stopped");
    return std::move(result->state);
}

} // namespace sparsight
