#include "learning/fine_tuning.h"

#include "learning/optimiser.h"
#include "learning/training_plan.h"
#include "model/torch_errors.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace sparsight {

namespace {

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

/// Half a cosine from 1 towards 0.
double share_of_rate(const FineTuningOptions& options, int epoch) {
    return (1 + std::cos(std::numbers::pi * epoch / options.epochs)) / 2;
}

/// The weights on their way, by either rule.
class Tuning {
public:
    Tuning(const FineTuningOptions& options, const MetaParameters& parameters)
        : options_(options)
        , here_{leaves(parameters.weights), parameters.rates}
        , adam_(initial_adam(here_.weights)) {}

    [[nodiscard]] const NamedTensors& weights() const { return here_.weights; }

    /// On one matrix, at a share of the rate. Returns the loss before the step.
    double step(const Objective& matrix, double share) {
        if (options_.rule == FineTuningRule::InnerSteps) {
            InnerStep next = inner_step(options_.method, {1, options_.inner_rate}, here_, matrix);
            here_.weights = std::move(next.weights);
            return next.loss;
        }
        Gradient found = gradient(matrix, here_.weights);
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
    const std::string_view whose = options.rule == FineTuningRule::Adam ? "rate" : "inner rate";
    return fail(
        Fault::Input,
        fmt::format("fine-tuning diverged in epoch {} (the {} became no finite number): the {} of {} is "
                    "probably too high",
                    epoch + 1, what, whose,
                    options.rule == FineTuningRule::Adam ? options.adam_rate : options.inner_rate));
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

int fine_tuning_epochs(FineTuningRule rule) {
    return rule == FineTuningRule::Adam ? 20 : 5;
}

Result<NamedTensors> fine_tune(ExampleStore& examples, std::size_t task,
                               std::span<const std::size_t> matrices, const FineTuningOptions& options,
                               const MetaParameters& parameters, const FineTuningObserver& observer,
                               const std::stop_token& stop) {
    return guarded([&]() -> Result<NamedTensors> {
        Tuning tuning(options, parameters);
        for (int epoch = 0; epoch < options.epochs; ++epoch) {
            const auto steps = plan(examples.tasks(), task, matrices, options, epoch);
            if (steps.empty())
                break;
            double losses = 0;
            for (const StepPlan& step : steps) {
                if (stop.stop_requested())
                    return fail(Fault::Cancelled, "fine-tuning was stopped");
                const auto matrix = examples.objective(options.loss, task, step.front().query);
                if (!matrix)
                    return std::unexpected(matrix.error());
                const double loss = tuning.step(*matrix, share_of_rate(options, epoch));
                if (!std::isfinite(loss))
                    return diverged(options, epoch, "loss");
                losses += loss;
            }
            if (!are_finite(tuning.weights()))
                return diverged(options, epoch, "weights");
            if (observer)
                observer(epoch, losses / static_cast<double>(steps.size()));
        }
        return tuning.weights();
    });
}

} // namespace sparsight
