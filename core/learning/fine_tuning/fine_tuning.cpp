#include "learning/fine_tuning/fine_tuning.h"

#include "base/names.h"
#include "learning/training/closed_form.h"
#include "learning/training/training_plan.h"
#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"

#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <array>
#include <c10/core/GradMode.h>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <numbers>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

/// The steps of one epoch on one task: every workload once, in random order, some in each step where a
/// network scores many at once.
std::vector<StepPlan> plan(const ExampleStore& examples, std::size_t task,
                           std::span<const std::size_t> workloads, const FineTuningOptions& options,
                           int epoch) {
    constexpr int workloads_of_a_batch = 10;
    const TaskSet& tasks = examples.tasks();
    TrainingOptions supervised;
    if (examples.encoder().batches() != nullptr)
        supervised.workloads_per_step = workloads_of_a_batch;
    supervised.configurations_per_workload = options.configurations_per_workload;
    supervised.seed = options.seed;
    auto steps = plan_epoch(tasks, {workloads.begin(), workloads.end()}, supervised, epoch);
    std::erase_if(steps, [task](const StepPlan& step) { return step.front().task != task; });
    return steps;
}

/// Half a cosine from 1 towards 0.
double share_of_rate(int epoch, int epochs) {
    return (1 + std::cos(std::numbers::pi * epoch / epochs)) / 2;
}

/// The weights on their way, by either rule.
class Tuning {
public:
    Tuning(const FineTuningOptions& options, const MetaParameters& parameters)
        : options_(options)
        , here_{leaves(parameters.weights), parameters.rates}
        , adam_(initial_adam(here_.weights)) {}

    [[nodiscard]] const NamedTensors& weights() const { return here_.weights; }

    /// On some workloads, at a share of the rate. Returns the loss before the step.
    double step(const Objective& workloads, double share) {
        if (options_.rule == FineTuningRule::InnerSteps) {
            InnerStep next = inner_step(options_.method, {1, options_.inner_rate}, here_, workloads);
            here_.weights = std::move(next.weights);
            return next.loss;
        }
        Gradient found = gradient(workloads, here_.weights);
        if (!std::isfinite(clip_gradients(found.tensors, options_.longest_gradient)))
            return std::numeric_limits<double>::quiet_NaN();
        AdamStep next = adam_step({}, options_.adam_rate * share, here_.weights, found.tensors, adam_);
        here_.weights = std::move(next.parameters);
        adam_ = std::move(next.state);
        return found.value;
    }

private:
    const FineTuningOptions& options_;
    MetaParameters here_;
    AdamState adam_;
};

std::unexpected<Error> diverged(const FineTuningOptions& options, int epoch, std::string_view what) {
    const bool is_inner = options.rule == FineTuningRule::InnerSteps;
    const std::string_view whose = is_inner ? "inner rate" : "rate";
    return fail(
        Fault::Input,
        fmt::format("fine-tuning diverged in epoch {} (the {} became no finite number): the {} of {} is "
                    "probably too high",
                    epoch + 1, what, whose, is_inner ? options.inner_rate : options.adam_rate));
}

} // namespace

constexpr Names<FineTuningRule, 3> rule_names{{{FineTuningRule::InnerSteps, "inner"},
                                               {FineTuningRule::Adam, "adam"},
                                               {FineTuningRule::ClosedForm, "closed-form"}}};

std::string_view name(FineTuningRule rule) {
    return name_in(rule_names, rule);
}

std::optional<FineTuningRule> parse_fine_tuning_rule(std::string_view text) {
    return value_in(rule_names, text);
}

FineTuningOptions usual_options(FineTuningRule rule) {
    switch (rule) {
    case FineTuningRule::InnerSteps:
        return {.rule = rule, .epochs = 5};
    case FineTuningRule::ClosedForm:
        return {.rule = rule, .loss = Loss::TopPairs, .epochs = 0};
    case FineTuningRule::Adam:
        break;
    }
    return {.rule = rule};
}

std::vector<ExampleChoice> all_configurations(const Task& task, std::span<const std::size_t> workloads) {
    std::vector<ExampleChoice> choices;
    for (std::size_t at = 0; at < task.runtimes.size(); ++at) {
        if (std::ranges::find(workloads, task.runtimes[at].workload) == workloads.end())
            continue;
        std::vector<std::size_t> places(task.runtimes[at].configurations.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        choices.push_back({at, std::move(places)});
    }
    return choices;
}

namespace {

/// From these weights on, epoch by epoch.
Result<NamedTensors> tuned_by_steps(ExampleStore& examples, std::size_t task,
                                    std::span<const std::size_t> workloads, const FineTuningOptions& options,
                                    const MetaParameters& parameters, const FineTuningObserver& observer,
                                    const std::stop_token& stop) {
    Tuning tuning(options, parameters);
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        const auto plans = plan(examples, task, workloads, options, epoch);
        if (plans.empty())
            break;
        double losses = 0;
        for (const StepPlan& step : plans) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "fine-tuning was stopped");
            const auto objective = examples.objective(options.loss, task, step.front().query);
            if (!objective)
                return std::unexpected(objective.error());
            const double loss = tuning.step(*objective, share_of_rate(epoch, options.epochs));
            if (!std::isfinite(loss))
                return diverged(options, epoch, "loss");
            losses += loss;
        }
        if (!are_finite(tuning.weights()))
            return diverged(options, epoch, "weights");
        if (observer)
            observer(epoch, losses / static_cast<double>(plans.size()));
    }
    return tuning.weights();
}

/// With these values of one tensor.
NamedTensors with_tensor(const NamedTensors& weights, std::string_view name, const at::Tensor& values) {
    std::vector<at::Tensor> tensors = weights.tensors();
    for (std::size_t at = 0; at < tensors.size(); ++at)
        if (weights.names()[at] == name)
            tensors[at] = values.to(tensors[at].options());
    return weights.with(std::move(tensors));
}

/// Those of a gray box, which forgets the machine that it was calibrated to before.
Result<NamedTensors> calibrated_anew(ExampleStore& examples, std::size_t task,
                                     std::span<const std::size_t> workloads, std::uint64_t seed,
                                     NamedTensors weights, const std::stop_token& stop,
                                     const ProgressSink& progress) {
    if (workloads.empty())
        return weights;
    weights =
        with_tensor(weights, simulator_parameters, at::zeros_like(weights[simulator_parameters].detach()));
    return with_calibration(examples, task, workloads, seed, weights, stop, progress);
}

Result<NamedTensors> tuned_in_closed_form(ExampleStore& examples, std::size_t task,
                                          std::span<const std::size_t> workloads,
                                          const FineTuningOptions& options, const NamedTensors& before,
                                          const std::stop_token& stop, const ProgressSink& progress) {
    auto calibrated = calibrated_anew(examples, task, workloads, options.seed, before, stop, progress);
    if (!calibrated)
        return calibrated;
    const NamedTensors weights = *std::move(calibrated);
    const auto rows = examples.linear_terms(task, all_configurations(examples.tasks().tasks[task], workloads),
                                            stop, progress);
    if (!rows)
        return std::unexpected(rows.error());
    if (stop.stop_requested())
        return fail(Fault::Cancelled, "fine-tuning was stopped");
    if (rows->empty()) // what it learned before is still all that is known
        return leaves(weights);
    const c10::AutoGradMode no_graph(false);
    const NamedTensors solved = with_posterior_head(weights, *rows);
    if (!are_finite(solved))
        return fail(Fault::Input, fmt::format("the measurements of {} could not be solved for: a weight "
                                              "became no finite number",
                                              examples.tasks().tasks[task].machine));
    return leaves(solved);
}

} // namespace

Result<NamedTensors> with_calibration(ExampleStore& examples, std::size_t task,
                                      std::span<const std::size_t> workloads, std::uint64_t seed,
                                      const NamedTensors& weights, const std::stop_token& stop,
                                      const ProgressSink& progress) {
    const auto machine = examples.calibrate(task, workloads, seed, stop, progress);
    if (!machine && machine.error().fault == Fault::Input)
        return weights;
    if (!machine)
        return std::unexpected(machine.error());
    return with_tensor(weights, simulator_parameters, to_tensor(*machine));
}

Result<NamedTensors> fine_tune(ExampleStore& examples, std::size_t task,
                               std::span<const std::size_t> workloads, const FineTuningOptions& options,
                               const MetaParameters& parameters, const FineTuningObserver& observer,
                               const std::stop_token& stop, const ProgressSink& progress) {
    return guarded([&]() -> Result<NamedTensors> {
        const bool is_gray_box = examples.encoder().gray_box() != nullptr;
        if (options.rule == FineTuningRule::InnerSteps && is_gray_box) {
            auto calibrated =
                calibrated_anew(examples, task, workloads, options.seed, parameters.weights, stop, progress);
            if (!calibrated)
                return calibrated;
            return tuned_by_steps(examples, task, workloads, options, {leaves(*calibrated), parameters.rates},
                                  observer, stop);
        }
        if (options.rule != FineTuningRule::ClosedForm)
            return tuned_by_steps(examples, task, workloads, options, parameters, observer, stop);
        return tuned_in_closed_form(examples, task, workloads, options, parameters.weights, stop, progress);
    });
}

} // namespace sparsight
