#include "learning/fine_tuning/telling_workloads.h"

#include "learning/training/closed_form.h"
#include "model/tensors/torch_runtime.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/linalg_solve.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace sparsight {
namespace {

/// The trace of precision⁻¹ · asked: the mean variance of what is asked about.
double variance(const at::Tensor& precision, const at::Tensor& asked) {
    return at::linalg_solve(precision, asked).trace().item<double>();
}

class Design {
public:
    Design(ExampleStore& examples, std::size_t task, const NamedTensors& weights, const std::stop_token& stop)
        : examples_(examples)
        , task_(task)
        , weights_(weights)
        , stop_(stop) {}

    /// What each of these workloads would tell; nothing of those that the task has no runtimes of.
    Result<void> look_at(std::span<const std::size_t> workloads) {
        const Task& task = examples_.tasks().tasks[task_];
        for (std::size_t at = 0; at < task.runtimes.size(); ++at) {
            const std::size_t workload = task.runtimes[at].workload;
            if (std::ranges::find(workloads, workload) == workloads.end())
                continue;
            if (stop_.stop_requested())
                return fail(Fault::Cancelled, "stopped while workloads were compared");
            std::vector<std::size_t> all(task.runtimes[at].configurations.size());
            std::iota(all.begin(), all.end(), std::size_t{0});
            const std::vector<ExampleChoice> choice{{at, std::move(all)}};
            const auto rows = examples_.linear_terms(task_, choice);
            if (!rows)
                return std::unexpected(rows.error());
            if (!rows->empty())
                told_.emplace(workload, information(weights_, *rows));
        }
        return {};
    }

    std::vector<TellingWorkload> choose(std::span<const std::size_t> known,
                                        std::span<const std::size_t> candidates, std::size_t count) {
        at::Tensor precision = prior_precision(weights_);
        std::vector<std::size_t> left;
        for (const std::size_t workload : candidates)
            if (told_.contains(workload))
                left.push_back(workload);
        std::vector<TellingWorkload> chosen;
        if (left.empty())
            return chosen;
        at::Tensor asked;
        for (const auto& [workload, told] : told_)
            asked = asked.defined() ? asked + told : told;
        for (const std::size_t workload : known)
            if (const auto told = told_.find(workload); told != told_.end())
                precision = precision + told->second;
        const double before = variance(precision, asked);
        while (chosen.size() < count && !left.empty() && !stop_.stop_requested()) {
            std::vector<double> variances;
            for (const std::size_t workload : left)
                variances.push_back(variance(precision + told_.at(workload), asked));
            const auto least = std::ranges::min_element(variances);
            const auto place = left.begin() + (least - variances.begin());
            precision = precision + told_.at(*place);
            chosen.push_back({*place, *least / before});
            left.erase(place);
        }
        return chosen;
    }

private:
    ExampleStore& examples_;
    std::size_t task_;
    const NamedTensors& weights_;
    const std::stop_token& stop_;
    std::map<std::size_t, at::Tensor> told_; ///< by workload: [inputs, inputs]
};

} // namespace

Result<std::vector<TellingWorkload>> telling_workloads(ExampleStore& examples, std::size_t task,
                                                       std::span<const std::size_t> known,
                                                       std::span<const std::size_t> candidates,
                                                       const NamedTensors& weights, std::size_t count,
                                                       const std::stop_token& stop) {
    return guarded([&]() -> Result<std::vector<TellingWorkload>> {
        const c10::AutoGradMode no_graph(false);
        Design design(examples, task, weights, stop);
        for (const auto& workloads : {known, candidates})
            if (auto looked = design.look_at(workloads); !looked)
                return std::unexpected(std::move(looked).error());
        auto chosen = design.choose(known, candidates, count);
        if (stop.stop_requested())
            return fail(Fault::Cancelled, "stopped while workloads were compared");
        return chosen;
    });
}

} // namespace sparsight
