#include "learning/step_gradient.h"

#include "model/torch_errors.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

std::size_t count_examples(const std::vector<ExampleChoice>& choices) {
    std::size_t examples = 0;
    for (const ExampleChoice& choice : choices)
        examples += choice.schedules.size();
    return examples;
}

/// Of every `count`-th episode from `first` on, as its share of the mean over all.
Result<StepGradient> gradient_of_share(ExampleStore& examples, const StepPlan& plan,
                                       const TrainingOptions& options, const MetaParameters& parameters,
                                       std::size_t first, std::size_t count) {
    StepGradient sum;
    const double share = 1.0 / static_cast<double>(plan.size());
    for (std::size_t e = first; e < plan.size(); e += count) {
        const EpisodePlan& planned = plan[e];
        auto support = examples.objective(options.loss, planned.task, planned.support);
        auto query = examples.objective(options.loss, planned.task, planned.query);
        if (!support || !query)
            return std::unexpected(support ? query.error() : support.error());
        MetaGradient found = meta_gradient(options.method, options.inner, parameters,
                                           {*std::move(support), *std::move(query)});
        sum.loss += found.query_loss * share;
        sum.examples += count_examples(planned.support) + count_examples(planned.query);
        std::vector<at::Tensor>& tensors = found.weights;
        tensors.insert(tensors.end(), found.rates.begin(), found.rates.end());
        for (std::size_t p = 0; p < tensors.size(); ++p) {
            const at::Tensor part = tensors[p] * share;
            if (p < sum.tensors.size())
                sum.tensors[p] = sum.tensors[p] + part;
            else
                sum.tensors.push_back(part);
        }
    }
    return sum;
}

/// Of a process that has nothing to add.
std::vector<at::Tensor> zeros(const MetaParameters& parameters) {
    std::vector<at::Tensor> zeros;
    for (const at::Tensor& weight : parameters.weights.tensors())
        zeros.push_back(at::zeros_like(weight.detach()));
    if (parameters.rates)
        for (const at::Tensor& rate : parameters.rates->tensors())
            zeros.push_back(at::zeros_like(rate.detach()));
    return zeros;
}

std::unexpected<Error> cancelled() {
    return fail(Fault::Cancelled, "training was stopped");
}

/// How many processes were asked to stop, and how many failed.
at::Tensor outcome_of(const Result<void>& mine) {
    const bool is_stopped = !mine && mine.error().fault == Fault::Cancelled;
    return at::tensor({is_stopped ? 1.0 : 0.0, !mine && !is_stopped ? 1.0 : 0.0}, at::kDouble);
}

/// What all do after they have added up their outcomes.
Result<void> common_outcome(const at::Tensor& outcomes, Result<void> mine) {
    if (!mine && mine.error().fault != Fault::Cancelled)
        return mine;
    if (outcomes[1].item<double>() > 0)
        return fail(Fault::Environment, "another of the processes that train together failed");
    if (outcomes[0].item<double>() > 0)
        return cancelled();
    return mine;
}

Result<void> without_value(const Result<StepGradient>& found) {
    return found ? Result<void>() : std::unexpected(found.error());
}

} // namespace

Result<StepGradient> step_gradient(ExampleStore& examples, const StepPlan& plan,
                                   const TrainingOptions& options, const MetaParameters& parameters,
                                   const ProcessGroup& group, bool asked_to_stop) {
    return guarded([&]() -> Result<StepGradient> {
        Result<StepGradient> mine = asked_to_stop ? cancelled() : guarded([&] {
            return gradient_of_share(examples, plan, options, parameters,
                                     static_cast<std::size_t>(group.rank()),
                                     static_cast<std::size_t>(group.count()));
        });
        if (group.count() == 1)
            return mine;
        std::vector<at::Tensor> shared =
            mine && !mine->tensors.empty() ? std::move(mine->tensors) : zeros(parameters);
        shared.push_back(outcome_of(without_value(mine)));
        shared.push_back(at::tensor(
            {mine ? mine->loss : 0.0, mine ? static_cast<double>(mine->examples) : 0.0}, at::kDouble));
        group.add_up(shared);
        const at::Tensor sums = std::exchange(shared.back(), {});
        shared.pop_back();
        const at::Tensor outcomes = std::exchange(shared.back(), {});
        shared.pop_back();
        if (auto common = common_outcome(outcomes, without_value(mine)); !common)
            return std::unexpected(std::move(common).error());
        return StepGradient{sums[0].item<double>(), std::move(shared),
                            static_cast<std::size_t>(sums[1].item<double>())};
    });
}

Result<void> agree(const ProcessGroup& group, Result<void> mine) {
    if (group.count() == 1)
        return mine;
    return guarded([&]() -> Result<void> {
        std::vector<at::Tensor> shared{outcome_of(mine)};
        group.add_up(shared);
        return common_outcome(shared.front(), std::move(mine));
    });
}

} // namespace sparsight
