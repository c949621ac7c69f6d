#include "learning/processes/joint_training.h"

#include "model/tensors/torch_runtime.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace sparsight {

namespace {

constexpr std::string_view train_word = "train";
constexpr std::string_view nothing_word = "nothing";
constexpr std::string_view stopped_word = "stopped";
constexpr std::string_view failed_word = "failed";

std::string_view word_of(const Result<SharedStart>& mine) {
    if (!mine)
        return mine.error().fault == Fault::Cancelled ? stopped_word : failed_word;
    return *mine == SharedStart::Train ? train_word : nothing_word;
}

} // namespace

Result<SharedStart> agree_on_start(ProcessGroup& group, Result<SharedStart> mine,
                                   const std::stop_token& stop) {
    if (group.count() == 1)
        return mine;
    // A process that failed or was stopped announces it, too, so that the others need not wait for it.
    const auto words = group.exchange(std::string(word_of(mine)), stop);
    if (!mine)
        return mine;
    if (!words)
        return std::unexpected(words.error());
    const auto said = [&](std::string_view word) { return std::ranges::find(*words, word) != words->end(); };
    if (said(failed_word))
        return fail(Fault::Environment, "another of the processes that train together failed");
    if (said(stopped_word))
        return fail(Fault::Cancelled, "another of the processes that train together was stopped");
    return words->front() == nothing_word ? SharedStart::NothingToDo : SharedStart::Train;
}

namespace {

std::vector<NamedShape> shapes_of(const NamedTensors& weights) {
    std::vector<NamedShape> shapes;
    for (std::size_t p = 0; p < weights.size(); ++p)
        shapes.push_back({weights.names()[p], weights.tensors()[p].sizes().vec()});
    return shapes;
}

/// A sum to which the others add zeros.
at::Tensor from_first(const ProcessGroup& group, at::Tensor numbers) {
    std::vector<at::Tensor> message{std::move(numbers)};
    group.add_up(message);
    return message.front();
}

} // namespace

Result<TrainingState> shared_state(const ProcessGroup& group, TrainingState mine) {
    if (group.count() == 1)
        return mine;
    return guarded([&]() -> Result<TrainingState> {
        const bool is_first = group.rank() == 0;
        std::vector<std::byte> bytes = is_first ? training_state_bytes(mine) : std::vector<std::byte>();
        const at::Tensor size = from_first(group, at::tensor({static_cast<std::int64_t>(bytes.size())}));
        at::Tensor content = at::zeros({size.item<std::int64_t>()}, at::TensorOptions(at::kByte));
        if (is_first)
            std::memcpy(content.data_ptr(), bytes.data(), bytes.size());
        content = from_first(group, std::move(content));
        if (is_first)
            return mine;
        bytes.resize(static_cast<std::size_t>(content.numel()));
        std::memcpy(bytes.data(), content.data_ptr(), bytes.size());
        const NamedTensors& weights = mine.parameters.weights;
        return parse_training_state(bytes, mine.method, shapes_of(weights),
                                    weights.tensors().front().device());
    });
}

namespace {

std::size_t count_examples(const std::vector<ExampleChoice>& choices) {
    std::size_t examples = 0;
    for (const ExampleChoice& choice : choices)
        examples += choice.configurations.size();
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
        auto episode = examples.episode(options.method, options.loss, planned);
        if (!episode)
            return std::unexpected(std::move(episode).error());
        MetaGradient found = meta_gradient(options.method, options.inner, parameters, *episode);
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

/// The common outcome after the processes have added up their own outcomes.
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
