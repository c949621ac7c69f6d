#include "workflow/learning/fine_tuning/stated_doubt.h"

#include "base/random.h"
#include "model/networks/gray_box.h"
#include "model/tensors/torch_runtime.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace sparsight {

namespace {

/// The configurations of one workload, in doubles.
struct MeasuredRows {
    std::size_t workload = 0; ///< a number of the whole one
    at::Tensor inputs;        ///< of the head
    std::vector<double> scores;
    std::vector<double> times; ///< logarithms
};

std::vector<double> numbers_of(const at::Tensor& tensor) {
    const at::Tensor whole = tensor.detach().to(at::Device(at::kCPU), at::kDouble).contiguous();
    return {whole.data_ptr<double>(), whole.data_ptr<double>() + whole.numel()};
}

Result<std::vector<MeasuredRows>> rows_of(ExampleStore& examples, std::span<const std::size_t> workloads,
                                          const NamedTensors& weights, const std::stop_token& stop) {
    const Task& task = examples.tasks().tasks.front();
    std::vector<MeasuredRows> all;
    std::map<std::string, std::size_t> wholes; // of which some are parts
    for (std::size_t at = 0; at < task.runtimes.size(); ++at) {
        const WorkloadRuntimes& runtimes = task.runtimes[at];
        if (std::ranges::find(workloads, runtimes.workload) == workloads.end())
            continue;
        std::vector<std::size_t> places(runtimes.configurations.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        const std::vector<ExampleChoice> choice{{at, std::move(places)}};
        const auto terms = examples.linear_terms(0, choice, stop);
        if (!terms)
            return std::unexpected(terms.error());
        for (const LinearTerm& term : *terms) {
            const LinearRows rows = term(weights);
            if (rows.times.size(0) < 2)
                continue;
            const at::Tensor inputs = rows.inputs.to(at::kDouble);
            const at::Tensor learned = at::matmul(inputs, weights[head_weight].detach().to(inputs.options()));
            const at::Tensor scores = (rows.times - rows.residuals).to(at::kDouble) + learned;
            const std::string name = examples.tasks().workloads[runtimes.workload].whole_name();
            all.push_back({wholes.try_emplace(name, wholes.size()).first->second, inputs, numbers_of(scores),
                           numbers_of(rows.times)});
        }
    }
    return all;
}

/// Of the logarithms of measured times about those that are predicted, whose level in a workload is open.
std::optional<double> residual_scatter(const std::vector<MeasuredRows>& learned) {
    double squares = 0;
    std::size_t freedom = 0;
    for (const MeasuredRows& rows : learned) {
        const auto count = static_cast<double>(rows.times.size());
        double mean = 0;
        for (std::size_t at = 0; at < rows.times.size(); ++at)
            mean += (rows.times[at] - rows.scores[at]) / count;
        for (std::size_t at = 0; at < rows.times.size(); ++at)
            squares += std::pow(rows.times[at] - rows.scores[at] - mean, 2);
        freedom += rows.times.size() - 1;
    }
    return freedom > 0 ? std::optional(std::sqrt(squares / static_cast<double>(freedom))) : std::nullopt;
}

std::vector<StatedDifference> ring_of(const MeasuredRows& rows, const NamedTensors& weights, double residual,
                                      Random random) {
    constexpr double least_deviation = 1e-9; // of a model that never errs
    std::vector<std::int64_t> order(rows.times.size());
    std::iota(order.begin(), order.end(), std::int64_t{0});
    random.shuffle(order);
    std::vector<std::int64_t> next = order;
    std::ranges::rotate(next, next.begin() + 1);
    if (order.size() == 2) { // a ring of two has one pair
        order.pop_back();
        next.pop_back();
    }
    const auto those = [&](const std::vector<std::int64_t>& places) {
        return at::index_select(rows.inputs, 0, at::tensor(places, at::kLong).to(rows.inputs.device()));
    };
    const std::vector<double> variances = numbers_of(head_variances(weights, those(order) - those(next)));
    std::vector<StatedDifference> pairs;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const auto one = static_cast<std::size_t>(order[at]);
        const auto other = static_cast<std::size_t>(next[at]);
        pairs.push_back({rows.workload, rows.scores[one] - rows.scores[other],
                         rows.times[one] - rows.times[other],
                         std::max(least_deviation, std::sqrt(variances[at] + 2 * residual * residual))});
    }
    return pairs;
}

Result<std::vector<StatedDifference>> pairs_of(ExampleStore& examples, std::span<const std::size_t> workloads,
                                               const NamedTensors& weights, double residual,
                                               std::uint64_t seed, const std::stop_token& stop) {
    const auto all = rows_of(examples, workloads, weights, stop);
    if (!all)
        return std::unexpected(all.error());
    std::vector<StatedDifference> pairs;
    for (std::uint64_t place = 0; const MeasuredRows& rows : *all)
        std::ranges::copy(ring_of(rows, weights, residual, Random(seed).fork(place++)),
                          std::back_inserter(pairs));
    return pairs;
}

} // namespace

Result<CheckedDoubt> checked_doubt(ExampleStore& examples, const DoubtSides& sides,
                                   const AdaptedModel& adapted, std::uint64_t seed,
                                   const std::stop_token& stop) {
    const NamedTensors& weights = adapted.weights;
    return guarded([&]() -> Result<CheckedDoubt> {
        const c10::AutoGradMode no_graph(false);
        // Without the trees, which know these times by heart.
        const auto learned = rows_of(examples, sides.tuned, weights, stop);
        if (!learned)
            return std::unexpected(learned.error());
        CheckedDoubt checked;
        const auto residual = residual_scatter(*learned);
        if (!residual)
            return checked;
        const UsedTrees used_trees(examples, adapted.trees);
        const auto validated = pairs_of(examples, sides.validated, weights, *residual, seed, stop);
        if (!validated)
            return std::unexpected(validated.error());
        const auto tested = pairs_of(examples, sides.tested, weights, *residual, seed, stop);
        if (!tested)
            return std::unexpected(tested.error());
        const auto factors = calibrated_factors(*validated);
        const DeviationFactors used = factors.value_or(DeviationFactors{});
        checked.doubt = {.residual = *residual, .temperature = used.temperature, .reach = used.reach};
        if (factors)
            checked.doubt->calibrated_on = reliability_of(*validated, used).workloads;
        if (Reliability found = reliability_of(*tested, used); found.pairs > 0)
            checked.reliability = std::move(found);
        return checked;
    });
}

} // namespace sparsight
