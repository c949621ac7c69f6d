#include "learning/fine_tuning.h"

#include "learning/optimiser.h"
#include "learning/training_plan.h"

#include <ATen/TensorOperators.h>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

NamedTensors inner_step(const FineTuningOptions& options, const MetaParameters& parameters,
                        const NamedTensors& weights, const Objective& matrix) {
    const MetaParameters here{weights, parameters.rates};
    return adapt(options.method, {1, options.inner_rate}, here, matrix);
}

/// The steps of one epoch on one task: every matrix once, in random order.
std::vector<StepPlan> plan(const TaskSet& tasks, std::size_t task, std::span<const std::size_t> matrices,
                           const FineTuningOptions& options, int epoch) {
    TrainingOptions supervised;
    supervised.schedules_per_matrix = options.schedules_per_matrix;
    supervised.seed = options.seed;
    auto steps = plan_epoch(tasks, {matrices.begin(), matrices.end()}, supervised, epoch);
    std::erase_if(steps, [task](const StepPlan& step) { return step.front().task != task; });
    return steps;
}

} // namespace

std::string_view name(FineTuningRule rule) {
    return rule == FineTuningRule::InnerSteps ? "inner" : "adam";
}

std::optional<FineTuningRule> parse_fine_tuning_rule(std::string_view text) {
    for (const FineTuningRule rule : {FineTuningRule::InnerSteps, FineTuningRule::Adam})
        if (text == name(rule))
            return rule;
    return std::nullopt;
}

Result<NamedTensors> fine_tune(ExampleStore& examples, std::size_t task,
                               std::span<const std::size_t> matrices, const FineTuningOptions& options,
                               const MetaParameters& parameters, const FineTuningObserver& observer,
                               const std::stop_token& stop) {
    NamedTensors weights = leaves(parameters.weights);
    AdamState adam = initial_adam(weights);
    for (int epoch = 0; epoch < options.epochs; ++epoch) {
        const auto steps = plan(examples.tasks(), task, matrices, options, epoch);
        if (steps.empty())
            return weights;
        double losses = 0;
        for (const StepPlan& step : steps) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "fine-tuning was stopped");
            const auto matrix = examples.objective(options.loss, task, step.front().query);
            if (!matrix)
                return std::unexpected(matrix.error());
            const Gradient found = gradient(*matrix, weights);
            if (!std::isfinite(found.value))
                return fail(
                    Fault::Input,
                    fmt::format(
                        "fine-tuning diverged in epoch {}: the rate of {} is probably too high", epoch + 1,
                        options.rule == FineTuningRule::Adam ? options.adam_rate : options.inner_rate));
            losses += found.value;
            if (options.rule == FineTuningRule::InnerSteps) {
                weights = inner_step(options, parameters, weights, *matrix);
            } else {
                AdamStep next = adam_step({}, options.adam_rate, weights, found.tensors, adam);
                weights = std::move(next.parameters);
                adam = std::move(next.state);
            }
        }
        if (observer)
            observer(epoch, losses / static_cast<double>(steps.size()));
    }
    return weights;
}

} // namespace sparsight
